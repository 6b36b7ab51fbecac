"""What every server of ours is asked for, and what it says: a line a game, and a score at the end."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from rulebots.players import Player
from rulebots.protocols.network import Limits, Peer, accept_forever, listening, until_interrupted

#: Connections by default come from this machine only.
LOOPBACK = "127.0.0.1"
#: The player's name for a person at our terminal.
PERSON = "you"


@dataclass(frozen=True)
class HostTerms:
    """A server: where it listens, who plays on our side, and how much.

    `player` is None where a person sits at our terminal, and, with `pair`, where clients meet each other. `games` is
    None for any number. Deals come from the `seed`; `mirrored` plays each twice, with seats changed, as
    `rulebots match` does. `options` are those of the game. `say` takes lines for whoever runs the server.
    """

    port: int
    player: Player | None = None
    bind: str = LOOPBACK
    pair: bool = False
    games: int | None = None
    seed: int = 1
    mirrored: bool = False
    options: Mapping[str, int] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    say: Callable[[str], None] = print


@dataclass
class Score:
    """The games of a server or a client so far, as one side has played them."""

    won: int = 0
    lost: int = 0
    drawn: int = 0
    stalled: int = 0
    faults: int = 0
    points: Counter[str] = field(default_factory=Counter)

    def count(self, mine: int, other: int, *, stalled: bool = False, fault: bool = False) -> None:
        """Another game; a fault has decided it already in the points."""
        self.stalled += stalled
        self.faults += fault
        self.won += mine > other and not stalled
        self.lost += mine < other and not stalled
        self.drawn += mine == other and not stalled
        self.points["mine"] += mine
        self.points["other"] += other

    @property
    def games(self) -> int:
        """How many there were."""
        return self.won + self.lost + self.drawn + self.stalled

    def line(self, name: str) -> str:
        """The score in a line: `champion: 12 won, 7 lost, 1 drawn of 20 games; 31.2 to 20.4 points a game`."""
        if not self.games:
            return "no game was played"
        mine, other = (self.points[side] / self.games for side in ("mine", "other"))
        more = [f"{count:,} {what}" for count, what in ((self.stalled, "stalled"), (self.faults, "by fault")) if count]
        line = f"{name}: {self.won:,} won, {self.lost:,} lost, {self.drawn:,} drawn{''.join(f', {m}' for m in more)}"
        return f"{line} of {self.games:,} game{'s' * (self.games > 1)}; {mine:.1f} to {other:.1f} points a game"


async def serve(
    terms: HostTerms, title: str, longest_line: int, attend: Callable[[Peer], Awaitable[None]], done: asyncio.Event
) -> None:
    """Attend to clients of a game with that title until `done`, or until Ctrl-C.

    Raises:
        UsageError: the port cannot be had.
    """
    server = listening(terms.bind, terms.port)
    place = "{}:{}".format(*server.getsockname()[:2])
    async with until_interrupted() as stop:
        terms.say(f"listening at {place} for {title}; Ctrl-C ends it")
        serving = asyncio.create_task(accept_forever(server, terms.limits, longest_line, attend))
        tasks = [serving, *(asyncio.create_task(event.wait()) for event in (stop, done))]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            server.close()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
