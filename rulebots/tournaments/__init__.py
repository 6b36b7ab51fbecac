"""Many players on the same deals: who meets whom, what comes of it, and a file that says how to do it again.

`playing` has `play_tournament`, `standings` what it returns, `ladder` the file, `picture` the plot.
"""
