"""The quiz's server, for foreign_programs.py: its games against matches without a wire, good clients among bad ones."""

from __future__ import annotations

import asyncio
import random
import re
import resource
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from machine import Figures, program

from rulebots import Player, load_game, make_player
from rulebots.game import Moves
from rulebots.play.deals import draw_deals
from rulebots.play.match import play_deals
from rulebots.servers.clients import connect_to_quiz
from rulebots.servers.connections import ConnectionLimits, NetworkSettings
from rulebots.servers.quiz_host import HostSettings, host

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

    def __init__(self, player: Player, **terms: Any) -> None:
        self.said: list[str] = []
        self._listening = threading.Event()
        made = HostSettings(player, port=0, say=self._hear, mirrored=True, **terms)
        self.thread = threading.Thread(target=host, args=(made,), daemon=True)
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


def without_wire(ours: Player, theirs: Player, deals: int) -> dict[int, tuple[int, int]]:
    """What the games of a server have to bring, by their numbers."""
    points = play_deals(ours, theirs, draw_deals(ours.game, deals, 1)).points.tolist()
    return {number: tuple(pair if number % 2 else pair[::-1]) for number, pair in enumerate(points, 1)}


def wire(figures: Figures, games: int) -> bool:
    """Whether games of our host with our client, and with our engines, are those of the match without a wire."""
    cities = load_game("lost-cities")
    ours, theirs = make_player("shelly", cities), make_player("champion", cities)
    ready = Served(ours, games=1)  # what is compiled at first takes no part
    connect_to_quiz(f"127.0.0.1:{ready.port}", NetworkSettings(theirs, say=list[str]().append))
    server = Served(ours, games=games, seed=1)
    began = time.perf_counter()
    connect_to_quiz(f"127.0.0.1:{server.port}", NetworkSettings(theirs, games=games, say=list[str]().append))
    rate = games / (time.perf_counter() - began)
    server.thread.join()
    expected, served = without_wire(ours, theirs, games // 2), server.games()
    same = sum(served.get(number) == points for number, points in expected.items())
    figures.add("quiz: games of host and client", f"{rate:,.0f} a second")
    figures.add("with the points of the match", f"{same} of {games}", f"{games}", met=same == games)
    well = same == games
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


Reader = asyncio.StreamReader
Writer = asyncio.StreamWriter


async def good(reader: Reader, writer: Writer) -> None:
    """A client that plays as `First` does: its first card, or where that is refused, its discard."""
    hand, tried = list[str](), 0
    while data := await reader.readline():
        line = data.decode().rstrip("\n")
        if line.startswith(" Hand:"):
            hand, tried = [card.replace("Inv", "i").lower() for card in line.split()[1:]], 0
        if line.endswith("?") or line.startswith("Error:"):
            card = f"d{hand[0]}" if tried else hand[0]
            writer.write((("n" if line.endswith("Draw from?") else card) + "\n").encode())
            tried += 1
        if line.startswith("Final Score:"):
            return
    raise ConnectionError


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


BAD = (garbage, long_line, flood, silent, cut)


def memory() -> int:
    """The memory that this process, server and clients, has now, in bytes (Linux)."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * resource.getpagesize()


def bad_clients(figures: Figures, bad: int, wanted: int) -> bool:
    """Good clients among bad ones; whether every good game has finished, as the same match without a wire has it."""
    player = make_player("shelly", load_game("lost-cities"))
    server = Served(player, limits=ConnectionLimits(connections=200, idle_seconds=10.0))
    before = largest = memory()

    async def at_some_time() -> None:
        await asyncio.sleep(random.random() * 2)  # noqa: S311 - no secret

    async def behave(client: Callable[[Reader, Writer], Awaitable[object]]) -> bool:
        await at_some_time()
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            try:
                await client(reader, writer)
            finally:
                writer.transport.abort()
        except OSError:
            return False
        return True

    async def watch() -> None:
        nonlocal largest
        while True:
            largest = max(largest, memory())
            await asyncio.sleep(0.05)

    async def together() -> int:
        watching = asyncio.create_task(watch())
        misbehaving = [asyncio.create_task(behave(BAD[k % len(BAD)])) for k in range(bad)]
        finished = await asyncio.gather(*(behave(good) for _ in range(wanted)))
        await asyncio.gather(*misbehaving)
        watching.cancel()
        return sum(finished)

    began = time.perf_counter()
    finished = asyncio.run(together())
    took, until = time.perf_counter() - began, time.monotonic() + LAST_LINES
    while len(server.games()) < finished and time.monotonic() < until:
        time.sleep(0.05)
    played = server.games()
    expected = without_wire(player, First(player.game, "first"), -(-max(played, default=1) // 2))
    right = sum(expected[number] == points for number, points in played.items())
    well = finished == right == len(played) == wanted
    growth = (largest - before) / 2**20
    figures.add(f"quiz: good games among {bad:,} bad clients, in {took:.0f} s", f"{finished}", f"{wanted}")
    figures.add("with the points of the match", f"{right}", f"{wanted}", met=well)
    figures.add(
        "memory that server and clients took more", f"{growth:.0f} MB", f"under {MOST_GROWTH}", met=growth < MOST_GROWTH
    )
    return well and growth < MOST_GROWTH
