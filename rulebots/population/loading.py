"""From a path to a population, or to everything that is wrong with the file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rulebots.games.lost_cities.ruby_files import is_ruby, is_sheppard, read_ruby, read_sheppard
from rulebots.population.model import Population
from rulebots.population.own_layout import read_own
from rulebots.population.problems import PopulationError, Problem, Problems
from rulebots.population.yaml_nodes import Items, YamlError, parse
from rulebots.rules import RuleSet

#: More than any population takes; a larger file is refused unread.
MAX_BYTES = 2_000_000


def load_population(path: str | Path, rule_sets: Iterable[RuleSet] = (), *, drop_missing: bool = False) -> Population:
    """The population in a file: our own layout, or one of the seed's.

    `rule_sets` are known besides those of the installed games, for rules written in a script.
    With `drop_missing`, rules of our own layout that the rule set does not have are left out, and named
    in the population's `dropped`.

    Raises:
        PopulationError: the first problem, as `file:line:column: what was expected, what came`.
    """
    population, found = _read(path, rule_sets, drop_missing=drop_missing)
    if found or population is None:
        raise PopulationError(found[0])
    return population


def check_population(path: str | Path, rule_sets: Iterable[RuleSet] = ()) -> list[Problem]:
    """Every problem of a file, in the order of the file; an empty list for a good one."""
    return _read(path, rule_sets)[1]


def _read(
    path: str | Path, rule_sets: Iterable[RuleSet], *, drop_missing: bool = False
) -> tuple[Population | None, list[Problem]]:
    problems = Problems(str(path), drop_missing=drop_missing)
    try:
        text = _text(path)
        population = _population(text, problems, rule_sets)
    except PopulationError as error:
        return None, [*problems.in_order(), error.problem]
    return population, problems.in_order()


def _population(text: str, problems: Problems, rule_sets: Iterable[RuleSet]) -> Population | None:
    try:
        root = parse(text)
    except YamlError as error:
        raise PopulationError(Problem(problems.file, error.line, error.column, str(error))) from None
    comment = _comment(text)
    if is_ruby(root):
        return read_ruby(root, problems, comment)
    if isinstance(root, Items) and is_sheppard(root):
        return read_sheppard(root, problems, comment)
    return read_own(root, problems, rule_sets, comment)


def _comment(text: str) -> str:
    """The lines at the top that begin with `#`, without it and the blank behind it."""
    lines = []
    for line in text.split("\n"):
        if not line.startswith("#"):
            break
        lines.append(line.rstrip("\r")[1:].removeprefix(" "))
    return "\n".join(lines)


def _text(path: str | Path) -> str:
    """What is in a file. Raises PopulationError for one that is no text, too large or not readable."""
    file = str(path)
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise PopulationError(Problem(file, 0, 0, "there is no such file")) from None
    except (OSError, ValueError) as error:  # ValueError: a path with a zero byte
        reason = getattr(error, "strerror", None) or str(error)
        raise PopulationError(Problem(file, 0, 0, f"cannot read it: {reason}")) from None
    if len(data) > MAX_BYTES:
        message = f"expected a population file, not more than {MAX_BYTES // 1_000_000} MB"
        raise PopulationError(Problem(file, 0, 0, message))
    if b"\0" in data:
        raise PopulationError(Problem(file, 0, 0, "expected a YAML file, text in UTF-8, not a binary file"))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, start = data.count(b"\n", 0, error.start) + 1, data.rfind(b"\n", 0, error.start) + 1
        column = len(data[start : error.start].decode("utf-8-sig", "replace")) + 1
        message = f"expected text in UTF-8, not the byte 0x{data[error.start]:02X}: save the file as UTF-8"
        raise PopulationError(Problem(file, line, column, message)) from None
