"""The sides of a match: players that decide in the same way, and how they take turns over a batch of games.

Players of one compiled style are one side, whose turn is one compiled call over the whole batch. Every other player is
a side by itself: it is asked in Python, decision by decision, around the compiled law.
"""

from __future__ import annotations

import copy
import functools
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.game.checks import CHANCE
from rulebots.game.position import Past, Position
from rulebots.game.random_numbers import next_luck
from rulebots.kernel.time_limit import check_seconds
from rulebots.play.deals import course_after
from rulebots.play.loop import NOBODY, Batch, compiled_advance, compiled_results
from rulebots.players import Player, PlayerFault, Style
from rulebots.players.compiled import is_compiled


@dataclass(frozen=True)
class Terms:
    """What a match demands of the players that are asked in Python.

    A decision may take `move_seconds`, None for any time. A fault loses the game where
    `faults_lose`, and ends the match otherwise.
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

    def for_batch(self, batch: Batch, seats: npt.NDArray[np.int64]) -> Side:
        """A copy of this side with what it needs for itself while it plays one batch."""
        raise NotImplementedError

    def take_turns(self, batch: Batch, seats: npt.NDArray[np.int64]) -> None:
        """Advance every game of the batch until another side has to decide; `seats` is int64[games, seats]."""
        raise NotImplementedError

    def end(self, batch: Batch) -> list[PlayerFault]:
        """Tell the players how the games of the batch ended; gives the faults that they make of it."""
        return []


class CompiledSide(Side):
    """All players of one style, which differ only in their weights."""

    def __init__(self, style: Style, players: Sequence[Player]) -> None:
        alike = [p for p in players if is_compiled(p) and p.style is style]
        self.row = np.array([alike.index(p) if p in alike else NOBODY for p in players], np.int64)
        self.weights = np.stack([p.weights for p in alike])
        self.style, self.workspace = style, style.workspace()
        self.advance = compiled_advance(style)

    def for_batch(self, batch: Batch, seats: npt.NDArray[np.int64]) -> Side:
        """With arrays for this batch, because batches may be played in several threads."""
        side = copy.copy(self)
        side.workspace = self.style.workspace()
        return side

    def take_turns(self, batch: Batch, seats: npt.NDArray[np.int64]) -> None:
        """One compiled call."""
        self.advance(*batch.arrays, seats, self.weights, *self.workspace)


class AskedSide(Side):
    """One player that is asked in Python, decision by decision."""

    def __init__(self, player: Player, players: Sequence[Player], terms: Terms) -> None:
        self.player = player
        self.players: Sequence[Player] = ()
        #: The seats whose players have hooks, and what a player that needs the history asks for it.
        self.seats: Sequence[int] = ()
        self.history: History | None = None
        self.terms, self.faults_lose = terms, terms.faults_lose
        self.needs_moves = player.needs.with_history
        self.row = np.array([0 if p is player else NOBODY for p in players], np.int64)

    def for_batch(self, batch: Batch, seats: npt.NDArray[np.int64]) -> Side:
        """With players that may remember the course of this batch's games; with hooks one for each seat."""
        side, seconds = copy.copy(self), self.terms.move_seconds
        if self.player.has_hooks:  # then the batch is a single game
            every = range(seats.shape[1])
            side.seats = [seat for seat in every if seats[0, seat] != NOBODY]
            begin_in = functools.partial(self.player.beginning_a_game, options=batch.options, seconds=seconds)
            side.players = [begin_in(seat) if seat in side.seats else self.player for seat in every]
        else:
            side.players = [self.player.beginning_a_game()] * seats.shape[1]
        side.history = History(batch, 0) if self.needs_moves else None
        return side

    def take_turns(self, batch: Batch, seats: npt.NDArray[np.int64]) -> None:
        """Move by move, around the compiled law; outcomes of chance are drawn as well.

        Raises:
            PlayerFault: the player chose no legal move or thought too long, and the terms let that end the match.
        """
        players, history, seconds = self.players, self.history, self.terms.move_seconds
        for g in np.flatnonzero(batch.active).tolist():
            plies = int(batch.plies[g])
            position = Position.of(batch.game, batch.states[g], batch.luck[g], plies, compiled=True)
            rows, active = seats[g].tolist(), True
            while active:
                mover = position.mover
                by_chance = mover == CHANCE and position.chance_to_move
                if not by_chance and rows[mover] == NOBODY:
                    break
                try:
                    if by_chance:
                        batch.outcomes[g] = next_luck(int(batch.outcomes[g]))
                        move = position.drawn(int(batch.outcomes[g]))
                    else:
                        if history is not None:
                            position.past, position.options = history.until(plies), history.options
                        move = players[mover].decide(position, seconds)
                except PlayerFault as fault:
                    batch.faults[g], batch.active[g] = fault, False
                    if not self.faults_lose:
                        raise
                    # A fault that is kept must not keep the frames of the decision with it.
                    fault.__cause__ = fault.with_traceback(None).__context__ = None
                    break
                position.play(move)
                if plies < batch.chosen.shape[1]:
                    batch.chosen[g, plies] = move
                batch.courses[g] = course_after(batch.courses[g], move)
                plies = batch.plies[g] = position.plies
                batch.active[g] = active = not position.over and plies < batch.game.ply_cap

    def end(self, batch: Batch) -> list[PlayerFault]:
        """Call the hooks of players that have not lost by fault."""
        fault, seconds = batch.faults.get(0), self.terms.move_seconds
        still = [seat for seat in self.seats if fault is None or seat != fault.seat]
        points = tuple(batch.points[0].tolist())
        found = [self.players[seat].ending_a_game(seat, points, seconds) for seat in still]
        return [fault for fault in found if fault is not None]


class History:
    """The history of one game of a batch, which follows it from its deal by the moves that the batch keeps."""

    def __init__(self, batch: Batch, g: int) -> None:
        self._position: Position | None = None
        self._moves = batch.chosen[g]
        if batch.dealt is not None:
            deals, which = batch.dealt
            self._position = Position(batch.game, batch.options, deals.cards[which[g]], compiled=True)

    @property
    def options(self) -> Any:
        """What `Position.options` holds; None where the game did not begin with a deal."""
        return None if self._position is None else self._position.options

    def until(self, plies: int) -> Past | None:
        """What `Position.past` holds after `plies` plies; None where the game did not begin with a deal."""
        if self._position is None:
            return None
        for move in self._moves[self._position.plies : plies].tolist():
            self._position.play(move)
        return self._position.past


def play_on(
    batch: Batch, sides: Sequence[Side], players: npt.NDArray[np.int64], ended: threading.Event | None = None
) -> None:
    """Play the games of a batch to the end and read their results; `players` is int64[games, seats].

    A fault that ends the match sets `ended`, which ends the other batches too; without that event it is raised.
    """
    alone, ended = ended is None, ended or threading.Event()
    seats = [(side.for_batch(batch, side.row[players]), side.row[players]) for side in sides]
    try:
        while batch.active.any() and not ended.is_set():
            for side, of_side in seats:
                side.take_turns(batch, of_side)
    except PlayerFault:
        ended.set()
    compiled_results(batch.game)(batch.states, batch.points, batch.stalled, batch.behaviour)
    for g, fault in batch.faults.items():
        _lose(batch, g, fault)
    for side, _ in seats if not batch.active.any() and not ended.is_set() else ():
        for fault in side.end(batch):  # what fails when a player is told the result is a fault as well
            batch.faults[0] = fault
            _lose(batch, 0, fault)
            if not side.faults_lose:
                ended.set()
                break
        if ended.is_set():
            break
    if alone and ended.is_set():
        raise next(iter(batch.faults.values()))


def _lose(batch: Batch, g: int, fault: PlayerFault) -> None:
    """A fault loses the game, by one point if not by more; together, all lose a point."""
    points, seat = batch.points[g], fault.seat
    if batch.game.together(len(points)):
        points -= 1
    else:
        points[seat] = min(points[seat], np.delete(points, seat).min() - 1)
    batch.stalled[g] = False
