"""`rulebots schema`."""

from __future__ import annotations

import json

from rulebots.cli.arguments import GameName
from rulebots.cli.commands import app
from rulebots.cli.console import examples, say


@app.command(epilog=examples("rulebots schema lost-cities > lost-cities.schema.json"))
def schema(game: GameName) -> None:
    """Print the JSON Schema of a game's population files.

    Editors use it to complete names and to mark mistakes.
    """
    from rulebots.game import load_game
    from rulebots.population import schema as schema_of

    say(json.dumps(schema_of(load_game(game)), indent=2, ensure_ascii=False))
