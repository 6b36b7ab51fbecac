"""Lost Cities as a diagram: expeditions, discard piles, deck, and that seat's hand.

A card is laid in two steps: the card, then the expedition or the pile. A draw is the deck or a pile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulebots.games.lost_cities.cards import HIGH, INVESTMENTS, KINDS, LETTERS, LOW, SUITS, card_text, suit_of, value_of
from rulebots.games.lost_cities.game import expedition_points
from rulebots.output.diagram import Diagram

if TYPE_CHECKING:
    from rulebots.game.position import Position

#: The width of a column, the size of a card, and how much of a covered card is seen.
COLUMN, CARD, TALL, STEP = 40.0, 34.0, 22.0, 9.0
#: The most cards of an expedition.
LONGEST = INVESTMENTS + HIGH - LOW + 1
FROM_DECK, FROM_PILE = 2 * KINDS, 2 * KINDS + 1


def draw(position: Position, seat: int | None) -> Diagram:
    """The table with that seat's hand below, its expeditions under the piles, the opponent's above them.

    Without a seat both hands are drawn.
    """
    state = position.state
    me = 0 if seat is None else seat
    suits = int(state.suits)
    longest = [max([_length(state, who, suit) for suit in range(suits)] + [1]) for who in (me, 1 - me)]
    reach = [TALL + (n - 1) * STEP + 10 for n in longest]
    hand = state.hand[me, : state.hand_size[me]].tolist()
    per_row = max(suits, 6)
    rows = -(-len(hand) // per_row)
    above = 30.0 if seat is None else 6.0
    piles, width = above + reach[1], max(suits + 1, per_row) * COLUMN + 4
    mine = piles + TALL + 8
    held = mine + reach[0] + 8
    diagram = Diagram(width, held + rows * (TALL + 5), _words(state, me))
    if seat is None:
        for i, card in enumerate(state.hand[1 - me, : state.hand_size[1 - me]].tolist()):
            _card(diagram, card, 2 + i * width / 14, 2, 0.55)
    for suit in range(suits):
        x = 4 + suit * COLUMN
        _expedition(diagram, state, 1 - me, suit, x, piles - 8, -1)
        _expedition(diagram, state, me, suit, x, mine, 1)
        _pile(diagram, state, suit, x, piles)
        name = SUITS[suit].lower()
        diagram.place(f"{name} expedition", x, mine, CARD, reach[0] - 8, f"your {name} expedition")
    x = 4 + suits * COLUMN
    diagram.rectangle(x, piles, CARD - 4, TALL, "back", 3)
    diagram.text(x + (CARD - 4) / 2, piles + TALL / 2, str(int(state.deck_left)), 9, "ink")
    diagram.place("deck", x, piles, CARD - 4, TALL, f"deck, {int(state.deck_left)} cards left")
    copies: dict[int, int] = {}
    for i, card in enumerate(hand):
        x, y = 4 + (i % per_row) * COLUMN, held + i // per_row * (TALL + 5)
        _card(diagram, card, x, y)
        copies[card] = copies.get(card, 0) + 1
        again = f" (copy {copies[card]})" if copies[card] > 1 else ""
        diagram.place(f"{card_text(card)}{again}", x, y, CARD, TALL, f"your card {_called(card)}{again}")
    if position.mover == me and not position.over:
        for move in position.legal_moves.tolist():
            diagram.way(move, *_way(move))
    return diagram


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
    totals = [0, 0]
    for who in (0, 1):
        for suit in range(int(state.suits)):
            if state.top[who, suit] >= 0:
                totals[who] += expedition_points(int(state.laid[who, suit]), int(state.invested[who, suit]))
    return f"expeditions worth {totals[me]} below and {totals[1 - me]} above, {int(state.deck_left)} cards in the deck"


def _length(state: Any, seat: int, suit: int) -> int:
    return int(state.laid[seat, suit]).bit_count() + int(state.invested[seat, suit])


def _called(card: int) -> str:
    return f"{value_of(card) or 'investment'} of {SUITS[suit_of(card)].lower()}"


def _card(diagram: Diagram, card: int, x: float, y: float, scale: float = 1.0) -> None:
    """A card with its value and the letter of its suit: colour is never all that tells."""
    diagram.rectangle(x, y, CARD * scale, TALL * scale, f"suit-{suit_of(card)}", 3 * scale)
    diagram.text(x + CARD / 2 * scale, y + TALL / 2 * scale, _short(card), 10 * scale, "on-1")


def _short(card: int) -> str:
    return f"{value_of(card) or 'Inv'} {LETTERS[suit_of(card)]}"


def _expedition(diagram: Diagram, state: Any, seat: int, suit: int, x: float, y: float, way: int) -> None:
    """The cards of an expedition, growing down (way 1) or up (way -1) from y."""
    laid, invested = int(state.laid[seat, suit]), int(state.invested[seat, suit])
    numbers = [v for v in range(LOW, HIGH + 1) if laid >> v & 1]
    shown = [10 * suit] * invested + [10 * suit + v - 1 for v in numbers]
    if not shown:
        if way > 0:
            diagram.rectangle(x, y, CARD, TALL, "empty", 3)
            diagram.text(x + CARD / 2, y + TALL / 2, SUITS[suit], 5.6, "faint")
        return
    just = (
        state.just_laid >= 0 and state.just_discarded < 0 and state.mover == seat and suit_of(state.just_laid) == suit
    )
    for i, card in enumerate(shown):
        top = y + i * STEP if way > 0 else y - TALL - i * STEP
        diagram.rectangle(x, top, CARD, TALL, f"suit-{suit}", 3)
        place = top + (5 if i < len(shown) - 1 or way < 0 else TALL / 2)
        if way < 0:
            place = top + (TALL / 2 if i == len(shown) - 1 else 5)
        diagram.text(x + CARD / 2, place, _short(card), 8.5, "on-1")
        if just and value_of(card) == value_of(int(state.just_laid)) and i == len(shown) - 1:
            diagram.circle(x + CARD - 5, top + 5, 2.4, "last")
    end = y + TALL + (len(shown) - 1) * STEP + 5 if way > 0 else y - TALL - (len(shown) - 1) * STEP - 5
    diagram.text(x + CARD / 2, end, f"{expedition_points(laid, invested):+d}", 7, "faint")


def _pile(diagram: Diagram, state: Any, suit: int, x: float, y: float) -> None:
    """A discard pile: its top card and how many it holds."""
    size, name = int(state.pile_size[suit]), SUITS[suit].lower()
    what = "empty"
    if size:
        card = int(state.pile[suit, size - 1])
        diagram.rectangle(x, y, CARD, TALL, "card", 3)
        diagram.text(x + CARD / 2 - 3, y + TALL / 2, _short(card), 8.5, f"suit-{suit}")
        diagram.text(x + CARD - 3, y + 5, str(size), 5.5, "faint", "end")
        what = f"{_called(card)} on top of {size}"
        if state.just_discarded == suit:
            diagram.circle(x + 4, y + 4, 2.4, "last")
    else:
        diagram.rectangle(x, y, CARD, TALL, "empty", 3)
        diagram.text(x + CARD / 2, y + TALL / 2, LETTERS[suit], 8, "faint")
    diagram.place(f"{name} pile", x, y, CARD, TALL, f"{name} pile, {what}")
