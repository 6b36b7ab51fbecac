"""`evolve watch`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evolve.cli.commands import app
from rulebots.cli.arguments import named_path
from rulebots.cli.console import examples


@app.command("watch", epilog=examples("evolve watch runs/strong", "evolve watch runs/strong --once"))
def watch_run(
    folder: Annotated[
        Path, typer.Argument(parser=named_path, metavar="DIR", help="The folder of a run.", show_default=False)
    ],
    once: Annotated[bool, typer.Option("--once", help="Show the log as it is, and exit.")] = False,
) -> None:
    """Follow a run from its log, until the run ends or Ctrl-C; the run itself is not affected."""
    from evolve.cli.watch import watch

    watch(folder, once=once)
