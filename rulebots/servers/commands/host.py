"""`rulebots host`."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated

import typer

from rulebots.cli.arguments import (
    GameName,
    OptionTexts,
    OwnRules,
    RandomSeed,
    TotalSeconds,
    bring,
    named_path,
    number,
    options_of,
    whole_number,
)
from rulebots.cli.commands import app
from rulebots.cli.console import examples, say

MOST_GAMES = 1_000_000


@app.command(
    epilog=examples(
        "rulebots host lost-cities --port 61676 --player champion",
        "rulebots host lost-cities --port 61676 --player champion --games 20 --seed 1 --mirrored",
        "rulebots host lost-cities --port 61676 --pair",
        "rulebots host lost-cities --port 61676 --bind 0.0.0.0 --record games",
        "rulebots host kalah --port 2671 --player champion --option pits=8 --option stones=8 --move-seconds 2",
        "rulebots host kalah --protocol kgp-ws --port 8080 --pair",
    )
)
def host(
    game: GameName,
    port: Annotated[
        int, typer.Option(parser=whole_number(0, 65_535), metavar="P", help="Where to listen; 0 is any free port.")
    ],
    player: Annotated[
        str | None, typer.Option(metavar="PLAYER", help="Who plays on this side.", show_default="you")
    ] = None,
    pair: Annotated[bool, typer.Option("--pair", help="Let clients meet each other, two and two.")] = False,
    protocol: Annotated[
        str | None, typer.Option(metavar="NAME", help="The protocol.", show_default="the game's usual one")
    ] = None,
    bind: Annotated[
        str, typer.Option(metavar="ADDRESS", help="For whom: this machine only, or 0.0.0.0 for everybody.")
    ] = "127.0.0.1",
    games: Annotated[
        int | None,
        typer.Option(
            parser=whole_number(1, MOST_GAMES), metavar="N", help="End after so many games.", show_default="go on"
        ),
    ] = None,
    seed: RandomSeed = None,
    mirrored: Annotated[
        bool, typer.Option("--mirrored", help="Play each deal twice, with seats changed, as a match does.")
    ] = False,
    option: OptionTexts = None,
    connections: Annotated[
        int, typer.Option(parser=whole_number(1, 100_000), metavar="N", help="At the same time; others wait.")
    ] = 500,
    idle_seconds: Annotated[
        float, typer.Option(parser=number(0.01, 1e6), metavar="S", help="A client that answers later loses its game.")
    ] = 60.0,
    move_seconds: Annotated[
        float | None,
        typer.Option(
            parser=number(0.01, 1e6),
            metavar="S",
            help="A client's time for a move, where the protocol has a clock.",
            show_default="that of the protocol",
        ),
    ] = None,
    game_seconds: Annotated[
        float | None,
        typer.Option(
            parser=number(0.01, 1e6), metavar="S", help="Its time for all moves of a game.", show_default="any time"
        ),
    ] = None,
    total_seconds: TotalSeconds = 3600.0,
    record: Annotated[
        Path | None,
        typer.Option(
            parser=named_path, metavar="FOLDER", help="Write each game there, move by move: see `rulebots replay`."
        ),
    ] = None,
    rules: OwnRules = None,
) -> None:
    """Serve a game to clients over the network, each its own game.

    A line says how each game ended, and the last one, after --games or Ctrl-C, the score. A client that breaks the
    protocol, says nothing or leaves loses its game; one that leaves before its first move has played none.
    """
    from rulebots.errors import UsageError
    from rulebots.players.names import make_player
    from rulebots.registry import load_game
    from rulebots.servers.doors import HOSTS, door, hosting
    from rulebots.servers.hosting import HostTerms
    from rulebots.servers.network import Limits

    if pair and player is not None:
        raise typer.BadParameter("--pair lets clients meet each other: leave out --player")
    played = load_game(game)
    opened = hosting(played.name) if protocol is None else door(HOSTS, protocol)
    if played.name != opened.GAME:
        raise UsageError(f"the protocol '{protocol}' is about {opened.GAME}, not {played.name}")
    bring(None, rules)
    opened.host(
        HostTerms(
            port=port,
            player=None if player is None else make_player(player, played),
            bind=bind,
            pair=pair,
            games=games,
            seed=secrets.randbelow(2**32) if seed is None else seed,
            mirrored=mirrored,
            options=options_of(option),
            move_seconds=move_seconds,
            game_seconds=game_seconds,
            record=record,
            limits=Limits(connections, idle_seconds, total_seconds),
            say=say,
        )
    )
