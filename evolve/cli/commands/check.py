"""`evolve check`."""

from __future__ import annotations

from typing import Annotated

import typer

from evolve.cli.commands import app
from rulebots.cli.arguments import OwnGame, OwnRules, bring
from rulebots.cli.console import examples, say


@app.command(epilog=examples("evolve check champion.yaml", "evolve check populations/lost_cities/*.yaml"))
def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Population files.", show_default=False)],
    game: OwnGame = None,
    rules: OwnRules = None,
) -> None:
    """Show everything that is wrong with population files.

    A line for each problem: file:line:column: what was expected, and what came.
    """
    from rulebots.players.names import file_of
    from rulebots.players.population import check_population, load_population

    bring(game, rules)
    failed = False
    for file in (file_of(spec)[0] for spec in files):
        problems = check_population(file)
        for problem in problems:
            say(str(problem))
        if problems:
            failed = True
            continue
        population = load_population(file)
        count = len(population.players)
        say(
            f"{file}: ok, {count} player{'s' if count > 1 else ''} of {population.game.name}, "
            f"rule set {population.rules.name}"
        )
    if failed:
        raise typer.Exit(1)
