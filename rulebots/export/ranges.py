"""What is known of a whole number before the program runs: the smallest and the largest that it can be.

From it follows where 64-bit arithmetic can wrap around, where an index can be negative, and where JavaScript's numbers
are enough. Interval analysis with widening: Cousot and Cousot, POPL 1977.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import add, floordiv, lshift, mul, rshift
from typing import NamedTuple

#: Whole numbers up to this are exact in a float64, as JavaScript has them.
SAFE = 2**53 - 1
#: Widened ranges stop here. No variable that changes by at most `STEP` at a time counts that far.
COUNTED = 2**51
STEP = 2**20
#: The bounds to which a range that keeps growing is widened.
_BOUNDS = (2**7 - 1, 2**15 - 1, 2**31 - 1, COUNTED, 2**63 - 1)


class Range(NamedTuple):
    """All whole numbers from `low` to `high`."""

    low: int
    high: int

    def __or__(self, other: Range) -> Range:
        return Range(min(self.low, other.low), max(self.high, other.high))

    def __and__(self, other: Range) -> Range:
        return Range(max(self.low, other.low), min(self.high, other.high))

    def within(self, other: Range) -> bool:
        """Whether all of it is in the other range."""
        return other.low <= self.low and self.high <= other.high

    @property
    def magnitude(self) -> int:
        """The largest absolute value."""
        return max(abs(self.low), abs(self.high))

    def widened(self, former: Range) -> Range:
        """The range with each end that has moved beyond the `former` one moved on to the next bound."""
        low = -_bound(-self.low - 1) - 1 if self.low < former.low else self.low
        return Range(low, _bound(self.high) if self.high > former.high else self.high)


INT64 = Range(-(2**63), 2**63 - 1)
INT32 = Range(-(2**31), 2**31 - 1)
EXACT = Range(-SAFE, SAFE)
BIT = Range(0, 1)
#: Shifts by more than this are left to the machine.
_SHIFTS = Range(0, 63)


def of_bits(bits: int, *, signed: bool = True) -> Range:
    """The numbers that so many bits can hold."""
    return Range(-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else Range(0, (1 << bits) - 1)


def _bound(most: int) -> int:
    return next(b for b in _BOUNDS if most <= b or (b == COUNTED and most <= b + STEP))


def _corners(operation: Callable[[int, int], int], a: Range, b: Range) -> Range:
    values = [operation(x, y) for x in a for y in b]
    return Range(min(values), max(values))


def _remainder(a: Range, b: Range) -> Range:
    if b.low <= 0:
        return Range(-b.magnitude, b.magnitude)
    return a if a.low >= 0 and a.high < b.low else Range(0, b.high - 1)


def _and(a: Range, b: Range) -> Range:
    ends = [r.high for r in (a, b) if r.low >= 0]
    return Range(0, min(ends)) if ends else _any_bits(a, b)


def _any_bits(a: Range, b: Range) -> Range:
    bits = max(max(end, ~end).bit_length() for end in (*a, *b))
    return Range(0 if min(a.low, b.low) >= 0 else -(1 << bits), (1 << bits) - 1)


_OPERATIONS: Mapping[str, Callable[[Range, Range], Range]] = {
    "+": lambda a, b: Range(*map(add, a, b)),
    "-": lambda a, b: Range(a.low - b.high, a.high - b.low),
    "*": lambda a, b: _corners(mul, a, b),
    "//": lambda a, b: _corners(floordiv, a, b) if b.low > 0 else Range(-a.magnitude - 1, a.magnitude),
    "%": _remainder,
    "<<": lambda a, b: _corners(lshift, a, b) if b.within(_SHIFTS) else Range(INT64.low * 2, INT64.high * 2),
    ">>": lambda a, b: _corners(rshift, a, Range(*(min(max(end, 0), 63) for end in b))),
    "&": _and,
    "|": _any_bits,
    "^": _any_bits,
    "min": lambda a, b: Range(*map(min, a, b)),
    "max": lambda a, b: Range(*map(max, a, b)),
}


def combined(operation: str, a: Range, b: Range) -> tuple[Range, bool]:
    """The range of `a operation b` in 64 bits, and whether it can wrap around."""
    result = _OPERATIONS[operation](a, b)
    return (result, False) if result.within(INT64) else (INT64, True)
