"""`rulebots games`."""

from __future__ import annotations

from rulebots.cli.commands import app
from rulebots.cli.console import examples, show


@app.command(epilog=examples("rulebots games"))
def games() -> None:
    """Show the games, and the options of each: default, range, meaning, flags of `play` and `solve`."""
    from rulebots.cli.game_options import flags_of
    from rulebots.cli.tables import new_table
    from rulebots.game import load_game
    from rulebots.registry import game_names

    table = new_table({"game": False, "title": False, "options": False})
    for name in game_names():
        game = load_game(name)
        options = (
            f"{key}={o.default} ({o.low} to {o.high}: {o.meaning}; {', '.join(flags_of(key, o))})"
            for key, o in game.options.items()
        )
        table.add_row(name, game.title, "; ".join(options) or "none")
    show(table)
