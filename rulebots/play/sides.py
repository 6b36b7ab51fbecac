"""The sides of a match: players that decide in the same way, and how they take turns over a batch of games.

Players of one compiled style are one side, whose turn is one compiled call over the whole batch. Every other player is
a side by itself: it is asked in Python, decision by decision, around the compiled law.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rulebots.game.position import Position
from rulebots.kernel.time_limit import check_seconds
from rulebots.play.loop import (
    NOBODY,
    Batch,
    SideArrays,
    compiled_advance,
    compiled_results,
    note_ply,
    side_arrays,
)
from rulebots.play.stepper import Stepper
from rulebots.players import Player, PlayerFault, Style
from rulebots.players.compiled import is_compiled


@dataclass(frozen=True)
class Terms:
    """What a match demands of the players that are asked in Python.

    A decision may take `move_seconds`, None for any time. A fault loses the game where `faults_lose`, and ends the
    match otherwise.
    """

    move_seconds: float | None = None
    faults_lose: bool = False

    def __post_init__(self) -> None:
        check_seconds(self.move_seconds)


#: Any time for a move; a fault ends the match.
NO_TERMS = Terms()


def sides_of(players: Sequence[Player], terms: Terms = NO_TERMS) -> list[Side]:
    """The players of a schedule as sides: one for each style, and one for each player that is asked in Python."""
    styles = dict.fromkeys(p.style if is_compiled(p) else p for p in players)
    return [
        CompiledSide(style, players) if isinstance(style, Style) else AskedSide(style, players, terms)
        for style in styles
    ]


def styles_of(players: Sequence[Player]) -> tuple[Style, ...]:
    """The compiled ways of choosing of these players, each once."""
    return tuple(dict.fromkeys(p.style for p in players if is_compiled(p)))


class Side:
    """Players that decide in the same way. `row` is int64[players]: the index of each player among them, or NOBODY."""

    row: npt.NDArray[np.int64]
    #: Whether a fault loses the game, and does not end the match.
    faults_lose: bool = False
    #: Whether the batch has to keep the moves of its games.
    needs_moves: bool = False

    def for_batch(self, batch: Batch, players: npt.NDArray[np.int64]) -> Side:
        """A copy of this side that plays one batch; `players` is int64[games, seats]."""
        raise NotImplementedError

    def take_turns(self, batch: Batch) -> None:
        """Advance every game of the batch until another side has to decide."""
        raise NotImplementedError

    def end(self, batch: Batch) -> list[PlayerFault]:
        """Tell the players how the games of the batch ended; gives the faults that they make of it."""
        return []


class CompiledSide(Side):
    """All players of one style, which differ only in their weights."""

    arrays: SideArrays

    def __init__(self, style: Style, players: Sequence[Player]) -> None:
        alike = [p for p in players if is_compiled(p) and p.style is style]
        self.row = np.array([alike.index(p) if p in alike else NOBODY for p in players], np.int64)
        self.weights = np.stack([p.weights for p in alike])
        self.style = style
        self.advance = compiled_advance(style)

    def for_batch(self, batch: Batch, players: npt.NDArray[np.int64]) -> Side:
        """With arrays for this batch."""
        side = copy.copy(self)
        side.arrays = side_arrays(self.style, self.row[players], self.weights)
        return side

    def take_turns(self, batch: Batch) -> None:
        """One compiled call."""
        self.advance(batch.arrays, self.arrays)


class AskedSide(Side):
    """One player that is asked in Python, decision by decision."""

    #: Whether each seat is the player's, for each game.
    seats: list[list[bool]]

    def __init__(self, player: Player, players: Sequence[Player], terms: Terms) -> None:
        self.player = player
        #: The objects that play, by seat.
        self.players: Sequence[Player] = ()
        self.history: Position | None = None
        self.terms = terms
        self.faults_lose = terms.faults_lose
        self.needs_moves = player.needs.with_history
        self.row = np.array([0 if p is player else NOBODY for p in players], np.int64)

    def for_batch(self, batch: Batch, players: npt.NDArray[np.int64]) -> Side:
        """With players that may remember these games; with hooks, one for each seat."""
        side = copy.copy(self)
        side.seats = (self.row[players] != NOBODY).tolist()
        if self.player.has_hooks:  # then the batch is a single game
            seconds = self.terms.move_seconds
            begun = [
                self.player.beginning_a_game(seat, batch.options, seconds) if own else self.player
                for seat, own in enumerate(side.seats[0])
            ]
            side.players = begun
        else:
            side.players = [self.player.beginning_a_game()] * players.shape[1]
        if self.needs_moves and batch.dealt is not None:
            deals, which = batch.dealt
            side.history = Position(batch.game, batch.options, deals.cards[which[0]], compiled=True)
        return side

    def take_turns(self, batch: Batch) -> None:
        """Move by move, around the compiled law; outcomes of chance are drawn as well.

        Raises:
            PlayerFault: the player chose no legal move or thought too long, and the terms let that end the match.
        """
        for g in np.flatnonzero(batch.arrays.active).tolist():
            game = _AskedGame(batch, g, self)
            try:
                next(game.decisions(), None)
            except PlayerFault as fault:
                batch.faults[g] = fault
                batch.arrays.active[g] = False
                if not self.faults_lose:
                    raise
                # Drop the frames of the decision, which a stored fault would keep alive.
                fault.__cause__ = fault.with_traceback(None).__context__ = None
            finally:
                batch.arrays.outcomes[g] = game.chance

    def end(self, batch: Batch) -> list[PlayerFault]:
        """Call the hooks of players that have not lost by fault."""
        if not self.player.has_hooks:
            return []
        game = _AskedGame(batch, 0, self)
        return game.tell_end(tuple(batch.points[0].tolist()), batch.faults.get(0))


class _AskedGame(Stepper):
    """A game of a batch, in which one side's player is asked; every ply is noted in the batch."""

    def __init__(self, batch: Batch, g: int, side: AskedSide) -> None:
        arrays = batch.arrays
        position = Position.of(batch.game, arrays.states[g], arrays.luck[g], int(arrays.plies[g]), compiled=True)
        players = [player if own else None for player, own in zip(side.players, side.seats[g], strict=True)]
        super().__init__(position, int(arrays.outcomes[g]), players, side.terms.move_seconds)
        self._arrays = arrays
        self._g = g
        self._history = side.history

    def asked(self, player: Player) -> int:
        """The player's move; the position knows its history where the player needs it."""
        if (history := self._history) is not None:
            for move in self._arrays.chosen[self._g, history.plies : self.position.plies].tolist():
                history.play(move)
            self.position.past = history.past
            self.position.options = history.options
        return super().asked(player)

    def play(self, move: int) -> None:
        """Make a legal move and note it."""
        super().play(move)
        note_ply(self._arrays, self._g, move)
        self._arrays.active[self._g] = not self.ended


def play_on(
    batch: Batch, sides: Sequence[Side], players: npt.NDArray[np.int64], ended: threading.Event | None = None
) -> None:
    """Play the games of a batch to the end and read their results; `players` is int64[games, seats].

    A fault that ends the match sets `ended`, which ends the other batches too; without that event it is raised.
    """
    alone = ended is None
    ended = ended or threading.Event()
    active = batch.arrays.active
    sides = [side.for_batch(batch, players) for side in sides]
    try:
        while active.any() and not ended.is_set():
            for side in sides:
                side.take_turns(batch)
    except PlayerFault:
        ended.set()
    compiled_results(batch.game)(batch.arrays.states, batch.points, batch.stalled, batch.behaviour)
    for g, fault in batch.faults.items():
        _forfeit(batch, g, fault)
    if not active.any() and not ended.is_set():
        _tell_ends(batch, sides, ended)
    if alone and ended.is_set():
        raise next(iter(batch.faults.values()))


def _tell_ends(batch: Batch, sides: Sequence[Side], ended: threading.Event) -> None:
    """Tell the players how their games ended; a failure in that is a fault as well."""
    for side in sides:
        for fault in side.end(batch):
            batch.faults[0] = fault
            _forfeit(batch, 0, fault)
            if not side.faults_lose:
                ended.set()
                return


def _forfeit(batch: Batch, g: int, fault: PlayerFault) -> None:
    """A fault loses the game, by one point if not by more; together, all lose a point."""
    points = batch.points[g]
    seat = fault.seat
    if batch.game.together(len(points)):
        points -= 1
    else:
        points[seat] = min(points[seat], np.delete(points, seat).min() - 1)
    batch.stalled[g] = False
