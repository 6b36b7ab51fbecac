"""A ladder that is played while the page looks on: everyone meets everyone on the same deals, block by block."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.play.deals import Deals, DealStream
from rulebots.play.match import mirrored, play_deals
from rulebots.play.results import Games, joined
from rulebots.play.sides import Terms
from rulebots.players import CompiledPlayer, Player
from rulebots.records import Record, record_of
from rulebots.tournaments.pairing import Pair, round_robin
from rulebots.tournaments.standings import Tournament, meeting_of, tournament_of
from rulebots.web.background import BackgroundWork
from rulebots.web.ladder_lines import Line, lines_of

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


@dataclass
class Rating(BackgroundWork):
    """A ladder of players with these names, `deals` mirrored deals a meeting: those of `rulebots tournament`, seed 1.

    `make` makes the players, in the thread that plays. `tournament` is the standing after `played` deals of each
    meeting, None before the first block is over. `progress` counts the meetings of the block that is being played.
    """

    game: Game
    names: Sequence[str]
    deals: int
    make: Callable[[str], Player]
    tournament: Tournament | None = None
    played: int = 0
    progress: int = 0
    #: Set when the players are made, or one cannot be made.
    ready: threading.Event = field(default_factory=threading.Event)
    meetings: dict[Pair, Meeting] = field(default_factory=dict)

    @property
    def lines(self) -> list[Line]:
        """The table, best first; nothing before there are results."""
        return lines_of(self.tournament)

    @property
    def one_sided(self) -> bool:
        """Whether a drawn deal was added to each pair, so that all ratings are finite."""
        return self.tournament is not None and self.tournament.ratings.one_sided

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
        pairs, stream = round_robin(len(players)), DealStream(self.game, SEED)
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
            self.tournament = tournament_of(self.game, self.names, found)
            self.version += 1

    def _meet(self, first: Player, second: Player, held: Meeting, block: Deals) -> None:
        """Play a block; the moves of the first games are kept."""
        showing = self.played < SHOWN
        games = play_deals(first, second, block, keep_moves=showing, terms=TERMS)
        if showing:
            held.shown.append((block, games))
        held.blocks.append(replace(games, moves=games.moves[:, :0]))
