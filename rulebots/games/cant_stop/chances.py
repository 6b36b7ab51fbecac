"""What the next roll may bring, worked out once for every set of columns in which a player can advance.

A set of columns is one bit each. Points are those of Michael Keller's Rule of 28 (see rule_of_28.py): a space of the
middle column is worth 1, and 1 more with each step away from it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rulebots.games.cant_stop.dice import BROUGHT, COLUMNS, MOST_SIDES, NO_COLUMN, ORDERS, PAIRED, ROLLS_WITH
from rulebots.games.cant_stop.game import MOST_SHORTEST

_SIZES = range(2, MOST_SIDES + 1)
#: int64[sides, column]: what a space of a column is worth; 0 where there is no such column.
VALUE = np.zeros((MOST_SIDES + 1, COLUMNS + 1), np.int64)
for _sides in _SIZES:
    for _column in range(2 * _sides - 1):
        VALUE[_sides, _column] = abs(_column - (_sides - 1)) + 1


def _bust(sides: int) -> npt.NDArray[np.float64]:
    rolls, columns = int(ROLLS_WITH[sides]), np.arange(1 << (2 * sides - 1))
    misses = (columns[:, None] & BROUGHT[:rolls]) == 0
    return np.asarray(misses @ ORDERS[:rolls] / sides**4)


def _gain(sides: int) -> npt.NDArray[np.float64]:
    rolls, columns = int(ROLLS_WITH[sides]), np.arange(1 << (2 * sides - 1))
    worth = np.where(columns[:, None] >> np.arange(NO_COLUMN + 1) & 1, VALUE[sides], 0)
    best = (worth[:, PAIRED[:rolls, :, 0]] + worth[:, PAIRED[:rolls, :, 1]]).max(axis=2)
    return np.asarray(best @ ORDERS[:rolls] / sides**4)


#: float64[sides, columns]: how likely it is that the next roll advances in none of these columns.
BUST = np.ones((MOST_SIDES + 1, 1 << COLUMNS))
#: float64[sides, columns]: the points that the next roll brings in these columns, at best and on average.
GAIN = np.zeros((MOST_SIDES + 1, 1 << COLUMNS))
for _sides in _SIZES:
    BUST[_sides, : 1 << (2 * _sides - 1)] = _bust(_sides)
    GAIN[_sides, : 1 << (2 * _sides - 1)] = _gain(_sides)

#: The most spaces of a column, and a table's length.
_SPACES = MOST_SHORTEST + 2 * (MOST_SIDES - 1) + 1
#: float64[sides, column, spaces]: roughly how likely a turn is to climb so many spaces of a column: each time the
#: column must come before a bust, with runners in the two columns that go best with it.
CLIMB = np.zeros((MOST_SIDES + 1, COLUMNS, _SPACES))
for _sides in _SIZES:
    _columns = range(2 * _sides - 1)
    for _column in _columns:
        _hit = 1.0 - BUST[_sides, 1 << _column]
        _least = min(BUST[_sides, 1 << _column | 1 << a | 1 << b] for a in _columns for b in _columns)
        CLIMB[_sides, _column] = (_hit / (_hit + _least)) ** np.arange(_SPACES)
