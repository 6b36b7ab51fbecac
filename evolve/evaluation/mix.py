"""A mix of players: who of them is met how often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rulebots.players import Player


@dataclass(frozen=True)
class Mix:
    """Players with their shares, which sum to 1."""

    players: Sequence[Player]
    shares: Sequence[float]

    def shared_out(self, count: int) -> npt.NDArray[np.int64]:
        """Which player each of `count` deals or games is against, int64[count].

        Everyone gets its share of the first n, to within a few, for every n; nothing of that is drawn at random.
        """
        shares, given = np.array(self.shares), np.zeros(len(self.shares))
        whom = np.empty(count, np.int64)
        for place in range(count):
            whom[place] = np.argmax(shares * (place + 1) - given)
            given[whom[place]] += 1
        return whom
