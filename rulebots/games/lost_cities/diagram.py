"""Lost Cities as a diagram: expeditions, discard piles, deck, and that seat's hand.

A card is laid in two steps: the card, then the expedition or the pile. A draw is the deck or a pile.
"""

from typing import Any

from rulebots.game.position import Position
from rulebots.games.lost_cities.cards import (
    FROM_DECK,
    FROM_PILE,
    KINDS,
    SUITS,
    card_text,
    expedition_points,
    numbers_in,
    suit_of,
    value_of,
)
from rulebots.output.cards import RATIO, SEEN, draw_card, draw_slot
from rulebots.output.diagram import Diagram

#: The width of the table and of a card, how high that is, how much of a covered one is seen, and the size of words.
WIDTH = 324.0
CARD = 36.0
TALL = RATIO * CARD
STEP = SEEN * CARD
WORDS = 10.5
#: The symbol of each suit, which tells it apart besides its colour.
SYMBOLS_OF = ("star", "hexagon", "triangle", "cross", "diamond", "square")


def draw(position: Position, seat: int | None, *, opened: bool = False) -> Diagram:
    """The table with that seat's hand below, its expeditions under the piles, the opponent's above them.

    Both hands are drawn if the table is `opened`, or without a seat.
    """
    return _table(position, seat or 0, ("your", f"{{{1 - (seat or 0)}}}'s"), own=True, other=opened or seat is None)


def look_on(position: Position) -> Diagram:
    """The table with both hands as backs, player 1 below."""
    return _table(position, 0, ("{0}'s", "{1}'s"), own=False, other=False)


def _table(position: Position, me: int, whose: tuple[str, str], *, own: bool, other: bool) -> Diagram:
    """The table with a seat below: whether its `own` and the `other` hand are seen, and whose they are called."""
    state = position.state
    suits = int(state.suits)
    hand, others = (state.hand[who, : state.hand_size[who]].tolist() for who in (me, 1 - me))
    length, their_length = (max(1, *(_length(state, who, suit) for suit in range(suits))) for who in (me, 1 - me))
    piles = 50 + TALL + (their_length - 1) * STEP
    mine = piles + TALL + 10
    hand_at = mine + TALL + (length - 1) * STEP + 42
    diagram = Diagram(WIDTH, hand_at + TALL + 3, _words(state, me))
    diagram.close = (0, 28, WIDTH, hand_at - 64)
    diagram.seat(4, 10, 1 - me, f"Player {2 - me}", WORDS, "ink", "start")
    diagram.place("their hand", WIDTH / 2, 2, WIDTH / 2 - 4, 18, f"{whose[1]} hand, {len(others)} cards")
    for i, card in enumerate(others):
        x = WIDTH - 4 - (len(others) - i) * min(19, WIDTH / 2 / len(others))
        if other:
            _card(diagram, card, x, 2, CARD / 2)
            diagram.place(
                f"their {card_text(card)}{' again' * others[:i].count(card)}",
                x,
                2,
                CARD / 2,
                TALL / 2,
                f"{whose[1]} card {_called(card)}",
            )
        else:
            diagram.rectangle(x, 2, 13, 18, "back", 1.5)
    left = int(state.deck_left)
    column = (WIDTH - 8) / (suits + 1)
    diagram.rectangle(1, piles - 5, WIDTH - 2, TALL + 10, "board", 6)
    x = WIDTH - 8 - CARD
    diagram.rectangle(x, piles, CARD, TALL, "back", 3.6)
    diagram.text(x + CARD / 2, piles + TALL / 2, str(left), 14, "ink")
    diagram.place("deck", x, piles, CARD, TALL, f"deck, {left} cards left")
    diagram.seat(WIDTH - 4, hand_at - 10, me, f"Player {me + 1}", WORDS, "ink", "end")
    laid = _laid_by(position, 1 - me)
    for suit in range(suits):
        x = 8 + suit * column
        name = f"{SUITS[suit].lower()} expedition"
        top = piles - 10 - TALL - (their_length - 1) * STEP
        cards = _expedition(diagram, state, 1 - me, suit, x, piles - 10, -1, laid)
        diagram.place(f"their {name}", x, top, CARD, piles - 10 - top, f"{whose[1]} {name}, {cards}")
        cards = _expedition(diagram, state, me, suit, x, mine, 1, -1)
        diagram.place(name, x, mine, CARD, hand_at - 18 - mine, f"{whose[0]} {name}, {cards}")
        _pile(diagram, state, me, suit, x, piles, laid)
    # The hand is one row, however long.
    apart = min(CARD + 4, (WIDTH - 8 - CARD) / max(len(hand) - 1, 1))
    places = [4 + i * apart for i in range(len(hand))]
    if not own:
        for x in places:
            diagram.rectangle(x, hand_at, CARD, TALL, "back", 3.6)
        diagram.place("hand", 4, hand_at, WIDTH - 8, TALL, f"{whose[0]} hand, {len(hand)} cards")
        return diagram
    for i, (card, x) in enumerate(zip(hand, places, strict=True)):
        with diagram.piece(card_text(card), start="deck"):
            _card(diagram, card, x, hand_at)
        copy = hand[: i + 1].count(card)
        again = f" (copy {copy})" if copy > 1 else ""
        seen = CARD if i == len(hand) - 1 else min(CARD, apart)
        diagram.place(f"{card_text(card)}{again}", x, hand_at, seen, TALL, f"your card {_called(card)}{again}")
        if again:
            diagram.copies[f"{card_text(card)}{again}"] = card_text(card)
    theirs = "their " * bool(other and state.mover != me)
    # The deck and the piles are nobody's.
    diagram.ways_of(
        position,
        1 - me if theirs else me,
        lambda move: [theirs * (move < FROM_DECK) + _way(move)[0], *_way(move)[1:]],
    )
    return diagram


def _laid_by(position: Position, seat: int) -> int:
    """The move with which a seat laid or discarded its latest card, which everybody has seen; -1 if it is not known."""
    past = reversed(position.past or ())
    return next((ply.move for ply, _ in past if ply.seat == seat and 0 <= ply.move < FROM_DECK), -1)


def _way(move: int) -> tuple[str, ...]:
    """The places of a move."""
    if move == FROM_DECK:
        return ("deck",)
    if move > FROM_DECK:
        return (f"{SUITS[move - FROM_PILE].lower()} pile",)
    card = move % KINDS
    where = "pile" if move >= KINDS else "expedition"
    return card_text(card), f"{SUITS[suit_of(card)].lower()} {where}"


def _words(state: Any, me: int) -> str:
    """The table in words, without a hand."""
    totals = [
        sum(
            expedition_points(int(state.laid[who, suit]), int(state.invested[who, suit]))
            for suit in range(int(state.suits))
            if state.top[who, suit] >= 0
        )
        for who in (0, 1)
    ]
    return f"expeditions worth {totals[me]} below and {totals[1 - me]} above, {int(state.deck_left)} cards in the deck"


def _length(state: Any, seat: int, suit: int) -> int:
    return int(state.laid[seat, suit]).bit_count() + int(state.invested[seat, suit])


def _called(card: int) -> str:
    return f"{value_of(card) or 'investment'} of {SUITS[suit_of(card)].lower()}"


def _card(diagram: Diagram, card: int, x: float, y: float, wide: float = CARD) -> None:
    suit = suit_of(card)
    draw_card(diagram, x, y, wide, f"suit-{suit}", str(value_of(card) or "Inv"), SYMBOLS_OF[suit], "on-1")


def _expedition(diagram: Diagram, state: Any, seat: int, suit: int, x: float, y: float, way: int, marked: int) -> str:
    """The cards of an expedition below y (way 1) or above it (way -1), one `marked`; gives them in words."""
    laid = int(state.laid[seat, suit])
    invested = int(state.invested[seat, suit])
    numbers = numbers_in(laid)
    shown = [10 * suit] * invested + [10 * suit + v - 1 for v in numbers]
    high = TALL + max(0, len(shown) - 1) * STEP
    if way > 0:
        diagram.text(x + CARD / 2, y + high + 8, SUITS[suit], WORDS, "faint")
    if not shown:
        draw_slot(diagram, x, y if way > 0 else y - TALL, CARD, SYMBOLS_OF[suit])
        return "not begun"
    top = y if way > 0 else y - high
    for i, card in enumerate(shown):
        latest = card == marked and shown[i + 1 : i + 2] != [card]  # the last of like investments
        with diagram.piece(card_text(card), start="their hand" if way < 0 else "", marked=latest):
            _card(diagram, card, x, top + i * STEP)
    points = expedition_points(laid, invested)
    diagram.text(x + CARD / 2, top + high + 18 if way > 0 else top - 7, f"{points:+d}", WORDS, "faint")
    return f"{' '.join([*['investment'] * invested, *map(str, numbers)])}, worth {points}"


def _pile(diagram: Diagram, state: Any, me: int, suit: int, x: float, y: float, marked: int) -> None:
    """A discard pile: its top card, marked if the move `marked` discarded it, and how many it holds."""
    size = int(state.pile_size[suit])
    name = SUITS[suit].lower()
    what = "empty"
    if size:
        card = int(state.pile[suit, size - 1])
        theirs = state.just_discarded == suit and state.mover != me
        with diagram.piece(card_text(card), start="their hand" if theirs else "", marked=card + KINDS == marked):
            _card(diagram, card, x, y)
            diagram.text(x + CARD - 3, y + TALL - 7, str(size), 12, "on-1", "end")
        what = f"{_called(card)} on top of {size}"
    else:
        draw_slot(diagram, x, y, CARD, SYMBOLS_OF[suit])
    diagram.place(f"{name} pile", x, y, CARD, TALL, f"{name} pile, {what}")
