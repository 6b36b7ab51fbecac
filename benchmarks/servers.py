"""The servers, for foreign_programs.py: their games against matches without a wire, good clients among bad ones."""

from __future__ import annotations

import asyncio
import random
import re
import resource
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import websockets.asyncio.client
from machine import Figures, program

from rulebots import Player, load_game, make_player
from rulebots.game import Moves
from rulebots.play.deals import draw_deals
from rulebots.play.match import play_deals
from rulebots.servers import CLIENTS, HOSTS
from rulebots.servers.connections import ClientSettings, ConnectionLimits
from rulebots.servers.serving import HostSettings

#: What server and clients may grow by while bad ones come and go, in MB.
MOST_GROWTH = 50
#: Seconds for the server's last lines, once the clients have gone.
LAST_LINES = 30.0
_GAME = re.compile(r"game (\d+): .* against .*, (-?\d+) to (-?\d+)$")


class First(Player):
    """The first legal move: what the bots and the good clients do."""

    def choose(self, seen: object, moves: Moves) -> int:
        """It."""
        return int(moves[0])


class Served:
    """A server in a thread."""

    def __init__(self, protocol: str, player: Player, **terms: Any) -> None:
        self.said: list[str] = []
        self._listening = threading.Event()
        made = HostSettings(0, player, say=self._hear, mirrored=True, **terms)
        self.thread = threading.Thread(target=HOSTS[protocol].run, args=(made,), daemon=True)
        self.thread.start()
        self._listening.wait()
        self.port = int(re.search(r":(\d+) for", self.said[0])[1])  # type: ignore[index]

    def _hear(self, line: str) -> None:
        self.said.append(line)
        self._listening.set()

    def games(self) -> dict[int, tuple[int, int]]:
        """The points of each game that came to its end, ours first, by its number."""
        found = (_GAME.match(line) for line in list(self.said))
        return {int(game[1]): (int(game[2]), int(game[3])) for game in found if game}


def without_wire(ours: Player, theirs: Player, deals: int, options: dict[str, int]) -> dict[int, tuple[int, int]]:
    """What the games of a server have to bring, by their numbers."""
    points = play_deals(ours, theirs, draw_deals(ours.game, deals, 1, options=options)).points.tolist()
    return {number: tuple(pair if number % 2 else pair[::-1]) for number, pair in enumerate(points, 1)}


def wire(figures: Figures, games: int) -> bool:
    """Whether games of our hosts with our clients, and with our engine, are those of the match without a wire."""
    well = True
    kalah = {"empty_capture": 0}
    for protocol, scheme, name, a, b, options in (
        ("quiz", "", "lost-cities", "shelly", "champion", {}),
        ("kgp", "kgp://", "kalah", "standard", "champion", kalah),
        ("kgp-ws", "ws://", "kalah", "standard", "champion", kalah),
    ):
        game = load_game(name)
        ours, theirs = make_player(a, game), make_player(b, game)
        connect = CLIENTS[scheme.partition(":")[0] or "quiz"].run
        ready = Served(protocol, ours, games=1)  # what is compiled at first takes no part
        connect(f"{scheme}127.0.0.1:{ready.port}", ClientSettings(theirs, say=[].append))
        server = Served(protocol, ours, games=games, seed=1)
        began = time.perf_counter()
        connect(
            f"{scheme}127.0.0.1:{server.port}", ClientSettings(theirs, games=None if scheme else games, say=[].append)
        )
        rate = games / (time.perf_counter() - began)
        server.thread.join()
        expected, played = without_wire(ours, theirs, games // 2, options), server.games()
        same = sum(played.get(number) == points for number, points in expected.items())
        figures.add(f"{protocol}: games of host and client", f"{rate:,.0f} a second")
        figures.add("with the points of the match", f"{same} of {games}", f"{games}", met=same == games)
        well &= same == games
    for protocol, kind, name, a, b in (
        ("rulebots-player", "program", "lost-cities", "shelly", "champion"),
        ("piskvork", "piskvork", "gomoku", "careful", "patterns"),
    ):
        game = load_game(name)
        ours, theirs = make_player(a, game), make_player(b, game)
        command = f"{program('rulebots')} engine {b} --game {name} --protocol {protocol}"
        deals = draw_deals(game, games // 2, 1)
        began = time.perf_counter()
        played = play_deals(ours, make_player(f"{kind}:{command}", game), deals).points
        rate = games / (time.perf_counter() - began)
        same = int((played == play_deals(ours, theirs, deals).points).all(1).sum())
        figures.add(f"{protocol}: games with our engine", f"{rate:,.0f} a second")
        figures.add("with the points of the match", f"{same} of {games}", f"{games}", met=same == games)
        well &= same == games
    return well


@dataclass
class Line:
    """A connection as a client sees it. `said` gives the lines that come until it ends."""

    send: Callable[[str], Awaitable[object]]
    said: AsyncIterator[str]


@asynccontextmanager
async def over_tcp(port: int) -> AsyncIterator[Line]:
    """A connection of lines."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)

    async def said() -> AsyncIterator[str]:
        while line := await reader.readline():
            yield line.decode().rstrip("\n")

    async def send(line: str) -> None:
        writer.write(f"{line}\n".encode())

    try:
        yield Line(send, said())
    finally:
        writer.transport.abort()


@asynccontextmanager
async def over_websocket(port: int) -> AsyncIterator[Line]:
    """A connection of lines in messages, by the library's own client."""
    async with websockets.asyncio.client.connect(f"ws://127.0.0.1:{port}/", open_timeout=60) as socket:

        async def said() -> AsyncIterator[str]:
            async for message in socket:
                yield str(message).rstrip()

        yield Line(lambda line: socket.send(f"{line}\r\n"), said())


async def quiz(line: Line) -> None:
    """A client of the quiz that plays as `First` does: its first card, or where that is refused, its discard."""
    hand, tried = list[str](), 0
    async for said in line.said:
        if said.startswith(" Hand:"):
            hand, tried = [card.replace("Inv", "i").lower() for card in said.split()[1:]], 0
        if said.endswith("?") or said.startswith("Error:"):
            card = f"d{hand[0]}" if tried else hand[0]
            await line.send("n" if said.endswith("Draw from?") else card)
            tried += 1
        if said.startswith("Final Score:"):
            return
    raise ConnectionError


async def kgp(line: Line) -> None:
    """A client of the Kalah Game Protocol that plays the first pit, for one game: the server sets each game's clock."""
    await line.send("1 mode freeplay")
    games, id_of = 0, 1
    async for said in line.said:
        if found := re.match(r"(\d+) ping", said):
            await line.send(f"@{found[1]} pong")
        if " set time:mode " in f" {said}":
            games += 1
            if games > 1:
                await line.send("goodbye")
                return
        if found := re.match(r"(\d+) state <(\d+),\d+,\d+,(.*)>", said):
            id_of += 4
            pit = next(k for k, stones in enumerate(found[3].split(",")[: int(found[2])], 1) if stones != "0")
            await line.send(f"{id_of}@{found[1]} move {pit}")
            await line.send(f"{id_of + 2}@{found[1]} yield")
    if not games:
        raise ConnectionError


Reader, Writer = asyncio.StreamReader, asyncio.StreamWriter


async def garbage(reader: Reader, writer: Writer) -> None:
    """Bytes that are no text."""
    writer.write(bytes(range(256)) * 4 + b"\n")
    await reader.read()


async def long_line(reader: Reader, writer: Writer) -> None:
    """Ten megabytes without a line's end."""
    for _ in range(160):
        writer.write(b"x" * 65_536)
        await writer.drain()


async def flood(reader: Reader, writer: Writer) -> None:
    """Answers that nobody has asked for, and no ear for what is said."""
    for _ in range(100):
        writer.write(b"nonsense\n" * 1000)
        await writer.drain()


async def silent(reader: Reader, writer: Writer) -> None:
    """Nothing."""
    await reader.read()


async def cut(reader: Reader, writer: Writer) -> None:
    """A connection that ends in the middle of a line."""
    writer.write(b"2")
    writer.transport.abort()


async def greeted(reader: Reader, writer: Writer) -> None:
    """A greeting, and then nothing but pings that nobody asked for."""
    writer.write(b"mode freeplay\n" + b"9 pong\n" * 1000)
    writer.transport.abort()


async def upgraded(reader: Reader, writer: Writer) -> None:
    """A WebSocket with a message of ten megabytes."""
    key = "dGhlIHNhbXBsZSBub25jZQ=="
    head = f"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
    writer.write(f"{head}Sec-WebSocket-Version: 13\r\n\r\n".encode())
    writer.write(b"\x81\xff" + (10_000_000).to_bytes(8, "big") + b"\0\0\0\0")
    await long_line(reader, writer)


BAD = (garbage, long_line, flood, silent, cut, greeted, upgraded)
#: Of each server: its player, the game's options, how a good client connects, and what it does.
GOOD: dict[str, tuple[str, str, dict[str, int], Any, Any]] = {
    "quiz": ("lost-cities", "shelly", {}, over_tcp, quiz),
    "kgp": ("kalah", "standard", {"empty_capture": 0}, over_tcp, kgp),
    "kgp-ws": ("kalah", "standard", {"empty_capture": 0}, over_websocket, kgp),
}


def memory() -> int:
    """The memory that this process, server and clients, has now, in bytes (Linux)."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * resource.getpagesize()


def bad_clients(figures: Figures, protocol: str, bad: int, wanted: int) -> bool:
    """Good clients among bad ones; whether every good game has finished, as the same match without a wire has it."""
    name, spec, options, over, play = GOOD[protocol]
    player = make_player(spec, load_game(name))
    server = Served(protocol, player, limits=ConnectionLimits(connections=200, idle_seconds=10.0))
    before = largest = memory()

    async def at_some_time() -> None:
        await asyncio.sleep(random.random() * 2)  # noqa: S311 - no secret

    async def misbehave(behave: Callable[[Reader, Writer], Awaitable[object]]) -> None:
        await at_some_time()
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            try:
                await behave(reader, writer)
            finally:
                writer.transport.abort()
        except OSError:
            return

    async def play_well() -> bool:
        await at_some_time()
        try:
            async with over(server.port) as line:
                await play(line)
        except (OSError, websockets.exceptions.WebSocketException):
            return False
        return True

    async def watch() -> None:
        nonlocal largest
        while True:
            largest = max(largest, memory())
            await asyncio.sleep(0.05)

    async def together() -> int:
        watching = asyncio.create_task(watch())
        misbehaving = [asyncio.create_task(misbehave(BAD[k % len(BAD)])) for k in range(bad)]
        finished = await asyncio.gather(*(play_well() for _ in range(wanted)))
        await asyncio.gather(*misbehaving)
        watching.cancel()
        return sum(finished)

    began = time.perf_counter()
    finished = asyncio.run(together())
    took, until = time.perf_counter() - began, time.monotonic() + LAST_LINES
    while len(server.games()) < finished and time.monotonic() < until:
        time.sleep(0.05)
    played = server.games()
    expected = without_wire(player, First(player.game, "first"), -(-max(played, default=1) // 2), options)
    right = sum(expected[number] == points for number, points in played.items())
    well = finished == right == len(played) == wanted
    growth = (largest - before) / 2**20
    figures.add(f"{protocol}: good games among {bad:,} bad clients, in {took:.0f} s", f"{finished}", f"{wanted}")
    figures.add("with the points of the match", f"{right}", f"{wanted}", met=well)
    figures.add(
        "memory that server and clients took more", f"{growth:.0f} MB", f"under {MOST_GROWTH}", met=growth < MOST_GROWTH
    )
    return well and growth < MOST_GROWTH
