"""`rulebots match`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rulebots.arguments import DEFAULT_GAME, Jobs, OpeningPlies, OptionTexts, game_of, jobs_of, options_of, whole_number
from rulebots.commands import app
from rulebots.console import examples, say, show

#: The most deals of a match: they are drawn beforehand, and kept in memory.
MOST_DEALS = 1_000_000


@app.command(
    epilog=examples(
        "rulebots match shelly dumb",
        "rulebots match champion.yaml shelly --deals 5000 --seed 7",
        "rulebots match champion.yaml champion.yaml#finalist_2 --json",
        "rulebots match shelly risk --option suits=6",
        "rulebots match shelly risk --deals 20 --record games.txt",
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
    opening_plies: OpeningPlies = None,
    jobs: Jobs = None,
    record: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write every game, move by move, to a new file: see `rulebots replay`."),
    ] = None,
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
    from rulebots.json_text import as_json_text

    if record is None:
        from rulebots.matches import play_match

        result = play_match(first, second, deals, seed, options, threads, opening_plies)
    else:
        from rulebots.population import refuse_existing, write_new
        from rulebots.records import play_recorded, record_text

        refuse_existing(record)
        result, games = play_recorded(first, second, deals, seed, options, threads, opening_plies)
        write_new(record, record_text(games))
    if as_json:
        say(as_json_text(result))
        return
    from rulebots.tables import match_table

    show(match_table(result), f"{a} against {b} at {played.title}: {deals:,} deals, seed {seed}")
