"""Players: a `choose(view, moves) -> move` over what the mover may know, and nothing else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from rulebots.errors import UsageError
from rulebots.game import Game, Moves, State, View


class Player(ABC):
    """Anyone who can play a game: subclass this and give `choose`.

    A player keeps no memory between decisions: all that it may use is the view, and the view's
    `luck` is its only source of chance. The same view and moves give the same move.
    """

    def __init__(self, game: Game, name: str) -> None:
        self.game = game
        self.name = name

    @abstractmethod
    def choose(self, view: View, moves: Moves) -> int:
        """One of `moves` (int64[n], the legal ones). `view` is overwritten after the call."""

    def for_one_game(self) -> Player:
        """The player that plays one game: itself, but for players that remember its course."""
        return self


class StatePlayer(Player):
    """A player that reads the state, such as a search: only of games in which nothing is hidden.

    Its matches go one game at a time, each with its own `for_one_game()`, so that it may keep what
    it worked out for earlier moves of the same game.

    Raises:
        UsageError: the game hides something.
    """

    def __init__(self, game: Game, name: str) -> None:
        if game.hidden:
            raise UsageError(f"'{name}' searches positions, but {game.title} hides cards: choose another player")
        super().__init__(game, name)

    @abstractmethod
    def decide(self, state: State, view: View, moves: Moves) -> int:
        """What the match loop asks instead of `choose`; `state` must not be changed."""

    def choose(self, view: View, moves: Moves) -> int:
        """Not for this player: a view does not say all that it reads."""
        raise UsageError(f"'{self.name}' needs the state, not a view: call decide")


def named_apart(names: Sequence[str]) -> list[str]:
    """The names, with a number behind one that was there before: `shelly`, `shelly (2)`."""
    apart: list[str] = []
    for name in names:
        count, unique = 1, name
        while unique in apart:
            count += 1
            unique = f"{name} ({count})"
        apart.append(unique)
    return apart
