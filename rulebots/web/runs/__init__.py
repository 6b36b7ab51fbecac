"""Runs on the page of `rulebots web`: an entry point of the group `rulebots.web` names `part`.

`watching` has the routes; `dashboard` says what a log tells of a run, `chart` draws it, `orders` turns a form into a
command, and `processes` runs commands. `worth` measures what each rule of a player is worth.
"""

from pathlib import Path

from rulebots.web.runs.watching import Runs
from rulebots.web.runs.worth import ADDRESS as WORTH
from rulebots.web.runs.worth import Worths
from rulebots.web.opponents import Opponents
from rulebots.web.pages import Pages
from rulebots.web.parts import Part


def part(folder: Path, pages: Pages) -> Part:
    """The part of the page for the runs of a served folder."""
    opponents = Opponents(folder)
    routes = [*Runs(opponents, pages).routes, *Worths(opponents, pages).routes]
    return Part(("/runs", "Runs"), routes, Path(__file__).parent / "templates", WORTH)
