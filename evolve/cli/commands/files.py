"""Population files and run files: `evolve show`, `evolve check` and `evolve schema`."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from evolve.cli.commands import app
from rulebots.cli.console import say, show
from rulebots.cli.options import CustomGame, CustomRules, PlayerFile, bring, switch
from rulebots.cli.tables import weights_table


@app.with_examples("evolve show champion", "evolve show champion.yaml#finalist_2 --json", name="show")
def show_player(
    file: PlayerFile,
    game: CustomGame = None,
    rules: CustomRules = None,
    as_json: Annotated[bool, switch("--json", "The player as one JSON object.")] = False,
) -> None:
    """Show a player's weights, rule by rule, with what each rule means."""
    from rulebots.players.names import entry_of

    bring(game, rules)
    population, name, entry = entry_of(file, game)
    chosen = population.rules
    if as_json:
        weights = chosen.named(entry.weights)
        about = {"player": name, "game": population.game.name, "rules": chosen.name}
        say(json.dumps({**about, "bred": population.bred, "rating": entry.rating, "weights": weights}))
        return

    table = weights_table(chosen.groups, chosen.rows(entry.weights))
    show(table, f"{name}, of {population.game.title} with the rules '{chosen.name}'")
    for word, notes in (("rating", entry.rating), ("bred", population.bred)):
        if notes:
            say(f"{word}: {', '.join(f'{key} {value}' for key, value in notes.items())}")
    if len(population.players) > 1:
        say(f"players of this file: {', '.join(population.players)}")


@app.with_examples("evolve check champion.yaml", "evolve check populations/lost_cities/*.yaml")
def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Population files.", show_default=False)],
    game: CustomGame = None,
    rules: CustomRules = None,
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


@app.with_examples("evolve schema > run.schema.json")
def schema() -> None:
    """Print the JSON Schema of run files, which `evolve run --config` reads.

    Editors use it to complete names and to mark mistakes.
    """
    from evolve.storage.run_file import run_file_schema

    say(json.dumps(run_file_schema(), indent=2, ensure_ascii=False))
