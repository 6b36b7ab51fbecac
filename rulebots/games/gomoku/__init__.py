"""Gomoku: five stones in a row, on boards from 5 x 5 to 22 x 22.

Two players take turns to put a stone on an empty point of the board. Stones never move, and none is captured.

- Who first has five stones in an unbroken row wins: across, down, or diagonally.
- Six or more in a row win as well, unless you choose otherwise.
- If the board is full and nobody has five, the game is a draw.

Four in a row with a free end have to be stopped at once. Three in a row that are open at both ends have to be stopped
one move earlier. To win, make two such threats with one stone: your opponent can answer only one of them.
"""
