"""A ladder that is played while the page shows it: everyone meets everyone on the same deals, block by block."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.play.deals import Deals, DealStream
from rulebots.play.match import mirrored, play_deals
from rulebots.play.results import Games, joined
from rulebots.play.sides import Terms
from rulebots.players import CompiledPlayer, Player
from rulebots.records import Record, record_of
from rulebots.tournaments.ladder import Ladder, contents, ladder_of
from rulebots.tournaments.pairing import Pair, round_robin
from rulebots.tournaments.standings import meeting_of, tournament_of
from rulebots.web.background import BackgroundWork

#: The deals of the first block, whose games can be looked at; each further block is as long as all before it.
SHOWN = 10
SEED = 1
#: A fault loses the game, as in `rulebots tournament`.
TERMS = Terms(faults_lose=True)


@dataclass
class Meeting:
    """What two players have played: the games block by block without their moves, and those that can be looked at."""

    blocks: list[Games] = field(default_factory=list)
    shown: list[tuple[Deals, Games]] = field(default_factory=list)


@dataclass(frozen=True)
class Line:
    """A line of a ladder's table: `cells` are the win rates against the players in the order of the table.

    A cell has the numbers of both players, None where a player stands against itself.
    """

    rank: int
    name: str
    elo: str
    around: str
    rate: str
    cells: tuple[tuple[str, tuple[int, int] | None], ...]
    remark: str


@dataclass
class Rating(BackgroundWork):
    """A ladder of players with these names, `deals` mirrored deals a meeting: those of `rulebots tournament`, seed 1.

    `make` makes the players, in the thread that plays. `ladder` is the standing after `played` deals of each meeting,
    None before the first block is over; with `one_sided` a drawn deal was added to each pair, so that all ratings are
    finite. `progress` counts the meetings of the block that is being played.
    """

    game: Game
    names: Sequence[str]
    deals: int
    make: Callable[[str], Player]
    ladder: Ladder | None = None
    one_sided: bool = False
    played: int = 0
    progress: int = 0
    #: Set when the players are made, or one cannot be made.
    ready: threading.Event = field(default_factory=threading.Event)
    meetings: dict[Pair, Meeting] = field(default_factory=dict)

    @property
    def lines(self) -> list[Line]:
        """The table, best first; nothing before there are results."""
        return [] if self.ladder is None else lines_of(self.ladder)

    def record(self, first: int, second: int) -> Record:
        """The first games of two players, by their numbers, as a record. Raises UsageError where there are none."""
        held = self.meetings.get((first, second))
        if held is None or not held.shown:
            raise UsageError("these players have not met yet")
        names = self.names[first], self.names[second]
        parts = [record_of(names, deals, mirrored(len(deals)), games, SEED) for deals, games in list(held.shown)]
        games = [game for part in parts for game in part.games]
        return replace(parts[0], games=tuple(replace(game, number=i) for i, game in enumerate(games, 1)))

    def work(self) -> None:
        """Make the players, and play; players that are asked in Python end their game before they stop."""
        try:
            players = [self.make(name) for name in self.names]
            self.ready.set()
            self._play(players)
        finally:
            for held in self.meetings.values():
                held.blocks.clear()  # which are in the tournament

    def fail(self, error: UsageError) -> None:
        """The ladder cannot go on, or cannot begin."""
        super().fail(error)
        self.ready.set()

    def _play(self, players: Sequence[Player]) -> None:
        pairs, stream, hashes = round_robin(len(players)), DealStream(self.game, SEED), contents(players)
        self.meetings = {pair: Meeting() for pair in pairs}
        compiled = all(isinstance(player, CompiledPlayer) for player in players)
        while self.played < self.deals:
            # A player that is asked in Python takes its time: after each deal the ladder may be stopped.
            wanted = max(SHOWN, self.played) if compiled else 1
            block = stream.take(min(wanted, self.deals - self.played))
            for self.progress, (first, second) in enumerate(pairs):
                if self.stopped:
                    return
                self._meet(players[first], players[second], self.meetings[first, second], block)
                self.version += 1
            self.played += len(block)
            found = [meeting_of(*pair, joined(held.blocks), 0) for pair, held in self.meetings.items()]
            standing = tournament_of(self.game, self.names, found)
            self.ladder = ladder_of(standing, self.names, hashes, settings_of(self.played))
            self.one_sided = standing.ratings.one_sided
            self.version += 1

    def _meet(self, first: Player, second: Player, held: Meeting, block: Deals) -> None:
        """Play a block; the moves of the first games are kept."""
        showing = self.played < SHOWN
        games = play_deals(first, second, block, keep_moves=showing, terms=TERMS)
        if showing:
            held.shown.append((block, games))
        held.blocks.append(replace(games, moves=games.moves[:, :0]))


def settings_of(deals: int) -> dict[str, Any]:
    """The settings of the tournament that a ladder with this number of deals a meeting is."""
    fixed = {"seed": SEED, "options": {}, "opening_plies": None}
    return {"system": "round-robin", "rounds": None, "deals": deals, **fixed}


def lines_of(ladder: Ladder) -> list[Line]:
    """The table of a ladder, best first.

    Raises:
        LookupError, TypeError, ValueError: its ratings, which nobody checks, are not those of its players.
    """
    numbers = {name: number for number, name in enumerate(ladder.players)}
    won, games = np.zeros((2, len(numbers), len(numbers)))
    for first, second, wins, draws, losses, stalled in ladder.meetings:
        pair = numbers[first], numbers[second]
        won[pair] += wins + draws / 2
        won[pair[::-1]] += losses + draws / 2
        games[pair] = games[pair[::-1]] = games[pair] + wins + draws + losses + stalled
    ranking = [numbers[name] for name in ladder.ratings]
    lines = []
    for rank, (name, rating) in enumerate(ladder.ratings.items(), 1):
        player = numbers[name]
        pairs = [None if other == player else (min(player, other), max(player, other)) for other in ranking]
        rates = (won[player, other] / games[player, other] if games[player, other] else math.nan for other in ranking)
        low, high = rating["elo_95"]
        around = "too few different deals" if low is None else f"{low:+.0f} to {high:+.0f}"
        lost = rating.get("faults", 0)
        remark = f"lost {lost:,} by fault: {rating['first_fault']}" if lost else ""
        cells = tuple(zip(map(_percent, rates), pairs, strict=True))
        rate = _percent(won[player].sum() / games[player].sum())
        lines.append(Line(rank, name, f"{rating['elo']:+.0f}", around, rate, cells, remark))
    return lines


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f} %"
