"""The search for new rules: lessons, ranking, screening, and a test of each new rule on fresh deals."""

from __future__ import annotations

import functools
import math
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

import joblib
import numpy as np
import numpy.typing as npt

from evolve.analysis.discovery.evidence import (
    AT_ONCE,
    Evidence,
    Gradients,
    by_chance,
    halves,
    learnt_from,
    raw_values,
    shuffled,
    with_columns,
)
from evolve.analysis.discovery.expressions import (
    Expression,
    Floats,
    expressions,
    field_operands,
    field_rules,
    field_values,
)
from evolve.analysis.discovery.programs import Breeding
from evolve.deals import DISCOVERY, HELD_OUT
from evolve.evaluation.arena import Arena
from evolve.evaluation.final import Verdict, verdict
from evolve.evaluation.run_settings import MOST_OF_A_KIND
from evolve.lessons.learner import LEAST_CHANCE, LessonRequest
from evolve.lessons.rollouts import Lessons, obstacle
from evolve.lessons.schedule import take_lessons
from evolve.settings import Settings
from evolve.workers.base import Threads, concatenated
from rulebots.errors import UsageError
from rulebots.files.ranges import check_numbers, number
from rulebots.game.random_numbers import rng_of
from rulebots.kernel.code_cache import cache_folder
from rulebots.kernel.fingerprint import fingerprint
from rulebots.play.results import MatchResult
from rulebots.players import RulePlayer
from rulebots.players.names import make_player
from rulebots.players.population import rounded
from rulebots.ratings import Sprt
from rulebots.registry import parts_of
from rulebots.rules import Rule, Weights

T = TypeVar("T")
Directions = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

#: The share of lessons that are from games against itself: a new rule has to win against the player without it.
SELF_PLAY = 0.5
#: The mirrored deals that tell whether weights that were learnt again are better than those before.
DECIDING_DEALS = 1000
#: The hypotheses of the tests: a rule adds nothing, or 4 Elo, since several rules share what is to be had.
ELO0, ELO1 = 0.0, 4.0
#: The risk of accepting a useless rule, for all tests together, and that of rejecting one that adds ELO1.
ALPHA, BETA = 0.05, 0.05
#: The highest ranked, of which those are screened that differ from each other.
FOREMOST = 100
#: The highest ranked of all candidates go on to later rounds: what ranks lower explains nothing there, either.
KEPT = 300
#: Fewer lessons than this are too few for two halves.
FEWEST_LESSONS = 40


@dataclass(frozen=True)
class DiscoverySettings:
    """How rules are sought.

    Raises:
        UsageError: a value out of its range.
    """

    lessons: int = number(20_000, 2 * FEWEST_LESSONS, MOST_OF_A_KIND, "games of each of which a decision is examined")
    rounds: int = number(4, 1, 100, "rounds of lessons, each from games of the player that the former ones made")
    rollouts: int = number(2, 1, 1000, "rollouts of each candidate move of such a decision")
    temperature: float = number(0.2, 0.0001, 1000.0, "by how much a better score makes a move e times as likely")
    most: int = number(10, 1, 100, "rules that are tested, at most")
    screened: int = number(10, 1, 1000, "candidates that are screened for each of them, the highest ranked")
    risk: float = number(0.01, 0.0, 0.5, "the risk that the screening lets a useless rule through, for each of them")
    deals: int = number(8000, 1, MOST_OF_A_KIND, "mirrored deals of a test, at most")

    def __post_init__(self) -> None:
        check_numbers(self)


@dataclass(frozen=True)
class Screened:
    """An expression that passed: its rank among the candidates of its round, and the `p` of the held-out lessons.

    `p` is the probability of such evidence by chance, times the number of expressions that were screened.
    """

    expression: Expression
    rank: int
    p: float


@dataclass(frozen=True)
class RuleTrial:
    """The test of one new rule: the player with it against the one without, both with weights learnt again."""

    screened: Screened
    verdict: Verdict

    @property
    def accepted(self) -> bool:
        """Whether the player with the rule is better."""
        return self.verdict.says == "better"


@dataclass(frozen=True)
class Discovered:
    """What was found: accepted expressions, and the players with and without them on fresh deals.

    `weights` are those of the rules of the set followed by the accepted ones, `without` those of the best player that
    was learnt from the same lessons without new rules. The results are None where both players are the same.
    """

    expressions: tuple[Expression, ...]
    weights: Weights
    without: Weights
    against_without: MatchResult | None
    against_former: MatchResult | None


class Steps:
    """Keeps what each step of a search made on disk: killed and begun again, a search goes on where it was.

    `identity` is all that decides what the steps make. Without one nothing is kept. What is kept are pickles, which
    are code, in a private folder beside the compiled code.
    """

    def __init__(self, identity: object = None) -> None:
        self.folder: Path | None = None if identity is None else cache_folder() / "searches" / fingerprint(identity)
        #: Whether there is something of a former process.
        self.begun = self.folder is not None and self.folder.exists()
        self._kept: Any = joblib.Memory(self.folder, verbose=0, compress=1).cache(_made, ignore=["make"])

    def __call__(self, step: str, make: Callable[[], T]) -> T:
        """What `make` makes, or made when this step was last done."""
        found: T = self._kept(step, make)
        return found

    def forget(self) -> None:
        """Remove what was kept, when all is done."""
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)


def _made(step: str, make: Callable[[], T]) -> T:
    return make()


class Discovery:
    """Looks for new rules for one player: `candidates`, `screen`, `trials` and `measured`, in this order.

    New rules are products and thresholds of the rules of the player's set, and bred expressions of up to three rules
    and fields. The player's games give lessons; half of them rank the candidates, the other half screens the highest
    ranked. What passes is tested on fresh deals by a sequential test. With `shuffle` the returns of the lessons are
    shuffled: what is accepted then is a false discovery. With `keep`, what is done is kept on disk until `forget`, and
    an equal search in another process goes on from there.

    Raises:
        UsageError: players of this rule set take no lessons, or a setting is wrong.
    """

    def __init__(
        self,
        player: RulePlayer,
        settings: DiscoverySettings | None = None,
        *,
        seed: int = 1,
        options: Mapping[str, int] | None = None,
        opening_plies: int | None = None,
        jobs: int = 1,
        shuffle: bool = False,
        keep: bool = False,
    ) -> None:
        if why := obstacle(player.rules):
            raise UsageError(f"no lessons for '{player.name}': {why}")
        self.player, self.rules = player, player.rules
        self.settings = settings or DiscoverySettings()
        self.shuffle, self.seed = shuffle, seed
        a_round = self.settings.lessons // self.settings.rounds
        given: dict[str, Any] = {"lessons": a_round, "rollouts": self.settings.rollouts, "seed": seed}
        run = Settings.of("memetic", game=player.game.name, options=options or {}, opening_plies=opening_plies, **given)
        self.arena = Arena(player.game, run, Threads(jobs))
        rivals = [make_player(name, player.game) for name in parts_of(player.game).references]
        about = (version("rulebots"), player, rivals, self.settings, seed, dict(options or {}), opening_plies, shuffle)
        self.steps = Steps(about if keep else None)
        self.passed: list[Screened] = []
        self.tried: list[RuleTrial] = []

    def candidates(self) -> int:
        """Take the lessons, and make all candidates; how many there are. Raises UsageError: lessons are too few."""
        fields, own = field_operands(self.rules), len(self.rules.rules)
        lessons, self.taught = self._take_lessons(field_rules(self.rules, fields))
        if len(lessons) < FEWEST_LESSONS:
            raise UsageError(
                f"only {len(lessons)} of {self.settings.lessons:,} games gave a lesson, a decision between moves that "
                "seem about as good: a higher temperature or more lessons give more"
            )
        values, self.shares = raw_values(self.rules, lessons)
        self.values = values | field_values(self.rules, fields, lessons.features[:, own:], self.shares)
        self.lessons = replace(lessons, features=lessons.features[:, :own].copy())
        self.pool: list[Expression] = expressions(self.rules, self.values)
        self.breeding = Breeding(self.rules, fields, self.values)
        return len(self.pool)

    def _take_lessons(self, more: tuple[Rule, ...]) -> tuple[Lessons, Weights]:
        """Lessons in rounds, each of the player that those so far made, and its weights in the last of them.

        They hold the features of the set's rules and of `more`.
        """
        opponents = [make_player(name, self.player.game) for name in parts_of(self.player.game).references]
        temperature, weights, taken = self.settings.temperature, self.player.weights, list[Lessons]()
        for turn in range(self.settings.rounds):
            if taken:
                so_far = concatenated(taken)
                narrow = replace(so_far, features=so_far.features[:, : len(self.rules.rules)])
                weights = rounded(learnt_from(narrow, weights, temperature, self.seed, flat=self.rules.flat))
            request = LessonRequest(turn, weights, temperature * -math.log(LEAST_CHANCE), SELF_PLAY)
            take = functools.partial(take_lessons, self.arena, request, self.rules, opponents, more=more)
            lessons = self.steps(f"lessons of round {turn}", take)
            taken.append(shuffled(lessons, rng_of(self.seed, DISCOVERY, 0, turn)) if self.shuffle else lessons)
        return concatenated(taken), weights

    def screen(self) -> Iterator[Screened]:
        """Choose expressions, one by one, until none passes: each next one explains what those before do not."""
        lessons, pool = self.lessons, list(self.pool)
        while len(self.passed) < self.settings.most:
            half, ranking, screening = halves(lessons)
            model = self._gradients(ranking, ranking)
            pool += self._bred(model, half, pool)
            if not pool:
                return
            evidence = self._evidence(model, half, pool)
            order = np.argsort(-evidence.chi2, kind="stable")
            ranked, ways = [pool[place] for place in order], evidence.direction[order]
            few = model.apart(self.features(ranked[:FOREMOST])[half], self.settings.screened)
            found = self._first(screening, ranking, ~half, [ranked[place] for place in few], ways[few])
            if found is None:
                return
            self.passed.append(found)
            yield found
            pool = [expression for expression in ranked[:KEPT] if expression is not found.expression]
            lessons = with_columns(lessons, self.features([found.expression]))

    def _bred(self, model: Gradients, of: Bools, others: Sequence[Expression]) -> list[Expression]:
        """Expressions that genetic programming finds where the rules so far leave something to explain."""
        number, judge = len(self.passed), lambda chosen: self._evidence(model, of, chosen).chi2
        breed = functools.partial(self.breeding.bred, judge, self.seed, DISCOVERY, 2, number)
        taken = {r.name for r in self.rules.rules} | {e.name for e in others} | {e.expression.name for e in self.passed}
        named = {e.name: e for e in map(self.breeding.expression, self.steps(f"programs of round {number}", breed))}
        return [expression for name, expression in named.items() if name not in taken]

    def _evidence(self, model: Gradients, of: Bools, chosen: Sequence[Expression]) -> Evidence:
        """The evidence for expressions, a few at a time to save memory; `of` tells the lessons' moves."""
        starts = range(0, max(1, len(chosen)), AT_ONCE)
        parts = [model.evidence(self.features(chosen[i : i + AT_ONCE])[of]) for i in starts]
        return Evidence(*(np.concatenate([getattr(part, f) for part in parts]) for f in ("chi2", "direction")))

    def _first(
        self, screening: Lessons, taught_by: Lessons, of: Bools, ranked: Sequence[Expression], ways: Directions
    ) -> Screened | None:
        """The first of these that passes on other lessons, where its weights go the same way.

        The player has learnt from the lessons that ranked them; one that has learnt from these would know their luck.
        """
        evidence = self._gradients(screening, taught_by).evidence(self.features(ranked)[of])
        chances = [len(ranked) * by_chance(chi2, flat=self.rules.flat) for chi2 in evidence.chi2.tolist()]
        for rank, expression in enumerate(ranked):
            if chances[rank] <= self.settings.risk and ways[rank] @ evidence.direction[rank] > 0:
                return Screened(expression, rank + 1, chances[rank])
        return None

    def trials(self, seconds: float = math.inf) -> Iterator[RuleTrial]:
        """Test what passed, one after the other; no further test begins when that many seconds are over."""
        began, accepted = time.monotonic(), list[int]()
        expressions, own = [found.expression for found in self.passed], len(self.rules.rules)
        self.trial_rules = self.rules.extended(f"{self.rules.name} and more", [e.rule() for e in expressions])
        self.lessons_of_all, self.columns = with_columns(self.lessons, self.features(expressions)), accepted
        self.former = RulePlayer(self.trial_rules, self._widened(self.player.weights), "former")
        self.best = self.without = self._better(self._learnt(range(own)), self.former, 0)
        test = Sprt(ELO0, ELO1, ALPHA / max(1, len(self.passed)), BETA)
        for place, found in enumerate(self.passed):
            if time.monotonic() - began >= seconds:
                return
            base = [*range(own), *accepted]
            rival = self._better(self._learnt(base), self.best, place) if accepted else self.best
            learnt = self._learnt([*base, own + place])
            play = functools.partial(verdict, self.arena, learnt, rival, self.settings.deals, place, test=test)
            trial = RuleTrial(found, self.steps(f"test {place}", play))
            self.tried.append(trial)
            if trial.accepted:
                accepted.append(own + place)
                self.best = learnt
            yield trial

    def measured(self, deals: int = 2000) -> Discovered:
        """What fresh deals say of all accepted rules together, and of what the lessons made of the weights."""
        own, columns = len(self.rules.rules), self.columns
        kept = [*range(own), *columns]
        found = tuple(self.passed[column - own].expression for column in columns)
        weights, without = self.best.weights[:, kept], self.without.weights[:, :own]
        match = functools.partial(self.arena.match, self.best, deals=self.arena.deals(deals, HELD_OUT))
        results = [
            None if other is self.best else self.steps(f"result {number} of {deals}", functools.partial(match, other))
            for number, other in enumerate((self.without, self.former))
        ]
        return Discovered(found, weights, without, *results)

    def _widened(self, weights: Weights) -> Weights:
        """Weights of the set's own rules, float64[2, rules], with those of the rules that passed: 0."""
        return np.concatenate([weights, np.zeros((2, len(self.passed)))], axis=1)

    def _gradients(self, lessons: Lessons, taught_by: Lessons) -> Gradients:
        """Those of the player that has learnt what lessons, perhaps others, teach of the rules so far."""
        weights = learnt_from(
            taught_by, self._widened(self.player.weights), self.settings.temperature, self.seed, flat=self.rules.flat
        )
        return Gradients(lessons, weights, self.settings.temperature, flat=self.rules.flat)

    def features(self, chosen: Sequence[Expression]) -> Floats:
        """What a weight of 1 of each expression adds to the score of each move: float32[moves, expressions]."""
        columns = [self.shares[found.group] * found.of(self.values) for found in chosen]
        return np.column_stack(columns).astype(np.float32) if columns else np.zeros((len(self.lessons.moves), 0), "f4")

    def _learnt(self, columns: Sequence[int]) -> RulePlayer:
        """The player with the weights of these rules learnt again from all lessons, and no others."""
        taken = list(columns)
        lessons = replace(self.lessons_of_all, features=self.lessons_of_all.features[:, taken])
        begun, temperature = self._widened(self.taught)[:, taken], self.settings.temperature
        weights = np.zeros_like(self.former.weights)
        weights[:, taken] = rounded(learnt_from(lessons, begun, temperature, self.seed, flat=self.rules.flat))
        return RulePlayer(self.trial_rules, weights, "learnt")

    def _better(self, learnt: RulePlayer, before: RulePlayer, place: int) -> RulePlayer:
        """The better one of two, on deals that are used for nothing else."""
        deals = self.arena.deals(DECIDING_DEALS, DISCOVERY, 1, place)
        result = self.steps(f"decision {place}", lambda: self.arena.match(learnt, before, deals))
        return learnt if result.win_rate > 0.5 else before
