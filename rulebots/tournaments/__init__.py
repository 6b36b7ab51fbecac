"""Many players on the same deals: who meets whom, the results, and a file from which to play them again.

`tournament` has `play_tournament` and what it returns, `pairing` the systems, `ladder` the file and `rerun`,
`cross_play` what is played together, `picture` the plot, `nash` the mix of players that no player beats.
"""
