"""Four dice: every roll, how often it comes, and the three ways to make two pairs of it.

A roll is a set of four dice without an order, so that a search meets each of the 126 rolls of six-sided dice once, and
not 1,296 ordered ones; its odds say in how many orders it comes. Rolls are numbered by their largest die first: those
of dice with fewer sides come first.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np

MOST_SIDES = 6
DICE = 4
#: The columns of the largest board: the sums of two dice, less 2.
COLUMNS = 2 * MOST_SIDES - 1
#: In a table of columns: none.
NO_COLUMN = COLUMNS
#: The most ways to pair a roll.
MOST_WAYS = 3

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


#: int64[sides]: how many rolls dice with so many sides have.
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
