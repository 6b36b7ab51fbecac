"""The page: play, look at reasons, and tune weights in a browser, served by this machine.

`server` starts it, `app` puts its parts together, `security` refuses what no page of the server sends, and
`served_folder` says which players and files a browser may name. `sessions` holds the games that are played, on disk as
records; `background` runs players outside the requests. `play`, `tune` and `ladders` have the routes; `ladder`
plays one; `snapshot`, `board`, `reasons` and `pages` make HTML. `runs` is a part that breeds, and imports `evolve`: the
page finds it by its entry point, and works without it.

It needs the extra `web`.
"""
