"""What there is: `rulebots games`, `players`, `rules` and `schema`."""

from __future__ import annotations

import json
from typing import Annotated

from rulebots.cli import options as opt
from rulebots.cli.commands import app
from rulebots.cli.console import say, show
from rulebots.cli.tables import new_table, weights_table
from rulebots.errors import UsageError
from rulebots.registry import PLAYERS, broken_entry_points, game_names, load_game, misnamed_entry_points, parts_of


@app.with_examples("rulebots games", group="Look")
def games() -> None:
    """Show the games and their options.

    Each option has its default, range, meaning and command-line flags.

    A game that cannot be used is listed with what is wrong with it.
    """
    table = new_table({"game": False, "title": False, "options": False})
    broken = misnamed_entry_points()
    for name in game_names():
        try:
            game = load_game(name)
            parts_of(game).rule_sets, parts_of(game).players, parts_of(game).searches, parts_of(game).references
        except UsageError as error:
            broken.append(f"{name} cannot be used: {error}")
            continue
        options = (
            f"{key}={o.default} ({'; '.join([f'{o.low} to {o.high}: {o.meaning}', *list(opt.flags_of(key, o))[1:]])})"
            for key, o in game.options.items()
        )
        table.add_row(name, game.title, "; ".join(options) or "none")
    show(table)
    for line in broken:
        say(line)


@app.with_examples("rulebots players lost-cities", group="Look")
def players(game: opt.GameName) -> None:
    """Show the names of a game's players.

    Any population file is a player as well, and your own: FILE.py:NAME.
    """
    from rulebots.players.custom import makes_players
    from rulebots.players.names import player_names

    played = load_game(game)
    for name in player_names(played):
        say(name)
    for name in parts_of(played).searches:
        say(f"{name}:SETTING=VALUE,...")
    for line in broken_entry_points(PLAYERS, played.name, "a player, or what makes one", makes_players):
        say(line)


@app.with_examples("rulebots rules lost-cities", "rulebots rules lost-cities --rules shelly", group="Look")
def rules(
    game: opt.GameName,
    rule_set: Annotated[str | None, opt.rules_option(default="all of them")] = None,
) -> None:
    """Show a game's rules, what they mean, and hand-tuned weights.

    A weight that changes in the course of a game is shown as early and late.
    """
    parts = parts_of(load_game(game))
    for chosen in parts.rule_sets.values() if rule_set is None else [parts.rule_set(rule_set)]:
        title = f"{chosen.name}: {chosen.meaning}" if chosen.meaning else chosen.name
        show(weights_table(chosen.groups, chosen.rows(chosen.hand_tuned())), title)
        say("")
    for line in parts.broken_rule_sets if rule_set is None else ():
        say(line)


@app.with_examples(
    "rulebots schema lost-cities > lost-cities.schema.json", "rulebots schema rulebots-player", group="Your own game"
)
def schema(game: opt.GameName) -> None:
    """Print the JSON Schema of a game's population files.

    Editors use it to complete names and to mark mistakes. `rulebots-player` is not a game: its schema is that of the
    messages between us and players in other languages.
    """
    if game == "rulebots-player":
        from rulebots.protocols.rulebots_player.messages import schema as messages_schema

        found = messages_schema()
    else:
        from rulebots.players.population import schema as population_schema

        found = population_schema(load_game(game))
    say(json.dumps(found, indent=2, ensure_ascii=False))
