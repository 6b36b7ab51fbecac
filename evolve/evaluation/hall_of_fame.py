"""Former champions: as opponents, so that a population cannot go in circles, and for the end of the run."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rulebots.rules import Weights

#: Former champions that are kept for the end of a run, whether or not a population meets any.
KEPT = 4
#: The most of them in the run-off, where all pairs play.
MOST_IN_RUN_OFF = 20


@dataclass
class HallOfFame:
    """Up to `size` champions, or KEPT if those are more, spread evenly over the generations so far.

    A champion enters every `stride` generations, from the first on. When the hall is full, every second member
    leaves and the stride doubles. `members` are float64[2, rules] by generation.
    """

    size: int
    stride: int = 1
    members: dict[int, Weights] = field(default_factory=dict)

    @property
    def opponents(self) -> dict[int, Weights]:
        """The members that everyone meets: `size` at most, as a hall that keeps no more would have them."""
        return self._spread(self.size)[1] if self.size else {}

    @property
    def candidates(self) -> dict[int, Weights]:
        """The members that take part in the run-off."""
        return self._spread(MOST_IN_RUN_OFF)[1]

    def consider(self, generation: int, champion: Weights) -> None:
        """Add the champion of a generation if it is its turn."""
        if (generation - 1) % self.stride == 0:
            self.members[generation] = champion
            self.stride, self.members = self._spread(max(self.size, KEPT))

    def state(self) -> dict[str, Any]:
        """The members as plain data."""
        return {"stride": self.stride, "members": {str(g): w.tolist() for g, w in self.members.items()}}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from what `state` gave."""
        self.stride = state["stride"]
        self.members = {int(g): np.array(w, np.float64) for g, w in state["members"].items()}

    def _spread(self, most: int) -> tuple[int, dict[int, Weights]]:
        """The smallest multiple of the stride that leaves at most so many members, and these."""
        stride = self.stride
        members = self.members
        while len(members) > most:
            stride *= 2
            members = {g: w for g, w in members.items() if (g - 1) % stride == 0}
        return stride, members
