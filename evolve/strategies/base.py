"""Ask and tell over a population of weights: no games, no files, no clock, no printing.

    breeder = make_breeder(settings, rules, start)
    while ...:
        breeder.tell(tally of breeder.ask())
    finalists = breeder.finalists()

A strategy is a subclass with a name, in a module of `evolve/strategies/`. Three things keep a run
the same wherever it was stopped, and whoever played its games:

- Its randomness comes from (seed, generation) alone, so that these two numbers are the state of it.
- `state()` is all else that its future depends on, as plain data; `restore()` takes it up again.
- Nothing depends on `settings.generations`: a run may be asked for more of them later.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from evolve.evaluation.fitness import Tally
from evolve.lessons.rollouts import Lessons
from evolve.settings import Settings
from rulebots.players.specs import settings_of
from rulebots.ranges import check_numbers
from rulebots.rules import RuleSet, Weights

#: What the random numbers of a generation are for: part of their identity.
FIRST, BREEDING, STUDYING = 0, 1, 2
#: What a rule weighs in the players that bring it in: Sheppard's number.
NEW_WEIGHT = 0.8


@dataclass(frozen=True)
class NoSettings:
    """Of a strategy that leaves nothing to choose."""


@dataclass(frozen=True)
class Pupil:
    """A player who takes lessons: `self_play` of them from games against itself.

    Moves whose scores are `within` so much of the best one's are contenders; see evolve/lessons/rollouts.py.
    """

    weights: Weights
    within: float
    self_play: float


class Breeder(ABC):
    """Proposes players of one rule set, and learns from their games which to propose next.

    `generation` counts the populations that have been told. `start` are weights, float64[2, rules],
    that begin, best first. `new_rules` are columns that they do not know yet: as in the seed, two
    newcomers bring each of them in. `own` are the strategy's own settings, an instance of
    `own_settings`, from what stands behind the colon of `settings.strategy`.

    Raises:
        UsageError: a setting of the strategy that it does not have, or outside its limits.
    """

    name: ClassVar[str]
    #: A frozen dataclass with a default for every field; numbers made by `rulebots.ranges.number`.
    own_settings: ClassVar[type] = NoSettings

    def __init__(
        self, settings: Settings, rules: RuleSet, start: Sequence[Weights], new_rules: Sequence[int] = ()
    ) -> None:
        newcomers = (weights for column in new_rules for weights in introductions(start[0], column))
        self.settings = settings
        self.own: Any = settings_of(settings.strategy, self.own_settings)
        check_numbers(self.own)
        self.rules = rules
        self.generation = 0
        self.begin([self.genes(weights) for weights in [start[0], *newcomers, *start[1:]]])

    @abstractmethod
    def begin(self, start: list[list[float]]) -> None:
        """Make ready for the first `ask`: `start` are the genes to begin from, best first, at least one."""

    @abstractmethod
    def ask(self) -> list[Weights]:
        """The players to measure, `settings.population` of them, float64[2, rules] each; the same until told."""

    def pupil(self) -> Pupil | None:
        """Who takes the lessons of this generation, the same until told; None: the strategy takes none."""
        return None

    def former_pupils(self) -> list[tuple[int, Pupil]]:
        """After `restore`: (generation, pupil) of the lessons that `remember` is to bring back, in this order."""
        return []

    def remember(self, lessons: Lessons) -> None:  # noqa: B027 - most strategies take no lessons
        """Take up lessons that were studied before `state` was written."""

    def study(self, lessons: Lessons) -> None:  # noqa: B027 - most strategies take no lessons
        """Take the lessons of `pupil`; the `tell` of the same generation comes after it."""

    @abstractmethod
    def tell(self, tally: Tally) -> None:
        """Take what `ask`'s players made of their games; the next `ask` is of the next generation."""

    @abstractmethod
    def finalists(self) -> list[Weights]:
        """The players of which one is the champion, what is thought best first; the run-off decides."""

    def state(self) -> dict[str, Any]:
        """All that the future depends on besides settings, rules and start, for JSON.

        Maps with text keys, lists, text, whole numbers and finite floats, which JSON keeps exactly.
        A subclass adds to it.
        """
        return {"generation": self.generation}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from what `state()` of a breeder with the same settings (but for generations) gave."""
        self.generation = state["generation"]

    def genes(self, weights: Weights) -> list[float]:
        """The numbers that evolve: early and late weights, or one a rule where the set is flat."""
        return list((weights[0] if self.rules.flat else weights.ravel()).tolist())

    def weights(self, genes: Sequence[float]) -> Weights:
        """The genes as float64[2, rules]."""
        return np.array([genes, genes] if self.rules.flat else genes, np.float64).reshape(2, -1)


def introductions(best: Weights, column: int) -> tuple[Weights, Weights]:
    """The best player with a new rule, and a player with that rule alone."""
    with_it, alone = best.copy(), np.zeros_like(best)
    with_it[:, column] = alone[:, column] = NEW_WEIGHT
    return with_it, alone
