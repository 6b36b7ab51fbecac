"""Hearts for people: the table in text, and moves as `QS`, `10H`, `pass:2C`."""

import re
from collections.abc import Callable
from typing import Any

from rulebots.errors import UsageError
from rulebots.game import State
from rulebots.game.seats import seat_after
from rulebots.game.text import in_words
from rulebots.games.hearts.cards import (
    ALL_POINTS,
    CARDS,
    CLUBS,
    FOLLOW,
    HEARTS,
    LEAD,
    LETTERS,
    NAMES,
    PASS,
    QUEEN,
    RANK_NAMES,
    RANK_TEXTS,
    RANKS,
    SEATS,
    SPADES,
    SUITS,
    SYMBOLS,
    THROW,
    card_name,
    card_text,
    ranks_in,
)

_CARD = re.compile(r"(pass:?)?(10|t|[2-9jqka])([cdsh♣♦♠♥])")
_DIRECTIONS = ("", "to the left", "across", "to the right")
#: The lots of a deal, by the direction in which cards are passed.
LOTS = ("hold", "left", "across", "right")
PLACES = ("you", "left", "across", "right")


def show(state: State, seat: int | None) -> str:
    """The trick, the penalties and that seat's hand; with seat None all hands."""
    me = int(state.mover) if seat is None else seat
    names = PLACES if seat is not None else tuple(f"seat {number}" for number in range(SEATS))
    # Without a seat, in the order of their numbers.
    order = [((seat or 0) + place) % SEATS for place in range(SEATS)]
    lines = [heading(state)]
    for name, who in zip(names, order, strict=True):
        card = int(state.trick[who])
        mark = "*" if who == state.mover and state.tricks < RANKS else " "
        lines.append(
            f"{mark}{name:>7}: {card_text(card, SYMBOLS) if card >= 0 else '-':>3}  {', '.join(standing(state, who))}"
        )
    if state.tricks:
        before = (
            f"{name} {card_text(int(state.former[who]), SYMBOLS)}" for name, who in zip(names, order, strict=True)
        )
        lines.append(f"  before: {', '.join(before)}")
    if seat is not None and state.direction and not state.tricks:
        if state.passed[me].any():
            lines.append(f"  passed: {hand_text(state.passed[me])}")
        if not state.passing:
            lines.append(f"received: {hand_text(state.passed[(me - state.direction) % SEATS])}")
    shown = zip(names, order, strict=True) if seat is None else [("hand", me)]
    lines += [f"{name:>8}: {hand_text(state.hand[who])}" for name, who in shown]
    return "\n".join(lines)


def standing(state: State, seat: int) -> list[str]:
    """A seat's points and tricks, and what it has shown to lack."""
    # As the law counts them, and the page: whoever has taken all pays nothing.
    points = int(state.taken[seat]) - ALL_POINTS if max(state.taken) == ALL_POINTS else -int(state.taken[seat])
    tricks = int(state.won[seat])
    lacks = "".join(SYMBOLS[suit] for suit in range(SUITS) if state.void[seat, suit])
    parts = [f"{points} point{'s' * (abs(points) != 1)}", f"{tricks} trick{'s' * (tricks != 1)}"]
    return parts + ["took the J♦"] * bool(state.jack_bonus and state.jack[seat]) + [f"no {lacks}"] * bool(lacks)


def heading(state: State) -> str:
    """What happens, and which trick it is."""
    if state.passing:
        return f"three cards are passed {_DIRECTIONS[int(state.direction)]}"
    if state.tricks == RANKS:
        return "all tricks are played"
    return f"trick {int(state.tricks) + 1} of {RANKS}, hearts are {'' if state.broken else 'not '}broken"


def hand_text(ranks_by_suit: Any) -> str:
    """A hand by suit, high cards first: `♣ A 10 2  ♥ Q`."""
    parts = [
        " ".join([SYMBOLS[suit], *(RANK_TEXTS[rank] for rank in reversed(ranks_in(int(ranks))))])
        for suit, ranks in enumerate(ranks_by_suit)
        if ranks
    ]
    return "  ".join(parts) or "no cards"


def write(move: int) -> str:
    """`QS` for a card that is played, `pass:QS` for one that is passed."""
    card = card_text(move % CARDS)
    return f"pass:{card}" if move < CARDS else card


def read(text: str, state: State) -> int:
    """The move that a text means, legal or not; case and blanks do not matter, T is 10, suits may be symbols.

    Raises:
        UsageError: the text is not a card.
    """
    match = _CARD.fullmatch("".join(text.split()).lower())
    if match is None:
        raise UsageError(f"expected a card, such as 'QS' for the queen of spades or '10H', not {text.strip()!r}")
    rank = RANK_TEXTS.index(match[2].upper().replace("T", "10"))
    suit = SYMBOLS.index(match[3]) if match[3] in SYMBOLS else LETTERS.index(match[3].upper())
    if state.passing or match[1]:
        kind = PASS
    elif state.led < 0:
        kind = LEAD
    else:
        kind = FOLLOW if suit == state.led else THROW
    return CARDS * kind + RANKS * suit + rank


def task(state: State) -> str:
    """How many cards are still to be passed, or which suit is to be followed."""
    if state.passing:
        passed = sum(int(cards).bit_count() for cards in state.passed[state.mover])
        which = f"{passed + 1} of 3{', which sends them' * (passed == 2)}"
        return f"choose 3 cards to pass {_DIRECTIONS[int(state.direction)]} ({which})"
    suit = int(state.led)
    if suit < 0:
        return "lead a card"
    named = SYMBOLS[suit]
    return (
        f"follow suit with a {named}" if state.hand[state.mover, suit] else f"play any card, since you have no {named}"
    )


def sentence(state: State, move: int, play: Callable[[State, int], None]) -> str:
    """The card that is passed or played, and who takes the trick that it ends. `play` makes the move."""
    card = f"the {card_name(move % CARDS)}"
    if move < CARDS:
        return f"pass(es) {card} to {{{seat_after(int(state.mover), int(state.direction), SEATS)}}}"
    after = state.copy()
    play(after, move)
    if after.tricks == state.tricks:
        return f"{'lead' if state.led < 0 else 'play'}(s) {card}"
    taker = int((after.won - state.won).argmax())
    points = int(after.taken[taker] - state.taken[taker])
    with_points = f", {-points:+} point{'s' * (abs(points) > 1)}" if points else ""  # as the law counts them
    if points and after.taken[taker] == ALL_POINTS:
        with_points = f" and shoot(s) the moon: {-ALL_POINTS} points for everybody else"
    queen = " with the queen of spades" * (RANKS * SPADES + QUEEN in state.trick.tolist())
    return f"play(s) {card}: {{{taker}}} take(s) the trick{queen}{with_points}"


def grounds(state: State, move: int) -> str:
    """What else of its suit a player holds who passes a card; of one that is played, what others hold, and its fate."""
    me = int(state.mover)
    suit, rank = divmod(move % CARDS, RANKS)
    if move < CARDS:
        held = [RANK_NAMES[one] for one in reversed(ranks_in(int(state.hand[me, suit]))) if one != rank]
        besides = f"the {in_words(held)} of {NAMES[suit]} besides" if held else f"no other {NAMES[suit]}"
        return f"{{{me}}} hold(s) {besides}."
    out = [one for who in range(SEATS) if who != me for one in ranks_in(int(state.hand[who, suit]))]
    above, kind = sum(one > rank for one in out), move // CARDS
    more = "all" if 1 < above == len(out) else above or "none"
    higher = f", {more} higher than the {RANK_NAMES[rank]}" * bool(out)
    queen = ", the queen among them" * (suit == SPADES and QUEEN in out)
    last = f"; {{{me}}} play(s) the last one in hand" * (len(ranks_in(int(state.hand[me, suit]))) == 1)
    said = f"Others still hold {len(out) or 'no'} card{'s' * (len(out) != 1)} of {NAMES[suit]}{queen}{higher}{last}."
    beaten, points = above and state.count < SEATS - 1, int(state.trick_points)
    if kind != FOLLOW:
        return f"{said}{' Nobody can beat it.' * (kind == LEAD and not beaten)}"
    fate = "cannot take it" if rank < state.top else "may take it" if beaten else "takes it for certain"
    return f"{said} The trick holds {points or 'no'} point{'s' * (points != 1)}, and the {RANK_NAMES[rank]} {fate}."


def learned(state: State, mover: int, move: int, seat: int) -> bool:
    """The receiver of a card sees which it is, once all have passed."""
    return move < CARDS and not state.passing and seat == seat_after(mover, int(state.direction), SEATS)


def refusal(state: State, move: int) -> str:
    """Why a move is not legal."""
    card = move % CARDS
    hand = state.hand[state.mover]
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
