"""The loop in Python: chance draws, else somebody decides, until the game is over or reaches its ply cap.

`AskedSide` plays the games of a match in which a player is asked decision by decision; a `SeatedPlayer` decides in
games that somebody else runs.
"""

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Self

import numpy as np

from rulebots.errors import demand
from rulebots.game import Game, Ints, Moves
from rulebots.game.position import Position
from rulebots.game.random_numbers import next_luck
from rulebots.play.deals import Deals
from rulebots.play.loop import NOBODY, Batch, Side, Terms, begin, note_ply, room_for_moves
from rulebots.players import CompiledPlayer, Needs, Observed, Player, PlayerFault

#: Seconds of a search that only warms up.
WARM_SECONDS = 0.01


class Stepper:
    """A game in Python: chance and the seated players make their moves, and the caller makes all others.

        for seat in game.decisions():
            game.play(chosen_by(seat))

    `chance` is a random state from which the next outcome is drawn. Take it from `luck_of`: small numbers all begin
    with the same outcome. `players` has a player for each seat, whose game has begun, or None where the caller decides.
    A player may think for `move_seconds` about a move.
    """

    def __init__(
        self,
        position: Position,
        chance: int = 1,
        players: Sequence[Player | None] = (),
        move_seconds: float | None = None,
    ) -> None:
        self.position = position
        self.chance = chance
        self.players = players or [None] * position.seats
        self.move_seconds = move_seconds

    def seat(self, players: Sequence[Player | None], options: Mapping[str, int]) -> None:
        """Let players begin the game, each in its seat; a player that fails at that loses when it has to move."""
        self.players = [
            player and player.beginning_a_game(seat, options, self.move_seconds) for seat, player in enumerate(players)
        ]

    @property
    def ended(self) -> bool:
        """Whether there is nothing more to play: the game is over, or has reached its ply cap."""
        return self.position.over or self.position.stalled

    def decisions(self, bring: Callable[[int], object] | None = None) -> Iterator[int]:
        """Play on, and yield the seat that the caller has to decide for, until the game has ended.

        `bring(outcome)` makes the moves of chance, by default `play`.

        Raises:
            PlayerFault: a seated player failed.
        """
        while not self.ended:
            if self.position.chance_to_move:
                (bring or self.play)(self.draw())
            elif (player := self.players[self.position.mover]) is not None:
                self.play(self.asked(player))
            else:
                yield self.position.mover

    def draw(self) -> int:
        """The outcome that chance brings here; it is not made."""
        self.chance = next_luck(self.chance)
        return self.position.drawn(self.chance)

    def asked(self, player: Player) -> int:
        """The move that a player chooses here. Raises PlayerFault."""
        return player.decide(self.position, self.move_seconds)

    def play(self, move: int) -> None:
        """Make a legal move."""
        self.position.play(move)

    def tell_end(self, points: tuple[int, ...] | None = None, fault: PlayerFault | None = None) -> list[PlayerFault]:
        """Tell the seated players how the game ended, but not the one that lost by fault; gives their faults in this.

        `points` are by default those of the position.
        """
        points = self.position.points if points is None else points
        faults = (
            player.ending_a_game(seat, points, self.move_seconds)
            for seat, player in enumerate(self.players)
            if player is not None and not (fault and fault.seat == seat)
        )
        return [failure for failure in faults if failure is not None]


def after_opening(deals: Deals, which: int = 0) -> Stepper:
    """The game of that deal, as matches play it, after its opening."""
    game = deals.game
    batch = Batch(game, deals.luck[which : which + 1].copy(), room_for_moves(game, 1, deals.opening_plies))
    begin(batch, deals, np.array([which]))
    arrays = batch.arrays
    position = Position(game, batch.options, deals.cards[which], luck=arrays.luck[0], compiled=True)
    for move in arrays.chosen[0, : arrays.plies[0]].tolist():
        position.play(move, chosen=False)
    return Stepper(position, int(arrays.outcomes[0]))


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

    def for_batch(self, batch: Batch, players: Ints) -> Self:
        """With players that may remember these games; with hooks, one for each seat."""
        side = copy.copy(self)
        side.seats = (self.row[players] != NOBODY).tolist()
        if self.player.has_hooks:  # then the batch is a single game
            side.players = [
                self.player.beginning_a_game(seat, batch.options, self.terms.move_seconds) if own else self.player
                for seat, own in enumerate(side.seats[0])
            ]
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
        return _AskedGame(batch, 0, self).tell_end(tuple(batch.points[0].tolist()), batch.faults.get(0))


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
        super().play(move)
        note_ply(self._arrays, self._g, move)
        self._arrays.active[self._g] = not self.ended


class SeatedPlayer:
    """A player in games that somebody else runs: one decision after another, in one game after another.

    In each game a copy of it plays, if it follows games. `decide` may run in any thread, and `stop` in another one
    meanwhile.

    Raises:
        UsageError: the player plays another game.
    """

    def __init__(self, player: Player, game: Game) -> None:
        demand(player.game is game, f"'{player.name}' plays {player.game.name}, not {game.name}: choose another player")
        self.name = player.name
        self._player = player
        self._playing = player
        self._seat = 0

    def begin(self, seat: int, options: Mapping[str, int]) -> None:
        """A game begins. A failure of the player is raised by its first decision."""
        self._playing = self._player.beginning_a_game(seat, options)
        self._seat = seat

    def decide(self, seen: Position | Observed, moves: Moves | None = None, seconds: float | None = None) -> int:
        """A move. Searches think for at most that many seconds.

        `moves`, int64[n], are the legal ones; they are needed where `seen` is not a position.

        Raises:
            PlayerFault: there is no move, or not a legal one.
        """
        player = self._playing
        player.clock_seconds = seconds
        if isinstance(seen, Position):
            return player.decide(seen)
        if player.needs not in {Needs.OBSERVATION, Needs.HISTORY}:
            raise PlayerFault(
                f"player '{self.name}' needs more than its seat observes, which is all that is told here", seen.seat
            )
        assert moves is not None
        shown = seen if player.needs is Needs.HISTORY else seen.view
        return player.decide_seen(player.game, shown, moves, len(seen.history), seen.seat)

    @property
    def result(self) -> Any:
        """The result of the search that made the latest decision; None if there was none."""
        return getattr(self._playing, "result", None)

    @property
    def own_seconds(self) -> float | None:
        """The limit of its own for a decision, in seconds."""
        return self._playing.own_seconds

    @property
    def stop(self) -> Callable[[], None] | None:
        """Ends a running search, from any thread: it answers with the best move so far. None for other players."""
        return getattr(self._playing, "stop", None)

    def end(self, points: tuple[int, ...] | None) -> PlayerFault | None:
        """The game is over: tell the player the points, if they are known. Gives its fault if it fails at that."""
        playing = self._playing
        self._playing = self._player
        return None if points is None else playing.ending_a_game(self._seat, points)


def warm_up(player: Player, *, compiled: bool = True) -> None:
    """Let a compiled player or a search decide, so that what it needs is compiled before any clock runs.

    A search decides twice: continuing a tree calls more code than beginning one. `compiled` compiles the law too.

    Raises:
        PlayerFault: it fails at that.
    """
    if player.has_hooks or not (isinstance(player, CompiledPlayer) or player.needs is Needs.POSITION):
        return
    ready = player.for_one_game()
    ready.clock_seconds = WARM_SECONDS
    game = Stepper(Position(player.game, compiled=compiled))
    for _ in game.decisions():
        for _ in range(2 if hasattr(ready, "stop") else 1):
            ready.decide(game.position)
        break
    ready.clock_seconds = None
