"""`rulebots`: play matches, and look at games, rules and players."""

from __future__ import annotations

import dataclasses
import json
from typing import Annotated

import typer

from rulebots.arguments import DEFAULT_GAME, Jobs, OptionTexts, game_of, jobs_of, options_of, whole_number
from rulebots.console import examples, new_app, run_app, say, show, version_option

#: The most deals of a match: they are drawn beforehand, and kept in memory.
MOST_DEALS = 1_000_000

app = new_app()
GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game, as `rulebots games` names it.")]


def main() -> int:
    """The entry point `rulebots`."""
    return run_app(app, "rulebots")


@app.callback(
    epilog=examples(
        "rulebots match shelly risk",
        "rulebots match champion.yaml shelly --deals 5000",
        "rulebots rules lost-cities --rules standard",
    )
)
def program(
    version: Annotated[
        bool, typer.Option("--version", callback=version_option("rulebots"), is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Let players of turn-based games meet, and look at what they are made of.

    A player is a built-in name, or path.yaml (its first player), or path.yaml#player.
    """


@app.command(
    epilog=examples(
        "rulebots match shelly dumb",
        "rulebots match champion.yaml shelly --deals 5000 --seed 7",
        "rulebots match champion.yaml champion.yaml#finalist_2 --json",
        "rulebots match shelly risk --option suits=6",
    )
)
def match(
    a: Annotated[str, typer.Argument(metavar="A", help="A player: a name, path.yaml or path.yaml#player.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The other one.")],
    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="The game.", show_default=f"that of a player's file, else {DEFAULT_GAME}"),
    ] = None,
    deals: Annotated[
        int, typer.Option(parser=whole_number(1, MOST_DEALS), metavar="N", help="Each is two games, seats changed.")
    ] = 1000,
    seed: Annotated[
        int, typer.Option(parser=whole_number(0), metavar="N", help="The same seed deals the same games.")
    ] = 1,
    option: OptionTexts = None,
    jobs: Jobs = None,
    as_json: Annotated[bool, typer.Option("--json", help="The result as one JSON object.")] = False,
) -> None:
    """Let two players meet, and count from A's side.

    Win rate counts a draw as half a win, and a stalled game (one that reached the limit of moves) as none;
    its 95 % interval is over deals. Points are means a game.
    """
    threads, options = jobs_of(jobs), options_of(option)
    from rulebots.roster import make_player

    played = game_of(game, (a, b))
    first, second = (make_player(spec, played) for spec in (a, b))
    played.option_values(options)
    from rulebots.matches import play_match

    result = play_match(first, second, deals, seed, options, threads)
    if as_json:
        say(json.dumps(dataclasses.asdict(result)))
        return
    from rulebots.tables import match_table

    show(match_table(result), f"{a} against {b} at {played.title}: {deals:,} deals, seed {seed}")


@app.command(epilog=examples("rulebots games"))
def games() -> None:
    """Show the games, with their options and ranges."""
    from rulebots.game import game_names, load_game
    from rulebots.tables import new_table

    table = new_table({"game": False, "title": False, "options": False})
    for name in game_names():
        game = load_game(name)
        options = (f"{key}={o.default} ({o.low} to {o.high}: {o.meaning})" for key, o in game.options.items())
        table.add_row(name, game.title, "; ".join(options) or "none")
    show(table)


@app.command(epilog=examples("rulebots rules lost-cities", "rulebots rules lost-cities --rules shelly"))
def rules(
    game: GameName,
    rule_set: Annotated[
        str | None, typer.Option("--rules", metavar="SET", help="One rule set only.", show_default="all of them")
    ] = None,
) -> None:
    """Show a game's rules, their hand-tuned weights and what they mean.

    A weight that differs from the beginning of a game to its end is shown as early and late.
    """
    from rulebots.game import load_game
    from rulebots.tables import weights_table

    played = load_game(game)
    for chosen in played.rule_sets.values() if rule_set is None else [played.rule_set(rule_set)]:
        title = f"{chosen.name}: {chosen.meaning}" if chosen.meaning else chosen.name
        show(weights_table(chosen, chosen.hand_tuned()), title)
        say("")


@app.command(epilog=examples("rulebots players lost-cities"))
def players(game: GameName) -> None:
    """Show the names of a game's players; any other player is a file."""
    from rulebots.game import load_game
    from rulebots.roster import player_names

    for name in player_names(load_game(game)):
        say(name)


@app.command(epilog=examples("rulebots schema lost-cities > lost-cities.schema.json"))
def schema(game: GameName) -> None:
    """Print the JSON Schema of a game's population files.

    Editors use it to complete names and to mark mistakes.
    """
    from rulebots.game import load_game
    from rulebots.population import schema as schema_of

    say(json.dumps(schema_of(load_game(game)), indent=2, ensure_ascii=False))
