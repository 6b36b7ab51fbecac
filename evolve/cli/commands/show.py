"""`evolve show`."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from evolve.cli.commands import app
from rulebots.cli.arguments import OwnGame, OwnRules, bring
from rulebots.cli.console import examples, say, show


@app.command("show", epilog=examples("evolve show champion", "evolve show champion.yaml#finalist_2 --json"))
def show_player(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="path.yaml (its first player), path.yaml#player, or the name of a shipped player."
        ),
    ],
    game: OwnGame = None,
    rules: OwnRules = None,
    as_json: Annotated[bool, typer.Option("--json", help="The player as one JSON object.")] = False,
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
    from rulebots.cli.tables import weights_table

    show(weights_table(chosen, entry.weights), f"{name}, of {population.game.title} with the rules '{chosen.name}'")
    for word, notes in (("rating", entry.rating), ("bred", population.bred)):
        if notes:
            say(f"{word}: {', '.join(f'{key} {value}' for key, value in notes.items())}")
    if len(population.players) > 1:
        say(f"players of this file: {', '.join(population.players)}")
