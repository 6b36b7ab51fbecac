"""`rulebots host` and `rulebots connect`."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated

import typer

from rulebots.cli.commands import app
from rulebots.cli.console import say
from rulebots.cli.options import (
    GameName,
    Imports,
    OptionTexts,
    RandomSeed,
    TotalSeconds,
    bind_option,
    bring,
    decimal,
    games_option,
    move_seconds_option,
    options_of,
    path_to,
    player_option,
    port_option,
    protocol_option,
    switch,
    whole,
    whole_number,
)
from rulebots.errors import UsageError, unknown
from rulebots.packages import load_game

MOST_GAMES = 1_000_000


@app.with_examples(
    "rulebots host lost-cities --port 61676 --player champion",
    "rulebots host lost-cities --port 61676 --player champion --games 20 --seed 1 --mirrored",
    "rulebots host lost-cities --port 61676 --pair",
    "rulebots host lost-cities --port 61676 --bind 0.0.0.0 --record-dir games",
    "rulebots host kalah --port 2671 --player champion --option pits=8 --option stones=8 --move-seconds 2",
    "rulebots host kalah --protocol kgp-ws --port 8080 --pair",
    group="Serve",
)
def host(
    game: GameName,
    port: Annotated[int, port_option()],
    player: Annotated[str | None, player_option(default="you")] = None,
    pair: Annotated[bool, switch("--pair", "Let clients meet each other, in pairs.")] = False,
    protocol: Annotated[str | None, protocol_option(default="the game's default")] = None,
    bind: Annotated[str, bind_option("0.0.0.0 is for everybody.")] = "127.0.0.1",
    games: Annotated[int | None, games_option("Then the server ends.", 1, MOST_GAMES, default="any number")] = None,
    seed: RandomSeed = None,
    mirrored: Annotated[
        bool, switch("--mirrored", "Play each deal twice, with seats changed, as a match does.")
    ] = False,
    option: OptionTexts = None,
    connections: Annotated[int, whole("Clients at the same time; others wait.", 1, 100_000)] = 500,
    idle_seconds: Annotated[
        float, decimal("The most time for an answer, in seconds; a later one loses the game.", 0.01, 1e6)
    ] = 60.0,
    move_seconds: Annotated[
        float | None,
        move_seconds_option("Of a client, if the protocol has a clock.", default="that of the protocol"),
    ] = None,
    game_seconds: Annotated[
        float | None, decimal("A client's time for all moves of a game, in seconds.", 0.01, 1e6, default="no limit")
    ] = None,
    total_seconds: TotalSeconds = 3600.0,
    record: Annotated[
        Path | None,
        path_to("DIR", "A folder in which each game is written, move by move: see `rulebots replay`.", "--record-dir"),
    ] = None,
    imports: Imports = None,
) -> None:
    """Serve a game to clients over the network, each its own game.

    A line says how each game ended, and the last one, after --games or Ctrl-C, the score. A client that breaks the
    protocol, says nothing or leaves loses its game; one that leaves before its first move has played none.
    """
    from rulebots.packages.players import make_player
    from rulebots.servers import HOSTS
    from rulebots.servers.connections import ConnectionLimits
    from rulebots.servers.serving import HostSettings

    if pair and player is not None:
        raise typer.BadParameter("--pair lets clients meet each other: leave out --player")
    played = load_game(game)
    chosen = protocol or next((name for name, one in HOSTS.items() if one.game == played.name), None)
    if chosen is None:
        served = ", ".join(dict.fromkeys(one.game for one in HOSTS.values()))
        raise UsageError(f"no protocol serves {played.name} to clients; served are: {served}")
    if chosen not in HOSTS:
        raise UsageError(unknown("protocol", chosen, HOSTS))
    if played.name != HOSTS[chosen].game:
        raise UsageError(f"the protocol '{chosen}' is about {HOSTS[chosen].game}, not {played.name}")
    bring(None, imports)
    HOSTS[chosen].run(
        HostSettings(
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
            limits=ConnectionLimits(connections, idle_seconds, total_seconds),
            say=say,
        )
    )


@app.with_examples(
    "rulebots connect example.org 61676 --player champion",
    "rulebots connect 127.0.0.1 61676 --player shelly --games 20",
    "rulebots connect kgp://127.0.0.1:2671 --player champion",
    "rulebots connect wss://example.org/socket --player champion",
    group="Serve",
)
def connect(
    address: Annotated[str, typer.Argument(metavar="HOST", help="The server, or all at once: PROTOCOL://HOST:PORT.")],
    port: Annotated[
        int | None, typer.Argument(parser=whole_number(1, 65_535), metavar="[PORT]", help="Its port.")
    ] = None,
    player: Annotated[str, player_option()] = "champion",
    games: Annotated[int | None, games_option("One after the other.", 1, MOST_GAMES, default="1")] = None,
    seed: RandomSeed = None,
    total_seconds: TotalSeconds = 3600.0,
    imports: Imports = None,
) -> None:
    """Let a player play at somebody's server.

    HOST and PORT are a server of Ruby Quiz 51, Lost Cities: a line tells how each game ended, the last one the score.
    kgp://, ws:// and wss:// are servers of Kalah, which do not tell where a game ends: --games and --total-seconds do
    not apply there.
    """
    from rulebots.packages.players import make_player
    from rulebots.servers import CLIENTS
    from rulebots.servers.connections import ClientSettings, ConnectionLimits

    if "://" in address and port is not None:
        raise typer.BadParameter("the address has its port: PROTOCOL://HOST:PORT", param_hint="'[PORT]'")
    if "://" not in address:
        if port is None:
            raise typer.BadParameter("expected HOST and PORT, or PROTOCOL://HOST:PORT", param_hint="'[PORT]'")
        address = f"quiz://[{address}]:{port}" if ":" in address else f"quiz://{address}:{port}"
    scheme = address.partition("://")[0]
    if scheme not in CLIENTS:
        raise UsageError(unknown("protocol", scheme, CLIENTS))
    played = load_game(CLIENTS[scheme].game)
    bring(None, imports)
    CLIENTS[scheme].run(
        address,
        ClientSettings(
            player=make_player(player, played),
            games=games,
            seed=secrets.randbelow(2**32) if seed is None else seed,
            limits=ConnectionLimits(total_seconds=total_seconds),
            say=say,
        ),
    )
