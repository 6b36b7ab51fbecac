"""What the doors cost and what they stand: programs as players, and the quiz's server among bad clients.

- Games and moves a second through a trivial bot in Python and in C, and the time that a move takes more than with the
  same player in our process; and many programs at the same time.
- Clients that misbehave beside good ones: every good game has to finish, with the score that both sides agree on.
- Games between our host and our client against the match without a wire, deal by deal.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from machine import CHECKOUT, Figures

from rulebots.game import Game, Moves, load_game
from rulebots.play.deals import draw_deals
from rulebots.play.match import play_deals, play_match
from rulebots.play.results import MatchResult
from rulebots.players import Player
from rulebots.players.names import make_player
from rulebots.protocols.connecting import ClientTerms
from rulebots.protocols.hosting import HostTerms
from rulebots.protocols.network import Limits
from rulebots.protocols.quiz.connect import connect
from rulebots.protocols.quiz.host import host

PAGE = CHECKOUT / "docs" / "doors" / "programs.md"
#: What the server may grow by while bad clients come and go, in MB.
MOST_GROWTH = 50
#: Seconds for the server's last lines, once the clients have gone.
LAST_LINES = 10.0


class First(Player):
    """The first legal move: what the bots do."""

    def choose(self, seen: object, moves: Moves) -> int:
        """It."""
        return int(moves[0])


def bots(folder: Path) -> dict[str, str]:
    """The bots of the guide by language, those that can be run here, and the command of each."""
    text = PAGE.read_text("utf-8")
    for name in ("bot.py", "bot.js", "bot.c"):
        (found,) = re.findall(rf"^<!-- file: {name} -->\n```\w+\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
        (folder / name).write_text(found)
    commands = {"Python": f"{sys.executable} {folder}/bot.py"}
    if shutil.which("node"):
        commands["JavaScript"] = f"node {folder}/bot.js"
    if shutil.which("cc"):
        subprocess.run([shutil.which("cc") or "cc", "-O2", "-o", folder / "bot", folder / "bot.c"], check=True)
        commands["C"] = f"{folder}/bot"
    return commands


def speed(figures: Figures, game: Game, commands: dict[str, str], deals: int) -> bool:
    """Games a second by language; whether each bot plays the games of the player in our process."""
    other, alike = make_player("random", game), True

    def timed(player: Player) -> tuple[float, MatchResult]:
        play_match(player, other, deals=1)  # what is compiled or started at first
        began = time.perf_counter()
        result = play_match(player, other, deals=deals)
        return (time.perf_counter() - began) / result.games, result

    a_game, ours = timed(First(game, "first"))
    moves = ours.plies / 2  # of one side, in a game
    figures.add(f"{game.title}, in our process", f"{1 / a_game:,.0f} games a second")
    for language, command in commands.items():
        with_wire, theirs = timed(make_player(f"program:{command}", game))
        alike &= theirs.summary() == ours.summary()
        figures.add(
            f"{game.title}, {language}",
            f"{1 / with_wire:,.0f} games a second, {1e3 * (with_wire - a_game) / moves:.2f} ms a move more",
        )
    return alike


def concurrent(figures: Figures, game: Game, command: str, engines: int) -> None:
    """Two programs in each game, many games at the same time."""
    players = [make_player(f"program:{command}", game) for _ in range(2)]
    began = time.perf_counter()
    result = play_match(*players, deals=5 * engines, jobs=engines // 2)
    rate = result.games / (time.perf_counter() - began)
    figures.add(
        f"{game.title}, {engines} programs at the same time", f"{rate:,.0f} games a second, {result.games} games"
    )


class Served:
    """Our host in a thread."""

    def __init__(self, terms: Callable[[Callable[[str], None]], HostTerms]) -> None:
        self.said: list[str] = []
        self._listening = threading.Event()
        self.thread = threading.Thread(target=host, args=(terms(self._hear),), daemon=True)
        self.thread.start()
        self._listening.wait()
        found = re.search(r"at ([\d.]+):(\d+)", self.said[0])
        assert found
        self.place = found[1], int(found[2])

    def _hear(self, line: str) -> None:
        self.said.append(line)
        self._listening.set()


def wire(figures: Figures, games: int) -> bool:
    """Games of our host with our client; whether they have the points of the match without a wire, deal by deal."""
    game = load_game("lost-cities")
    ours, theirs = make_player("shelly", game), make_player("champion", game)
    ready = Served(lambda say: HostTerms(0, ours, games=1, say=say))  # what is compiled at first takes no part
    connect("{}:{}".format(*ready.place), ClientTerms(theirs, say=[].append))
    server = Served(lambda say: HostTerms(0, ours, games=games, seed=1, mirrored=True, say=say))
    began = time.perf_counter()
    connect("{}:{}".format(*server.place), ClientTerms(theirs, games=games, say=[].append))
    rate = games / (time.perf_counter() - began)
    server.thread.join()
    points = play_deals(ours, theirs, draw_deals(game, games // 2, 1)).points.tolist()
    expected = [tuple(pair if number % 2 == 0 else pair[::-1]) for number, pair in enumerate(points)]
    played = dict[int, tuple[int, int]]()
    for line in server.said:
        if found := re.match(r"game (\d+): .*, (-?\d+) to (-?\d+)$", line):
            played[int(found[1])] = int(found[2]), int(found[3])
    same = sum(played.get(number + 1) == pair for number, pair in enumerate(expected))
    figures.add("games of host and client", f"{rate:,.0f} a second")
    figures.add("with the points of the match", f"{same} of {games}", f"{games}", met=same == games)
    return same == games


Lines = asyncio.StreamReader
Out = asyncio.StreamWriter


async def good(reader: Lines, writer: Out) -> tuple[int, int]:
    """A client that tries its cards from the left, and draws from the deck; gives the final score, its own first."""
    hand, tried = list[str](), 0
    while line := (await reader.readline()).decode():
        if line.startswith(" Hand:"):
            hand, tried = line.split()[1:], 0
        if line.endswith("?\n") or line.startswith("Error:"):
            card = hand[tried] if tried < len(hand) else f"d{hand[0]}"
            answer = "n" if line.endswith("Draw from?\n") else card.replace("Inv", "i").lower()
            tried += 1
            writer.write(f"{answer}\n".encode())
        if found := re.match(r"Final Score:  (-?\d+) \(You\) vs\. (-?\d+)", line):
            return int(found[1]), int(found[2])
    raise ConnectionError


async def garbage(reader: Lines, writer: Out) -> None:
    """Bytes that are no text."""
    writer.write(bytes(range(256)) * 4 + b"\n")
    await reader.read()


async def long_line(reader: Lines, writer: Out) -> None:
    """Ten megabytes without a line's end."""
    for _ in range(160):
        writer.write(b"x" * 65_536)
        await writer.drain()


async def flood(reader: Lines, writer: Out) -> None:
    """Answers that nobody has asked for, and no ear for what is said."""
    for _ in range(100):
        writer.write(b"nonsense\n" * 1000)
        await writer.drain()


async def silent(reader: Lines, writer: Out) -> None:
    """Nothing."""
    await reader.read()


async def cut(reader: Lines, writer: Out) -> None:
    """A connection that ends in the middle of a line."""
    writer.write(b"2")
    writer.transport.abort()


BAD = (garbage, long_line, flood, silent, cut)


def memory() -> int:
    """The memory that this process, server and clients, has now, in bytes (Linux)."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * resource.getpagesize()


def bad_clients(figures: Figures, bad: int, wanted: int) -> bool:
    """Good clients among bad ones; whether every good game has finished with the score that the server says."""
    game = load_game("lost-cities")
    limits = Limits(connections=200, idle_seconds=10.0)
    server = Served(lambda say: HostTerms(0, make_player("shelly", game), limits=limits, say=say))
    before = largest = memory()

    async def client(behave: Callable[[Lines, Out], Awaitable[object]]) -> object:
        await asyncio.sleep(random.random() * 2)  # noqa: S311 - no secret
        try:
            reader, writer = await asyncio.open_connection(*server.place)
            try:
                return await behave(reader, writer)
            finally:
                writer.transport.abort()
        except OSError as error:
            return error

    async def watch() -> None:
        nonlocal largest
        while True:
            largest = max(largest, memory())
            await asyncio.sleep(0.05)

    async def together() -> list[object]:
        watching = asyncio.create_task(watch())
        behaviours = [BAD[k % len(BAD)] for k in range(bad)] + [good] * wanted
        found = await asyncio.gather(*map(client, behaviours))  # type: ignore[arg-type]  # of several results
        watching.cancel()
        return found[bad:]

    began = time.perf_counter()
    scores = sorted(score for score in asyncio.run(together()) if isinstance(score, tuple))
    took = time.perf_counter() - began
    told, until = list[tuple[int, int]](), time.monotonic() + LAST_LINES
    while len(told) < wanted and time.monotonic() < until:
        lines = (re.match(r"game \d+: .*, (-?\d+) to (-?\d+)$", line) for line in list(server.said))
        told = sorted((int(found[2]), int(found[1])) for found in lines if found)
    agreed = len(scores) if scores == told else 0
    growth = (largest - before) / 2**20
    figures.add(
        f"good games beside {bad:,} bad clients, in {took:.0f} s", f"{agreed}", f"{wanted}", met=agreed == wanted
    )
    figures.add(
        "memory that server and clients took more", f"{growth:.0f} MB", f"under {MOST_GROWTH}", met=growth < MOST_GROWTH
    )
    return agreed == wanted and growth < MOST_GROWTH


def main() -> int:
    """Measure; 1 if a game went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a few games, to see that it works")
    quick = parser.parse_args().quick
    figures, well = Figures("programs as players, and clients over the network"), True
    with tempfile.TemporaryDirectory() as name:
        commands = bots(Path(name))
        for game in (load_game("kalah"), load_game("lost-cities")):
            alike = speed(figures, game, commands, 2 if quick else 100)
            figures.add(f"{game.title}: the bots' games", "the same" if alike else "other ones", "the same", met=alike)
            well &= alike
        concurrent(figures, load_game("kalah"), list(commands.values())[-1], 4 if quick else 20)
    well &= wire(figures, 4 if quick else 200)
    well &= bad_clients(figures, 10 if quick else 1000, 2 if quick else 50)
    figures.show()
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
