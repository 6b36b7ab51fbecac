"""A run file: the settings of a run as YAML, to be edited by hand and bred with `evolve run --config FILE`.

    format: rulebots-run/1
    game: kalah
    generations: 100
    opponents: [hand-tuned, champion]
    options: {pits: 4}

Every key but `format` is a setting (see `Settings`) and may be left out; then it has its usual value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from evolve.evaluation.population_pairing import pairing_of
from evolve.settings import Settings
from evolve.strategies import strategies
from rulebots.errors import FileError, UsageError, unknown
from rulebots.files import InputError, read_text
from rulebots.files.ranges import Range, ranges_of
from rulebots.files.yaml_reading import Items, Node, Scalar, YamlError, parse
from rulebots.files.yaml_writing import flow, printable
from rulebots.game import Game
from rulebots.players.population.problems import PopulationError, Problem, Problems
from rulebots.registry import load_game, parts_of

FORMAT = "rulebots-run/1"
_HEAD = "# What decides a run: breed it with `evolve run --config FILE`; flags override what is here."
_WHOLE = re.compile(r"[-+]?[0-9]{1,18}")
#: Settings that are text, with what they are.
TEXTS = {
    "game": "what to play",
    "rules": "the rule set; empty: the game's first",
    "strategy": "how winners breed; its own settings after a colon",
    "schedule": "who meets whom in the population",
    "start": "a population file whose players begin; empty: the hand-tuned weights",
}
OPPONENTS = "players that everyone meets as well, such as [hand-tuned, champion]"
OPTIONS = "options of the game, such as {size: 4}"
OPENING_PLIES = "random moves that begin each game; empty: as many as suit the game"


class RunFileError(FileError):
    """A file that is not a run file; the message is the first problem, as `file:line:column: message`."""


def load_run_file(path: str | Path) -> dict[str, Any]:
    """The settings that a run file names, by their names in `Settings`; each is sound by itself.

    Raises:
        RunFileError: something is wrong with the file.
    """
    problems = Problems(str(path))
    try:
        root = parse(read_text(path, "run file"), "run file")
        found = _settings(root, problems)
    except InputError as error:
        raise RunFileError(str(error)) from None
    except YamlError as error:
        raise RunFileError(str(Problem(str(path), error.line, error.column, str(error)))) from None
    except PopulationError as error:  # too many problems
        raise RunFileError(str([*problems.in_order(), error.problem][0])) from None
    if wrong := problems.in_order():
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        raise RunFileError(f"{wrong[0]}{more}")
    return found


def run_file_text(settings: Settings) -> str:
    """A run file with every setting and what it means: `load_run_file` gives back the same settings."""
    meanings = {**TEXTS, "opponents": OPPONENTS, "options": OPTIONS, "opening_plies": OPENING_PLIES}
    meanings |= {name: allowed.meaning for name, allowed in ranges_of(settings).items()}
    values = {f.name: getattr(settings, f.name) for f in fields(settings)}
    lines = [f"{name}: {flow(value)}" for name, value in values.items()]
    width = min(40, max(map(len, lines)))
    explained = (f"{line:<{width}}  # {printable(meanings[name])}\n" for name, line in zip(values, lines, strict=True))
    return f"{_HEAD}\nformat: {FORMAT}\n{''.join(explained)}"


def _settings(root: Node, problems: Problems) -> dict[str, Any]:
    """The settings in a tree; everything wrong goes to `problems`."""
    problems.refuse_tags(root)
    top = problems.entries(root, f"a run file, which begins with 'format: {FORMAT}'")
    names = [f.name for f in fields(Settings)]
    exploiters = top.pop("exploiter_every", None)  # as files of an earlier version may say
    if exploiters and _whole(exploiters[1]) != 0:
        problems.add(exploiters[1], "a run no longer breeds against exploiters: leave out 'exploiter_every'")
    top.pop("exploiter_share", None)
    problems.known(top, ("format", *names), "a run file")
    head = problems.required(top, "format", root, f"format: {FORMAT}")
    if head and not (isinstance(head, Scalar) and head.text == FORMAT):
        problems.expected(f"the format '{FORMAT}'", head)
    ranges, nodes = ranges_of(Settings), {name: top[name][1] for name in names if name in top}
    found = {name: _value(name, node, ranges, problems) for name, node in nodes.items()}
    sound = {name: value for name, value in found.items() if value is not _WRONG}
    _check(sound, nodes, problems)
    return sound


_WRONG = object()


def _value(name: str, node: Node, ranges: Mapping[str, Range], problems: Problems) -> Any:
    """A setting's value; _WRONG, with a problem noted, where it is none."""
    if name in TEXTS:
        if isinstance(node, Scalar):
            return "" if node.empty else node.text
        problems.expected("a name", node)
    elif name == "opponents":
        if isinstance(node, Items) and all(isinstance(item, Scalar) and not item.empty for item in node.items):
            return tuple(item.text for item in node.items if isinstance(item, Scalar))
        problems.expected("a list of players, such as [hand-tuned, champion]", node)
    elif name == "options":
        named = problems.entries(node, "a map of options, such as {size: 4}")
        wholes = {option: _whole(value) for option, (_, value) in named.items()}
        for option, value in wholes.items():
            if value is None:
                problems.expected(f"a whole number for '{option}'", named[option][1])
        return dict(sorted((option, value) for option, value in wholes.items() if value is not None))
    elif name == "opening_plies":
        plies = _whole(node)
        if plies is not None or (isinstance(node, Scalar) and node.empty):
            return plies
        problems.expected("a whole number, or nothing for what suits the game", node)
    else:
        allowed = ranges[name]
        number = _whole(node) if allowed.whole else node.number() if isinstance(node, Scalar) else None
        if allowed.holds(number):
            return number
        problems.expected(str(allowed), node)
    return _WRONG


def _whole(node: Node) -> int | None:
    return int(node.text) if isinstance(node, Scalar) and node.plain and _WHOLE.fullmatch(node.text) else None


def _check(found: Mapping[str, Any], nodes: Mapping[str, Node], problems: Problems) -> None:
    """Note the names that mean nothing, each at its place."""

    def note(name: str, check: Callable[[], object]) -> None:
        try:
            check()
        except UsageError as error:
            problems.add(nodes[name], str(error))

    games: list[Game] = []
    name = found.get("game", Settings.game)
    if "game" in nodes:
        note("game", lambda: games.append(load_game(name)))
    else:
        games.append(load_game(name))
    if games and found.get("rules"):
        note("rules", lambda: parts_of(games[0]).rule_set(found["rules"]))
    if games and "options" in found:
        note("options", lambda: games[0].option_values(found["options"]))
    if "strategy" in found:
        note("strategy", lambda: _known_strategy(found["strategy"]))
    if "schedule" in found:
        note("schedule", lambda: pairing_of(found["schedule"]))


def _known_strategy(spec: str) -> None:
    name = spec.partition(":")[0]
    if name not in strategies():
        raise UsageError(unknown("strategy", name, strategies()))
