"""Gomoku: five stones in a row, on boards from 5 x 5 to 22 x 22.

Two players take turns putting a stone on an empty point of the board. Stones never move and are never captured.

- The first player with five stones in an unbroken row wins: across, down, or diagonally.
- Six or more in a row win as well, unless you choose otherwise.
- If the board is full and nobody has five, the game is a draw.

Four in a row with a free end must be stopped at once, three in a row with two free ends one move earlier. To win, make
two such threats with one stone: your opponent can answer only one of them.
"""
