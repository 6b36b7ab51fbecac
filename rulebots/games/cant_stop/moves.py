"""The board, rolls and moves by number: what four dice show, how to pair them, and stop, roll again or advance.

A roll is a set of four dice without an order, so that a search meets each of the 126 rolls of six-sided dice once, and
not 1,296 ordered ones; its odds say in how many orders it comes. Rolls are numbered by their largest die first: those
of dice with fewer sides come first.

A column has the number 0 to 10, its sum less 2. Moves that advance in the same column twice have it as both columns.
"""

import itertools
import math
from collections import Counter

import numpy as np

from rulebots.game import State
from rulebots.kernel import kernel

MOST_SIDES = 6
DICE = 4
#: The columns of the largest board: the sums of two dice, less 2.
COLUMNS = 2 * MOST_SIDES - 1
#: In a table of columns: none.
NO_COLUMN = COLUMNS
#: The most ways to pair a roll.
MOST_WAYS = 3


@kernel
def columns_of(sides: int) -> int:
    """How many columns a board has: one for each sum of two dice."""
    return 2 * sides - 1


@kernel
def length_of(sides: int, shortest: int, column: int) -> int:
    """The spaces of a column: two more with each step towards the middle."""
    return shortest + 2 * min(column, 2 * sides - 2 - column)


#: The dice of each roll, in order.
ROLLS = tuple(
    sorted(itertools.combinations_with_replacement(range(1, MOST_SIDES + 1), DICE), key=lambda dice: dice[::-1])
)
#: The number of the roll with these dice.
ROLL_OF = {dice: number for number, dice in enumerate(ROLLS)}


def _ways(dice: tuple[int, ...]) -> list[tuple[int, int]]:
    """The columns of each way to make two pairs, the lower one first; ways that come to the same are one."""
    a, b, c, d = dice
    sums = ((a + b, c + d), (a + c, b + d), (a + d, b + c))
    return sorted({(min(pair) - 2, max(pair) - 2) for pair in sums})


#: int64[sides]: how many rolls dice with that many sides have.
ROLLS_WITH = np.array([sum(max(dice) <= sides for dice in ROLLS) for sides in range(MOST_SIDES + 1)], np.int64)
#: int64[rolls]: in how many orders the dice of a roll come.
ORDERS = np.array(
    [math.factorial(DICE) // math.prod(map(math.factorial, Counter(dice).values())) for dice in ROLLS], np.int64
)
#: int64[rolls]: how many ways there are to pair a roll.
WAYS = np.array([len(_ways(dice)) for dice in ROLLS], np.int64)
#: int64[rolls, way, 2]: the two columns of each way to pair a roll; NO_COLUMN where there is no such way.
PAIRED = np.full((len(ROLLS), MOST_WAYS, 2), NO_COLUMN, np.int64)
for _roll, _dice in enumerate(ROLLS):
    PAIRED[_roll, : WAYS[_roll]] = _ways(_dice)
#: int64[rolls]: the columns that any way to pair a roll brings, one bit each.
BROUGHT = np.array([sum({1 << c for way in _ways(dice) for c in way}) for dice in ROLLS], np.int64)


RUNNERS = 3
STOP = 0
ROLL = 1
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
#: int64[FIRST_ROLL]: the other column where it is not the lower one once more; else NO_COLUMN.
OTHER = np.where(HIGH == LOW, NO_COLUMN, HIGH)
#: int64[low, high]: the move that advances in these columns, low <= high.
STEP = np.zeros((COLUMNS, COLUMNS + 1), np.int64)
for _number, (_low, _high) in enumerate(_STEPS):
    STEP[_low, _high] = ADVANCE + _number


@kernel
def room(state: State, column: int) -> int:
    """How many spaces the mover may still climb in a column, taken alone; 0 if it is closed or no runner is left."""
    runner = state.runner[column]
    if state.closed >> column & 1 or not (runner or state.free):
        return 0
    return length_of(state.sides, state.shortest, column) - max(runner, state.height[state.turn, column])
