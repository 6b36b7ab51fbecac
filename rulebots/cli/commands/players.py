"""`rulebots players`."""

from __future__ import annotations

from rulebots.cli.arguments import GameName
from rulebots.cli.commands import app
from rulebots.cli.console import examples, say
from rulebots.registry import parts_of


@app.command(epilog=examples("rulebots players lost-cities"))
def players(game: GameName) -> None:
    """Show the names of a game's players. Any population file is a player as well, and your own: FILE.py:NAME."""
    from rulebots.players.names import player_names
    from rulebots.players.own import makes_players
    from rulebots.registry import PLAYERS, broken_points, load_game

    played = load_game(game)
    for name in player_names(played):
        say(name)
    for name in parts_of(played).searches:
        say(f"{name}:SETTING=VALUE,...")
    for line in broken_points(PLAYERS, played.name, "a player, or what makes one", makes_players):
        say(line)
