"""What most games repeat: one kind of move, rules that look at the move itself, nothing dealt.

These are the defaults of `Game`. A function of the same form replaces any of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

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
