"""The page: play, look at reasons, and tune weights in a browser, served by this machine.

`server` starts it, `app` assembles it, `security` refuses what no page of the server sends, and `served_folder` says
which players and files a browser may name. `session` is a game that is played, `sessions` all of them, on disk as
records; `background` runs players outside the requests. `view` is what one visitor sees of a game; `play` has its
routes, `home` those that lead to a game, `review` those that look back at one. `board`, `reasons`, `chart` and the
templates of `pages` draw. `runs` is a part that breeds, and imports `evolve`: the page finds it by its entry point, and
works without.

It needs the extra `web`.
"""
