"""Many players on the same deals: who meets whom, the results, and a file from which to play them again.

`playing` has `play_tournament` and `rerun`, `standings` what they return, `pairing` the systems, `ladder` the file,
`cross_play` what is played together, `picture` the plot, `nash` the mix of players that no player beats.
"""
