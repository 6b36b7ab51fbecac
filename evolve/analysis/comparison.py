"""Two players rule by rule: what each weighs, and where they differ most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rulebots.errors import UsageError
from rulebots.players import RulePlayer
from rulebots.players.names import entry_of
from rulebots.rules import RuleSet, Weights

Pair = tuple[float, float]


@dataclass(frozen=True)
class Weighing:
    """One rule as two players weigh it: (early, late), None for a player whose rules do not name it."""

    key: str
    meaning: str
    first: Pair | None
    second: Pair | None

    @property
    def difference(self) -> float:
        """The sum of the early and the late distance; a missing rule weighs 0."""
        (a, b), (c, d) = self.first or (0.0, 0.0), self.second or (0.0, 0.0)
        return abs(a - c) + abs(b - d)

    @property
    def only(self) -> int | None:
        """0 or 1 where only the first or the second player has the rule; the other's weights are 0 or missing."""
        has = [pair is not None and any(pair) for pair in (self.first, self.second)]
        return None if has[0] == has[1] else has.index(True)


@dataclass(frozen=True)
class Comparison:
    """All rules that one of two players has, largest differences first; `names` are as the user gave them."""

    names: tuple[str, str]
    game: str
    rule_sets: tuple[str, str]
    rules: tuple[Weighing, ...]

    @property
    def flat(self) -> bool:
        """Whether every rule weighs the same early and late."""
        pairs = [pair for rule in self.rules for pair in (rule.first, rule.second) if pair is not None]
        return all(early == late for early, late in pairs)

    @property
    def alike(self) -> float:
        """The cosine of the angle between the players' weights: 1 for players that choose alike, at any scale."""
        a, b = (np.array([pair or (0.0, 0.0) for pair in side]).ravel() for side in self._sides())
        length = float(np.linalg.norm(a) * np.linalg.norm(b))
        return float(a @ b) / length if length else float(np.array_equal(a, b))

    def _sides(self) -> tuple[list[Pair | None], list[Pair | None]]:
        return [rule.first for rule in self.rules], [rule.second for rule in self.rules]


def compare(first: str | RulePlayer, second: str | RulePlayer, game: str | None = None) -> Comparison:
    """Compare two players made of rules; of population files by their names as `evolve show` takes them.

    `game` says of which game these names are, where several ship a player of one name.

    Raises:
        UsageError: players of different games, or no such player. PopulationError: no such file, or none.
    """
    (one, rules, weights), (two, other_rules, other_weights) = (_weighing(who, game) for who in (first, second))
    if rules.game is not other_rules.game:
        what = f"'{one}' plays {rules.game.name}, '{two}' plays {other_rules.game.name}"
        raise UsageError(f"{what}: compare players of one game")
    of_first, of_second = _pairs(rules, weights), _pairs(other_rules, other_weights)
    meanings = {rule.key: rule.meaning for rule in (*other_rules.rules, *rules.rules)}
    found = [Weighing(key, meanings[key], of_first.get(key), of_second.get(key)) for key in {**of_first, **of_second}]
    found.sort(key=lambda rule: -rule.difference)
    return Comparison((one, two), rules.game.name, (rules.name, other_rules.name), tuple(found))


def _weighing(player: str | RulePlayer, game: str | None) -> tuple[str, RuleSet, Weights]:
    if isinstance(player, RulePlayer):
        return player.name, player.rules, player.weights
    population, _, entry = entry_of(player, game)
    return player, population.rules, entry.weights


def _pairs(rules: RuleSet, weights: Weights) -> Mapping[str, Pair]:
    return {rule.key: (float(pair[0]), float(pair[1])) for rule, pair in zip(rules.rules, weights.T, strict=True)}
