"""The match loop: any players, any game, and the same games on any number of threads.

A batch of games advances in turns: each style of player in it advances every game until another side has to decide.
For compiled players that is one compiled call over the whole batch; other players are asked in Python, decision by
decision, around the compiled law. A generation of bred players is one style, so its games run from the first move to
the last inside one call.
"""

from __future__ import annotations

import copy
import functools
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TypeGuard

import numpy as np
import numpy.typing as npt

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.trial import chosen_options
from rulebots.play.deals import Deals, draw_deals
from rulebots.play.loop import (
    NOBODY,
    Batch,
    Past,
    Terms,
    ask,
    begin,
    compiled_advance,
    compiled_results,
    room_for_moves,
)
from rulebots.play.results import Games, MatchResult, match_result, no_games
from rulebots.play.trial_games import prepare_tried
from rulebots.players import CompiledPlayer, Player, PlayerFault, Style, name_of
from rulebots.players.custom import check_choice

#: Games that advance together: few enough for their states to stay in the processor's cache.
BATCH = 512
#: Any time for a move; a fault ends the match.
NO_TERMS = Terms()


def play_games(
    players: Sequence[Player],
    deals: Deals,
    schedule: npt.NDArray[np.int64],
    jobs: int = 1,
    *,
    keep_moves: bool = False,
    terms: Terms = NO_TERMS,
    room: Games | None = None,
) -> Games:
    """Play a schedule, int64[games, 3]: the deal and the indices of the players in seat 0 and seat 1.

    The results do not depend on `jobs`, the number of threads; where the time of a player in Python is limited, there
    is only this one. With `keep_moves` they hold every move. They are written into `room` where it is given: there they
    are as far as they go when a fault ends the match.

    Raises:
        UsageError: fewer than one thread.
        PlayerFault: a player chose no legal move or thought too long, unless by the `terms` that loses the game.
    """
    if jobs < 1:
        raise UsageError(f"jobs: expected at least 1 thread, not {jobs}")
    chosen = chosen_options(deals.game, deals.options)
    prepare_tried(deals.game, styles_of(players), chosen, openings=deals.opening_plies > 0)
    sides, count = sides_of(players, terms), len(schedule)
    games = no_games(deals.game, count, deals.game.ply_cap if keep_moves else 0) if room is None else room
    slices, ended = batches_of(players, count), threading.Event()
    timed = terms.move_seconds is not None and any(isinstance(side, AskedSide) for side in sides)
    if jobs == 1 or len(slices) == 1 or timed:
        for part in slices:
            _play_batch(sides, deals, schedule[part], games, part, ended)
    else:
        import joblib  # which takes as long as most of this package: the page and small matches do without

        joblib.Parallel(n_jobs=jobs, prefer="threads")(
            joblib.delayed(_play_batch)(sides, deals, schedule[part], games, part, ended) for part in slices
        )
    if ended.is_set():
        raise next(fault for fault in games.faults if fault is not None)
    return games


def mirrored(deals: int, first: int = 0, second: int = 1) -> npt.NDArray[np.int64]:
    """A schedule in which two players play each deal twice, with seats swapped: int64[2 * deals, 3]."""
    schedule = np.empty((deals, 2, 3), np.int64)
    schedule[:, :, 0] = np.arange(deals)[:, None]
    schedule[:, 0, 1:] = first, second
    schedule[:, 1, 1:] = second, first
    return schedule.reshape(-1, 3)


def play_match(
    first: Player,
    second: Player,
    deals: int = 1000,
    seed: int = 1,
    options: Mapping[str, int] | None = None,
    jobs: int = 1,
    opening_plies: int | None = None,
    move_seconds: float | None = None,
    watch: Callable[[MatchResult], object] | None = None,
) -> MatchResult:
    """Let two players of one game play each of `deals` deals twice, with seats swapped.

    Players that are asked in Python may think `move_seconds` about a move. `watch` is
    given the result so far after each block of deals; if it returns False, the match ends there. It changes no game.

    Raises:
        UsageError: players of different games, fewer than one deal, a wrong option or seed.
        PlayerFault: a player chose no legal move, failed, or thought too long.
    """
    if watch is not None:
        from rulebots.play.open_ended import OpenMatch  # which is made of what is here

        match = OpenMatch(first, second, seed, options, jobs, opening_plies, move_seconds)
        return match.play_until(lambda _: False, deals, watch)
    game = game_of([first, second])
    drawn = draw_deals(game, deals, seed, options=options, opening_plies=opening_plies)
    return match_result(play_deals(first, second, drawn, jobs, terms=Terms(move_seconds)))


def play_deals(
    first: Player,
    second: Player,
    deals: Deals,
    jobs: int = 1,
    *,
    keep_moves: bool = False,
    terms: Terms = NO_TERMS,
    room: Games | None = None,
) -> Games:
    """The games of a match on these deals, in the order of `mirrored`; see `play_games`. A player may meet itself."""
    players = [first, second] if first is not second else [first, copy.copy(first)]
    schedule = mirrored(len(deals))
    return play_games(players, deals, schedule, jobs, keep_moves=keep_moves, terms=terms, room=room)


def game_of(players: Sequence[Player]) -> Game:
    """The game that all of these players play.

    A player whose class forgot its `super().__init__` has none: it loses by fault when it is asked.

    Raises:
        UsageError: they do not play the same game, none of them has one, or a compiled one chooses by no kernel.
    """
    for player in players:
        if not isinstance(player, Player):
            raise UsageError(f"expected a player, such as make_player('shelly', game), not {player!r}")
        check_choice(player)
    made = [player for player in players if hasattr(player, "game")]
    if not made:
        raise UsageError(
            f"'{name_of(players[0])}' has no game: its `__init__` has to call super().__init__(game, name)"
        )
    for player in made:
        if player.game is not made[0].game:
            raise UsageError(
                f"'{made[0].name}' plays {made[0].game.name}, '{player.name}' plays {player.game.name}: "
                "a match needs two players of one game"
            )
    return made[0].game


def sides_of(players: Sequence[Player], terms: Terms = NO_TERMS) -> list[Side]:
    """The players of a schedule as sides: one for each style, and one for each player that is asked in Python."""
    styles = dict.fromkeys(p.style if _is_compiled(p) else p for p in players)
    return [
        CompiledSide(style, players) if isinstance(style, Style) else AskedSide(style, players, terms)
        for style in styles
    ]


def _is_compiled(player: Player) -> TypeGuard[CompiledPlayer]:
    """Whether a player has a style, and no hooks; a class that forgot its `super().__init__` has none."""
    return isinstance(player, CompiledPlayer) and hasattr(player, "style") and not player.follows_games


def styles_of(players: Sequence[Player]) -> tuple[Style, ...]:
    """The compiled ways of choosing of these players, each once."""
    return tuple(dict.fromkeys(p.style for p in players if _is_compiled(p)))


def batches_of(players: Sequence[Player], count: int) -> list[slice]:
    """`count` games cut into slices that advance together."""
    batch = 1 if any(player.follows_games for player in players) else BATCH
    return [slice(i, min(i + batch, count)) for i in range(0, count, batch)]


class Side(ABC):
    """Players that decide in the same way. `row` is int64[players]: the index of each player among them, or NOBODY."""

    row: npt.NDArray[np.int64]
    #: Whether a fault loses the game, and does not end the match.
    faults_lose: bool = False

    @abstractmethod
    def for_batch(self, batch: Batch, seats: npt.NDArray[np.int64]) -> Side:
        """This side with everything of its own that it needs while it plays one batch; see `take_turns`."""

    @abstractmethod
    def take_turns(self, batch: Batch, seats: npt.NDArray[np.int64]) -> None:
        """Advance every game of the batch until another side has to decide; `seats` is int64[games, 2]."""

    def end(self, batch: Batch) -> list[PlayerFault]:
        """Tell the players how the games of the batch ended; gives the faults that they make of it."""
        return []

    @property
    def needs_moves(self) -> bool:
        """Whether the batch has to keep the moves of its games."""
        return False


class CompiledSide(Side):
    """All players of one style, which differ only in their weights."""

    def __init__(self, style: Style, players: Sequence[Player]) -> None:
        own = [p for p in players if _is_compiled(p) and p.style is style]
        self.row = np.array([own.index(p) if p in own else NOBODY for p in players], np.int64)
        self.weights = np.stack([p.weights for p in own])
        self.style, self.workspace = style, style.workspace()
        self.advance = compiled_advance(style)

    def for_batch(self, batch: Batch, seats: npt.NDArray[np.int64]) -> Side:
        """With arrays of its own, because batches may be played in several threads."""
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
        self.past: Past | None = None
        self.terms, self.faults_lose = terms, terms.faults_lose
        self.row = np.array([0 if p is player else NOBODY for p in players], np.int64)

    def for_batch(self, batch: Batch, seats: npt.NDArray[np.int64]) -> Side:
        """With players that may remember the course of this batch's games; with hooks one for each seat."""
        side = copy.copy(self)
        if self.player.has_hooks:  # then the batch is a single game
            side.seats = [seat for seat in (0, 1) if seats[0, seat] != NOBODY]
            begin_in = functools.partial(self.player.beginning_a_game, options=batch.options, seconds=self._seconds)
            side.players = [begin_in(seat) if seat in side.seats else self.player for seat in (0, 1)]
        else:
            side.players = [self.player.beginning_a_game()] * 2
        side.past = Past(batch, 0) if self.needs_moves else None
        return side

    def take_turns(self, batch: Batch, seats: npt.NDArray[np.int64]) -> None:
        """Move by move, around the compiled law."""
        ask(self.players, batch, seats, self.terms, self.past)

    def end(self, batch: Batch) -> list[PlayerFault]:
        """Call the hooks of players that have not lost by fault."""
        fault = batch.faults.get(0)
        still = [seat for seat in self.seats if fault is None or seat != fault.seat]
        first, second = batch.points[0].tolist()
        found = [self.players[seat].ending_a_game(seat, (first, second), self._seconds) for seat in still]
        return [fault for fault in found if fault is not None]

    @property
    def needs_moves(self) -> bool:
        """Whether the player needs the history."""
        return self.player.needs.with_history

    @property
    def _seconds(self) -> float | None:
        return self.terms.move_seconds


def play_on(
    batch: Batch, sides: Sequence[Side], players: npt.NDArray[np.int64], ended: threading.Event | None = None
) -> None:
    """Play the games of a batch to the end and read their results; `players` is int64[games, 2], by seat.

    A fault that ends the match sets `ended`, which ends the other batches too; without that event it is raised.
    """
    seats = [(side.for_batch(batch, side.row[players]), side.row[players]) for side in sides]
    try:
        while batch.active.any() and not (ended and ended.is_set()):
            for side, of_side in seats:
                side.take_turns(batch, of_side)
    except PlayerFault:
        if ended is None:
            raise
        ended.set()
    compiled_results(batch.game)(batch.states, batch.points, batch.stalled, batch.behaviour)
    for g, fault in batch.faults.items():
        _lose(batch, g, fault)
    if not batch.active.any() and not (ended and ended.is_set()):
        _end(batch, [side for side, _ in seats], ended)


def _lose(batch: Batch, g: int, fault: PlayerFault) -> None:
    """A fault loses the game, by one point if not by more."""
    points, seat = batch.points[g], fault.seat
    points[seat] = min(points[seat], points[1 - seat] - 1)
    batch.stalled[g] = False


def _end(batch: Batch, sides: Sequence[Side], ended: threading.Event | None) -> None:
    """Tell the players the results; what fails there is a fault as well."""
    for side in sides:
        for fault in side.end(batch):
            batch.faults[0] = fault
            _lose(batch, 0, fault)
            if not side.faults_lose:
                if ended is None:
                    raise fault
                ended.set()
                return


def _play_batch(
    sides: Sequence[Side],
    deals: Deals,
    schedule: npt.NDArray[np.int64],
    games: Games,
    part: slice,
    ended: threading.Event,
) -> None:
    if ended.is_set():
        return
    chosen = games.moves[part]
    if any(side.needs_moves for side in sides) and not chosen.shape[1]:
        chosen = room_for_moves(deals.game, len(schedule), deals.game.ply_cap)
    batch = Batch(deals.game, deals.luck[schedule[:, 0]], chosen)
    begin(batch, deals, schedule[:, 0].copy())
    games.openings[part] = batch.plies
    play_on(batch, sides, schedule[:, 1:], ended)
    for g, fault in batch.faults.items():
        games.faults[part.start + g] = fault
    games.points[part] = batch.points
    games.plies[part] = batch.plies
    games.courses[part] = batch.courses
    games.stalled[part] = batch.stalled
    for column, name in enumerate(deals.game.behaviour):
        games.behaviour[name][part] = batch.behaviour[:, :, column]
