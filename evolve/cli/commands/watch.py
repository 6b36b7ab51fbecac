"""`evolve watch`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evolve.cli.commands import app
from rulebots.cli.console import examples


@app.command("watch", epilog=examples("evolve watch runs/strong", "evolve watch runs/strong --once"))
def watch_run(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a run.", show_default=False)],
    once: Annotated[bool, typer.Option("--once", help="Show what there is, and do not wait for more.")] = False,
) -> None:
    """Follow a run from its log, until it is over or Ctrl-C; the run does not notice."""
    from evolve.cli.watch import watch

    watch(folder, once=once)
