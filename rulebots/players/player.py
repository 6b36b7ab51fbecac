"""Players: they choose a legal move, given what the mover may know."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import Enum
from typing import Any, ClassVar

from rulebots.errors import UsageError
from rulebots.game import Game, Moves
from rulebots.position import Position


class Needs(Enum):
    """What a player is given besides the legal moves."""

    #: The view: what the mover may know.
    OBSERVATION = "observation"
    #: A copy of the `Position`, for searches of games that hide nothing.
    POSITION = "position"
    #: A determinization: a `Position` in which what the mover cannot know was dealt again, never the true one.
    REDEALT = "redealt"


class Player(ABC):
    """Anything that can play a game: subclass it and define `choose`.

    A player keeps no memory between decisions. It uses only what it is given, and the random state in that
    (`view.luck`, `position.random_state`) is its only source of chance: the same view and moves give the same move. A
    player that `needs` a position may remember the game; its games are then played one at a time, each by its own
    `for_one_game()`.

    Raises:
        UsageError: the player needs the position, and the game hides something.
    """

    needs: ClassVar[Needs] = Needs.OBSERVATION

    def __init__(self, game: Game, name: str) -> None:
        if self.needs is Needs.POSITION and game.hidden:
            raise UsageError(f"'{name}' searches positions, but {game.title} hides cards: choose another player")
        self.game = game
        self.name = name

    @abstractmethod
    def choose(self, seen: Any, moves: Moves) -> int:
        """One of `moves`, int64[n], the legal ones. `seen` is what the player `needs`: a view or a position."""

    def identity(self) -> object:
        """What decides how the player plays: its class and all that it holds, but its name.

        A player that remembers a game, or holds what it has worked out, says what takes part.
        """
        return type(self), {name: value for name, value in vars(self).items() if name != "name"}

    def for_one_game(self) -> Player:
        """The player for one game: itself, unless it remembers the course of a game."""
        return self

    def decide(self, position: Position) -> int:
        """The move that the player chooses in a position of its game. Everything that asks a player asks here.

        Raises:
            UsageError: the move is not legal.
        """
        legal = position.legal_moves
        move = self.choose(_seen(self.needs, position), legal.copy())
        if move not in legal:
            written = ", ".join(self.game.write(int(one)) for one in legal)
            raise UsageError(f"player '{self.name}' chose {move!r} at ply {position.plies}; legal moves are {written}")
        return int(move)


def _seen(needs: Needs, position: Position) -> Any:
    """What a player with these needs is given of a position."""
    if needs is Needs.OBSERVATION:
        return position.view()
    return position.copy() if needs is Needs.POSITION else position.redealt(position.random_state)


def named_apart(names: Sequence[str]) -> list[str]:
    """The names, with a number after each that occurred before: `shelly`, `shelly (2)`."""
    apart: list[str] = []
    for name in names:
        count, unique = 1, name
        while unique in apart:
            count += 1
            unique = f"{name} ({count})"
        apart.append(unique)
    return apart
