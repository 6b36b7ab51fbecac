"""From a path to a population, or to everything that is wrong with the file."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from pathlib import Path

from rulebots.files import InputError, read_text
from rulebots.files.yaml_reading import YamlError, parse
from rulebots.players.population.foreign import reader_of
from rulebots.players.population.model import Population
from rulebots.players.population.own_layout import read_own
from rulebots.players.population.problems import PopulationError, Problem, Problems
from rulebots.rules import RuleSet

#: Tags with this beginning are text to the readers of Ruby Quiz files; all other readers refuse them.
RUBY = "!ruby/"


def load_population(
    path: str | Path, rule_sets: Iterable[RuleSet] = (), *, drop_missing: bool = False, wanted: str | None = None
) -> Population:
    """The population in a file: our own layout, or one that a game has a reader for.

    `rule_sets` are known as well as those of the installed games, for rules written in a script.
    With `drop_missing`, rules of our own layout that the rule set lacks are left out, and named in the
    population's `dropped`. `wanted` is what stands after the `#` of `path#player`: Adam Shelly's files of Ruby Quiz 51
    can be read with the rule set that it names. How such a file was read is said in a warning.

    Raises:
        PopulationError: the first problem, as `file:line:column: what was expected, what came`.
    """
    problems = Problems(str(path), drop_missing=drop_missing, wanted=wanted)
    population, found = _read(path, rule_sets, problems)
    if found or population is None:
        raise PopulationError(found[0])
    for note in problems.notes:
        warnings.warn(f"{path}: {note}", stacklevel=1)  # of this line: said once, however often a file is loaded
    return population


def check_population(path: str | Path, rule_sets: Iterable[RuleSet] = ()) -> list[Problem]:
    """Every problem of a file, in the order of the file; an empty list for a good one."""
    return _read(path, rule_sets, Problems(str(path)))[1]


def _read(
    path: str | Path, rule_sets: Iterable[RuleSet], problems: Problems
) -> tuple[Population | None, list[Problem]]:
    try:
        population = _population(read_text(path), problems, rule_sets)
    except InputError as error:
        return None, [Problem(error.path, error.line, error.column, error.message)]
    except PopulationError as error:
        return None, [*problems.in_order(), error.problem]
    return population, problems.in_order()


def _population(text: str, problems: Problems, rule_sets: Iterable[RuleSet]) -> Population | None:
    try:
        root = parse(text, tags=RUBY)
    except YamlError as error:
        raise PopulationError(Problem(problems.file, error.line, error.column, str(error))) from None
    comment = _comment(text)
    reader = reader_of(root)
    if reader is not None:
        return reader.read(root, problems, comment)
    return read_own(root, problems, rule_sets, comment)


def _comment(text: str) -> str:
    """The lines at the top that begin with `#`, without it and the blank after it."""
    lines = []
    for line in text.split("\n"):
        if not line.startswith("#"):
            break
        lines.append(line.rstrip("\r")[1:].removeprefix(" "))
    return "\n".join(lines)
