"""`evolve plot`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evolve.cli.commands import app
from rulebots.cli.arguments import named_path
from rulebots.cli.console import examples, say


@app.command(epilog=examples("evolve plot runs/strong"))
def plot(
    folder: Annotated[
        Path, typer.Argument(parser=named_path, metavar="DIR", help="The folder of a run.", show_default=False)
    ],
) -> None:
    """Draw a run: its strength, its speed and spread, and the champion's weights over time.

    The pictures go to DIR/pictures; a run can be drawn while it is running.
    """
    from evolve.pictures.run import course_of, plot_run
    from rulebots.output.figures import need_matplotlib

    need_matplotlib()
    if warning := course_of(folder).warning:
        say(f"warning: {warning}")
    for path in plot_run(folder):
        say(f"wrote {path}")
