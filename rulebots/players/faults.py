"""A fault: a player that is asked for a move gives an illegal one or none, fails, or thinks for too long."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from pathlib import Path

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.kernel.user_code import last_line, place_of, shortened, wrong_field

#: The most legal moves in a line, and the most characters of an answer and of an exception's message.
MOVES_SHOWN, ANSWER_SHOWN, MESSAGE_SHOWN = 8, 80, 200
_HERE = Path(__file__).parent


class PlayerFault(UsageError):
    """A player lost a game by fault; the message names the player, the ply, what came, and what was legal."""

    exit_code = 1

    def __init__(self, message: str, seat: int = 0) -> None:
        super().__init__(message)
        #: The seat of the player.
        self.seat = seat


def whole_number(answer: object) -> int | None:
    """An answer as an int if it is a whole number, of Python or NumPy; None for anything else, a bool included."""
    if isinstance(answer, bool):
        return None
    try:
        # `int.__int__`, because a subclass of int may have an `__int__` of its own.
        return int.__int__(operator.index(answer))  # type: ignore[arg-type]  # what is not a number raises TypeError
    except TypeError:
        return None


def answer_in_words(answer: object) -> str:
    """What a player did that gave this answer, in words: `chose [3], a list`."""
    if answer is None:
        return "chose None (does `choose` return its move?)"
    shown = shortened(_safely(repr, answer), ANSWER_SHOWN)
    return f"chose {shown}" if type(answer) is int else f"chose {shown}, of type {type(answer).__name__}"


def failure_in_words(error: BaseException, function: object = None) -> str:
    """What a player did that ended in this exception, with the place: `raised ValueError: no (mine.py:12)`.

    Where the call itself failed, the place is that of the `function` that was called.
    """
    if isinstance(error, UsageError):  # its text says it all, as that of a search does
        return str(error)
    text, place = shortened(_safely(str, error), MESSAGE_SHOWN), last_line(error, _HERE) or place_of(function)
    what = wrong_field(error) or f"raised {type(error).__name__}{f': {text}' if text else ''}"
    return f"{what}{f' ({place})' if place else ''}"


def moves_in_words(game: Game, legal: Sequence[int]) -> str:
    """The first legal moves, each as the number that a player returns and as a person writes it."""
    shown = ", ".join(f"{move} ({game.write(move)})" for move in legal[:MOVES_SHOWN])
    more = len(legal) - MOVES_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


def _safely(how: Callable[[object], str], thing: object) -> str:
    """`repr` or `str` of something that a player made, whose own methods may fail."""
    try:
        return " ".join(how(thing).split())
    except Exception:  # noqa: BLE001 - anything can be wrong with it
        return "(not printable)"
