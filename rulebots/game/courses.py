"""The *course* of a game, what was dealt and then every move: one number in 0..2**63-1, by which equal games are found.

Among a million games, the probability of any collision is 1 in 20 million.
"""

import numpy as np

from rulebots.game.dtypes import Ints
from rulebots.kernel import kernel

#: An odd number without a pattern: 2**64 divided by the golden ratio, without the highest bit.
MULTIPLIER = 0x1E3779B97F4A7C15
#: The bits of a course.
BITS = 0x7FFFFFFFFFFFFFFF
#: How far the high bits, which a multiplication mixes best, are brought down.
SHIFT = 29


@kernel
def course_after(course: int, move: int) -> int:
    """The course of a game after one more move.

    Interpreted, Python's integers do not overflow; compiled, they wrap around. The bits that are kept are the same.
    """
    mixed = ((int(course) ^ int(move)) * MULTIPLIER) & BITS
    return mixed ^ (mixed >> SHIFT)


def courses_of(rows: Ints) -> Ints:
    """What the course of a game is before its first move: int64[deals], from what was dealt, int64[deals, length]."""
    courses = np.full(len(rows), MULTIPLIER, np.int64)
    for column in rows.T:
        mixed = ((courses ^ column) * MULTIPLIER) & BITS  # arrays wrap around in silence
        courses = mixed ^ (mixed >> SHIFT)
    return courses
