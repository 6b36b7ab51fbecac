"""Exact values of all positions of a small game, and the player `perfect`, which plays by them.

A game whose package has `tablebase` tabulates its positions itself. The positions of any other game are explored move
by move.

Two seats play for the margin of points. One seat alone, and two in a cooperative game, play for their points.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from rulebots.errors import UsageError, demand
from rulebots.game import Bools, Floats, Game, Ints, Moves
from rulebots.game.dtypes import records
from rulebots.game.position import Position
from rulebots.packages import package_of
from rulebots.players import Needs, Player
from rulebots.players.specs import NoSettings, settings_of
from rulebots.search import check_game, check_root

#: The most positions that are explored before a board is called too large; these take some seconds.
MOST_POSITIONS = 200_000
#: The most seats of a table that has exact values.
MOST_SEATS = 2
#: Expected values this near are equal: they are sums of the same numbers in another order.
ROUNDING = 1e-9


class Tablebase(Protocol):
    """Positions of a game with their values: the mover's margin of points under best play of both sides.

    Alone and in a cooperative game, the value is points instead. With chance in play it is expected, a float; where
    chance is to move, it is seat 0's. `positions`, `winning` and `position` leave out positions in which the game is
    over, or chance is to move.
    """

    @property
    def positions(self) -> int:
        """The number of positions."""

    @property
    def winning(self) -> int:
        """The number of positions that the mover wins."""

    def position(self, number: int) -> Position:
        """A new position by its number, from 0."""

    def value(self, position: Position) -> float:
        """The value of a position, an int without chance. Raises UsageError if the board is too large."""


def tablebase_finder(game: Game) -> Callable[[Position], Tablebase]:
    """A function that returns a tablebase of a position and all that can follow it.

    The function raises UsageError for a position of another game or of more than two seats, or if the board is too
    large.

    Raises:
        UsageError: the game hides something, or never has fewer than three seats.
    """
    demand(not game.hidden, f"{game.title} hides something: its positions have no exact values")
    check_seats(game, game.fewest_seats)
    own: Callable[[Position], Tablebase] | None = package_of(game).tablebase
    explored = ExploredTablebase(game)

    def find(position: Position) -> Tablebase:
        check_game(game, position)
        check_seats(game, position.seats)
        if own is not None:
            return own(position)
        explored.value(position)
        return explored

    return find


def check_seats(game: Game, seats: int) -> None:
    """Raise UsageError for a table of more than two: a position has no single value there."""
    demand(
        seats <= MOST_SEATS,
        f"expected one or two seats for exact values, not the {seats} of {game.title}: "
        f"{'choose fewer' if game.fewest_seats <= MOST_SEATS else 'ask mcts or minimax'}",
    )


class ExploredTablebase:
    """A tablebase of any small game: it holds the requested positions and all that can follow them."""

    def __init__(self, game: Game) -> None:
        self.game = game
        # Without the gaps between fields, which may hold anything.
        self._packed = np.dtype([(name, game.state[name]) for name in game.state.names or ()])
        self._lock = threading.Lock()
        self._values: dict[bytes, float] = {}
        self._keys: list[bytes] = []

    @property
    def positions(self) -> int:
        """The number of positions explored so far."""
        return len(self._keys)

    @property
    def winning(self) -> int:
        """The number of positions that the mover wins."""
        return sum(self._values[key] > 0 for key in self._keys)

    def position(self, number: int) -> Position:
        """A new position by its number, in the order in which their values became known."""
        state = records(self.game.state, 1)
        state[0] = np.frombuffer(self._keys[number], self._packed)[0]
        return Position.of(self.game, state[0], compiled=True)

    def value(self, position: Position) -> float:
        """The mover's margin of points under best play, the expected one with chance; an int without.

        Raises:
            UsageError: too many positions can follow, or play can return to a position.
        """
        key = self._key(position)
        if key not in self._values:
            with self._lock:
                self._explore(Position.of(self.game, position.state.copy(), compiled=True))
        return self._values[key]

    def _key(self, position: Position) -> bytes:
        return np.array(position.state, self._packed).tobytes()

    def _explore(self, root: Position) -> None:
        """Find the value of a position, without recursion: games may be long."""
        values = self._values
        pending = [root]
        opened: dict[bytes, list[tuple[bytes, float]]] = {}
        while pending:
            if len(values) > MOST_POSITIONS:
                raise UsageError(
                    f"perfect play looks at every position, but this board of {self.game.title} has more than "
                    f"{MOST_POSITIONS:,}: choose a smaller one"
                )
            position = pending[-1]
            key = self._key(position)
            if key in values:
                pending.pop()
            elif key in opened:
                followers = [weight * values[child] for child, weight in opened.pop(key)]
                if position.chance_to_move:
                    values[key] = sum(followers)
                else:
                    values[key] = max(followers)
                    self._keys.append(key)
            elif position.over:
                points = position.points
                side = side_of(position)
                values[key] = points[0] if is_shared(position) else points[side] - points[1 - side]
            else:
                opened[key] = []
                moves = position.legal_moves.tolist()
                odds = position.outcomes[1].tolist() if position.chance_to_move else [1] * len(moves)
                for move, share in zip(moves, odds, strict=True):
                    child = position.after(move)
                    child_key = self._key(child)
                    if child_key in opened:
                        raise UsageError(
                            f"{self.game.title}: play can return to a position, so that positions have no exact value"
                        )
                    opened[key].append((child_key, share if side_of(child) == side_of(position) else -share))
                    pending.append(child)


def is_shared(position: Position) -> bool:
    """Whether all seats share one value: alone and in cooperative games."""
    return position.game.together(position.seats)


def side_of(position: Position) -> int:
    """The seat whose value a position has: the mover; 0 where chance is to move or all seats share one value."""
    return 0 if is_shared(position) else max(position.mover, 0)


def value_of_move(base: Tablebase, position: Position, move: int) -> float:
    """The value of a legal move for its mover."""
    child = position.after(move)
    value = base.value(child)
    return value if side_of(child) == side_of(position) else -value


def values_of_moves(base: Tablebase, position: Position) -> dict[int, float]:
    """The value of each legal move for its mover."""
    return {move: value_of_move(base, position, move) for move in position.legal_moves.tolist()}


def best_moves(base: Tablebase, position: Position) -> list[int]:
    """The legal moves with the greatest value."""
    return _best_of(values_of_moves(base, position))


def _best_of(values: Mapping[int, float]) -> list[int]:
    greatest = max(values.values(), default=0)
    return [move for move, value in values.items() if value >= greatest - ROUNDING]


def best_line(base: Tablebase, position: Position) -> list[int]:
    """Best play to the end of the game, or to a chance decision; the first of equal moves.

    The position is not changed.
    """
    line: list[int] = []
    here = position.copy()
    while not (here.over or here.chance_to_move):
        line.append(best_moves(base, here)[0])
        here.play(line[-1])
    return line


@dataclass(frozen=True)
class ExactResult:
    """What perfect play knows of a decision: `moves`, the chosen one first, then the best ones, int64[n].

    `values`, float64[n], are -1 for a loss, 0 for a draw and 1 for a win of the mover, all `proven`; where a search
    expects points (see `Game.in_points`), points. Nothing was tried: all `visits` are 0. `line` is
    for moves that follow.
    """

    moves: Ints
    values: Floats
    proven: Bools
    visits: Ints
    line: Sequence[int] = ()
    effort = ("worked out to the end",)

    @property
    def move(self) -> int:
        """The chosen move."""
        return int(self.moves[0])


class PerfectPlayer(Player):
    """Plays a move with the best exact value: one that wins at once if any does, or else the hardest one to answer.

    `choose` raises UsageError if the board is too large to tabulate.

    Raises:
        UsageError: the game hides something, or never has fewer than three seats.
    """

    needs = Needs.POSITION

    def __init__(self, game: Game, name: str = "perfect") -> None:
        super().__init__(game, name)
        self._find_tablebase = tablebase_finder(game)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self.name)

    def identity(self) -> object:
        """The game, without the positions explored so far."""
        return type(self), self.game

    def check_seats(self, seats: int) -> None:
        """Raise UsageError where more than two play."""
        check_seats(self.game, seats)

    def choose(self, seen: Position, moves: Moves) -> int:
        """The best move; ties go to a win at once or the fewest right answers, then to the lowest number."""
        check_root(self.game, seen)
        base = self._find_tablebase(seen)
        values = values_of_moves(base, seen)
        chosen, *others = best = _best_of(values)
        if others and not is_shared(seen):
            won = values[chosen] > 0
            chosen = min(
                best, key=lambda one: (not seen.after(one).over if won else _right_answers(base, seen, one), one)
            )
        ordered = sorted(values, key=lambda move: (move != chosen, -values[move]))
        worth = np.array([values[move] for move in ordered], float)
        points = self.game.in_points(seen.seats)
        n = len(ordered)
        self.result = ExactResult(
            np.array(ordered), worth if points else np.sign(worth.round(9)), np.full(n, not points), np.zeros(n, int)
        )
        return chosen


def _right_answers(base: Tablebase, position: Position, move: int) -> float:
    """The share of the legal answers to a move that keep the value of the position after it."""
    child = position.after(move)
    return 0.0 if child.over or child.chance_to_move else len(best_moves(base, child)) / len(child.legal_moves)


def player_of(spec: str, game: Game, seats: int | None = None) -> PerfectPlayer:
    """The player of that name.

    Raises:
        UsageError: any setting, or a game that hides something.
    """
    settings_of(spec, NoSettings)
    return PerfectPlayer(game, spec)
