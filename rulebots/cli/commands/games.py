"""`rulebots games`."""

from __future__ import annotations

from rulebots.cli.commands import app
from rulebots.cli.console import examples, say, show
from rulebots.registry import parts_of


@app.command(epilog=examples("rulebots games"))
def games() -> None:
    """Show the games, and the options of each: default, range, meaning, and its command-line flags.

    A game that cannot be used is listed with what is wrong with it.
    """
    from rulebots.cli.game_options import flags_of
    from rulebots.cli.tables import new_table
    from rulebots.errors import UsageError
    from rulebots.registry import game_names, load_game, misnamed_points

    table = new_table({"game": False, "title": False, "options": False})
    broken = misnamed_points()
    for name in game_names():
        try:
            game = load_game(name)
            parts_of(game).rule_sets, parts_of(game).players, parts_of(game).searches, parts_of(game).references
        except UsageError as error:
            broken.append(f"{name} cannot be used: {error}")
            continue
        options = (
            f"{key}={o.default} ({'; '.join([f'{o.low} to {o.high}: {o.meaning}', *list(flags_of(key, o))[1:]])})"
            for key, o in game.options.items()
        )
        table.add_row(name, game.title, "; ".join(options) or "none")
    show(table)
    for line in broken:
        say(line)
