"""The page: play, look at reasons, and tune weights in a browser, served by this machine.

`server` assembles it, refuses what no page of it sends, and serves it; `served_folder` says which players and files a
browser may name. `sessions` are the games that are played, on disk as records; `background` runs players outside the
requests. `view` is what one visitor sees of a game; `play` has its routes, `home` those that lead to a game, `review`
and `pictures` those that look back at one. `reasons`, `chart` and the templates of `pages` draw. `runs` is a part that
breeds, and imports `evolve`: the page finds it by its entry point, and works without.

It needs the extra `web`.
"""
