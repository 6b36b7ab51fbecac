"""Exact values of all positions of a small game.

A game whose module `solver` has `tablebase_of(state)` tabulates its positions itself. The positions of any other game
are explored move by move.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

import numpy as np

from rulebots.errors import UsageError
from rulebots.game import Game, Moves, State, records
from rulebots.position import law_of

#: The most positions that are explored before a board is called too large: some seconds' worth.
MOST_POSITIONS = 200_000


class Tablebase(Protocol):
    """Positions of a game with their values: the mover's margin of points under best play of both sides.

    `positions`, `winning` and `state` leave out positions in which the game is over.
    """

    @property
    def positions(self) -> int:
        """The number of positions."""

    @property
    def winning(self) -> int:
        """The number of positions that the mover wins."""

    def state(self, number: int) -> State:
        """A position by its number, from 0."""

    def value(self, state: State) -> int:
        """The value of a position. Raises UsageError if the board is too large."""


def tablebase_finder(game: Game) -> Callable[[State], Tablebase]:
    """A function that returns a tablebase of a position and all that can follow it.

    The function raises UsageError if the board is too large.

    Raises:
        UsageError: the game hides something.
    """
    if game.hidden:
        raise UsageError(f"{game.title} hides something: its positions have no exact values")
    own: Callable[[State], Tablebase] | None = getattr(game.solver, "tablebase_of", None)
    if own is not None:
        return own
    explored = ExploredTablebase(game)

    def with_position(state: State) -> Tablebase:
        explored.value(state)
        return explored

    return with_position


class ExploredTablebase:
    """A tablebase of any small game: it holds the positions asked for and all that can follow them."""

    def __init__(self, game: Game) -> None:
        self.game = game
        # Without the gaps between fields, which may hold anything.
        self._packed = np.dtype([(name, game.state[name]) for name in game.state.names or ()])
        self._lock = threading.Lock()
        self._values: dict[bytes, int] = {}
        self._keys: list[bytes] = []

    @property
    def positions(self) -> int:
        """The number of positions explored so far."""
        return len(self._keys)

    @property
    def winning(self) -> int:
        """The number of positions that the mover wins."""
        return sum(self._values[key] > 0 for key in self._keys)

    def state(self, number: int) -> State:
        """A position by its number, in the order in which their values became known."""
        found = records(self.game.state, 1)
        found[0] = np.frombuffer(self._keys[number], self._packed)[0]
        return found[0]

    def value(self, state: State) -> int:
        """The mover's margin of points under best play.

        Raises:
            UsageError: too many positions can follow, or play can return to a position.
        """
        key = self._key(state)
        if key not in self._values:
            with self._lock:
                self._explore(state.copy())
        return self._values[key]

    def _key(self, state: State) -> bytes:
        return np.array(state, self._packed).tobytes()

    def _explore(self, root: State) -> None:
        """Find the value of a position, without recursion: games may be long."""
        law, values, pending = law_of(self.game), self._values, [root]
        opened: dict[bytes, list[tuple[bytes, int]]] = {}
        while pending:
            if len(values) > MOST_POSITIONS:
                raise UsageError(
                    f"perfect play looks at every position, but this board of {self.game.title} has more than "
                    f"{MOST_POSITIONS:,}: choose a smaller one"
                )
            state = pending[-1]
            key = self._key(state)
            if key in values:
                pending.pop()
            elif key in opened:
                values[key] = max(sign * values[child] for child, sign in opened.pop(key))
                self._keys.append(key)
            elif law.over(state):
                values[key] = int(self.game.points(state, state.mover) - self.game.points(state, 1 - state.mover))
            else:
                opened[key] = []
                for move in legal_moves(self.game, state):
                    child = after(self.game, state, int(move))
                    child_key = self._key(child)
                    if child_key in opened:
                        raise UsageError(
                            f"{self.game.title}: play can return to a position, so that positions have no exact value"
                        )
                    opened[key].append((child_key, 1 if child.mover == state.mover else -1))
                    pending.append(child)


def legal_moves(game: Game, state: State) -> Moves:
    """The legal moves, int64[n]."""
    out = np.zeros(game.move_count, np.int64)
    return out[: law_of(game).moves(state, out)]


def after(game: Game, state: State, move: int) -> State:
    """The position after a move; `state` stays as it is."""
    child = state.copy()
    law_of(game).play(child, move)
    return child


def value_of_move(game: Game, base: Tablebase, state: State, move: int) -> int:
    """The value of a move for its mover."""
    child = after(game, state, move)
    value = base.value(child)
    return value if child.mover == state.mover else -value


def best_moves(game: Game, base: Tablebase, state: State, moves: Moves) -> list[int]:
    """The moves with the greatest value."""
    values = [value_of_move(game, base, state, int(move)) for move in moves]
    return [int(move) for move, value in zip(moves, values, strict=True) if value == max(values)]


def best_line(game: Game, base: Tablebase, state: State) -> list[int]:
    """Best play of both sides to the end of the game; among equal moves, the lowest number."""
    line: list[int] = []
    while not law_of(game).over(state):
        line.append(best_moves(game, base, state, legal_moves(game, state))[0])
        state = after(game, state, line[-1])
    return line
