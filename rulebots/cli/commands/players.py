"""`rulebots players`."""

from __future__ import annotations

from rulebots.cli.arguments import GameName
from rulebots.cli.commands import app
from rulebots.cli.console import examples, say


@app.command(epilog=examples("rulebots players lost-cities"))
def players(game: GameName) -> None:
    """Show the names of a game's players. Any population file is a player as well."""
    from rulebots.game import load_game
    from rulebots.players.names import player_names

    for name in player_names(load_game(game)):
        say(name)
