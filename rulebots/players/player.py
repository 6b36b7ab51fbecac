"""Players: they choose a legal move, given what the mover may know."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import Enum
from typing import Any, ClassVar

from rulebots.errors import UsageError
from rulebots.game import Game, Moves, View
from rulebots.players.faults import PlayerFault, listed, raised, refused, whole
from rulebots.players.time_limit import Late, within
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
        needs: object = self.needs
        if not isinstance(needs, Needs):
            raise UsageError(f"'{name}': `needs` has to be one of {', '.join(map(str, Needs))}, not {needs!r}")
        if self.needs is Needs.POSITION and game.hidden:
            raise UsageError(f"'{name}' searches positions, but {game.title} hides cards: choose another player")
        self.game = game
        self.name = name

    def __repr__(self) -> str:
        game = f" of {self.game.name}" if hasattr(self, "game") else ""
        return f"<{type(self).__name__} '{name_of(self)}'{game}>"

    @abstractmethod
    def choose(self, seen: Any, moves: Moves) -> int:
        """One of `moves`, int64[n], the legal ones, read-only. `seen` is what the player `needs`.

        That is a view, read-only, or a position of the player's own. The answer is a whole number of Python or NumPy.
        """

    def identity(self) -> object:
        """What decides how the player plays: its class and all that it holds, but its name.

        A player that remembers a game, or holds what it has worked out, says what takes part.
        """
        return type(self), {name: value for name, value in vars(self).items() if name != "name"}

    def for_one_game(self) -> Player:
        """The player for one game: itself, unless it remembers the course of a game."""
        return self

    def beginning_a_game(self) -> Player:
        """`for_one_game()`; where that fails, a player whose every decision is a fault."""
        try:
            return self.for_one_game()
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a player of anybody's
            return _Unready(self, f"its `for_one_game` {raised(error)}")

    def decide(self, position: Position, seconds: float | None = None) -> int:
        """The move that the player chooses in a position of its game. Everything that asks a player asks here.

        With `seconds` the player may think for so long (see time_limit.py).

        Raises:
            PlayerFault: the answer is not a legal move or came too late, or there is none because `choose` failed.
        """
        offered, seen = position.legal_moves, _seen(self.needs, position)
        legal = offered.tolist()  # which no player can reach
        offered.setflags(write=False)
        try:
            answer = self._answer(seen, offered, seconds)
            move = whole(answer)
        except KeyboardInterrupt:
            raise
        except Late as error:
            raise self._fault(position, legal, f"thought for more than the {seconds:g} s of a move") from error
        except BaseException as error:  # sys.exit as well: a player does not end the match
            raise self._fault(position, legal, raised(error)) from error
        if move is None or move not in legal:
            raise self._fault(position, legal, refused(answer))
        return move

    def _answer(self, seen: Any, moves: Moves, seconds: float | None) -> object:
        """What `choose` returns, whatever that is. Raises whatever it raises, and Late."""
        if not hasattr(self, "game"):
            raise TypeError("its `__init__` has to call super().__init__(game, name)")
        return self.choose(seen, moves) if seconds is None else within(seconds, lambda: self.choose(seen, moves))

    def _fault(self, position: Position, legal: list[int], what: str) -> PlayerFault:
        """The fault of doing `what` here; plies are counted from 1, as in records."""
        moves = listed(position.game, legal)
        line = f"player '{name_of(self)}', ply {position.plies + 1}: {what}; legal moves are {moves}"
        return PlayerFault(line, position.mover)


class _Unready(Player):
    """In the place of a player that could not begin a game."""

    def __init__(self, player: Player, why: str) -> None:
        vars(self).update({**vars(player), "name": name_of(player)})
        self.why = why

    def choose(self, seen: Any, moves: Moves) -> int:
        """No move."""
        raise RuntimeError(self.why)


def name_of(player: Player) -> str:
    """The player's name; that of its class where its own `__init__` gave it none."""
    return getattr(player, "name", type(player).__name__)


def _seen(needs: Needs, position: Position) -> Any:
    """What a player with these needs is given of a position."""
    if needs is Needs.OBSERVATION:
        return _read_only(position.view())
    return position.copy() if needs is Needs.POSITION else position.redealt(position.random_state)


def _read_only(view: View) -> View:
    """The same record; writing to it raises ValueError."""
    array = view.base
    array.setflags(write=False)
    return array[0]


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
