"""A ladder that is played while the page shows it: everyone meets everyone on the same deals, block by block."""

from __future__ import annotations

import functools
import itertools
import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.packages.named_code import names_from_data
from rulebots.play.deals import Deals, DealStream, ordered
from rulebots.play.loop import Terms
from rulebots.play.results import Games, joined
from rulebots.players import CompiledPlayer, Player
from rulebots.records import Record, RecordedGame, parse_record, record_of, record_text
from rulebots.tournaments.ladder import Ladder, contents, ladder_of
from rulebots.tournaments.pairing import Table, table_robin
from rulebots.tournaments.tournament import games_at, meetings_of, tournament_of
from rulebots.web.background import BackgroundWork
from rulebots.web.served_folder import ServedFolder

#: The deals of the first block, whose games can be looked at; each further block is as long as all before it.
SHOWN = 10
SEED = 1
#: A fault loses the game, as in `rulebots tournament`.
TERMS = Terms(faults_lose=True)


@dataclass(frozen=True)
class LadderLine:
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
class PageLadder(BackgroundWork):
    """A ladder of players with these names, `deals` mirrored deals a meeting: those of `rulebots tournament`, seed 1.

    `standing` is that after `played` deals of each meeting, None before the first block is over; with `one_sided`
    a drawn deal was added to each pair, so that all ratings are finite. `progress` counts the meetings of the block
    that is being played. `records` are the first games of two players, by their numbers "0-1", as text; in a game for
    more than two, those of the first table at which both sat.
    """

    game: Game
    names: Sequence[str]
    deals: int
    served: ServedFolder
    standing: Ladder | None = None
    one_sided: bool = False
    played: int = 0
    progress: int = 0
    records: dict[str, str] = field(default_factory=dict)
    #: Set when the players are made, or one cannot be made.
    ready: threading.Event = field(default_factory=threading.Event)

    @property
    def seats(self) -> int:
        """How many sit at a table."""
        return self.game.seats_with({})

    @functools.cached_property
    def tables(self) -> Sequence[Table]:
        """Who meet at once."""
        return table_robin(len(self.names), self.seats, SEED)

    @property
    def games_a_deal(self) -> int:
        """How often each deal is played at a table."""
        return len(ordered(1, self.seats))

    @property
    def lines(self) -> list[LadderLine]:
        """The table, best first; nothing before there are results."""
        return [] if self.standing is None else lines_of(self.standing)

    def record(self, first: int, second: int) -> Record:
        """The first games of two players, by their numbers, as a record. Raises UsageError where there are none."""
        text = self.records.get(f"{first}-{second}")
        if text is None:
            raise UsageError("these players have not met yet")
        with names_from_data(game="--game {}"):
            return parse_record(text, "the ladder's record")

    def work(self) -> None:
        """Make the players, and play; players that are asked in Python end their game before they stop."""
        players = [self.served.player(name, self.game) for name in self.names]
        self.ready.set()
        self._play(players)

    def fail(self, error: UsageError) -> None:
        """The ladder cannot go on, or cannot begin."""
        super().fail(error)
        self.ready.set()

    def _play(self, players: Sequence[Player]) -> None:
        tables = self.tables
        stream = DealStream(self.game, SEED)
        hashes = contents(players)
        # Games without their moves: those of a long ladder would take too much memory.
        blocks: dict[Table, list[Games]] = {table: [] for table in tables}
        shown: dict[Table, list[RecordedGame]] = {table: [] for table in tables}
        compiled = all(isinstance(player, CompiledPlayer) for player in players)
        while self.played < self.deals:
            # A player that is asked in Python takes its time: after each deal the ladder may be stopped.
            deals = max(SHOWN, self.played) if compiled else 1
            block = stream.take(min(deals, self.deals - self.played))
            for self.progress, table in enumerate(tables):
                if self.stopped:
                    return
                showing = self.played < SHOWN
                games = games_at(players, table, block, keep_moves=showing, terms=TERMS)
                if showing:
                    self._show(table, block, games, shown)
                blocks[table].append(replace(games, moves=games.moves[:, :0]))
                self.version += 1
            self.played += len(block)
            meetings = [m for table, of_table in blocks.items() for m in meetings_of(table, joined(of_table), 0)]
            tournament = tournament_of(self.game, self.names, meetings)
            self.standing = ladder_of(tournament, self.names, hashes, tournament_settings(self.played))
            self.one_sided = tournament.ratings.one_sided
            self.version += 1

    def _show(self, table: Table, block: Deals, games: Games, shown: dict[Table, list[RecordedGame]]) -> None:
        """Add the games of a block to the record of a table, as far as there is room, and tell it of every two there.

        Two who sit at several tables are told of the first one.
        """
        so_far = shown[table]
        schedule = ordered(len(block), self.seats)
        some = games[: 2 * SHOWN - len(so_far)]
        names = tuple(self.names[player] for player in table)
        record = record_of(names, block, schedule, some, SEED)
        so_far += [replace(game, number=i) for i, game in enumerate(record.games, len(so_far) + 1)]
        text = record_text(replace(record, games=tuple(so_far)))
        for first, second in itertools.combinations(table, 2):
            if table == next(one for one in shown if first in one and second in one):
                self.records[f"{first}-{second}"] = text


def tournament_settings(deals: int) -> dict[str, Any]:
    """The settings of the tournament that a ladder with this number of deals a meeting is."""
    fixed = {"seed": SEED, "options": {}, "opening_plies": None}
    return {"system": "round-robin", "rounds": None, "deals": deals, **fixed}


def lines_of(ladder: Ladder) -> list[LadderLine]:
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
        lines.append(LadderLine(rank, name, f"{rating['elo']:+.0f}", around, rate, cells, remark))
    return lines


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f} %"
