"""A population: players of one rule set, by name, best first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rulebots.errors import UsageError, unknown
from rulebots.game import Game
from rulebots.output.notebook import data_frame
from rulebots.rules import RuleSet, Weights

#: Weights in a file have this many significant decimals: more do not make a better player.
DECIMALS = 4


@dataclass(frozen=True, eq=False)
class Entry:
    """One player of a population: `weights` is float64[2, rules]; the rest is for people to read.

    `rating` is plain data, such as `{"elo": 214, "plus_minus": 9}`. `unnamed` are the columns of rules
    that the file does not name for this player: they weigh 0.
    """

    weights: Weights
    rating: Mapping[str, Any] | None = None
    note: str = ""
    unnamed: frozenset[int] = frozenset()

    @classmethod
    def read(cls, found: Weights, rating: Mapping[str, Any] | None = None, note: str = "") -> Entry:
        """A player from what a file says of it: float64[2, rules], NaN where it says nothing."""
        unnamed = frozenset(np.flatnonzero(np.isnan(found[0])).tolist())
        return cls(np.nan_to_num(found), rating, note, unnamed)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Entry)
            and np.array_equal(self.weights, other.weights)
            and (self.rating, self.note) == (other.rating, other.note)
        )

    __hash__ = None  # type: ignore[assignment]  # weights are an array


@dataclass(frozen=True, repr=False)
class Population:
    """Players in the order of their file, all of one rule set.

    `bred` is plain data about where they come from; `comment` holds the lines at the top of the file, without `# `.
    `dropped` are the rules, `group.name`, that the file has and the rule set lacks, if `load_population` was asked to
    leave them out.
    """

    game: Game
    rules: RuleSet
    players: Mapping[str, Entry]
    bred: Mapping[str, Any] | None = None
    comment: str = ""
    dropped: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Population of {self.game.name}, rule set '{self.rules.name}': {', '.join(self.players)}>"

    def to_pandas(self) -> Any:
        """A line for each rule of each player: player, group, rule, early, late, meaning.

        Raises:
            UsageError: pandas is not installed.
        """
        players = self.players.items()
        return data_frame(
            [{"player": name, **row} for name, entry in players for row in self.rules.rows(entry.weights)]
        )

    @property
    def new_rules(self) -> list[int]:
        """Columns of the rules that no player of the file names: rules that are newer than the file."""
        unnamed = [entry.unnamed for entry in self.players.values()]
        return sorted(frozenset.intersection(*unnamed)) if unnamed else []


def find_player(population: Population, name: str | None = None) -> tuple[str, Entry]:
    """The player of that name with its name, or the first one.

    Raises:
        UsageError: the population lacks the player; the message suggests the nearest name.
    """
    if name is None:
        return next(iter(population.players.items()))
    if name not in population.players:
        raise UsageError(unknown("player", name, population.players))
    return name, population.players[name]


def rounded(weights: Weights) -> Weights:
    """Weights as a file keeps them, to 4 significant decimals: float64 of the same shape.

    Round before the last measurement: then the file holds exactly the player that was measured.
    """
    rough = [round_number(number) for number in np.ravel(weights)]
    return np.array(rough, np.float64).reshape(np.shape(weights))


def round_number(number: float) -> float:
    """One number to 4 significant decimals, without a negative zero."""
    return float(f"{number:.{DECIMALS}g}") + 0.0
