"""`rulebots host` and `rulebots connect`."""

import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from rulebots.cli.commands import app
from rulebots.cli.console import say
from rulebots.cli.lookup import bring
from rulebots.cli.options import (
    GameName,
    Imports,
    RandomSeed,
    TotalSeconds,
    argument,
    decimal,
    option,
    shared,
    switch,
    whole,
)
from rulebots.errors import check_known, demand
from rulebots.packages import load_game

MOST_GAMES = 1_000_000


@dataclass(frozen=True)
class HostFlags:
    """Where a server listens, its player, its games and its limits."""

    game: GameName
    port: Annotated[int, shared("--port")]
    player: Annotated[str, shared("--player")] = "champion"
    bind: Annotated[str, shared("--bind", "0.0.0.0 is for everybody.")] = "127.0.0.1"
    games: Annotated[int | None, shared("--games", "Then the server ends.", 1, MOST_GAMES, default="any number")] = None
    seed: RandomSeed = None
    mirrored: Annotated[bool, switch("--mirrored", "Play each deal twice, with seats changed, as a match does.")] = (
        False
    )
    connections: Annotated[int, whole("Clients at the same time; others wait.", 1, 100_000)] = 500
    idle_seconds: Annotated[
        float, decimal("The most time for an answer, in seconds; a later one loses the game.", 0.01, 1e6)
    ] = 60.0
    total_seconds: TotalSeconds = 3600.0
    record: Annotated[
        Path | None,
        option("A folder in which each game is written, move by move: see `rulebots replay`.", "DIR", "--record-dir"),
    ] = None
    imports: Imports = None


@app.with_examples(
    "rulebots host lost-cities --port 61676 --player champion",
    "rulebots host lost-cities --port 61676 --player champion --games 20 --seed 1 --mirrored",
    "rulebots host lost-cities --port 61676 --bind 0.0.0.0 --record-dir games",
    group="Serve",
)
def host(flags: HostFlags) -> None:
    """Serve a game to clients over the network.

    The protocol is Ruby Quiz 51, Lost Cities.

    A line says how each game ended, and the last one, after --games or Ctrl-C, the score. A client that breaks the
    protocol, says nothing or leaves loses its game; one that leaves before its first move has played none.
    """
    from rulebots.packages.players import make_player
    from rulebots.servers import quiz_host
    from rulebots.servers.connections import ConnectionLimits
    from rulebots.servers.quiz import GAME

    game = load_game(flags.game)
    demand(game.name == GAME, f"no server is about {game.name}: expected {GAME}")
    bring(None, flags.imports)
    settings = quiz_host.HostSettings(
        make_player(flags.player, game),
        flags.games,
        port=flags.port,
        bind=flags.bind,
        seed=secrets.randbelow(2**32) if flags.seed is None else flags.seed,
        mirrored=flags.mirrored,
        record=flags.record,
        limits=ConnectionLimits(flags.connections, flags.idle_seconds, flags.total_seconds),
        say=say,
    )
    quiz_host.host(settings)


@app.with_examples(
    "rulebots connect example.org 61676 --player champion",
    "rulebots connect 127.0.0.1 61676 --player shelly --games 20",
    "rulebots connect kgp://127.0.0.1:2671 --player champion",
    "rulebots connect wss://example.org/socket --player champion",
    group="Serve",
)
def connect(
    address: Annotated[str, argument("HOST", "The server, or all at once: PROTOCOL://HOST:PORT.")],
    port: Annotated[int | None, argument("[PORT]", "Its port.")] = None,
    player: Annotated[str, shared("--player")] = "champion",
    games: Annotated[int | None, shared("--games", "One after the other.", 1, MOST_GAMES, default="1")] = None,
    seed: RandomSeed = None,
    total_seconds: TotalSeconds = 3600.0,
    imports: Imports = None,
) -> None:
    """Let a player play at somebody's server.

    HOST and PORT are a server of Ruby Quiz 51, Lost Cities: a line says how each game ended, the last one the score.
    kgp://, ws:// and wss:// are servers of Kalah, which do not say where a game ends: --games and --total-seconds do
    not apply there.
    """
    from rulebots.packages.players import make_player
    from rulebots.servers.clients import CLIENTS
    from rulebots.servers.connections import ConnectionLimits, NetworkSettings

    if "://" in address:
        demand(port is None, "PORT: the address has its port: PROTOCOL://HOST:PORT")
    else:
        demand(port is not None, "expected HOST and PORT, or PROTOCOL://HOST:PORT")
        address = f"quiz://[{address}]:{port}" if ":" in address else f"quiz://{address}:{port}"
    scheme = address.partition("://")[0]
    check_known("protocol", scheme, CLIENTS)
    game, client = CLIENTS[scheme]
    bring(None, imports)
    settings = NetworkSettings(
        player=make_player(player, load_game(game)),
        games=games,
        seed=secrets.randbelow(2**32) if seed is None else seed,
        limits=ConnectionLimits(total_seconds=total_seconds),
        say=say,
    )
    client(address, settings)
