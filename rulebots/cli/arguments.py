"""Arguments that mean the same in both command lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulebots.registry import DEFAULT_GAME

if TYPE_CHECKING:
    from rulebots.game import Game

#: More threads than any machine has cores.
MOST_JOBS = 1024


def whole_number(low: int | None = None, high: int | None = None) -> Callable[[object], int]:
    """What reads the number behind a flag; None leaves an end of the range open."""

    def read(text: object) -> int:
        number = int(str(text)) if re.fullmatch(r"[-+]?[0-9]{1,100}", str(text)) else None
        if number is None or (low is not None and number < low) or (high is not None and number > high):
            ends = "" if low is None else f" of at least {low}" if high is None else f" from {low} to {high}"
            raise typer.BadParameter(f"expected a whole number{ends}, not '{text}'")
        return number

    return read


GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game, as `rulebots games` names it.")]
OptionTexts = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="An option of the game, such as suits=6 (see `rulebots games`); repeatable.",
    ),
]
OpeningPlies = Annotated[
    int | None,
    typer.Option(
        "--opening-plies",
        parser=whole_number(0),
        metavar="N",
        help="Random moves, the same for both sides, that begin each game.",
        show_default="as many as suit the game",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        parser=whole_number(1, MOST_JOBS),
        metavar="N",
        help="Games at the same time, in threads.",
        show_default="all cores",
    ),
]


def options_of(texts: Sequence[str] | None) -> dict[str, int]:
    """`["suits=6"]` as `{"suits": 6}`; the game checks names and ranges.

    Raises:
        BadParameter: not of that form, or a name twice.
    """
    options: dict[str, int] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not name or not equals or not re.fullmatch(r"[-+]?[0-9]{1,100}", value):
            what = f"expected NAME=VALUE with a whole number, such as suits=6, not '{text}'"
            raise typer.BadParameter(what, param_hint="'--option'")
        if name in options:
            raise typer.BadParameter(f"'{name}' is there twice", param_hint="'--option'")
        options[name] = int(value)
    return dict(sorted(options.items()))


def jobs_of(jobs: int | None) -> int:
    """How many threads: as many as asked for, else one a core."""
    if jobs is None:
        import joblib

        return int(joblib.cpu_count())
    return jobs


def game_of(name: str | None, players: Iterable[str] = ()) -> Game:
    """The game of that name; else the one that the first file among the players is for; else the default.

    Raises:
        UsageError: there is no such game. PopulationError: the file is no population.
    """
    from rulebots.game import load_game
    from rulebots.players.bred import split_spec
    from rulebots.population import load_population

    if name is not None:
        return load_game(name)
    for spec in players:
        path, _ = split_spec(spec)
        if Path(path).suffix in (".yaml", ".yml"):
            return load_population(path).game
    return load_game(DEFAULT_GAME)
