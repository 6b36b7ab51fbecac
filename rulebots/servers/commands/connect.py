"""`rulebots connect`."""

from __future__ import annotations

import secrets
from typing import Annotated

import typer

from rulebots.cli.commands import app
from rulebots.cli.console import say
from rulebots.cli.options import CustomRules, RandomSeed, TotalSeconds, bring, named, whole, whole_number
from rulebots.registry import load_game

MOST_GAMES = 1_000_000


@app.with_examples(
    "rulebots connect example.org 61676 --player champion",
    "rulebots connect 127.0.0.1 61676 --player shelly --games 20",
    "rulebots connect kgp://127.0.0.1:2671 --player champion",
    "rulebots connect wss://example.org/socket --player champion",
)
def connect(
    address: Annotated[str, typer.Argument(metavar="HOST", help="The server, or all at once: PROTOCOL://HOST:PORT.")],
    port: Annotated[
        int | None, typer.Argument(parser=whole_number(1, 65_535), metavar="[PORT]", help="Its port.")
    ] = None,
    player: Annotated[str, named("PLAYER", "Who plays.")] = "champion",
    games: Annotated[int | None, whole("How many games.", 1, MOST_GAMES, default="1")] = None,
    seed: RandomSeed = None,
    total_seconds: TotalSeconds = 3600.0,
    rules: CustomRules = None,
) -> None:
    """Let a player play at somebody's server.

    HOST and PORT are a server of Ruby Quiz 51, Lost Cities: a line tells how each game ended, the last one the score.
    kgp://, ws:// and wss:// are servers of Kalah, which do not tell where a game ends: --games and --total-seconds do
    not apply there.
    """
    from rulebots.players.names import make_player
    from rulebots.servers.connecting import ClientTerms
    from rulebots.servers.doors import CLIENTS, door
    from rulebots.servers.network import Limits

    scheme, marked, _ = address.partition("://")
    if marked and port is not None:
        raise typer.BadParameter("the address has its port: PROTOCOL://HOST:PORT", param_hint="'[PORT]'")
    if not marked and port is None:
        raise typer.BadParameter("expected HOST and PORT, or PROTOCOL://HOST:PORT", param_hint="'[PORT]'")
    opened = door(CLIENTS, scheme if marked else "quiz")
    played = load_game(opened.GAME)
    bring(None, rules)
    where = address if marked else f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
    opened.connect(
        where,
        ClientTerms(
            player=make_player(player, played),
            games=games,
            seed=secrets.randbelow(2**32) if seed is None else seed,
            limits=Limits(total_seconds=total_seconds),
            say=say,
        ),
    )
