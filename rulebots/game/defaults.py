"""What most games repeat: one kind of move, rules that look at the move itself, nothing dealt, moves as numbers.

These are the defaults of `Game`. A function of the same form replaces any of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.errors import UsageError
from rulebots.kernel import kernel


@kernel
def begin_with_zeros(state: Any, deal: Any, options: Any) -> None:
    """The game begins with the state of zeros that it is given."""


@kernel
def only_kind(move: int) -> int:
    """There is one kind of move."""
    return 0


@kernel
def move_itself(view: Any, move: int) -> int:
    """What the rules look at: the move's own number."""
    return move


def deal_nothing(rng: np.random.Generator, count: int, options: Any) -> npt.NDArray[np.int64]:
    """Nothing is drawn before the game: int64[count, 0]."""
    return np.zeros((count, 0), np.int64)


def write_number(move: int) -> str:
    """A move is written as its number."""
    return str(move)


def read_number(text: str, state: Any) -> int:
    """The move of that number; it may be illegal. Raises UsageError where the text is not a number."""
    word = text.strip()
    if not re.fullmatch(r"[0-9]{1,18}", word):
        raise UsageError(f"expected the number of a move, such as 0, not {word!r}")
    return int(word)


def named_moves(*names: str) -> tuple[Callable[[int], str], Callable[[str, Any], int]]:
    """`write` and `read` of a game whose move m has the name names[m], whatever the position.

    Raises:
        UsageError: two moves have one name.
    """
    if len({name.lower() for name in names}) < len(names):
        raise UsageError(f"expected a different name for each move, not {', '.join(names)}")
    known = {name.lower(): move for move, name in enumerate(names)}

    def write(move: int) -> str:
        return names[move]

    def read(text: str, state: Any) -> int:
        word = text.strip()
        if word.lower() not in known:
            raise UsageError(f"expected one of {', '.join(names)}, not {word!r}")
        return known[word.lower()]

    return write, read
