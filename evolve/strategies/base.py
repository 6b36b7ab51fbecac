"""Ask and tell over a population of weights: no games, no files, no clock, no printing.

    breeder = make_breeder(settings, rules, start)
    while ...:
        breeder.tell(tally of breeder.ask())
    finalists = breeder.finalists()

A strategy is a subclass with a name, in a module of `evolve/strategies/`. Three things keep the result of a run
independent of where it was stopped and of what played its games:

- Its random numbers come from (seed, generation) alone, so that these two are the state of the generator.
- `state()` is everything else that its future depends on, as plain data; `restore()` goes on from it.
- Nothing depends on `settings.generations`: a run may be asked for more of them later.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from evolve.evaluation.fitness import Tally
from evolve.lessons.learner import Learner
from evolve.settings import Settings
from rulebots.files.ranges import check_numbers
from rulebots.game import Floats
from rulebots.players.specs import NoSettings, settings_of
from rulebots.rules import RuleSet, Weights

#: What the random numbers of a generation are for: part of their identity.
FIRST = 0
BREEDING = 1
#: The weight of a new rule in the players that introduce it: Sheppard's number.
NEW_WEIGHT = 0.8


class Breeder(ABC):
    """Proposes players of one rule set, and learns from their games which to propose next.

    `generation` counts the populations that have been told. `start` are weights, float64[2, rules], to begin with,
    best first. `new_rules` are columns that they do not know yet: two immigrants introduce each of them, as in
    Sheppard's breeder. `own` are the strategy's own settings, an instance of `own_settings`, from what
    follows the colon of `settings.strategy`.

    Raises:
        UsageError: a setting that the strategy does not have, or out of its range.
    """

    name: ClassVar[str]
    #: A frozen dataclass with a default for every field; numbers made by `rulebots.files.ranges.number`.
    own_settings: ClassVar[type] = NoSettings
    #: Settings of a run (see `evolve.Settings`) that suit the strategy better than the general defaults.
    defaults: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    #: The share of the usual games that a player needs in a generation.
    games_share: ClassVar[float] = 1.0
    #: Names of attributes that belong to the state as they are: plain data, or arrays of floats.
    kept: ClassVar[tuple[str, ...]] = ()
    #: For a strategy whose players learn from lessons; `begin` sets it.
    learner: Learner | None = None

    def __init__(
        self, settings: Settings, rules: RuleSet, start: Sequence[Weights], new_rules: Sequence[int] = ()
    ) -> None:
        immigrants = (weights for column in new_rules for weights in introductions(start[0], column))
        self.settings = settings
        self.own: Any = settings_of(settings.strategy, self.own_settings)
        check_numbers(self.own)
        self.rules = rules
        self.generation = 0
        #: How much each rule differs among the moves, float64[rules]; 0 for one that never does, or before it is known.
        self.ranges: Floats = np.zeros(len(rules.rules))
        self.begin([self.genes(weights) for weights in [start[0], *immigrants, *start[1:]]])

    @abstractmethod
    def begin(self, start: list[list[float]]) -> None:
        """Prepare the first `ask`: `start` are the genes to begin from, best first, at least one."""

    @abstractmethod
    def ask(self) -> list[Weights]:
        """The players to measure, `settings.population` of them, float64[2, rules] each; the same until told."""

    @abstractmethod
    def tell(self, tally: Tally) -> None:
        """Take the scores of `ask`'s players, in their order; the next `ask` is of the next generation."""

    @abstractmethod
    def finalists(self) -> list[Weights]:
        """The candidates for champion, float64[2, rules] each, the presumed best first; the run-off decides."""

    @property
    def unscaled(self) -> bool:
        """Whether a run is to call `scale` before it goes on: the setting `scaling` asks for it, and it has not yet."""
        return bool(getattr(self.own, "scaling", 0) > 0 and not self.ranges.any())

    def scale(self, ranges: Floats) -> None:
        """Scale the steps of the weights from now on by how much the rules differ among the moves, float64[rules].

        See evolve/lessons/rule_ranges.py.
        """
        self.ranges = ranges

    def state(self) -> dict[str, Any]:
        """Everything that the future depends on besides settings, rules and start, for JSON.

        Maps with text keys, lists, text, whole numbers and finite floats, which JSON keeps exactly.
        A subclass names attributes to be `kept`, or adds to it, with the same keys, and lists of as many numbers, in
        every generation: a state from a file is compared with that of a new breeder. None, and empty lists and maps
        there, may become anything.
        """
        kept = {name: getattr(self, name) for name in self.kept}
        plain = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in kept.items()}
        return {"generation": self.generation, **plain}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from what `state()` of a breeder with the same settings (except for generations) gave."""
        self.generation = state["generation"]
        for name in self.kept:
            is_array = isinstance(getattr(self, name), np.ndarray)
            setattr(self, name, np.array(state[name], np.float64) if is_array else state[name])

    def genes(self, weights: Weights) -> list[float]:
        """The numbers that evolve: early and late weights, or one a rule where the set is flat."""
        return list((weights[0] if self.rules.flat else weights.ravel()).tolist())

    def weights(self, genes: Sequence[float]) -> Weights:
        """The genes as float64[2, rules]."""
        return np.array([genes, genes] if self.rules.flat else genes, np.float64).reshape(2, -1)


def introductions(best: Weights, column: int) -> tuple[Weights, Weights]:
    """The best player with a new rule, and a player with that rule alone."""
    with_it = best.copy()
    alone = np.zeros_like(best)
    with_it[:, column] = alone[:, column] = NEW_WEIGHT
    return with_it, alone
