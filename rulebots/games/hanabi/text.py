"""Hanabi for people."""

from __future__ import annotations

from rulebots.errors import UsageError
from rulebots.game import State
from rulebots.games.hanabi.cards import LETTERS


def show(state: State, seat: int | None) -> str:
    """The table as that seat sees it; with seat None all hands."""
    return f"tokens {state.tokens}, lives {state.lives}, fireworks {state.fireworks.tolist()}"


def write(move: int) -> str:
    """`d1` discards the oldest card, `p5` plays the fifth; `h1r` tells the next seat of red, `h24` the second of 4s."""
    if move < 10:
        return f"{'dp'[move // 5]}{move % 5 + 1}"
    place, value = (move - 10) % 20 // 5 + 1, move % 5
    return f"h{place}{value + 1 if move >= 30 else LETTERS[value].lower()}"


def read(text: str, state: State) -> int:
    """The move that a text means, legal or not."""
    word = "".join(text.split()).lower()
    for move in range(50):
        if write(move) == word:
            return move
    raise UsageError(f"expected a card to play ('p1'), to discard ('d1'), or a hint ('h1r', 'h23'), not {text!r}")
