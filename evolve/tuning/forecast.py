"""How much a number of games will gain, from the games that showed what each parameter does."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Forecast:
    """The gain in Elo that a number of games is expected to bring, with a 90 % interval."""

    games: int
    gain: float
    low: float
    high: float

    def __str__(self) -> str:
        """One line, such as "about 12,000 games for +25 Elo (+8 to +44)"."""
        return f"about {self.games:,} games for {self.gain:+.0f} Elo ({self.low:+.0f} to {self.high:+.0f})"


def steps(start: FloatArray, ends: FloatArray, pairs: int) -> FloatArray:
    """The relative sizes of the perturbations, float64[d], from the ends' points: see `forecast`."""
    return np.ones(len(start))


def forecast(start: FloatArray, ends: FloatArray, pairs: int, games: int) -> Forecast:
    """What a search of so many games will gain.

    `start` is float64[d] in 0..1; `ends`, float64[d, 2], are the mean points of the lower and of the upper end of each
    parameter's range against the start, all other parameters unchanged, over `pairs` pairs of games each.
    """
    return Forecast(games, 0.0, 0.0, 0.0)
