"""What there is: `rulebots games`, `players`, `rules` and `schema`."""

from __future__ import annotations

import inspect
import json
import re
from typing import TYPE_CHECKING, Annotated, Any

from rulebots.cli import options as opt
from rulebots.cli.commands import app
from rulebots.cli.console import say, say_json, show
from rulebots.cli.lookup import flags_of
from rulebots.cli.tables import table_of, weights_table
from rulebots.errors import UsageError, one_line
from rulebots.packages import (
    PLAYERS,
    broken_entry_points,
    game_names,
    load_game,
    misnamed_entry_points,
    origin_of_game,
    package_of,
)
from rulebots.packages.games import SOURCES
from rulebots.packages.rule_sets import broken_rule_sets, load_rules, rule_sets_of

if TYPE_CHECKING:
    from rulebots.game import Game


@app.with_examples("rulebots games", "rulebots games kalah", group="Look")
def games(
    game: Annotated[str | None, opt.argument("[GAME]", "Only this one, with its players and rule sets.")] = None,
    as_json: opt.AsJson = False,
) -> None:
    """Show the games, or one with its options, players and rule sets.

    Each option has its default, range, meaning and command-line flags.

    A game that cannot be used is listed with what is wrong with it.
    """
    if game is not None:
        _show_game(load_game(game), as_json=as_json)
        return
    usable: list[Game] = []
    broken = misnamed_entry_points()
    for name in game_names():
        try:
            played = load_game(name)
            rule_sets_of(played)
            package_of(played).players  # noqa: B018 - imported here, so that a broken one is listed
        except UsageError as error:
            broken.append(f"{name} cannot be used: {error}")
        else:
            usable.append(played)
    if as_json:
        say_json({"games": [_as_data(game) for game in usable], "broken": broken})
        return
    rows = [
        {
            "game": game.name,
            "seats": str(game.seats) if isinstance(game.seats, int) else "{} to {}".format(*game.seats),
            "what it is": re.split("[;.]", package_of(game).about[0].partition(": ")[2])[0] or game.title,
        }
        for game in usable
    ]
    show(table_of(rows, "game", "seats", "what it is"))
    others = f"games of others, as they are: {', '.join(f'{source}:NAME' for source in SOURCES)}, FILE.py:CLASS"
    say("\n".join(["options, players and rule sets of one: rulebots games NAME", others, *broken]))


def _show_game(game: Game, *, as_json: bool) -> None:
    from rulebots.packages.levels import level_players
    from rulebots.packages.players import player_names

    names = {"players": player_names(game), "rule_sets": [*rule_sets_of(game)]}
    if as_json:
        say_json(_as_data(game) | names)
        return
    say(f"{game.name}: {game.title}")
    for name, option in game.options.items():
        more = [f"{option.low} to {option.high}: {option.meaning}", *list(flags_of(name, option))[1:]]
        say(f"  --option {name}={option.default} ({'; '.join(more)})")
    say(f"players: {', '.join(names['players'])}\nlevels: {', '.join(level_players(game))}")
    named = origin_of_game(game.name) or game.name
    sets = ", ".join(names["rule_sets"]) or "none"
    say(f"rule sets: {sets}; what they say: rulebots rules {named}\nto play it: rulebots play {named}")


def _as_data(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "options": {
            name: {
                **{part: getattr(option, part) for part in ("default", "low", "high", "meaning")},
                "flags": [*flags_of(name, option)],
            }
            for name, option in game.options.items()
        },
    }


@app.with_examples("rulebots players lost-cities", group="Look")
def players(game: opt.GameName, as_json: opt.AsJson = False) -> None:
    """Show a game's players, and what each is.

    Any population file is a player as well, and your own: FILE.py:NAME.
    """
    from rulebots.packages.levels import SEARCHES, in_words, level_players
    from rulebots.packages.players import makes_players, player_names

    played = load_game(game)
    names = player_names(played)
    searches = list(package_of(played).searches)
    broken = broken_entry_points(PLAYERS, played.name, "a player, or what makes one", makes_players)
    if as_json:
        say_json({"game": played.name, "players": names, "searches": searches, "broken": list(broken)})
        return
    usual = ("rollout:seconds=1",) if played.hidden else ("mcts:power=3", "minimax:depth=6")
    known = {
        **{name: _what_is(name, played) for name in names},
        **{level: in_words(player) for level, player in level_players(played).items()},
        **{f"{name}:SETTING=VALUE,...": "a search of the game's own" for name in searches},
        **{name: SEARCHES[name.partition(":")[0]] for name in usual},
    }
    show(table_of(({"player": name, "what it is": what} for name, what in known.items()), "player", "what it is"))
    for line in broken:
        say(line)


def _what_is(name: str, game: Game) -> str:
    """What a player that needs no path is, in a few words; what is wrong with it, where it cannot be made."""
    from rulebots.packages.players import CHAMPION, make_player
    from rulebots.players import CompiledPlayer, RulePlayer

    try:
        player = make_player(name, game)
    except UsageError as error:
        return one_line(error)
    if isinstance(player, RulePlayer):
        by_hand = (player.weights == player.rules.hand_tuned()).all()
        how = "bred" if name.startswith(CHAMPION) else "set by hand" if by_hand else "of its own"
        return f"rules {player.rules.name}, weights {how}"
    code = player.style.choose if isinstance(player, CompiledPlayer) else type(player)
    return (inspect.getdoc(code) or "written in code").partition("\n")[0].rpartition("Player: ")[2].removesuffix(".")


@app.with_examples("rulebots rules lost-cities", "rulebots rules lost-cities --rules shelly", group="Look")
def rules(
    game: opt.GameName,
    rule_set: Annotated[str | None, opt.shared("--rules", default="all of them")] = None,
    as_json: opt.AsJson = False,
) -> None:
    """Show a game's rules, what they mean, and hand-tuned weights.

    A weight that changes in the course of a game is shown as early and late.
    """
    played = load_game(game)
    sets = [*rule_sets_of(played).values()] if rule_set is None else [load_rules(rule_set, played)]
    if as_json:
        data = [{"name": one.name, "meaning": one.meaning, "rules": one.rows(one.hand_tuned())} for one in sets]
        say_json({"game": game, "rule_sets": data, "broken": broken_rule_sets(played)})
        return
    for one in sets:
        title = f"{one.name}: {one.meaning}" if one.meaning else one.name
        show(weights_table(one.groups, one.rows(one.hand_tuned())), title)
        say("")
    broken = broken_rule_sets(played) if rule_set is None else []
    for line in (
        broken if sets or broken else [f"no rule sets; those of a file: rulebots rules {game} --rules FILE.py:NAME"]
    ):
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
        from rulebots.protocols.rulebots_player import schema as messages_schema

        document = messages_schema()
    else:
        from rulebots.packages.population import schema as population_schema

        document = population_schema(load_game(game))
    say(json.dumps(document, indent=2, ensure_ascii=False))
