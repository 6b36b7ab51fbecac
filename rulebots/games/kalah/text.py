"""Kalah for people: the board in text, and moves as the number of a pit."""

from __future__ import annotations

from collections.abc import Iterable

from rulebots.errors import UsageError
from rulebots.game import State


def show(state: State, seat: int | None) -> str:
    """The board with that seat's side below (the mover's with seat None), and the numbers of the pits.

    As in the quiz, pits are numbered counter-clockwise from 0, the stores included.
    """
    pits = int(state.pits)
    below = (state.mover if seat is None else seat) * (pits + 1)
    ring = [int(state.board[(below + slot) % (2 * pits + 2)]) for slot in range(2 * pits + 2)]
    mine, theirs = range(pits), range(2 * pits, pits, -1)
    return "\n".join(
        [
            _row(theirs),
            _row(ring[slot] for slot in theirs),
            f"{ring[2 * pits + 1]:>3}{' ' * 4 * pits} {ring[pits]:>3}",
            _row(ring[slot] for slot in mine),
            _row(mine),
        ]
    )


def write(move: int) -> str:
    """The pit that is emptied: 0 is the mover's leftmost."""
    return str(move)


def read(text: str, state: State) -> int:
    """The move that a text means; it is illegal if the pit is empty.

    Raises:
        UsageError: the text is not a pit of the mover.
    """
    word = text.strip()
    if not (len(word) == 1 and word in "01234567"[: state.pits]):
        raise UsageError(f"expected one of your pits, 0 (the leftmost) to {state.pits - 1}, not {word!r}")
    return int(word)


def refusal(state: State, move: int) -> str:
    """Why a move is not legal: its pit is empty."""
    return f"pit {move} is empty"


def _row(numbers: Iterable[int]) -> str:
    return "   " + "".join(f"{number:>4}" for number in numbers)
