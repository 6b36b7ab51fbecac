"""Players: they choose a legal move, given what the mover may know.

A player that gives an illegal move or none, fails, or thinks for too long loses by fault.
"""

import copy
import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from rulebots.errors import UsageError, demand, whole_number
from rulebots.game import Game, Moves, View
from rulebots.game.position import Ply, Position
from rulebots.kernel.user_code import Late, last_line, misnamed, place_of, shortened, within, written

#: The most legal moves in a line, and the most characters of an answer.
MOVES_SHOWN = 8
ANSWER_SHOWN = 80
_HERE = Path(__file__).parent


class Needs(Enum):
    """What a player gets besides the legal moves."""

    #: The view: what the mover may know.
    OBSERVATION = "observation"
    #: A copy of the `Position`, for searches of games that hide nothing.
    POSITION = "position"
    #: A determinization: a `Position` in which hidden things are redealt, never the true one. Its history is what the
    #: mover's seat has seen.
    REDEALT = "redealt"
    #: An `Observed`: the view, and the moves so far, as far as the mover's seat has seen them.
    HISTORY = "history"
    #: A `Shown`: the view, the moves so far, and the position as text, as a person in that seat sees it.
    SHOWN = "shown"

    @property
    def with_history(self) -> bool:
        """Whether it includes the game's moves so far."""
        return self in {Needs.HISTORY, Needs.REDEALT, Needs.SHOWN}


@dataclass(frozen=True)
class Observed:
    """The input of a player with `Needs.HISTORY`: its seat, its view, and the game's moves so far, oldest first.

    Random opening moves, and outcomes of chance, are part of the history. A move that is hidden from the seat has the
    number `rulebots.game.UNKNOWN`, or another that the game gives it (see `Game.told`).
    """

    seat: int
    view: View
    history: tuple[Ply, ...]


@dataclass(frozen=True)
class Shown:
    """The input of a player with `Needs.SHOWN`, such as a program in another language."""

    seat: int
    view: View
    #: The moves so far, as in `Observed`; None where they are unknown, as after a position that was read from text.
    history: tuple[Ply, ...] | None
    #: The number of moves so far.
    plies: int
    #: The board as the seat sees it, as `rulebots play` shows it.
    text: str
    #: The position on one line, as `Position.from_text` reads it; empty in a game without such a form.
    position: str
    #: What people call each of the legal moves here.
    names: tuple[str, ...]


class PlayerFault(UsageError):
    """A player lost a game by fault; the message names the player, the ply, what came, and what was legal."""

    exit_code = 1

    def __init__(self, message: str, seat: int = 0) -> None:
        super().__init__(message)
        #: The seat of the player.
        self.seat = seat


class Player(ABC):
    """Anything that can play a game: subclass it and define `choose`.

    It uses only its arguments, and the random state in them (`view.luck`, `position.random_state`) is its only source
    of chance: the same view and moves give the same move. A player keeps no memory between decisions, unless it
    *follows games*: it `needs` the history, a position or a determinization, or it has a `begin_game` or `end_game` of
    its own. One instance plays in many games at once, possibly in several threads; a player that follows games is asked
    game by game, and in each of them a copy of its own plays, made by `for_one_game()`.

    Raises:
        UsageError: the player needs the position, and the game hides something.
    """

    needs: ClassVar[Needs] = Needs.OBSERVATION
    #: Seconds that a clock allows for the next decision, where a manager's or server's protocol says so; None for any
    #: time. Searches keep to it.
    clock_seconds: float | None = None
    #: Seconds to which a search's own settings limit a decision.
    own_seconds: float | None = None

    def __init__(self, game: Game, name: str) -> None:
        demand(
            isinstance(self.needs, Needs),
            f"'{name}': `needs` has to be one of {', '.join(map(str, Needs))}, not {self.needs!r}",
        )
        demand(
            self.needs is not Needs.POSITION or not game.hidden,
            f"'{name}' searches positions, but {game.title} hides cards: choose another player",
        )
        self.game = game
        self.name = name

    def __repr__(self) -> str:
        game = f" of {self.game.name}" if hasattr(self, "game") else ""
        return f"<{type(self).__name__} '{name_of(self)}'{game}>"

    @abstractmethod
    def choose(self, seen: Any, moves: Moves) -> int:
        """One of `moves`, int64[n], the legal ones, read-only. `seen` is what the player `needs`.

        That is a view, read-only, an `Observed`, or a position of the player's own. The answer is a whole number of
        Python or NumPy.
        """

    def identity(self) -> object:
        """What decides the play: the player's class and its attributes, but its name.

        A player that remembers a game, or holds results of its own, overrides this.
        """
        return type(self), {name: value for name, value in vars(self).items() if name != "name"}

    def check_seats(self, seats: int) -> None:  # noqa: B027 - an optional hook
        """Optional hook: raise UsageError, before a game begins, if the player cannot play at that many seats."""

    def begin_game(self, seat: int, options: Mapping[str, int]) -> None:  # noqa: B027 - an optional hook
        """Optional hook: a game of `self.game` begins, in which this object plays that seat. `options` are all of them.

        A game may begin with random opening moves, or go on from a record: the history tells.
        """

    def end_game(self, points: tuple[int, ...]) -> None:  # noqa: B027 - an optional hook
        """Optional hook: the game is over, or has stalled, with these points of seat 0, seat 1 and so on.

        It is not called for a game that is not finished, nor after a fault of the player's.
        """

    @property
    def has_hooks(self) -> bool:
        """Whether the player has a `begin_game` or an `end_game` of its own."""
        kind = type(self)
        return kind.begin_game is not Player.begin_game or kind.end_game is not Player.end_game

    @property
    def follows_games(self) -> bool:
        """Whether each game is played by an object of its own."""
        return self.needs is not Needs.OBSERVATION or self.has_hooks

    def for_one_game(self) -> Self:
        """The player for one seat of one game: a shallow copy if it has hooks; else itself, unless it remembers."""
        return copy.copy(self) if self.has_hooks else self

    def beginning_a_game(
        self, seat: int | None = None, options: Mapping[str, int] | None = None, seconds: float | None = None
    ) -> "Player":
        """`for_one_game()`, with `begin_game` called if there is a seat. If one of them fails, a player that faults.

        `seconds` limit the hook.
        """
        hook = "for_one_game"
        player, failure, _ = _attempt(self.for_one_game, self.for_one_game)
        if not failure and seat is not None and player.has_hooks:
            hook = "begin_game"
            _, failure, _ = _attempt(lambda: player.begin_game(seat, dict(options or {})), self.begin_game, seconds)
        return _Unready(self, f"its `{hook}` {failure}") if failure else player

    def ending_a_game(self, seat: int, points: tuple[int, ...], seconds: float | None = None) -> PlayerFault | None:
        """Call `end_game`, and return the fault if that fails or takes too many seconds."""
        _, failure, _ = _attempt(lambda: self.end_game(points), self.end_game, seconds)
        if not failure:
            return None
        return PlayerFault(f"player '{name_of(self)}', after the game: its `end_game` {failure}", seat)

    def decide(self, position: Position, seconds: float | None = None) -> int:
        """The move that the player chooses in a position of its game: the only door to `choose`.

        `seconds` limit the decision (see rulebots/kernel/user_code.py).

        Raises:
            PlayerFault: the answer is not a legal move or came too late, or there is none because `choose` failed.
        """
        seen = _seen(self.needs, position)
        return self.decide_seen(
            position.game, seen, position.legal_moves, position.plies, position.mover, seconds, position.write
        )

    def decide_seen(
        self,
        game: Game,
        seen: Any,
        offered: Moves,
        plies: int,
        seat: int,
        seconds: float | None = None,
        write: Callable[[int], str] | None = None,
    ) -> int:
        """The move that the player chooses, by its input: for games whose state is elsewhere, behind a wire.

        `write` names moves in a message, by default as the game does in records.

        Raises:
            PlayerFault: as `decide` does.
        """
        legal = offered.tolist()  # which no player can reach
        offered.setflags(write=False)

        def answer() -> tuple[object, int | None]:
            if not hasattr(self, "game"):
                raise TypeError("its `__init__` has to call super().__init__(game, name)")
            chosen = self.choose(seen, offered)
            return chosen, whole_number(chosen)

        answered, failure, cause = _attempt(answer, self.choose, seconds, "thought for more than the {} s of a move")
        if not failure:
            chosen, move = answered
            if move in legal:
                return int(move)
            failure = written(answer_in_words, chosen)
        # Plies are counted from 1, as in records.
        names = moves_in_words(write or game.text.write, legal)
        raise PlayerFault(
            f"player '{name_of(self)}', ply {plies + 1}: {failure}; legal moves are {names}", seat
        ) from cause


class _Unready(Player):
    """Stands in for a player that could not begin a game."""

    def __init__(self, player: Player, why: str) -> None:
        vars(self).update({**vars(player), "name": name_of(player)})
        self.why = why

    @property
    def has_hooks(self) -> bool:
        """It never began."""
        return False

    def choose(self, seen: Any, moves: Moves) -> int:
        """No move."""
        raise RuntimeError(self.why)


def _attempt(
    call: Callable[[], Any], function: object, seconds: float | None = None, late: str = "took more than {} s"
) -> tuple[Any, str, BaseException | None]:
    """The result of a call into a player; or the failure in words, and the exception.

    An exception raised outside of the `function` is placed there. Ctrl-C is not the player's.
    """
    try:
        return (call() if seconds is None else within(seconds, call)), "", None
    except KeyboardInterrupt:
        raise
    except Late as error:
        return None, late.format(f"{seconds:g}"), error
    except BaseException as error:  # noqa: BLE001 - sys.exit as well: a player does not end the match
        return None, written(lambda error: failure_in_words(error, function), error), error


def name_of(player: Player) -> str:
    """The player's name; its class's name if its `__init__` gave it none."""
    return getattr(player, "name", type(player).__name__)


def _seen(needs: Needs, position: Position) -> Any:
    """The input of a player with these needs, from a position."""
    if needs is Needs.OBSERVATION:
        return _read_only(position.view())
    if needs is Needs.HISTORY:
        return Observed(position.mover, _read_only(position.view()), position.history(position.mover))
    if needs is Needs.SHOWN:
        return _shown(position)
    own = position.copy() if needs is Needs.POSITION else position.redealt(position.random_state)
    own.options = copy.copy(position.options)  # other players are shown that record as well
    return own


def _shown(position: Position) -> Shown:
    mover = position.mover
    return Shown(
        seat=mover,
        view=_read_only(position.view()),
        history=None if position.past is None else position.history(mover),
        plies=position.plies,
        text=position.text(mover),
        position="" if position.game.hidden or position.game.text.write_position is None else position.to_text(),
        names=tuple(map(position.write, position.legal_moves.tolist())),
    )


def _read_only(view: View) -> View:
    """The same record; writing to it raises ValueError, and nobody can allow it, because bytes hold it."""
    record: View = np.frombuffer(view.tobytes(), view.dtype)[0]
    return record


def answer_in_words(answer: object) -> str:
    """An answer in words: `chose [3], of type list`."""
    if answer is None:
        return "chose None (does `choose` return its move?)"
    shown = shortened(written(repr, answer), ANSWER_SHOWN)
    return f"chose {shown}" if type(answer) is int else f"chose {shown}, of type {type(answer).__name__}"


def failure_in_words(error: BaseException, function: object = None) -> str:
    """An exception of a player in words, with its place: `raised ValueError: no (mine.py:12)`.

    Where the call itself failed, the place is that of the called `function`.
    """
    text = written(str, error)
    if isinstance(error, UsageError):  # its text says it all
        return text
    text = shortened(text)
    place = last_line(error, _HERE) or place_of(function)
    what = misnamed(error) or f"raised {type(error).__name__}{f': {text}' if text else ''}"
    return f"{what}{f' ({place})' if place else ''}"


def moves_in_words(write: Callable[[int], str], legal: Sequence[int]) -> str:
    """The first legal moves, each as the number that a player returns and as a person writes it."""
    shown = ", ".join(f"{move} ({write(move)})" for move in legal[:MOVES_SHOWN])
    more = len(legal) - MOVES_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


def named_apart(names: Sequence[str]) -> list[str]:
    """The names, each repeated one with a number: `shelly`, `shelly (2)`."""
    apart: list[str] = []
    for name in names:
        numbered = itertools.chain([name], (f"{name} ({count})" for count in itertools.count(2)))
        apart.append(next(unique for unique in numbered if unique not in apart))
    return apart
