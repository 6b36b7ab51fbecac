"""`rulebots games`."""

from __future__ import annotations

from rulebots.cli.commands import app
from rulebots.cli.console import examples, show


@app.command(epilog=examples("rulebots games"))
def games() -> None:
    """Show the games, and the options of each: default, range, meaning, and flags besides its name."""
    from rulebots.cli.game_options import flags_of
    from rulebots.cli.tables import new_table
    from rulebots.game import load_game
    from rulebots.registry import game_names

    table = new_table({"game": False, "title": False, "options": False})
    for name in game_names():
        game = load_game(name)
        options = (
            f"{key}={o.default} ({'; '.join([f'{o.low} to {o.high}: {o.meaning}', *list(flags_of(key, o))[1:]])})"
            for key, o in game.options.items()
        )
        table.add_row(name, game.title, "; ".join(options) or "none")
    show(table)
