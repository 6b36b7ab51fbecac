"""Random numbers: the published generator, even shares, and streams that have nothing to do with each other."""

from __future__ import annotations

import numpy as np
import pytest

from rulebots.errors import MOST_SEED, UsageError
from rulebots.game.random_numbers import apart, below, check_seed, luck_of, next_luck, rng_of


def test_the_generator_is_xorshift32() -> None:
    """Marsaglia's shifts 13, 17, 5; the number after 2463534242, the seed of his paper, is 723471715."""
    assert next_luck(2463534242) == 723471715
    luck = 1
    for _ in range(1000):
        luck = next_luck(luck)
        assert 1 <= luck < 2**32


def test_numbers_below_are_in_range_and_evenly_spread() -> None:
    assert (below(1, 6), below(2**32 - 1, 6), below(2**31, 2)) == (0, 5, 1)
    luck, counts = 1, np.zeros(6, int)
    for _ in range(6000):
        luck = next_luck(luck)
        counts[below(luck, 6)] += 1
    assert abs(counts - 1000).max() < 6 * np.sqrt(1000)


def test_states_that_are_apart_do_not_follow_each_other() -> None:
    luck, seen = 12345, set()
    for _ in range(500):
        seen.add(luck)
        luck = next_luck(luck)
    other = apart(12345)
    assert 1 <= other < 2**32
    for _ in range(500):
        assert other not in seen
        other = next_luck(other)


def test_the_length_of_an_identity_takes_part() -> None:
    first = [rng_of(*identity).integers(2**60) for identity in ((1,), (1, 0), (1, 0, 0), (1,))]
    assert first[0] == first[3]
    assert len(set(first)) == 3


@pytest.mark.parametrize("seed", [-1, MOST_SEED + 1, 1.0, "1", None])
def test_a_seed_is_a_whole_number_of_32_bits(seed: object) -> None:
    with pytest.raises(UsageError, match="seed: expected a whole number from 0 to 4,294,967,295"):
        check_seed(seed)


def test_initial_states_are_never_zero() -> None:
    drawn = luck_of(rng_of(3), (200, 2))
    assert (drawn.shape, drawn.dtype) == ((200, 2), np.int64)
    assert drawn.min() >= 1
    assert drawn.max() < 2**32
