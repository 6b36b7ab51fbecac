"""`rulebots players`."""

from __future__ import annotations

from rulebots.cli.arguments import GameName
from rulebots.cli.commands import app
from rulebots.cli.console import examples, say


@app.command(epilog=examples("rulebots players lost-cities"))
def players(game: GameName) -> None:
    """Show the names of a game's players. Any population file is a player as well, and your own: FILE.py:NAME."""
    from rulebots.game import load_game
    from rulebots.players.names import player_names
    from rulebots.players.own import makes_players
    from rulebots.registry import PLAYERS, broken_points

    played = load_game(game)
    for name in player_names(played):
        say(name)
    for name in played.own_searches:
        say(f"{name}:SETTING=VALUE,...")
    for line in broken_points(PLAYERS, played.name, "a player, or what makes one", makes_players):
        say(line)
