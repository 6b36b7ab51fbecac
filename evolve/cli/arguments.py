"""Arguments that `evolve run` and `evolve resume` share: what a run needs besides its settings."""

from __future__ import annotations

from typing import Annotated

import typer

Backend = Annotated[
    str, typer.Option(metavar="NAME", help="What plays the games: threads, or processes by loky, dask or ray.")
]
Address = Annotated[
    str | None,
    typer.Option(metavar="HOST:PORT", help="With dask or ray: a scheduler or cluster that is already running."),
]
DropMissing = Annotated[bool, typer.Option("--drop-missing", help="Leave out rules that the rule set no longer has.")]
Tensorboard = Annotated[bool, typer.Option("--tensorboard", help="Write event files for TensorBoard into DIR as well.")]
