"""`rulebots schema`."""

from __future__ import annotations

import json

from rulebots.cli.arguments import GameName
from rulebots.cli.commands import app
from rulebots.cli.console import examples, say


@app.command(
    epilog=examples("rulebots schema lost-cities > lost-cities.schema.json", "rulebots schema rulebots-player")
)
def schema(game: GameName) -> None:
    """Print the JSON Schema of a game's population files.

    Editors use it to complete names and to mark mistakes. `rulebots-player` is not a game: its schema is that of the
    messages between us and players in other languages.
    """
    if game == "rulebots-player":
        from rulebots.protocols.rulebots_player.messages import schema as messages_schema

        say(json.dumps(messages_schema(), indent=2, ensure_ascii=False))
        return
    from rulebots.players.population import schema as schema_of
    from rulebots.registry import load_game

    say(json.dumps(schema_of(load_game(game)), indent=2, ensure_ascii=False))
