"""Arguments that mean the same in both command lines."""

from __future__ import annotations

import math
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
#: More seconds than anyone waits for a move.
MOST_MOVE_SECONDS = 1_000_000


def whole_number(low: int | None = None, high: int | None = None) -> Callable[[object], int]:
    """What reads a whole number; None leaves an end of the range open."""

    def read(text: object) -> int:
        found = int(str(text)) if re.fullmatch(r"[-+]?[0-9]{1,100}", str(text)) else None
        if found is None or (low is not None and found < low) or (high is not None and found > high):
            ends = "" if low is None else f" of at least {low:,}" if high is None else f" from {low:,} to {high:,}"
            raise typer.BadParameter(f"expected a whole number{ends}, not '{text}'")
        return found

    return read


def number(low: float, high: float) -> Callable[[object], float]:
    """What reads a number from `low` to `high`."""

    def read(text: object) -> float:
        try:
            found = float(str(text))
        except ValueError:
            found = math.nan
        if not low <= found <= high:
            raise typer.BadParameter(f"expected a number from {low:,.12g} to {high:,.12g}, not '{text}'")
        return found

    return read


def named_path(text: object) -> Path:
    """What is not empty as a path: an empty name would mean the current folder."""
    if not str(text):
        raise typer.BadParameter("expected the name of a file or folder, not ''")
    return Path(str(text))


def percentage(text: str) -> float:
    """`0.5%` as 0.005. Raises BadParameter for anything else."""
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,6})?%", text):
        raise typer.BadParameter(f"expected a share such as 0.5%, not '{text}'")
    return float(text[:-1]) / 100


def complete_game(begun: str) -> list[str]:
    """What a shell offers for the name of a game that begins so."""
    from rulebots.registry import game_names

    return [name for name in game_names() if name.startswith(begun)]


GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help="A game, as `rulebots games` names it.", autocompletion=complete_game),
]
OwnGame = Annotated[
    str | None,
    typer.Option(
        "--game", metavar="GAME", help="Which game is meant: kalah for its shipped player, ./nim for your own."
    ),
]
OwnRules = Annotated[
    list[str] | None,
    typer.Option(
        "--rules",
        metavar="FILE.py:NAME",
        help="A rule set of your own that a player's file needs, or MODULE:NAME; repeatable.",
    ),
]
PositionText = Annotated[
    str | None,
    typer.Option(
        "--position",
        metavar="TEXT",
        help="A position of the game in its text form, which `rulebots replay FILE N` shows: see the game's page.",
        show_default=False,
    ),
]
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
        help="Random moves at the beginning of each game, the same from both seats.",
        show_default="what suits the game",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        parser=whole_number(1, MOST_JOBS),
        metavar="N",
        help="Threads; they share the games.",
        show_default="all cores",
    ),
]
MoveSeconds = Annotated[
    float | None,
    typer.Option(
        "--move-seconds",
        parser=number(0.001, MOST_MOVE_SECONDS),
        metavar="S",
        help="Time for a move of a player that is asked in Python, such as a search. A longer one is a fault.",
        show_default="any time",
    ),
]

RandomSeed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        parser=whole_number(0),
        metavar="N",
        help="The same seed deals the same games, and gives players of chance the same chance.",
        show_default="a different one each time",
    ),
]
TotalSeconds = Annotated[
    float,
    typer.Option("--total-seconds", parser=number(0.01, 1e6), metavar="S", help="The most that a game may take."),
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
    """How many threads: as many as asked for, else one for each core."""
    if jobs is None:
        import joblib

        return int(joblib.cpu_count())
    return jobs


def bring(game: str | None = None, rules: Iterable[str] | None = None, players: Iterable[str] = ()) -> None:
    """Import what a person names of their own, so that data files find it.

    Raises:
        CodeError: there is no such thing, or it has a mistake.
    """
    from rulebots.registry import load_game
    from rulebots.rules import load_rules

    if game is not None:
        load_game(game)
    for name in rules or ():
        load_rules(name)
    for name in players:
        from rulebots.players.own import bring_player

        bring_player(name)


def game_of(name: str | None, players: Iterable[str] = ()) -> Game:
    """The game of that name; without a name that of the first file among the players, else the default.

    Raises:
        UsageError: there is no such game. PopulationError: the file is not a population.
    """
    from rulebots.players.bred import split_spec
    from rulebots.players.population import load_population
    from rulebots.registry import load_game

    if name is not None:
        return load_game(name)
    for spec in players:
        path, wanted = split_spec(spec)
        if Path(path).suffix in (".yaml", ".yml"):
            return load_population(path, wanted=wanted).game
    return load_game(DEFAULT_GAME)
