"""Random numbers for players and openings: passed in, never global, the same on every machine."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rulebots.kernel import kernel


@kernel
def next_luck(luck: int) -> int:
    """The number after `luck` (1..2**32-1): xorshift32, Marsaglia, J. Stat. Softw. 8(14), 2003.

    Written in 64-bit integers with masks, so that interpreted and compiled code agree.
    """
    luck ^= (luck << 13) & 0xFFFFFFFF
    luck ^= luck >> 17
    luck ^= (luck << 5) & 0xFFFFFFFF
    return luck


def rng_of(*identity: int) -> np.random.Generator:
    """NumPy's generator for an identity such as (seed, generation): never depends on worker order."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(list(identity))))


def luck_of(rng: np.random.Generator, shape: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """Starting values for `next_luck`, int64 in 1..2**32-1."""
    return rng.integers(1, 2**32, shape, dtype=np.int64)
