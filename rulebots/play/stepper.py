"""The stepper: chance draws, else somebody decides, until the game is over or reaches its ply cap.

Every game is played by one of two: `ply_kernel` in compiled code, which the match loop and the rollouts of searches
build on, and `Stepper` in Python.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rulebots.errors import UsageError
from rulebots.game import CHANCE, Game, Moves
from rulebots.game.chance import draw_kernel
from rulebots.game.position import Position
from rulebots.game.random_numbers import next_luck
from rulebots.kernel import Kernel, kernel
from rulebots.players import CompiledPlayer, Needs, Observed, Player, PlayerFault

#: Seconds of a search that only warms up.
WARM_SECONDS = 0.01


@functools.cache
def ply_kernel(game: Game, decide: Kernel[..., int]) -> Kernel[..., int]:
    """A kernel `(state, moves, outcomes, row, arrays) -> move` that plays one ply of a game that goes on.

    Chance draws with the random state outcomes[row], int64[rows], which advances first. Any other mover decides by
    `decide(state, moves, n, row, arrays) -> move`. `moves`, int64[move_count], gets the n legal moves.
    """
    moves_of = game.moves
    play = game.play
    chance = game.chance
    draw = draw_kernel(game)

    @kernel
    def ply(state: Any, moves: Any, outcomes: Any, row: int, arrays: Any) -> int:
        n = moves_of(state, moves)
        if chance and state.mover == CHANCE:
            outcomes[row] = next_luck(outcomes[row])
            move = draw(state, moves, n, outcomes[row])
        else:
            move = decide(state, moves, n, row, arrays)
        play(state, move)
        return move

    return ply


@functools.cache
def finish_kernel(game: Game, decide: Kernel[..., int]) -> Kernel[..., None]:
    """A kernel `(state, plies, moves, outcomes, row, arrays)` that plays a game to its end; see `ply_kernel`.

    `plies` were played before.
    """
    over = game.over
    cap = game.ply_cap
    ply = ply_kernel(game, decide)

    @kernel
    def finish(state: Any, plies: int, moves: Any, outcomes: Any, row: int, arrays: Any) -> None:
        while plies < cap and not over(state):
            ply(state, moves, outcomes, row, arrays)
            plies += 1

    return finish


class Stepper:
    """A game in Python: chance and the seated players make their moves, and the caller makes all others.

        for seat in game.decisions():
            game.play(chosen_by(seat))

    `chance` is the random state of the last outcome, from which the next one's comes. `players` has a player for each
    seat, whose game has begun, or None where the caller decides. A player may think for `move_seconds` about a move.
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
        told = [
            player.ending_a_game(seat, points, self.move_seconds)
            for seat, player in enumerate(self.players)
            if player is not None and not (fault and fault.seat == seat)
        ]
        return [failed for failed in told if failed is not None]


class SeatedPlayer:
    """A player that is asked for one decision after another, in one game after another, by somebody who has the game.

    In each game a copy of it plays, if it follows games. `decide` may run in any thread, and `stop` in another one
    meanwhile.

    Raises:
        UsageError: the player plays another game.
    """

    def __init__(self, player: Player, game: Game) -> None:
        if player.game is not game:
            raise UsageError(f"'{player.name}' plays {player.game.name}, not {game.name}: choose another player")
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
            what = f"player '{self.name}' needs more than its seat observes, which is all that is told here"
            raise PlayerFault(what, seen.seat)
        assert moves is not None
        shown = seen if player.needs is Needs.HISTORY else seen.view
        return player.decide_seen(player.game, shown, moves, len(seen.history), seen.seat)

    @property
    def result(self) -> Any:
        """The result of the search that made the latest decision; None if there was none."""
        return getattr(self._playing, "result", None)

    @property
    def stops(self) -> bool:
        """Whether it is a search: `stop` ends its decision, and the next one goes on from there."""
        return hasattr(self._playing, "stop")

    @property
    def own_seconds(self) -> float | None:
        """The limit of its own for a decision, in seconds."""
        return self._playing.own_seconds

    def stop(self) -> None:
        """End a running search, from any thread: it answers with the best move so far."""
        if self.stops:
            self._playing.stop()  # type: ignore[attr-defined]  # only searches have it

    def end(self, points: tuple[int, ...] | None) -> PlayerFault | None:
        """The game is over; the player is told if the points are known. Gives the fault if it fails at that."""
        playing = self._playing
        self._playing = self._player
        return None if points is None else playing.ending_a_game(self._seat, points)


def warm_up(player: Player) -> None:
    """Let a compiled player or a search decide, so that what it needs is compiled before any clock runs.

    A search decides twice: continuing a tree calls more code than beginning one.

    Raises:
        PlayerFault: it fails at that.
    """
    if player.has_hooks or not (isinstance(player, CompiledPlayer) or player.needs is Needs.POSITION):
        return
    ready = player.for_one_game()
    ready.clock_seconds = WARM_SECONDS
    game = Stepper(Position(player.game, compiled=True))
    for _ in game.decisions():
        for _ in range(2 if hasattr(ready, "stop") else 1):
            ready.decide(game.position)
        break
    ready.clock_seconds = None
