"""The settings of the search by rollouts, with their ranges."""

from __future__ import annotations

from dataclasses import dataclass

from rulebots.errors import UsageError
from rulebots.files.ranges import check_numbers, number, optional_number
from rulebots.search.gate import GATE


@dataclass(frozen=True)
class RolloutSettings:
    """How to search. `simulations` and `seconds` limit a search; the first limit reached ends it.

    Raises:
        UsageError: a number out of range, or no limit.
    """

    simulations: int | None = optional_number(int, 1, 10**9, "rollouts per decision")
    seconds: float | None = optional_number(float, 0.001, 1e6, "seconds per decision")
    candidates: int = number(6, 2, 1000, "moves that are compared: those that the guide scores highest")
    gate: float = number(GATE, 0.0, 100.0, "standard errors by which a move has to be better than the guide's")
    #: Whether redeals are weighted by how likely they make the opponent's past moves.
    belief: bool = True

    def __post_init__(self) -> None:
        check_numbers(self, "rollout")
        if self.simulations is None and self.seconds is None:
            raise UsageError("rollout: expected a limit, such as rollout:seconds=1 or rollout:simulations=1000")
