"""How many different deals there are among those played: a game that is played again says nothing new."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

#: Fewer different deals allow no interval: from 10 on, the intervals contain the truth as often as they say
#: (benchmarks/uncertainty.py); with 6 some do in 91 % of the cases only.
FEWEST_DEALS = 10


@dataclass(frozen=True)
class Distinct:
    """What some deals amount to: `deals` of them are different, and tell as much as `effective` equally frequent ones.

    `effective` is L. Kish's effective sample size (Survey Sampling, 1965): the square of the number of deals by the sum
    of the squares of how often each different one was played. It is at most `deals`, and equal to it where each was
    played equally often.
    """

    deals: int
    effective: float

    @property
    def too_few(self) -> bool:
        """Whether they allow no interval."""
        return self.effective < FEWEST_DEALS


def distinct(deals: npt.NDArray[np.int64]) -> Distinct:
    """What deals amount to that are equal where these numbers are, int64[deals]."""
    _, copies = np.unique(deals, return_counts=True)
    return Distinct(len(copies), len(deals) ** 2 / max(1, int((copies**2).sum())))
