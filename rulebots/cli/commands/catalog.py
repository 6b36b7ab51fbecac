"""What there is: `rulebots games`, `players`, `rules` and `schema`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

from rulebots.cli import options as opt
from rulebots.cli.commands import app
from rulebots.cli.console import say, say_json, show
from rulebots.cli.tables import new_table, weights_table
from rulebots.errors import UsageError
from rulebots.packages import PLAYERS, broken_entry_points, game_names, load_game, misnamed_entry_points, parts_of

if TYPE_CHECKING:
    from rulebots.game import Game


@app.with_examples("rulebots games", group="Look")
def games(as_json: opt.AsJson = False) -> None:
    """Show the games and their options.

    Each option has its default, range, meaning and command-line flags.

    A game that cannot be used is listed with what is wrong with it.
    """
    found: list[Game] = []
    broken = misnamed_entry_points()
    for name in game_names():
        try:
            game = load_game(name)
            parts_of(game).rule_sets, parts_of(game).players, parts_of(game).searches, parts_of(game).references
        except UsageError as error:
            broken.append(f"{name} cannot be used: {error}")
            continue
        found.append(game)
    if as_json:
        say_json({"games": [_as_data(game) for game in found], "broken": broken})
        return
    table = new_table({"game": False, "title": False, "options": False})
    for game in found:
        options = (
            f"{key}={o.default} ({'; '.join([f'{o.low} to {o.high}: {o.meaning}', *list(opt.flags_of(key, o))[1:]])})"
            for key, o in game.options.items()
        )
        table.add_row(game.name, game.title, "; ".join(options) or "none")
    show(table)
    for line in broken:
        say(line)


def _as_data(game: Game) -> dict[str, Any]:
    """A game with its options, as plain data."""
    options = {
        name: {
            "default": o.default,
            "low": o.low,
            "high": o.high,
            "meaning": o.meaning,
            "flags": [*opt.flags_of(name, o)],
        }
        for name, o in game.options.items()
    }
    return {"name": game.name, "title": game.title, "options": options}


@app.with_examples("rulebots players lost-cities", group="Look")
def players(game: opt.GameName, as_json: opt.AsJson = False) -> None:
    """Show the names of a game's players.

    Any population file is a player as well, and your own: FILE.py:NAME.
    """
    from rulebots.packages.own_players import makes_players
    from rulebots.packages.players import player_names

    played = load_game(game)
    broken = broken_entry_points(PLAYERS, played.name, "a player, or what makes one", makes_players)
    if as_json:
        names, searches = player_names(played), list(parts_of(played).searches)
        say_json({"game": played.name, "players": names, "searches": searches, "broken": list(broken)})
        return
    for name in player_names(played):
        say(name)
    for name in parts_of(played).searches:
        say(f"{name}:SETTING=VALUE,...")
    for line in broken:
        say(line)


@app.with_examples("rulebots rules lost-cities", "rulebots rules lost-cities --rules shelly", group="Look")
def rules(
    game: opt.GameName,
    rule_set: Annotated[str | None, opt.shared("--rules", default="all of them")] = None,
    as_json: opt.AsJson = False,
) -> None:
    """Show a game's rules, what they mean, and hand-tuned weights.

    A weight that changes in the course of a game is shown as early and late.
    """
    parts = parts_of(load_game(game))
    sets = [*parts.rule_sets.values()] if rule_set is None else [parts.rule_set(rule_set)]
    if as_json:
        found = [{"name": one.name, "meaning": one.meaning, "rules": one.rows(one.hand_tuned())} for one in sets]
        say_json({"game": game, "rule_sets": found, "broken": list(parts.broken_rule_sets)})
        return
    for chosen in sets:
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
        from rulebots.protocols.player_messages import schema as messages_schema

        found = messages_schema()
    else:
        from rulebots.packages.population import schema as population_schema

        found = population_schema(load_game(game))
    say(json.dumps(found, indent=2, ensure_ascii=False))
