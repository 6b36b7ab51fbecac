"""Lost Cities as a diagram: expeditions, discard piles, deck, and that seat's hand.

A card is laid in two steps: the card, then the expedition or the pile. A draw is the deck or a pile.
"""

from typing import Any

from rulebots.game.position import Position
from rulebots.games.lost_cities.cards import (
    FROM_DECK,
    FROM_PILE,
    HIGH,
    KINDS,
    LOW,
    SUITS,
    card_text,
    expedition_points,
    suit_of,
    value_of,
)
from rulebots.output.diagram import Diagram

#: The width of a column, the size of a card, and how much of a covered card is seen.
COLUMN = 40.0
CARD = 34.0
TALL = 22.0
STEP = 9.0
#: The symbol of each suit, which tells it apart besides its colour.
SYMBOLS_OF = ("star", "hexagon", "triangle", "cross", "diamond", "square")


def draw(position: Position, seat: int | None) -> Diagram:
    """The table with that seat's hand below, its expeditions under the piles, the opponent's above them.

    Without a seat both hands are drawn.
    """
    return _table(position, seat or 0, ("your", f"{{{1 - (seat or 0)}}}'s"), own=True, other=seat is None)


def look_on(position: Position) -> Diagram:
    """The table with both hands as backs, player 1 below."""
    return _table(position, 0, ("{0}'s", "{1}'s"), own=False, other=False)


def _table(position: Position, me: int, whose: tuple[str, str], *, own: bool, other: bool) -> Diagram:
    """The table with a seat below: whether its `own` and the `other` hand are seen, and whose they are called."""
    state = position.state
    suits = int(state.suits)
    per_row = max(suits, 6)
    hand, others = (state.hand[who, : state.hand_size[who]].tolist() for who in (me, 1 - me))
    rows = -(-len(hand) // per_row)
    length, their_length = (max(1, *(_length(state, who, suit) for suit in range(suits))) for who in (me, 1 - me))
    piles = 32 + TALL + (their_length - 1) * STEP
    mine = piles + TALL + 8
    hand_at = mine + TALL + (length - 1) * STEP + 18
    width = max(suits + 1, per_row) * COLUMN + 4
    diagram = Diagram(width, hand_at + rows * (TALL + 5), _words(state, me))
    known = f": {', '.join(map(_called, others))}" if other else ""
    diagram.place("their hand", 4, 1, width - 8, 12, f"{whose[1]} hand, {len(others)} cards{known}")
    for i, card in enumerate(others):
        x = 4 + i * (width - 8) / max(len(others), 8)
        if other:
            _card(diagram, card, x, 1, 0.55)
        else:
            diagram.rectangle(x, 1, CARD * 0.55, TALL * 0.55, "back", 1.5)
    left = int(state.deck_left)
    x = 4 + suits * COLUMN
    diagram.rectangle(x, piles, CARD - 4, TALL, "back", 3)
    diagram.text(x + (CARD - 4) / 2, piles + TALL / 2, str(left), 9, "ink")
    diagram.place("deck", x, piles, CARD - 4, TALL, f"deck, {left} cards left")
    for who, y in ((1 - me, piles - 8), (me, mine + 4)):
        diagram.seat(x, y, who, f"Player {who + 1}", 8, "ink", "start")
    laid = _laid_by(position, 1 - me)
    for suit in range(suits):
        x = 4 + suit * COLUMN
        name = f"{SUITS[suit].lower()} expedition"
        cards = _expedition(diagram, state, 1 - me, suit, x, piles - 8, -1, laid)
        top = piles - 12 - TALL - (their_length - 1) * STEP
        diagram.place(f"their {name}", x, top, CARD, piles - 10 - top, f"{whose[1]} {name}, {cards}")
        cards = _expedition(diagram, state, me, suit, x, mine, 1, -1)
        diagram.place(name, x, mine, CARD, hand_at - 16 - mine, f"{whose[0]} {name}, {cards}")
        _pile(diagram, state, me, suit, x, piles, laid)
    places = [(4 + i % per_row * COLUMN, hand_at + i // per_row * (TALL + 5)) for i in range(len(hand))]
    if not own:
        for x, y in places:
            diagram.rectangle(x, y, CARD, TALL, "back", 3)
        diagram.place("hand", 4, hand_at, width - 8, rows * (TALL + 5) - 5, f"{whose[0]} hand, {len(hand)} cards")
        return diagram
    for i, (card, (x, y)) in enumerate(zip(hand, places, strict=True)):
        with diagram.piece(card_text(card), start="deck"):
            _card(diagram, card, x, y)
        copy = hand[: i + 1].count(card)
        again = f" (copy {copy})" if copy > 1 else ""
        diagram.place(f"{card_text(card)}{again}", x, y, CARD, TALL, f"your card {_called(card)}{again}")
    diagram.ways_of(position, me, _way)
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
    diagram.rectangle(x, y, CARD * scale, TALL * scale, f"suit-{suit_of(card)}", 3 * scale)
    _face(diagram, card, x, y + TALL / 2 * scale, 1.1 * scale)


def _face(diagram: Diagram, card: int, x: float, y: float, scale: float = 1.0, look: str = "on-1") -> None:
    """The value of a card and the symbol of its suit, around a height: suits differ by more than colour."""
    value = value_of(card)
    diagram.text(x + 3 * scale, y, str(value or "Inv"), 9 * scale, look, "start")
    diagram.symbol(x + (CARD - 6.5) * min(scale, 1.0), y, 6.5 * scale, SYMBOLS_OF[suit_of(card)], look)


def _expedition(diagram: Diagram, state: Any, seat: int, suit: int, x: float, y: float, way: int, marked: int) -> str:
    """The cards of an expedition, growing down (way 1) or up (way -1) from y, one `marked`; gives them in words."""
    laid = int(state.laid[seat, suit])
    invested = int(state.invested[seat, suit])
    numbers = [v for v in range(LOW, HIGH + 1) if laid >> v & 1]
    shown = [10 * suit] * invested + [10 * suit + v - 1 for v in numbers]
    if not shown:
        if way > 0:
            diagram.rectangle(x, y, CARD, TALL, "empty", 3)
            diagram.symbol(x + CARD / 2, y + 8, 7, SYMBOLS_OF[suit], "faint")
            diagram.text(x + CARD / 2, y + 17, SUITS[suit], 7, "faint")
        return "not begun"
    for i, card in enumerate(shown):
        top = y + i * STEP if way > 0 else y - TALL - i * STEP
        covered = i < len(shown) - 1
        # What is seen of a covered card is its upper part, or its lower part where cards grow up.
        middle = top + (TALL / 2 if not covered else 5.0 if way > 0 else TALL - 4.5)
        latest = card == marked and shown[i + 1 : i + 2] != [card]  # the last of like investments
        with diagram.piece(card_text(card), start="their hand" if way < 0 else "", marked=latest):
            diagram.rectangle(x, top, CARD, TALL, f"suit-{suit}", 3)
            _face(diagram, card, x, middle)
    end = y + TALL + (len(shown) - 1) * STEP + 5 if way > 0 else y - TALL - (len(shown) - 1) * STEP - 5
    points = expedition_points(laid, invested)
    diagram.text(x + CARD / 2, end, f"{points:+d}", 8, "faint")
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
            diagram.rectangle(x, y, CARD, TALL, "card", 3)
            _face(diagram, card, x, y + TALL / 2, look=f"suit-{suit}")
        diagram.text(x + CARD - 2, y + 4.5, str(size), 5.5, "faint", "end")
        what = f"{_called(card)} on top of {size}"
    else:
        diagram.rectangle(x, y, CARD, TALL, "empty", 3)
        diagram.symbol(x + CARD / 2, y + TALL / 2, 7, SYMBOLS_OF[suit], "faint")
    diagram.place(f"{name} pile", x, y, CARD, TALL, f"{name} pile, {what}")
