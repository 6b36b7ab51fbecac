"""A run file: the settings of a run as YAML, to be edited by hand and bred with `evolve run --config FILE`.

    format: rulebots-run/1
    game: kalah
    generations: 100
    opponents: [hand-tuned, champion]
    options: {pits: 4}

Every key but `format` is a setting (see `Settings`) and may be left out; then it has its default.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from evolve.evaluation.population_pairing import PAIRINGS, pairing_of
from evolve.settings import Settings
from evolve.strategies import strategies
from rulebots.errors import FileError, UsageError, unknown
from rulebots.files.layout import (
    Key,
    Keys,
    Problems,
    ValueKind,
    any_text,
    exactly,
    ignored,
    in_range,
    listed,
    named,
    read_file,
)
from rulebots.files.ranges import Range, ranges_of
from rulebots.files.yaml_reading import Node
from rulebots.files.yaml_writing import flow, printable
from rulebots.packages import game_names, load_game, parts_of

FORMAT = "rulebots-run/1"
#: Settings of the league, which files of an earlier version have.
_FORMER = {
    "exploiter_every": in_range(Range(0, 0, whole=True), "0, for a run no longer breeds against exploiters"),
    "exploiter_share": ignored(),
}
_HEAD = "# What decides a run: breed it with `evolve run --config FILE`; flags override what is here."


class RunFileError(FileError):
    """A file that is not a run file; the message is the first problem, as `file:line:column: message`."""


def load_run_file(path: str | Path) -> dict[str, Any]:
    """The settings that a run file names, by their names in `Settings`; each is sound by itself.

    Raises:
        RunFileError: something is wrong with the file.
    """
    found, wrong = read_file(path, "run file", _settings)
    if wrong or found is None:
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        raise RunFileError(f"{wrong[0]}{more}")
    return found


def run_file_text(settings: Settings) -> str:
    """A run file with every setting and what it means: `load_run_file` gives back the same settings."""
    keys = layout().keys
    values = {f.name: getattr(settings, f.name) for f in fields(settings)}
    lines = [f"{name}: {flow(value)}" for name, value in values.items()]
    width = min(40, max(map(len, lines)))
    explained = (
        f"{line:<{width}}  # {printable(keys[name].meaning)}\n" for name, line in zip(values, lines, strict=True)
    )
    return f"{_HEAD}\nformat: {FORMAT}\n{''.join(explained)}"


def run_file_schema() -> dict[str, Any]:
    """A JSON Schema (draft 2020-12) of run files, for editors that complete and check."""
    found = layout().schema
    found["properties"]["game"] = {"enum": list(game_names()), "description": layout().keys["game"].meaning}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A run of evolve", **found}


def layout() -> Keys:
    """What a run file may hold: each setting with its kind, its range and what it means."""
    option = Range(-math.inf, math.inf, whole=True)
    plies = Range(0, math.inf, whole=True, optional=True)
    keys = {
        "format": Key(exactly(FORMAT), f"`{FORMAT}`", f"format: {FORMAT}"),
        "game": Key(_name(), "what to play"),
        "rules": Key(_name(), "the rule set; empty: the game's first"),
        "strategy": Key(_name(strategies()), "how winners breed; its own settings after a colon"),
        "schedule": Key(_name(PAIRINGS), "who meets whom in the population"),
        "start": Key(_name(), "a population file whose players begin; empty: the hand-tuned weights"),
        "opponents": Key(
            listed(any_text("the name of a player"), "a list of players, such as [hand-tuned, champion]"),
            "players that everyone meets as well, such as [hand-tuned, champion]",
        ),
        "partners": Key(
            listed(any_text("the name of a player"), "a list of players, such as [simple, holmes.yaml]"),
            "players beside whom everyone plays too, where all play together, such as [simple, holmes.yaml]",
        ),
        "options": Key(
            named(in_range(option, "a whole number for '{name}'"), "a map of options, such as {size: 4}"),
            "options of the game, such as {size: 4}",
        ),
        "opening_plies": Key(
            in_range(plies, "a whole number, or nothing for what suits the game"),
            "random moves that begin each game; empty: as many as suit the game",
        ),
        **{name: Key(in_range(allowed), allowed.meaning) for name, allowed in ranges_of(Settings).items()},
    }
    in_order = {name: keys[name] for name in ("format", *(f.name for f in fields(Settings)))}
    return Keys("a run file", in_order, f"a run file, which begins with 'format: {FORMAT}'", _FORMER)


def _name(known: Mapping[str, Any] | None = None) -> ValueKind:
    """A name; one of those that are known may have settings after a colon."""
    return any_text("a name", empty=True, pattern=f"^({'|'.join(known)})(:.*)?$" if known else "")


def _settings(root: Node, problems: Problems) -> dict[str, Any]:
    """The settings in a tree; everything wrong goes to `problems`, also names that mean nothing."""
    nodes = layout().nodes(root, problems)
    found = layout().values(nodes, problems)
    found.pop("format", None)
    name = found.get("game", Settings.game)
    game = problems.attempt(nodes.get("game", root), lambda: load_game(name))
    if game is not None and found.get("rules"):
        problems.attempt(nodes["rules"], lambda: parts_of(game).rule_set(found["rules"]))
    if game is not None and "options" in found:
        problems.attempt(nodes["options"], lambda: game.option_values(found["options"]))
        found["options"] = dict(sorted(found["options"].items()))
    found.update({name: tuple(found[name]) for name in ("opponents", "partners") if name in found})
    if "strategy" in found:
        problems.attempt(nodes["strategy"], lambda: _check_strategy(found["strategy"]))
    if "schedule" in found:
        problems.attempt(nodes["schedule"], lambda: pairing_of(found["schedule"]))
    return found


def _check_strategy(spec: str) -> None:
    name = spec.partition(":")[0]
    if name not in strategies():
        raise UsageError(unknown("strategy", name, strategies()))
