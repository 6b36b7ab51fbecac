"""Arguments that several commands share: what a run needs besides its settings, and the budget of a search."""

from __future__ import annotations

from typing import Annotated

import typer

from rulebots.cli.arguments import number, whole_number
from rulebots.registry import DEFAULT_GAME

#: Seconds of a search where nothing is said.
SECONDS = 60.0

Backend = Annotated[
    str, typer.Option(metavar="NAME", help="What plays the games: threads, or processes by loky, dask or ray.")
]
Address = Annotated[
    str | None,
    typer.Option(metavar="HOST:PORT", help="With dask or ray: a scheduler or cluster that is already running."),
]
Game = Annotated[
    str | None,
    typer.Option(metavar="GAME", help="The game.", show_default=f"that of the player's file, else {DEFAULT_GAME}"),
]
SearchSeed = Annotated[int, typer.Option(parser=whole_number(0), metavar="N", help="The seed of the search.")]
BredRules = Annotated[
    str | None,
    typer.Option(
        metavar="SET",
        help="The rule set, or FILE.py:NAME, as in `evolve run`.",
        show_default="that of the file, else the game's first",
    ),
]
DropMissing = Annotated[bool, typer.Option("--drop-missing", help="Leave out rules that the rule set no longer has.")]
Tensorboard = Annotated[bool, typer.Option("--tensorboard", help="Write event files for TensorBoard into DIR as well.")]
Seconds = Annotated[
    float | None,
    typer.Option(
        parser=number(0.1, 1_000_000), metavar="S", help="The budget: search for so long.", show_default=f"{SECONDS:g}"
    ),
]
Games = Annotated[
    int | None,
    typer.Option(
        parser=whole_number(1, 10**9),
        metavar="N",
        help="The budget in games of the search instead: the same command then gives the same file.",
    ),
]


def budget_of(seconds: float | None, games: int | None) -> tuple[float | None, int | None]:
    """The budget of a search: seconds, by default SECONDS, or games. Raises BadParameter for both."""
    if seconds is not None and games is not None:
        raise typer.BadParameter("--seconds and --games are both the budget: give one of them")
    return (None, games) if games is not None else (seconds or SECONDS, None)
