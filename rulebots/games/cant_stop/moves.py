"""The numbers of moves: stop, roll again, advance in one or two columns, and what the dice show.

A column has the number 0 to 10, its sum less 2. Moves that advance in the same column twice have it as both columns.
"""

from __future__ import annotations

import numpy as np

from rulebots.games.cant_stop.dice import COLUMNS, NO_COLUMN, ROLLS

RUNNERS = 3
STOP, ROLL = 0, 1
#: The first move that advances.
ADVANCE = 2
#: The columns of each move that advances, the lower one first; the second is NO_COLUMN if there is one only.
_STEPS = [(low, high) for low in range(COLUMNS) for high in range(low, NO_COLUMN + 1)]
#: The first outcome of a roll of the dice: outcome FIRST_ROLL + r is roll r.
FIRST_ROLL = ADVANCE + len(_STEPS)
MOVES = FIRST_ROLL + len(ROLLS)

#: int64[FIRST_ROLL]: the lower and the other column of a move; NO_COLUMN for none.
LOW = np.full(FIRST_ROLL, NO_COLUMN, np.int64)
HIGH = np.full(FIRST_ROLL, NO_COLUMN, np.int64)
LOW[ADVANCE:], HIGH[ADVANCE:] = np.array(_STEPS).T
#: int64[low, high]: the move that advances in these columns, low <= high.
STEP = np.zeros((COLUMNS, COLUMNS + 1), np.int64)
for _number, (_low, _high) in enumerate(_STEPS):
    STEP[_low, _high] = ADVANCE + _number
