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
    from evolve.pictures.run import course_of, draw_all
    from evolve.storage.folder import PICTURES
    from rulebots.drawing import need_matplotlib
    from rulebots.files import OutputError, replace

    need_matplotlib()
    course = course_of(folder)
    if course.warning:
        say(f"warning: {course.warning}")
    drawn = draw_all(course)
    try:
        (folder / PICTURES).mkdir(exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot write to '{folder / PICTURES}': {error.strerror or error}") from None
    for name, picture in drawn.items():
        path = folder / PICTURES / f"{name}.png"
        replace(path, picture)
        say(f"wrote {path}")
