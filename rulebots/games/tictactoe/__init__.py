"""Tic-tac-toe: three stones in a row win, or k of them on n x n points.

Two players take turns to put a stone on an empty point of a board of three rows and three columns.

- Who first has three stones in a row wins: across, down, or diagonally.
- If the board is full and nobody has three in a row, the game is a draw.
- The options make the board larger, up to 10 by 10, and say how many stones in a row win.

Look for a stone that threatens two rows at once, and stop the one that your opponent is about to make. On three by
three points neither player can win against one who makes no mistake.
"""
