"""Random numbers for players and openings: passed in, never global, the same on every machine."""

from typing import Any

import numpy as np

from rulebots.errors import MOST_SEED, check_whole
from rulebots.game.dtypes import Ints
from rulebots.kernel import kernel


@kernel
def next_luck(luck: int) -> int:
    """The random state after `luck`, both in 1..2**32-1: xorshift32, Marsaglia, J. Stat. Softw. 8(14), 2003.

    Written in 64-bit integers with masks, so that interpreted and compiled code agree.
    """
    luck ^= (luck << 13) & 0xFFFFFFFF
    luck ^= luck >> 17
    luck ^= (luck << 5) & 0xFFFFFFFF
    return luck


@kernel
def below(luck: int, n: int) -> int:
    """A number in 0..n-1 from a random state, all equally likely: a multiplication is faster than a remainder."""
    return (int(luck) * int(n)) >> 32


@kernel
def shuffle(numbers: Any, count: int, luck: int) -> int:
    """Shuffle the first `count` numbers, all orders equally likely; returns the next random state."""
    for i in range(count - 1, 0, -1):
        luck = next_luck(luck)
        j = below(luck, i + 1)
        numbers[i], numbers[j] = numbers[j], numbers[i]
    return luck


@kernel
def apart(luck: int) -> int:
    """Another random state, in 1..2**32-1: what follows it has nothing to do with what follows `luck`."""
    return ((int(luck) * 0x9E3779B1) & 0xFFFFFFFF) | 1


@kernel
def unchanged(state: Any, luck: int) -> int:
    """The redeal of a game that hides nothing."""
    return luck


#: The purposes of a deal's random numbers: the cards, the seats' random states, the random opening moves, the outcomes
#: of chance decisions. The purpose is the last number of an identity.
CARDS, LUCK, OPENINGS, OUTCOMES = range(4)


def rng_of(*identity: int) -> np.random.Generator:
    """NumPy's generator for an identity such as (seed, generation), which never depends on the order of workers.

    The length of the identity takes part, because NumPy treats (1,) and (1, 0) alike. Each number is in 0..MOST_SEED.
    """
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([len(identity), *identity])))


def check_seed(seed: object) -> int:
    """A seed as an int. Raises UsageError unless it is a whole number in the range of an identity's numbers."""
    return check_whole("seed", seed, 0, MOST_SEED)


def luck_of(rng: np.random.Generator, shape: tuple[int, ...]) -> Ints:
    """Initial random states for `next_luck`: int64[shape] in 1..2**32-1."""
    return rng.integers(1, 2**32, shape, dtype=np.int64)
