"""Runs on the page of `rulebots web`: an entry point of the group `rulebots.web` names `part`.

`routes` has the routes; `dashboard` says what a log tells of a run, with its curves; `run_processes` turns a form into
a command, and runs it. `rule_losses` measures what each rule of a player is worth.
"""

from pathlib import Path

from rulebots.web.pages import PagePart, Pages
from rulebots.web.runs.routes import RunPages
from rulebots.web.runs.rule_losses import ADDRESS, RuleLossPages
from rulebots.web.served_folder import ServedFolder


def part(folder: Path, pages: Pages) -> PagePart:
    """The part of the page for the runs of a served folder."""
    served = ServedFolder(folder)
    losses = RuleLossPages(served, pages)
    routes = [*RunPages(served, pages).routes, *losses.routes]
    templates = Path(__file__).parent / "templates"
    return PagePart(("/runs", "Runs"), routes, templates, ADDRESS, losses.worth_of)
