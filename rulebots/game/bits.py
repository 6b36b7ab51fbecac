"""Small sets as ints: bit n says whether the number n is in the set. Ranks of a suit, for example."""

import numpy as np

from rulebots.kernel import kernel

#: Bits that are counted at a time: the cards of a suit fit.
COUNTED = 13
#: How many numbers are in a set, int8[8192]: it fits into a first-level cache with room to spare.
_COUNT = np.array([numbers.bit_count() for numbers in range(1 << COUNTED)], np.int8)


@kernel
def count_of(numbers: int) -> int:
    """How many of the numbers 0 to 12 are in a set."""
    # Masked, so that the compiler sees that no index is negative.
    return int(_COUNT[numbers & ((1 << COUNTED) - 1)])


@kernel
def above(numbers: int, number: int) -> int:
    """The set of those that are greater; all of them for -1."""
    return numbers & -(2 << number) if number >= 0 else numbers


@kernel
def below(numbers: int, number: int) -> int:
    """The set of those that are less than a number from 0 on."""
    return numbers & ((1 << number) - 1)
