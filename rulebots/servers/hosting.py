"""What every server of ours is asked for, and how it attends to its clients."""

from __future__ import annotations

import asyncio
import socket
import traceback
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rulebots.kernel.user_code import in_users_terms
from rulebots.players import Player
from rulebots.protocols.child_process import LimitedFile
from rulebots.protocols.protocol import ProtocolError
from rulebots.servers.network import Limits, Peer, accept_until, listening, until_interrupted

#: Connections by default come from this machine only.
LOOPBACK = "127.0.0.1"
#: Seconds for the last lines, once all games are played.
LAST_LINES = 1.0
#: Characters of an exception's message that a line shows.
MESSAGE_SHOWN = 200
#: The player's name for a person at our terminal.
PERSON = "you"


@dataclass(frozen=True)
class HostTerms:
    """A server: where it listens, who plays on our side, and how much.

    `player` is None where a person sits at our terminal, and, with `pair`, where clients meet each other. `games` is
    None for any number. Deals come from the `seed`; `mirrored` plays each twice, with seats changed, as
    `rulebots match` does. `options` are those of the game. `move_seconds` and `game_seconds` are what a client's
    clock allows, where the protocol has one. `record` is the folder that gets each game. `say` takes lines for whoever
    runs the server.
    """

    port: int
    player: Player | None = None
    bind: str = LOOPBACK
    pair: bool = False
    games: int | None = None
    seed: int = 1
    mirrored: bool = False
    options: Mapping[str, int] = field(default_factory=dict)
    move_seconds: float | None = None
    game_seconds: float | None = None
    record: Path | None = None
    limits: Limits = field(default_factory=Limits)
    say: Callable[[str], None] = print


async def serve(
    terms: HostTerms,
    title: str,
    longest_line: int,
    attend: Callable[[Peer], Awaitable[None]],
    done: asyncio.Event,
    transport: type[Peer] = Peer,
) -> None:
    """Attend to clients of a game with that title until `done`, or until Ctrl-C.

    When it is done, clients have a moment for their last lines; Ctrl-C cuts them off. An exception that is no fault of
    the client's is a bug of ours: it ends that client's game, which counts for nobody, and its traceback is kept.

    Raises:
        UsageError: the port cannot be had.
    """
    server = listening(terms.bind, terms.port)
    place = "{}:{}".format(*server.getsockname()[:2])
    tracebacks = LimitedFile("host-tracebacks")

    async def attended(peer: Peer) -> None:
        try:
            await peer.open_as_server()
        except ProtocolError as error:
            terms.say(f"{peer.name} {error}: no game")
        else:
            await attend(peer)

    def failed(name: str, error: Exception) -> None:
        tracebacks.add("".join(traceback.format_exception(error)).encode("utf-8", "backslashreplace"))
        text = " ".join(f"{type(error).__name__}: {error}".split())
        what = in_users_terms(error, games=False) or f"a bug of this server: {text[:MESSAGE_SHOWN]}"
        kept = "" if tracebacks.path is None else f"; its traceback is in {tracebacks.path}"
        terms.say(f"{name}: no game: {what}{kept}")

    def accepted(connection: socket.socket) -> Peer:
        return transport(connection, terms.limits, longest_line)

    async with until_interrupted() as stop:
        terms.say(f"listening at {place} for {title}; Ctrl-C ends it")
        serving = asyncio.create_task(accept_until(done, server, terms.limits.connections, accepted, attended, failed))
        stopped, finished = (asyncio.create_task(event.wait()) for event in (stop, done))
        try:
            await asyncio.wait([serving, stopped, finished], return_when=asyncio.FIRST_COMPLETED)
            if not stop.is_set():
                await asyncio.wait([serving, stopped], timeout=LAST_LINES, return_when=asyncio.FIRST_COMPLETED)
            if serving.done():
                serving.result()
        finally:
            server.close()
            tracebacks.close()
            for task in (serving, stopped, finished):
                task.cancel()
            await asyncio.gather(serving, stopped, finished, return_exceptions=True)
