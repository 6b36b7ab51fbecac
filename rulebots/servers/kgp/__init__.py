"""The Kalah Game Protocol, version 1: Kalah servers and the programs that play on them, in mode `freeplay`.

https://github.com/KWARC/kalah-game, spec/. A line is `[id][@ref] name arguments`: `id` numbers the lines of one side,
`ref` is the number of the line that is answered. A board is `<n,S,N,s1..sn,n1..nn>`: pits a side, the stores of South
and North, their pits, each from its player's own left. Who is asked is always South; pits count from 1.
"""
