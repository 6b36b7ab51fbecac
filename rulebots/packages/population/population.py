"""A population: players of one rule set, by name, best first; and its text, YAML for people first."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from rulebots.errors import UsageError, unknown
from rulebots.files.plain_yaml import (
    comment_text,
    flow,
    is_long_key,
    number_text,
    word,
)
from rulebots.game import Game
from rulebots.output.notebook import data_frame
from rulebots.packages import origin_of_game
from rulebots.packages.named_code import origin_of
from rulebots.rules import RuleSet, Weights

#: The value of the first key of a file; a later layout would have a higher number.
FORMAT = "rulebots-population/1"
#: Only the first players are written with the meanings of the rules: a large population stays readable.
EXPLAINED = 20
#: What ends a line of a comment, also one that an editor wrote.
_LINE_ENDS = re.compile("\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


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
    def read(cls, weights: Weights, rating: Mapping[str, Any] | None = None, note: str = "") -> Self:
        """A player from the weights of a file, float64[2, rules], NaN for rules that it does not name."""
        return cls(np.nan_to_num(weights), rating, note, frozenset(np.flatnonzero(np.isnan(weights[0])).tolist()))

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
    `law` is the `law_digest` of the game that they were bred for, "" where that is not known. `dropped` are the rules,
    `group.name`, that the file has and the rule set lacks, if `load_population` was asked to leave them out.
    """

    game: Game
    rules: RuleSet
    players: Mapping[str, Entry]
    bred: Mapping[str, Any] | None = None
    comment: str = ""
    dropped: tuple[str, ...] = ()
    law: str = ""

    def __repr__(self) -> str:
        return f"<Population of {self.game.name}, rule set '{self.rules.name}': {', '.join(self.players)}>"

    def to_pandas(self) -> Any:
        """A line for each rule of each player: player, group, rule, early, late, meaning.

        Raises:
            UsageError: pandas is not installed.
        """
        return data_frame(
            [{"player": name, **row} for name, entry in self.players.items() for row in self.rules.rows(entry.weights)]
        )

    @property
    def options(self) -> dict[str, int]:
        """The options of the game that the players were bred for; none where the file names none that it has."""
        found = (self.bred or {}).get("options")
        try:
            self.game.option_values(found)
        except (UsageError, TypeError, AttributeError):
            return {}
        return dict(found or {})

    @property
    def new_rules(self) -> list[int]:
        """Columns of the rules that no player of the file names: rules that are newer than the file."""
        unnamed = [entry.unnamed for entry in self.players.values()]
        return sorted(frozenset.intersection(*unnamed)) if unnamed else []


def find_player(population: Population, name: str | None = None, file: str = "") -> tuple[str, Entry]:
    """The player of that name with its name, or the first one, of a population that stands in a file.

    Raises:
        UsageError: the population lacks the player; the message suggests the nearest name.
    """
    if name is None:
        return next(iter(population.players.items()))
    if name not in population.players:
        raise UsageError(f"{f'{file}: ' if file else ''}{unknown('player', name, population.players)}")
    return name, population.players[name]


def rounded(weights: Weights) -> Weights:
    """Weights as a file keeps them, to 4 significant decimals: float64 of the same shape.

    Round before the last measurement: then the file holds exactly the player that was measured.
    """
    return np.array([*map(round_number, np.ravel(weights))], np.float64).reshape(np.shape(weights))


def round_number(number: float) -> float:
    """One number to 4 significant decimals, without a negative zero."""
    return float(f"{number:.4g}") + 0.0


def population_text(population: Population) -> str:
    """The YAML of a population: every rule on a line, with `[early, late]` and its meaning.

    Numbers are rounded to 4 significant decimals (see `rounded`).
    """
    return "".join(f"{line}\n" for line in _lines(population))


def _lines(population: Population) -> Iterator[str]:
    comment = [f"# {comment_text(line)}".rstrip() for line in _LINE_ENDS.split(population.comment)]
    if comment != ["#"]:
        yield from comment
    yield f"format: {FORMAT}"
    yield f"game: {word(population.game.name)}"
    yield f"rules: {word(population.rules.name)}"
    if population.law:
        yield f"law: {word(population.law)}"
    if code := _code(population):
        yield f"code: {flow(code)}"
    if population.bred is not None:
        yield f"bred: {flow(population.bred)}"
    yield "players:" if population.players else "players: {}"
    for place, (name, entry) in enumerate(population.players.items()):
        yield from ("  ? " + word(name), "  :") if is_long_key(name) else (f"  {word(name)}:",)
        yield from _player(entry, population.rules, explained=place < EXPLAINED)


def _code(population: Population) -> dict[str, str]:
    """Where a game and a rule set came from that are not installed."""
    named = origin_of(population.rules)
    places = {"game": origin_of_game(population.game.name), "rules": named.text if named else None}
    return {name: text for name, text in places.items() if text}


def _player(entry: Entry, rules: RuleSet, *, explained: bool) -> Iterator[str]:
    if entry.rating is not None:
        yield f"    rating: {flow(entry.rating)}"
    if entry.note:
        yield f"    note: {word(entry.note)}"
    named = [i for i in range(len(rules.rules)) if i not in entry.unnamed]
    written = {i: f"{word(rules.rules[i].name)}: {_weight(entry.weights, i)}" for i in named}
    width = max(map(len, written.values()), default=0)
    yield "    weights:" if written else "    weights: {}"
    for group in rules.groups:
        members = [i for i in named if rules.rules[i].group == group]
        if members:
            yield f"      {word(group)}:"
        for i in members:
            meaning = f"  # {comment_text(rules.rules[i].meaning)}" if explained else ""
            yield f"        {written[i]:<{width}}{meaning}".rstrip()


def _weight(weights: Weights, column: int) -> str:
    """`0.1`, or `[0.61, 0.83]` where early and late differ."""
    early, late = (number_text(round_number(number)) for number in weights[:, column])
    return early if early == late else f"[{early}, {late}]"
