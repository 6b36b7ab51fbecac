"""What is known of a whole number before the program runs: the smallest and the largest that it can be.

From it follows where 64-bit arithmetic can wrap around, where an index can be negative, and where JavaScript's numbers
are enough. Interval analysis with widening: Cousot and Cousot, POPL 1977.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

#: Whole numbers up to this are exact in a float64, as JavaScript has them.
SAFE = 2**53 - 1
#: Widened ranges stop here. No variable that changes by at most `STEP` at a time counts that far.
COUNTED = 2**51
STEP = 2**20
#: The bounds to which a range that keeps growing is widened.
_BOUNDS = (2**7 - 1, 2**15 - 1, 2**31 - 1, COUNTED, 2**63 - 1)
#: Shifts by more than this are left to the machine.
_MOST_SHIFT = 63


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
        low = self.low
        high = self.high
        if high > former.high:
            high = next(b for b in _BOUNDS if high <= b or (b == COUNTED and high <= b + STEP))
        if low < former.low:
            low = next(-b - 1 for b in _BOUNDS if -low <= b + 1 or (b == COUNTED and -low <= b + STEP))
        return Range(low, high)


INT64 = Range(-(2**63), 2**63 - 1)
INT32 = Range(-(2**31), 2**31 - 1)
EXACT = Range(-SAFE, SAFE)
BIT = Range(0, 1)


def of_bits(bits: int, *, signed: bool = True) -> Range:
    """The numbers that so many bits can hold."""
    return Range(-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else Range(0, (1 << bits) - 1)


def _corners(operation: Callable[[int, int], int], a: Range, b: Range) -> Range:
    values = [operation(x, y) for x in a for y in b]
    return Range(min(values), max(values))


def _floor_divided(a: Range, b: Range) -> Range:
    return _corners(lambda x, y: x // y, a, b) if b.low > 0 else Range(-a.magnitude - 1, a.magnitude)


def _remainder(a: Range, b: Range) -> Range:
    divided = a if a.low >= 0 and a.high < b.low else Range(0, b.high - 1)
    return divided if b.low > 0 else Range(-b.magnitude, b.magnitude)


def _shifted_left(a: Range, b: Range) -> Range:
    known = b.low >= 0 and b.high <= _MOST_SHIFT
    return _corners(lambda x, y: x << y, a, b) if known else Range(INT64.low * 2, INT64.high * 2)


def _shifted_right(a: Range, b: Range) -> Range:
    return _corners(lambda x, y: x >> y, a, Range(max(b.low, 0), max(min(b.high, _MOST_SHIFT), 0)))


def _and(a: Range, b: Range) -> Range:
    ends = [r.high for r in (a, b) if r.low >= 0]
    return Range(0, min(ends)) if ends else _any_bits(a, b)


def _any_bits(a: Range, b: Range) -> Range:
    bits = max(end.bit_length() if end >= 0 else (~end).bit_length() for end in (*a, *b))
    return Range(0 if min(a.low, b.low) >= 0 else -(1 << bits), (1 << bits) - 1)


_OPERATIONS: Mapping[str, Callable[[Range, Range], Range]] = {
    "+": lambda a, b: Range(a.low + b.low, a.high + b.high),
    "-": lambda a, b: Range(a.low - b.high, a.high - b.low),
    "*": lambda a, b: _corners(lambda x, y: x * y, a, b),
    "//": _floor_divided,
    "%": _remainder,
    "<<": _shifted_left,
    ">>": _shifted_right,
    "&": _and,
    "|": _any_bits,
    "^": _any_bits,
    "min": lambda a, b: Range(min(a.low, b.low), min(a.high, b.high)),
    "max": lambda a, b: Range(max(a.low, b.low), max(a.high, b.high)),
}


def combined(operation: str, a: Range, b: Range) -> tuple[Range, bool]:
    """The range of `a operation b` in 64 bits, and whether it can wrap around."""
    result = _OPERATIONS[operation](a, b)
    return (result, False) if result.within(INT64) else (INT64, True)
