"""`rulebots rules`."""

from __future__ import annotations

from typing import Annotated

import typer

from rulebots.cli.arguments import GameName
from rulebots.cli.commands import app
from rulebots.cli.console import examples, say, show
from rulebots.registry import parts_of


@app.command(epilog=examples("rulebots rules lost-cities", "rulebots rules lost-cities --rules shelly"))
def rules(
    game: GameName,
    rule_set: Annotated[
        str | None,
        typer.Option(
            "--rules", metavar="SET", help="One rule set only; of your own: FILE.py:NAME.", show_default="all of them"
        ),
    ] = None,
) -> None:
    """Show a game's rules, their hand-tuned weights and what they mean.

    A weight that changes in the course of a game is shown as early and late.
    """
    from rulebots.cli.tables import weights_table
    from rulebots.registry import load_game

    played = load_game(game)
    for chosen in parts_of(played).rule_sets.values() if rule_set is None else [parts_of(played).rule_set(rule_set)]:
        title = f"{chosen.name}: {chosen.meaning}" if chosen.meaning else chosen.name
        show(weights_table(chosen, chosen.hand_tuned()), title)
        say("")
    for line in parts_of(played).broken_rule_sets if rule_set is None else ():
        say(line)
