"""Many players on the same deals: who meets whom, the results, and a file from which to play it all again.

`playing` has `play_tournament`, `standings` what it returns, `ladder` the file, `picture` the plot.
"""
