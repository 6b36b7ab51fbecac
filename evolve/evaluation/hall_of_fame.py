"""Former champions as opponents, so that a population cannot go in circles."""

from __future__ import annotations

from typing import Any

import numpy as np

from rulebots.rules import Weights


class HallOfFame:
    """Up to `size` champions, spread evenly over the generations so far.

    A champion enters every `stride` generations, from the first on. When the hall is full, every second member
    leaves and the stride doubles. `members` are float64[2, rules] by generation.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.stride = 1
        self.members: dict[int, Weights] = {}

    def consider(self, generation: int, champion: Weights) -> None:
        """Add the champion of a generation if it is its turn."""
        if self.size == 0 or (generation - 1) % self.stride:
            return
        self.members[generation] = champion
        while len(self.members) > self.size:
            self.stride *= 2
            self.members = {g: w for g, w in self.members.items() if (g - 1) % self.stride == 0}

    def state(self) -> dict[str, Any]:
        """The members as plain data."""
        return {"stride": self.stride, "members": {str(g): w.tolist() for g, w in self.members.items()}}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from what `state` gave."""
        self.stride = state["stride"]
        self.members = {int(g): np.array(w, np.float64) for g, w in state["members"].items()}
