"""What a seat at Hearts sees, written as cards: "QS TH" are the queen of spades and the ten of hearts."""

from __future__ import annotations

from typing import Any

from rulebots.game import View
from rulebots.packages import load_game

GAME = load_game("hearts")
RANKS, SUITS = "23456789TJQKA", "CDSH"
ALL = (1 << 13) - 1


def card_of(text: str) -> int:
    return 13 * SUITS.index(text[1]) + RANKS.index(text[0])


def sets_of(text: str) -> list[int]:
    """The ranks of some cards, a set for each suit."""
    found = [0, 0, 0, 0]
    for word in text.split():
        found[card_of(word) // 13] |= 1 << card_of(word) % 13
    return found


def view_of(
    hand: str,
    out: str | None = None,
    *,
    trick: str = "",
    passing: bool = False,
    passed: str = "",
    direction: int = 0,
    taken: tuple[int, int, int, int] = (0, 0, 0, 0),
    void: str = "",
    tricks: int = 0,
) -> View:
    """A decision of who holds `hand`.

    The others hold the cards in `out`, by default all that I do not see. `trick` are the cards played to it so far, the
    last by the seat before mine. `passed` are the cards that I passed to the seat `direction` places on, `taken` the
    points of each place, `void` the suits that others lack: "1S 3H", place and suit.
    """
    view: Any = GAME.new_view()
    mine, here, others = sets_of(hand), sets_of(trick), None if out is None else sets_of(out)
    away = sets_of(passed)
    view.luck, view.passing, view.direction, view.tricks = 1, passing, direction, tricks
    for suit in range(4):
        view.hand[suit], view.passed[suit] = mine[suit], away[suit]
        if others is not None and not passing:
            view.played[suit] = ALL & ~(mine[suit] | others[suit])
        else:
            view.played[suit] = here[suit]
    cards = trick.split()
    view.count, view.led = len(cards), -1
    if cards:
        view.led = card_of(cards[0]) // 13
        following = [word for word in cards if card_of(word) // 13 == view.led]
        view.top = max(card_of(word) % 13 for word in following)
        best = next(i for i, word in enumerate(cards) if card_of(word) == 13 * view.led + view.top)
        view.winner = 4 - len(cards) + best
        view.trick_points = sum(1 if word[1] == "H" else 13 * (word == "QS") for word in cards)
    for place, points in enumerate(taken):
        view.taken[place] = points
    for word in void.split():
        view.void[int(word[0]), SUITS.index(word[1])] = 1
    return view
