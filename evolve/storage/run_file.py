"""A run file: the settings of a run as YAML, to be edited by hand and bred with `evolve run --config FILE`.

    format: rulebots-run/1
    game: kalah
    generations: 100
    opponents: [hand-tuned, champion]
    options: {pits: 4}

Every key but `format` is a setting (see `Settings`) and may be left out; then it has its default.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evolve.schedules import PAIRINGS, pairing_of
from evolve.settings import Settings, check_strategy, strategies
from rulebots.errors import FileError
from rulebots.files.layout import Key, Keys, Problems, exactly, keys_of, read_file
from rulebots.files.yaml_reading import Node
from rulebots.files.yaml_writing import flow, printable
from rulebots.packages import game_names, load_game
from rulebots.packages.rule_sets import load_rules

FORMAT = "rulebots-run/1"
_HEAD = "# What decides a run: breed it with `evolve run --config FILE`; flags override what is here."


class RunFileError(FileError):
    """A file that is not a run file; the message is the first problem, as `file:line:column: message`."""


def load_run_file(path: str | Path) -> dict[str, Any]:
    """The settings that a run file names, by their names in `Settings`; each is sound by itself.

    Raises:
        RunFileError: something is wrong with the file.
    """
    settings, problems = read_file(path, "run file", _read)
    if problems or settings is None:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise RunFileError(f"{problems[0]}{more}")
    return settings


def run_file_text(settings: Settings) -> str:
    """A run file with every setting and what it means: `load_run_file` gives back the same settings."""
    keys = layout().keys
    lines = {name: f"{name}: {flow(value)}" for name, value in vars(settings).items()}
    width = min(40, max(map(len, lines.values())))
    explained = (f"{line:<{width}}  # {printable(keys[name].meaning)}\n" for name, line in lines.items())
    return f"{_HEAD}\nformat: {FORMAT}\n{''.join(explained)}"


def run_file_schema() -> dict[str, Any]:
    """A JSON Schema (draft 2020-12) of run files, for editors that complete and check."""
    schema = layout().schema
    properties = schema["properties"]
    properties["game"]["enum"] = list(game_names())
    for name, known in (("strategy", strategies()), ("schedule", PAIRINGS)):
        properties[name]["pattern"] = f"^({'|'.join(known)})(:.*)?$"
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A run of evolve", **schema}


def layout() -> Keys:
    """What a run file may hold: each setting with its kind, its range and what it means."""
    head = {"format": Key(exactly(FORMAT), f"`{FORMAT}`", f"format: {FORMAT}")}
    return Keys("a run file", head | keys_of(Settings), f"a run file, which begins with 'format: {FORMAT}'")


def _read(root: Node, problems: Problems) -> dict[str, Any]:
    """The settings in a tree; everything wrong goes to `problems`, also names that mean nothing."""
    nodes = layout().nodes(root, problems)
    settings = layout().values(nodes, problems)
    settings.pop("format", None)
    game = problems.attempt(nodes.get("game", root), lambda: load_game(settings.get("game", Settings.game)))
    if game is not None and settings.get("rules"):
        problems.attempt(nodes["rules"], lambda: load_rules(settings["rules"], game))
    if game is not None and "options" in settings:
        problems.attempt(nodes["options"], lambda: game.option_values(settings["options"]))
        settings["options"] = dict(sorted(settings["options"].items()))
    for name in ("opponents", "partners"):
        if name in settings:
            settings[name] = tuple(settings[name])
    if "strategy" in settings:
        problems.attempt(nodes["strategy"], lambda: check_strategy(settings["strategy"]))
    if "schedule" in settings:
        problems.attempt(nodes["schedule"], lambda: pairing_of(settings["schedule"]))
    return settings
