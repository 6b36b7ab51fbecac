"""Sets of small numbers as bits, against Python's own sets."""

from __future__ import annotations

import itertools

from rulebots.game.bits import COUNTED, above, below, count_of


def test_sets_as_bits_are_counted_and_split() -> None:
    for numbers in ({2, 5, 10}, set(), {0}, {12}, set(range(COUNTED))):
        bits = sum(1 << number for number in numbers)
        assert count_of(bits) == len(numbers)
        for number, (split, keeps) in itertools.product(range(COUNTED), ((above, int.__gt__), (below, int.__lt__))):
            expected = {other for other in numbers if keeps(other, number)}
            assert {other for other in range(COUNTED) if split(bits, number) >> other & 1} == expected
        assert above(bits, -1) == bits
