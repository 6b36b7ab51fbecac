"""A search that looks for forced wins: threats that the opponent must answer, one after the other, to a five.

`board` keeps patterns incrementally, `fours` and `threes` prove wins, `alphabeta` searches where there is none.
"""
