"""What each rule of a player is worth: the win rate that the player loses without it.

The intact player and the player without the rule meet the same opponents on the same deals. The difference on
each deal is what counts, so the luck of the deal cancels out. All opponents have the same weight; one of
them is the intact player itself (see docs/background/statistics.md for why).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rulebots.play.deals import Deals
from rulebots.play.match import mirrored, play_games
from rulebots.play.results import deal_scores
from rulebots.players import Player, RulePlayer
from rulebots.ratings import margin_interval
from rulebots.rules import Weights

#: What the intact player is called as an opponent.
ITSELF = "itself"
NEEDED, SAFE, HARMFUL = "needed", "safe to delete", "better without"


@dataclass(frozen=True)
class Loss:
    """What a change costs in win rate, 0..1, with the ends of its 95 % interval; below 0 it is a gain.

    `against` is the loss against each opponent by name.
    """

    mean: float
    low: float
    high: float
    against: dict[str, float]

    @property
    def verdict(self) -> str:
        """NEEDED where the interval lies above 0, HARMFUL where it lies below, else SAFE."""
        return NEEDED if self.low > 0 else HARMFUL if self.high < 0 else SAFE


def paired_interval(differences: npt.NDArray[np.float64]) -> tuple[float, float]:
    """A 95 % interval for the mean of float64[deals], at least two, each in -1..1: Student's t over deals.

    Where no deal makes a difference, the share of deals that may still make the largest one is bounded by Clopper and
    Pearson (Biometrika 26, 1934).
    """
    if differences.any():
        return margin_interval(differences)
    reach = 1.0 - 0.025 ** (1.0 / len(differences))
    return -reach, reach


@dataclass(frozen=True)
class Measurement:
    """Opponents on deals, and the score of the intact player on each: float64[opponents, deals]."""

    intact: RulePlayer
    opponents: tuple[tuple[str, Player], ...]
    deals: Deals
    jobs: int
    scores: npt.NDArray[np.float64]

    def loss(self, weights: Weights) -> Loss:
        """What a player with these weights, float64[2, rules], scores less than the intact one."""
        lost = self.scores - _scores(RulePlayer(self.intact.rules, weights), self.opponents, self.deals, self.jobs)
        by_deal = lost.mean(axis=0)
        low, high = paired_interval(by_deal)
        names = [name for name, _ in self.opponents]
        return Loss(float(by_deal.mean()), low, high, dict(zip(names, lost.mean(axis=1).tolist(), strict=True)))


def measured(intact: RulePlayer, others: Sequence[tuple[str, Player]], deals: Deals, jobs: int = 1) -> Measurement:
    """The intact player against the others and itself, by which losses are measured; at least two deals."""
    twin = RulePlayer(intact.rules, intact.weights, intact.name)
    opponents = (*others, (ITSELF, twin))
    return Measurement(intact, opponents, deals, jobs, _scores(intact, opponents, deals, jobs))


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
    """Delete all rules that do not seem to be needed; if that costs something, only the more harmless half; and so on.

    Single losses do not add up: two rules may replace each other. So each set is measured as a whole, on deals of its
    own: `measurement_of(1)`, `measurement_of(2)` and so on. The last set is the one to delete, unless it
    is needed.
    """
    columns = [column for column, loss in reversed(losses.items()) if loss.verdict != NEEDED]
    number = 0
    while columns:
        number += 1
        measurement = measurement_of(number)
        loss = measurement.loss(without(measurement.intact.weights, columns))
        yield Pruning(tuple(columns), loss)
        columns = columns[: len(columns) // 2] if loss.verdict == NEEDED else []


def _scores(
    player: RulePlayer, opponents: Sequence[tuple[str, Player]], deals: Deals, jobs: int
) -> npt.NDArray[np.float64]:
    """The player's mean score of each deal against each opponent, float64[opponents, deals]."""
    count = len(deals)
    schedule = np.concatenate([mirrored(count, 0, number) for number in range(1, len(opponents) + 1)])
    games = play_games([player, *(other for _, other in opponents)], deals, schedule, jobs)
    return deal_scores(games, stalled=0.0).reshape(len(opponents), count)
