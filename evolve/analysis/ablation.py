"""What each rule adds to a player: the win rate that the player loses without it.

The intact player and the player without the rule meet the same opponents on the same deals. Only the difference on
each deal counts, so the luck of the deal cancels out. All opponents have the same weight; one of them is the intact
player itself, and none is weak (see docs/background/statistics.md for why).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evolve.evaluation.final import same
from rulebots.game import Floats, Ints
from rulebots.game.courses import courses_of
from rulebots.packages import package_of
from rulebots.packages.players import champion_of, make_player
from rulebots.play.deals import Deals, draw_deals
from rulebots.play.match import play_games
from rulebots.play.results import contests_of, no_games
from rulebots.players import Player, RulePlayer, name_of, named_apart
from rulebots.ratings import distinct, paired_interval
from rulebots.rules import Weights

#: What the intact player is called as an opponent.
ITSELF = "itself"
NEEDED = "needed"
SAFE = "safe to delete"
HARMFUL = "better without"
UNDECIDED = "undecided"
#: The largest loss of win rate, 0..1, that does not matter.
TOLERANCE = 0.01
#: Games between two calls of whoever watches, on one thread.
WATCHED = 128


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
        """HARMFUL where the interval lies below 0; SAFE where it excludes a loss that matters; else NEEDED above 0.

        By the rule of three, fewer than 3 / tolerance deals may all miss such a loss.
        """
        if self.high < 0:
            return HARMFUL
        if self.high <= self.tolerance and self.distinct_deals * self.tolerance >= 3:
            return SAFE
        return NEEDED if self.low > 0 else UNDECIDED

    @property
    def too_few(self) -> bool:
        """Whether the deals are too few to say anything."""
        return (self.low, self.high) == (-1.0, 1.0)

    @property
    def may_go(self) -> bool:
        """Whether the deals show that nothing that matters is lost."""
        return self.verdict in (SAFE, HARMFUL)


class Measurement:
    """The intact player against others and, with `itself`, a copy of itself on deals: by this, losses are measured.

    A loss of at most `tolerance` does not matter. `watch` is called with each number of games that have been played.
    `of_several` intervals, each of them one, hold together in 95 % (Bonferroni).
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
        of_several: int = 1,
        watch: Callable[[int], object] = lambda _: None,
    ) -> None:
        self.intact = intact
        self._opponents = dict(others)
        if itself:
            self._opponents[ITSELF] = RulePlayer(intact.rules, intact.weights, intact.name)
        self._deals = deals
        self._jobs = jobs
        self._tolerance = tolerance
        self._confidence = 1 - 0.05 / of_several
        self._watch = watch
        self._intact_scores, self._intact_courses = self._played(intact)

    def loss(self, weights: Weights) -> Loss:
        """What a player with these weights, float64[2, rules], scores less than the intact one."""
        scores, courses = self._played(RulePlayer(self.intact.rules, weights))
        lost = self._intact_scores - scores
        by_deal = lost.mean(axis=0)
        # A copy of a deal is one on which both players played as before.
        different = distinct(courses_of(np.concatenate([self._intact_courses, courses]).T))
        low, high = paired_interval(by_deal, different.effective, self._confidence)
        against = dict(zip(self._opponents, lost.mean(axis=1).tolist(), strict=True))
        return Loss(float(by_deal.mean()), low, high, against, different.deals, self._tolerance)

    def losses(self, instead: Weights | None = None) -> dict[str, Loss]:
        """What `ablate` gives in the end, by `group.rule`."""
        *_, losses = {}, *ablate(self, instead)
        return {self.intact.rules.rules[column].key: loss for column, loss in losses.items()}

    def _played(self, player: Player) -> tuple[Floats, Ints]:
        """The score and the course of each deal from all sides against each opponent, [opponents, deals] both."""
        deals = self._deals
        schedule = np.concatenate([deals.mirrored(0, 1 + number) for number in range(len(self._opponents))])
        players = [player, *self._opponents.values()]
        games = no_games(deals.game, len(schedule), seats=deals.seats)
        step = WATCHED if self._jobs == 1 else len(schedule)
        for first in range(0, len(schedule), step):
            part = slice(first, first + step)
            self._watch(len(play_games(players, deals, schedule[part], self._jobs, room=games[part])))
        contests = contests_of(games, deals.game)
        shape = (len(self._opponents), len(deals))
        return contests.by_deal(contests.scores()).reshape(shape), contests.courses.reshape(shape)


def field_of(player: RulePlayer, seats: int | None = None) -> list[str]:
    """The names of the opponents that decide what a rule is worth at a table, besides the player itself.

    They are the hand-tuned player and the shipped champion. A weak player loses with or without most rules and would
    dilute the losses, so a hand-tuned player that is a baseline is left out, as is whoever is the player itself.
    """
    game = player.game
    package = package_of(game)
    strong = [name for name in (package.references[0], champion_of(game)) if name not in package.baselines]
    return [name for name in dict.fromkeys(strong) if not same(player, make_player(name, game, seats))]


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
    watch: Callable[[int], object] = lambda _: None,
) -> Callable[[int], Measurement]:
    """A function that measures the player on deals of their own for each number: 0 for single rules, more to prune.

    The intervals of all single rules hold together in 95 %. `watch` is called with each number of games that have been
    played.

    Raises:
        UsageError: a wrong option, seed or number of deals; the function raises it.
    """

    def measurement(number: int) -> Measurement:
        # An identity of four numbers: no run of this seed has these deals.
        drawn = draw_deals(player.game, deals, seed, 0, 0, number, options=options, opening_plies=opening_plies)
        return Measurement(
            player,
            opponents,
            drawn,
            jobs,
            tolerance,
            of_several=1 if number else len(used(player.weights)),
            watch=watch,
        )

    return measurement


def rule_losses(
    player: RulePlayer, opponents: Sequence[Player] | None = None, deals: int = 1000, seed: int = 1, **more: Any
) -> dict[str, Loss]:
    """What each rule adds to a player, by `group.rule`, the largest loss first: what `evolve ablate` shows.

    `opponents` are by default those of `field_of`; the player itself is always one more. `more` are options,
    opening_plies, jobs and tolerance as in `measurements`.

    Raises:
        UsageError: as `measurements` does. PlayerFault: an opponent fails.
    """
    if opponents is None:
        seats = player.game.seats_with(more.get("options") or {})
        opponents = [make_player(name, player.game, seats) for name in field_of(player, seats)]
    return measurements(
        player,
        list(zip(named_apart([name_of(other) for other in opponents]), opponents, strict=True)),
        deals,
        seed,
        **more,
    )(0).losses()


def without(weights: Weights, columns: Sequence[int]) -> Weights:
    """The weights with those of some rules at zero."""
    rest = weights.copy()
    rest[:, list(columns)] = 0.0
    return rest


def used(weights: Weights) -> list[int]:
    """The columns of the rules whose weights are not 0."""
    return np.flatnonzero(weights.any(axis=0)).tolist()


def ablate(measurement: Measurement, instead: Weights | None = None) -> Iterator[dict[int, Loss]]:
    """The loss without each single rule whose weights are not 0, by column, the largest first.

    With `instead`, float64[2, rules], that with each rule's weights as they are there, where they differ. Gives those
    so far, after each rule.
    """
    intact = measurement.intact.weights
    other = np.zeros_like(intact) if instead is None else instead
    losses = {}
    for column in used(intact - other):
        weights = intact.copy()
        weights[:, column] = other[:, column]
        losses[column] = measurement.loss(weights)
        yield dict(sorted(losses.items(), key=lambda entry: -entry[1].mean))


def prunings(measurement_of: Callable[[int], Measurement], losses: dict[int, Loss]) -> Iterator[tuple[list[int], Loss]]:
    """Delete all rules that are not shown to be needed; if the set may not go, its more harmless half; and so on.

    Gives the columns of each set, and what is lost without all of them.

    Single losses do not add up: two rules may replace each other. So each set is measured as a whole, on deals of its
    own: `measurement_of(1)`, `measurement_of(2)` and so on. The last set is the one to delete, if it may go.
    """
    columns = [column for column, loss in reversed(losses.items()) if loss.verdict != NEEDED]
    number = 0
    while columns:
        number += 1
        measurement = measurement_of(number)
        loss = measurement.loss(without(measurement.intact.weights, columns))
        yield columns, loss
        columns = [] if loss.may_go else columns[: len(columns) // 2]
