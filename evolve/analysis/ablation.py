"""What each rule adds to a player: the win rate that the player loses without it.

The intact player and the player without the rule meet the same opponents on the same deals. Only the difference on
each deal counts, so the luck of the deal cancels out. All opponents have the same weight; one of them is the intact
player itself (see docs/background/statistics.md for why).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evolve.analysis.measuring import Estimate, paired_difference, paired_interval, played
from rulebots.packages import parts_of
from rulebots.packages.players import make_player
from rulebots.play.deals import Deals, draw_deals
from rulebots.players import Player, RulePlayer, name_of, named_apart
from rulebots.rules import Weights

#: What the intact player is called as an opponent.
ITSELF = "itself"
NEEDED, SAFE, HARMFUL, UNDECIDED = "needed", "safe to delete", "better without", "undecided"
#: The largest loss of win rate, 0..1, that does not matter.
TOLERANCE = 0.01


@dataclass(frozen=True)
class Loss:
    """What a change costs in win rate, 0..1, with the ends of its 95 % interval; below 0 it is a gain.

    `against` is the loss against each opponent by name. `distinct_deals` of the deals were not played alike; where they
    are too few, the interval is -1 to 1. A loss of at most `tolerance` does not matter.
    """

    mean: float
    low: float
    high: float
    against: dict[str, float]
    distinct_deals: int
    tolerance: float = TOLERANCE

    @property
    def verdict(self) -> str:
        """HARMFUL where the interval lies below 0; SAFE where it excludes a loss that matters; else NEEDED above 0."""
        if self.high < 0:
            return HARMFUL
        if self.high <= self.tolerance:
            return SAFE
        return NEEDED if self.low > 0 else UNDECIDED

    @property
    def too_few(self) -> bool:
        """Whether the deals are too few to say anything."""
        return (self.low, self.high) == (-1.0, 1.0)

    @property
    def estimate(self) -> Estimate:
        """The loss as the other figures of a report."""
        low, high = (None, None) if self.too_few else (self.low, self.high)
        return Estimate(self.mean, low, high, self.distinct_deals)

    @property
    def may_go(self) -> bool:
        """Whether the deals show that nothing that matters is lost."""
        return self.verdict in (SAFE, HARMFUL)


class Measurement:
    """The intact player against others and, unless told otherwise, itself, on deals: by this, losses are measured.

    A loss of at most `tolerance` does not matter.
    """

    def __init__(
        self,
        intact: RulePlayer,
        others: Sequence[tuple[str, Player]],
        deals: Deals,
        jobs: int = 1,
        tolerance: float = TOLERANCE,
        *,
        itself: bool = True,
    ) -> None:
        twin = [(ITSELF, RulePlayer(intact.rules, intact.weights, intact.name))] if itself else []
        self._names, opponents = zip(*others, *twin, strict=True)
        self.intact, self._tolerance = intact, tolerance
        self._play = functools.partial(played, opponents=opponents, deals=deals, jobs=jobs)
        self._intact_played = self._play(intact)

    def loss(self, weights: Weights) -> Loss:
        """What a player with these weights, float64[2, rules], scores less than the intact one."""
        lost, found = paired_difference(self._intact_played, self._play(RulePlayer(self.intact.rules, weights)))
        by_deal = lost.mean(axis=0)
        against = dict(zip(self._names, lost.mean(axis=1).tolist(), strict=True))
        ends = paired_interval(by_deal, found.effective)
        return Loss(float(by_deal.mean()), *ends, against, found.deals, self._tolerance)


def measurements(
    player: RulePlayer,
    opponents: Sequence[tuple[str, Player]],
    deals: int = 1000,
    seed: int = 1,
    *,
    options: Mapping[str, int] | None = None,
    opening_plies: int | None = None,
    jobs: int = 1,
    tolerance: float = TOLERANCE,
) -> Callable[[int], Measurement]:
    """A function that measures the player on deals of their own for each number: 0 for single rules, more to prune.

    Raises:
        UsageError: a wrong option, seed or number of deals; the function raises it.
    """

    def measurement(number: int) -> Measurement:
        # An identity of four numbers: no run of this seed has these deals.
        drawn = draw_deals(player.game, deals, seed, 0, 0, number, options=options, opening_plies=opening_plies)
        return Measurement(player, opponents, drawn, jobs, tolerance)

    return measurement


def rule_losses(
    player: RulePlayer, opponents: Sequence[Player] | None = None, deals: int = 1000, seed: int = 1, **more: Any
) -> dict[str, Loss]:
    """What each rule adds to a player, by `group.rule`, the largest loss first: what `evolve ablate` shows.

    `opponents` are by default the game's reference players; the player itself is always one more. `more` are options,
    opening_plies, jobs and tolerance as in `measurements`.

    Raises:
        UsageError: as `measurements` does. PlayerFault: an opponent fails.
    """
    met = (
        [make_player(name, player.game) for name in parts_of(player.game).references]
        if opponents is None
        else opponents
    )
    named = list(zip(named_apart([name_of(other) for other in met]), met, strict=True))
    losses = ablate(measurements(player, named, deals, seed, **more)(0))
    return {player.rules.rules[column].key: loss for column, loss in losses.items()}


def without(weights: Weights, columns: Sequence[int]) -> Weights:
    """The weights with those of some rules at zero."""
    rest = weights.copy()
    rest[:, list(columns)] = 0.0
    return rest


def used(weights: Weights) -> list[int]:
    """The columns of the rules whose weights are not 0."""
    return np.flatnonzero(weights.any(axis=0)).tolist()


def ablate(measurement: Measurement, report: Callable[[int], None] = lambda _: None) -> dict[int, Loss]:
    """The loss without each single rule whose weights are not 0, by column, the largest first.

    `report` is called with the number of rules that are done.
    """
    found = {}
    for column in used(measurement.intact.weights):
        found[column] = measurement.loss(without(measurement.intact.weights, [column]))
        report(len(found))
    return dict(sorted(found.items(), key=lambda entry: -entry[1].mean))


@dataclass(frozen=True)
class Pruning:
    """Rules that were deleted together, by column, and the loss of doing without all of them."""

    columns: tuple[int, ...]
    loss: Loss


def prunings(measurement_of: Callable[[int], Measurement], losses: dict[int, Loss]) -> Iterator[Pruning]:
    """Delete all rules that are not shown to be needed; if the set may not go, its more harmless half; and so on.

    Single losses do not add up: two rules may replace each other. So each set is measured as a whole, on deals of its
    own: `measurement_of(1)`, `measurement_of(2)` and so on. The last set is the one to delete, if it may go.
    """
    columns = [column for column, loss in reversed(losses.items()) if loss.verdict != NEEDED]
    number = 0
    while columns:
        number += 1
        measurement = measurement_of(number)
        loss = measurement.loss(without(measurement.intact.weights, columns))
        yield Pruning(tuple(columns), loss)
        columns = [] if loss.may_go else columns[: len(columns) // 2]
