"""The polish of a champion: one rule at a time is tried with other weights, and what a test shows to be better stays.

Breeding moves all weights at once. That of a rule which rarely decides, or which others could replace, drifts: hardly
any game depends on it. So each rule is tried with 0, half and double its weight, and with its hand-tuned one.

These variants race on common deals, on which each meets the champion and the field. The worse half drops out after
each round: successive halving (Karnin, Koren and Somekh, "Almost Optimal Exploration in Multi-Armed Bandits", 2013).
The luckiest of many looks strong, so those that are left are tested one by one, on deals that did not select them.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from evolve.evaluation.arena import Arena
from evolve.schedules import POLISHING, Schedule
from rulebots.game import Floats, Ints
from rulebots.game.courses import courses_of
from rulebots.packages.population import rounded
from rulebots.play.loop import NOBODY
from rulebots.play.results import contests_of
from rulebots.players import Player, RulePlayer
from rulebots.ratings import Sprt, distinct
from rulebots.rules import MOST_WEIGHT, Weights

#: What a weight is multiplied by.
FACTORS = (0.0, 0.5, 2.0)
#: Variants that are left of a race, and tested.
TESTED = 4
#: Games of a player in a round below which a race says nothing.
FEWEST_GAMES = 32
#: The most games of a round: more would hardly tell variants better apart, and all of them are in memory.
MOST_OF_A_ROUND = 1_000_000
#: Deals between two evaluations of a test: even, so that half of them are against the champion. After many deals it is
#: 1 / SHARE of them, so that looking costs next to nothing.
STEP = 50
SHARE = 128
#: H0: no gain; H1: a gain of 1.4 % of the games. `verdict_on_gains` halves gains, so the Elo is that of half of it.
TEST = Sprt(elo0=0.0, elo1=5.0, alpha=0.05, beta=0.2)


@dataclass(frozen=True)
class Change:
    """A rule whose weights were (early, late) `before`, and are `after`.

    `gain` is what that adds to the win rate, 0..1, or to the points a game if these count (`in_points`), on as many
    `deals`: half of them were against the champion before the change, the others against the field.
    """

    rule: str
    before: tuple[float, float]
    after: tuple[float, float]
    gain: float
    deals: int
    in_points: bool = False

    @property
    def sentence(self) -> str:
        """The change in words."""
        old, new = (f"[{early:g}, {late:g}]" for early, late in (self.before, self.after))
        gain = f"{self.gain:+.2f} points" if self.in_points else f"{100 * self.gain:+.1f} %"
        return f"{self.rule} {old} -> {new}: {gain} on {self.deals:,} deals"


@dataclass(frozen=True)
class Polish:
    """The weights of a polished champion, float64[2, rules], what was changed, and the number of games that it took."""

    weights: Weights
    changes: tuple[Change, ...]
    games: int

    @property
    def sentence(self) -> str:
        """What was changed, in words."""
        changes = "; ".join(change.sentence for change in self.changes) or "no other weight was better"
        return f"polish: {changes} ({self.games:,} games)"


@dataclass(frozen=True)
class _Gains:
    """What variants gain over the champion on each deal, as `by_deal`, float64[variants, deals].

    It is a share of the win or, where points count, points by twice the standard deviation of a seat's points: one is
    about as hard to show as the other. `courses`, int64[variants, deals], are equal for deals on which neither made
    another move.
    """

    by_deal: Floats
    courses: Ints

    @property
    def clarity(self) -> Floats:
        """The mean gain by its standard error: float64[variants], 0 where no game made a difference."""
        error = self.by_deal.std(axis=1) / math.sqrt(self.by_deal.shape[1])
        return np.divide(self.by_deal.mean(axis=1), error, np.zeros(len(error)), where=error > 0)


@dataclass(frozen=True)
class _Variant:
    """The champion with other weights, float64[2], early and late, of the rule in one column."""

    column: int
    weights: Floats

    def of(self, champion: Weights) -> Weights:
        """The weights of the whole player, float64[2, rules]."""
        changed = champion.copy()
        changed[:, self.column] = self.weights
        return changed


def polish(arena: Arena, champion: RulePlayer, field: Sequence[Player], most_games: int) -> Polish:
    """Polish a champion in at most that many games; `field` are the others that it has to hold its own against.

    Races and tests take turns until a race leads to no change, or the games are used up.
    """
    bench = _Bench(arena, champion, field, most_games)
    done = -1
    while len(bench.changes) > done:
        done = len(bench.changes)
        variants = bench.race()
        for i, variant in enumerate(variants):
            bench.test(variant, bench.left // (len(variants) - i))
    return Polish(bench.weights, tuple(bench.changes), most_games - bench.left)


class _Bench:
    """A champion that is being polished: its `weights` now, the `changes` so far, and the number of games `left`."""

    def __init__(self, arena: Arena, champion: RulePlayer, field: Sequence[Player], most_games: int) -> None:
        self.arena = arena
        self.rules = champion.rules
        self.weights = champion.weights
        self.changes: list[Change] = []
        self.left = most_games
        # Teams do not meet: each plays its deals alone.
        self.field = () if arena.together else tuple(field)
        self.games_a_deal = 1 if arena.together else len(arena.mirrored(1))
        self.drawn = 0
        #: Points, or shares of a win, that are a gain of 1.
        self.unit = 0.0

    def race(self) -> list[_Variant]:
        """The best variants of the champion, best first, in half of the games; none where these are too few.

        Where there are not enough games for all of them, only those race that leave a rule out.
        """
        variants = list(self.variants())
        deals = self.left // 2 // _rounds(len(variants)) // (self.games_a_deal * (len(variants) + 1))
        if deals * self.games_a_deal < FEWEST_GAMES:
            variants = [variant for variant in variants if not variant.weights.any()]
        rounds = _rounds(len(variants))
        games = self.left // 2 // rounds
        parts: list[_Gains] = []
        for _ in range(rounds):
            deals = min(games, MOST_OF_A_ROUND) // (self.games_a_deal * (len(variants) + 1))
            if not variants or deals * self.games_a_deal < FEWEST_GAMES:
                return []
            parts.append(self.gains(variants, deals))
            clarity = _joined(parts).clarity
            best = np.argsort(-clarity, kind="stable")[: max(TESTED, math.ceil(len(variants) / 2))]
            variants = [variants[i] for i in best]
            parts = [_Gains(part.by_deal[best], part.courses[best]) for part in parts]
        return [variant for variant, clear in zip(variants, clarity[best], strict=True) if clear > 0][:TESTED]

    def variants(self) -> Iterator[_Variant]:
        """The champion with other weights of one rule, each player once."""
        hand_tuned = self.rules.hand_tuned()
        for column, pair in enumerate(self.weights.T):
            tried = [pair]
            for other in (*(factor * pair for factor in FACTORS), hand_tuned[:, column]):
                weights = rounded(np.clip(other, -MOST_WEIGHT, MOST_WEIGHT))
                if not any(np.array_equal(weights, known) for known in tried):
                    tried.append(weights)
                    yield _Variant(column, weights)

    def test(self, variant: _Variant, most_games: int) -> None:
        """Make the change if a test on fresh deals shows that it is better, in at most that many games.

        It must lose nothing in either half of the deals, those against the champion and those against the field.
        """
        so_far = _Gains(np.empty((1, 0)), np.empty((1, 0), np.int64))
        decided = "undecided"
        most_deals = most_games // (2 * self.games_a_deal)
        while decided == "undecided" and (left := most_deals - so_far.by_deal.shape[1]) >= STEP:
            step = max(STEP, min(left, so_far.by_deal.shape[1] // SHARE) // 2 * 2)
            so_far = _joined([so_far, self.gains([variant], step)])
            decided = _decided(so_far)
        if decided != "H1":
            return
        gained = so_far.by_deal[0]
        if min(gained[half::2].mean() for half in (0, 1)) < 0:
            return
        key = self.rules.rules[variant.column].key
        before, after = (tuple(pair.tolist()) for pair in (self.weights[:, variant.column], variant.weights))
        self.changes.append(
            Change(key, before, after, float(gained.mean()) * self.unit, len(gained), self.arena.in_points)
        )
        self.weights = variant.of(self.weights)

    def gains(self, variants: Sequence[_Variant], count: int) -> _Gains:
        """What variants gain on as many fresh deals, in turn against the champion and against one of the field."""
        arena = self.arena
        bred = len(variants) + 1
        self.left -= self.games_a_deal * bred * count
        self.drawn += 1
        weights = [*(variant.of(self.weights) for variant in variants), self.weights]
        players = [*(RulePlayer(self.rules, one, f"variant {i}") for i, one in enumerate(weights, 1)), *self.field]
        schedule = arena.teams(bred, count) if arena.together else self.schedule(bred, count)
        games = arena.play(players, arena.deals(count, POLISHING, self.drawn), schedule)
        if arena.together:
            values = games.points[:, 0].reshape(count, bred).T
            courses = games.courses.reshape(count, bred).T
        else:
            size = len(games) // bred
            contests = [contests_of(games[i : i + size], arena.game) for i in range(0, len(games), size)]
            # The first player's points, not its margin: see `gains` in final.py.
            values = np.array(
                [one.by_deal(one.of_player(one.points, 0) if arena.in_points else one.scores()) for one in contests]
            )
            courses = np.array([one.courses for one in contests])
        if self.unit == 0:
            self.unit = 2 * float(games.points.std()) if arena.in_points else 1.0
        both = [courses_of(np.stack([courses[-1], own], axis=1)) for own in courses[:-1]]
        return _Gains((values[:-1] - values[-1]) / (self.unit or 1.0), np.array(both))

    def schedule(self, bred: int, count: int) -> Schedule:
        """Each of the first players on the same deals: on every second one against the last of them, the champion."""
        deal = np.arange(count)
        opponent = np.full(count, bred - 1)
        if self.field:
            opponent = np.where(deal % 2, bred + deal // 2 % len(self.field), opponent)
        schedule = np.concatenate([self.arena.mirrored(count, player, NOBODY) for player in range(bred)])
        tables = schedule[:, 1:]
        schedule[:, 1:] = np.where(tables == NOBODY, opponent[schedule[:, :1]], tables)
        return schedule


def _rounds(variants: int) -> int:
    """The number of rounds after which a race of variants leaves `TESTED`."""
    return max(1, math.ceil(math.log2(max(1, variants) / TESTED)))


def _joined(parts: Sequence[_Gains]) -> _Gains:
    return _Gains(*(np.concatenate([getattr(part, name) for part in parts], axis=1) for name in ("by_deal", "courses")))


def _decided(gains: _Gains) -> str:
    """What the test says of the only variant."""
    return TEST.verdict_on_gains(gains.by_deal[0], distinct(gains.courses[0]).effective)
