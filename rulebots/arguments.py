"""Arguments that mean the same in both command lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from rulebots.game import Game, UsageError, load_game
from rulebots.population import load_population, split_spec

DEFAULT_GAME = "lost-cities"
#: More threads than any machine has cores.
MOST_JOBS = 1024


def whole_number(text: object) -> int:
    """A whole number as it is usually written, or typer's own error."""
    if not re.fullmatch(r"[-+]?[0-9]{1,100}", str(text)):
        raise typer.BadParameter(f"expected a whole number, not '{text}'")
    return int(str(text))


OptionTexts = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="An option of the game, such as suits=6 (see `rulebots games`); repeatable.",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        parser=whole_number,
        metavar="N",
        help="Games at the same time, in threads.",
        show_default="all cores",
    ),
]


def options_of(texts: Sequence[str] | None) -> dict[str, int]:
    """`["suits=6"]` as `{"suits": 6}`; the game checks names and ranges.

    Raises:
        UsageError: not of that form, or a name twice.
    """
    options: dict[str, int] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not name or not equals or not re.fullmatch(r"[-+]?[0-9]{1,100}", value):
            raise UsageError(f"--option: expected NAME=VALUE with a whole number, such as suits=6, not '{text}'")
        if name in options:
            raise UsageError(f"--option: '{name}' is there twice")
        options[name] = int(value)
    return options


def jobs_of(jobs: int | None) -> int:
    """How many threads: as many as asked for, else one a core. Raises UsageError for less or absurdly many."""
    if jobs is None:
        import joblib

        return int(joblib.cpu_count())
    if not 1 <= jobs <= MOST_JOBS:
        raise UsageError(f"--jobs: expected a whole number from 1 to {MOST_JOBS}, not {jobs}")
    return jobs


def game_of(name: str | None, players: Iterable[str] = ()) -> Game:
    """The game of that name; else the one that the first file among the players is for; else the default.

    Raises:
        UsageError: there is no such game. PopulationError: the file is no population.
    """
    if name is not None:
        return load_game(name)
    for spec in players:
        path, _ = split_spec(spec)
        if Path(path).suffix in (".yaml", ".yml"):
            return load_population(path).game
    return load_game(DEFAULT_GAME)
