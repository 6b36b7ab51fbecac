"""Options that several commands of `evolve` share: what a run needs besides its settings, and a search's budget."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rulebots.cli.options import decimal, named, named_path, switch, whole

#: Seconds of a search by default.
SECONDS = 60.0

RunDir = Annotated[
    Path, typer.Argument(parser=named_path, metavar="DIR", help="The folder of a run.", show_default=False)
]
Backend = Annotated[str, named("NAME", "What plays the games: threads, or processes by loky, dask or ray.")]
Address = Annotated[str | None, named("HOST:PORT", "With dask or ray: a scheduler or cluster that is already running.")]
Quiet = Annotated[bool, switch("--quiet", "-q", "Print only the path of the result.")]
SearchSeed = Annotated[int, whole("The seed of the search.", 0)]
BredRules = Annotated[
    str | None,
    named(
        "SET", "The rule set, or FILE.py:NAME, as in `evolve run`.", default="that of the file, else the game's first"
    ),
]
DropMissing = Annotated[bool, switch("--drop-missing", "Leave out rules that the rule set no longer has.")]
Tensorboard = Annotated[bool, switch("--tensorboard", "Write event files for TensorBoard into DIR as well.")]
Seconds = Annotated[float | None, decimal("The budget: seconds of search.", 0.1, 1_000_000, default=f"{SECONDS:g}")]
Games = Annotated[
    int | None, whole("The budget in games of the search instead: the same command then gives the same file.", 1, 10**9)
]


def budget_of(seconds: float | None, games: int | None) -> tuple[float | None, int | None]:
    """The budget of a search: seconds, by default SECONDS, or games. Raises BadParameter for both."""
    if seconds is not None and games is not None:
        raise typer.BadParameter("--seconds and --games are both the budget: give one of them")
    return (None, games) if games is not None else (seconds or SECONDS, None)
