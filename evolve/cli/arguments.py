"""Arguments about what a run needs besides its settings, alike for `evolve run` and `evolve resume`."""

from __future__ import annotations

from typing import Annotated

import typer

Backend = Annotated[str, typer.Option(metavar="NAME", help="Who plays: threads, or processes by loky, dask or ray.")]
Address = Annotated[
    str | None,
    typer.Option(metavar="HOST:PORT", help="With dask or ray: a scheduler or cluster that runs already."),
]
DropMissing = Annotated[
    bool, typer.Option("--drop-missing", help="Leave out rules that the rule set does not have any more.")
]
Tensorboard = Annotated[bool, typer.Option("--tensorboard", help="Write event files for TensorBoard into DIR as well.")]
