"""Hearts for people: the table in text, and moves as `QS`, `10H`."""

from __future__ import annotations

import re

from rulebots.errors import UsageError
from rulebots.game import State
from rulebots.games.hearts.cards import (
    CARDS,
    CLUBS,
    HEARTS,
    LETTERS,
    NAMES,
    QUEEN,
    RANK_TEXTS,
    RANKS,
    SPADES,
    SUITS,
    SYMBOLS,
    card_name,
    card_text,
    ranks_in,
)

_CARD = re.compile(r"(pass)?(10|t|[2-9jqka])([cdsh])")
#: What the moves of law are, as in game.py, which imports this file.
_PASS, _LEAD, _FOLLOW, _THROW = range(4)
_NOT_PASSED, _DIRECTIONS = "no cards are passed", ("", "to the left", "across", "to the right")
_PLACES = ("you", "left", "across", "right")


def show(state: State, seat: int | None) -> str:
    """The trick, the penalties and that seat's hand; with seat None all hands."""
    me = int(state.mover) if seat is None else seat
    order = [(me + place) % 4 for place in range(4)]
    lines = [_heading(state)]
    for place, who in enumerate(order):
        card = int(state.trick[who])
        on_table = card_text(card) if card >= 0 else "-"
        mark = "*" if who == state.mover else " "
        name = f"seat {who + 1}" if seat is None else _PLACES[place]
        lacks = "".join(LETTERS[s] for s in range(SUITS) if state.void[who, s])
        lines.append(
            f"{mark}{name:>7}: {on_table:>3}  {int(state.taken[who]):2} points, {int(state.won[who]):2} tricks"
            + (f", no {lacks}" if lacks else "")
        )
    if state.tricks:
        lines.append(f"last trick: {' '.join(card_text(int(state.former[who])) for who in order)}")
    for who in order if seat is None else [me]:
        label = f"seat {who + 1}" if seat is None else "hand"
        lines.append(f"{label:>8}: {hand_text(state.hand[who])}")
    return "\n".join(lines)


def _heading(state: State) -> str:
    if state.passing:
        return f"three cards are passed {_DIRECTIONS[int(state.direction)]}"
    broken = "hearts are broken" if state.broken else "hearts are not broken"
    return f"trick {min(int(state.tricks) + 1, 13)} of 13, {broken}"


def hand_text(ranks_by_suit: object) -> str:
    """A hand by suit, high cards first: `♣ A 10 2  ♥ Q`."""
    parts = []
    for suit, ranks in enumerate(ranks_by_suit):  # type: ignore[var-annotated, arg-type]
        if held := [RANK_TEXTS[rank] for rank in reversed(ranks_in(int(ranks)))]:
            parts.append(f"{SYMBOLS[suit]} {' '.join(held)}")
    return "  ".join(parts) or "no cards"


def write(move: int) -> str:
    """The card, such as `QS`; with `pass` before it where it is passed."""
    card = card_text(move % CARDS)
    return f"pass {card}" if move < CARDS else card


def read(text: str, state: State) -> int:
    """The move that a text means, legal or not; case and blanks do not matter, and 10 may be T.

    Raises:
        UsageError: the text is not a card.
    """
    found = _CARD.fullmatch("".join(text.split()).lower())
    if found is None:
        raise UsageError(f"expected a card, such as 'QS' for the queen of spades or '10H', not {text.strip()!r}")
    rank = RANK_TEXTS.index(found[2].upper().replace("T", "10"))
    suit = LETTERS.index(found[3].upper())
    if state.passing or found[1]:
        kind = _PASS
    elif state.led < 0:
        kind = _LEAD
    else:
        kind = _FOLLOW if suit == state.led else _THROW
    return CARDS * kind + RANKS * suit + rank


def refusal(state: State, move: int) -> str:
    """Why a move is not legal."""
    card, hand = move % CARDS, state.hand[state.mover]
    suit = card // RANKS
    if not hand[suit] >> card % RANKS & 1:
        return f"the {card_name(card)} is not in your hand"
    if move < CARDS:
        return "all cards are passed: play one"
    if state.led >= 0 and hand[state.led]:
        return f"you have to follow suit: {NAMES[state.led]} were led"
    if state.tricks == 0 and state.led < 0:
        return "the two of clubs is led first" if suit != CLUBS or not state.any_club else "a club is led first"
    if state.tricks == 0 and (suit == HEARTS or (suit == SPADES and card % RANKS == QUEEN)):
        return "no penalty card goes on the first trick while you have another one"
    return "hearts are not broken: lead another suit"
