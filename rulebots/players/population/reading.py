"""From a path to a population, or to everything that is wrong with the file.

A game that knows files in other layouts lists readers in its `rules.py`: `READERS = (Reader(is_theirs, read_theirs),)`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rulebots.errors import UsageError
from rulebots.files import InputError, read_text
from rulebots.files.layout import Problem, ProblemError, Problems, read_yaml
from rulebots.files.yaml_reading import Map, Node, Scalar
from rulebots.players.population.layout import read_population
from rulebots.players.population.model import Population
from rulebots.registry import game_names, module_of
from rulebots.rules import RuleSet

#: Tags with this beginning are text to the readers of Ruby Quiz files; all other readers refuse them.
RUBY = "!ruby/"
#: Keys that no foreign layout has: a file with one of them is meant to have the layout of layout.py.
OWN_KEYS = ("format", "players")


class PopulationError(ProblemError):
    """A file that is not a population; `problem` is the first thing wrong with it."""


class PopulationProblems(Problems):
    """What is wrong with one population file, and how it was read.

    `wanted` is the part after the `#`, None without one: it names a player, or how to read a file that can be read in
    several ways. `notes` are sentences about how the file was read.
    """

    def __init__(self, file: str, wanted: str | None = None) -> None:
        super().__init__(file)
        self.wanted = wanted
        self.notes: list[str] = []


@dataclass(frozen=True)
class Reader:
    """What reads one foreign layout of population files.

    `recognizes(root)` is whether a file's tree has that layout. `read(root, problems, comment)` gives the
    population in it; everything wrong goes to `problems`, and `comment` is the text at the top of the file.
    """

    recognizes: Callable[[Node], bool]
    read: Callable[[Node, PopulationProblems, str], Population]


def load_population(
    path: str | Path, rule_sets: Iterable[RuleSet] = (), *, drop_missing: bool = False, wanted: str | None = None
) -> Population:
    """The population in a file: in the layout of layout.py, or in one that a game has a reader for.

    `rule_sets` are known as well as those of the installed games, for rules written in a script.
    With `drop_missing`, rules that the rule set lacks are left out, and named in the population's `dropped`. `wanted`
    is what stands after the `#` of `path#player`: Adam Shelly's files of Ruby Quiz 51 can be read with the rule set
    that it names. A warning says how such a file was read.

    Raises:
        PopulationError: the first problem, as `file:line:column: what was expected, what came`.
    """
    problems = PopulationProblems(str(path), wanted)
    population, found = _read(path, rule_sets, problems, drop_missing=drop_missing)
    if found or population is None:
        raise PopulationError(found[0])
    for note in problems.notes:
        warnings.warn(f"{path}: {note}", stacklevel=1)  # of this line: said once, however often a file is loaded
    return population


def check_population(path: str | Path, rule_sets: Iterable[RuleSet] = ()) -> list[Problem]:
    """Every problem of a file, in the order of the file; an empty list for a good one."""
    return _read(path, rule_sets, PopulationProblems(str(path)))[1]


def _read(
    path: str | Path, rule_sets: Iterable[RuleSet], problems: PopulationProblems, *, drop_missing: bool = False
) -> tuple[Population | None, list[Problem]]:
    try:
        text = read_text(path)
    except InputError as error:
        return None, [Problem(error.path, error.line, error.column, error.message)]

    def read(root: Node, _: Problems) -> Population | None:
        reader, comment = reader_of(root), _comment(text)
        if reader is not None:
            return reader.read(root, problems, comment)
        return read_population(root, problems, rule_sets, comment, drop_missing=drop_missing)

    return read_yaml(text, "population", read, problems, tags=RUBY)


def _comment(text: str) -> str:
    """The lines at the top that begin with `#`, without it and the blank after it."""
    lines = []
    for line in text.split("\n"):
        if not line.startswith("#"):
            break
        lines.append(line.rstrip("\r")[1:].removeprefix(" "))
    return "\n".join(lines)


def reader_of(root: Node) -> Reader | None:
    """The first reader that recognizes a tree; None for the layout of layout.py, and where none does."""
    if isinstance(root, Map) and any(isinstance(key, Scalar) and key.text in OWN_KEYS for key, _ in root.entries):
        return None
    return next((reader for reader in _readers() if reader.recognizes(root)), None)


def _readers() -> Iterator[Reader]:
    for game in game_names():
        try:
            yield from getattr(module_of(game, "rules"), "READERS", ())
        except UsageError:  # a game that cannot be imported says nothing about this file
            continue
