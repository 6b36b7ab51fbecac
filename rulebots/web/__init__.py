"""The page: play, look at reasons, and tune weights in a browser, served by this machine.

`server` starts it, `app` puts its parts together, `manners` refuses what no page of its own sends. `tables` holds the
games that are played, each a `table`, on disk as records; `thinking` runs players outside the requests, and `opponents`
says which players a browser may name. `play`, `tune` and `ladder` have the routes; `tuning` tries weights, `rating`
plays ladders, and `board`, `reasons` and `pages` make HTML.

It needs the extra `web`.
"""
