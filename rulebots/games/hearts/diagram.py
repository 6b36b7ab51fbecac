"""Hearts as a diagram: four hands around a table, the trick in the middle, and that seat's cards in two rows below.

The next player in turn sits on the left. Click a card to choose it.
"""

from typing import Any

from rulebots.game.position import Position
from rulebots.games.hearts.cards import (
    CARDS,
    CLUBS,
    DIAMONDS,
    HEARTS,
    QUEEN,
    QUEEN_POINTS,
    RANK_TEXTS,
    RANKS,
    SPADES,
    SYMBOLS,
    card_name,
    card_text,
    ranks_in,
)
from rulebots.games.hearts.text import PLACES, heading, standing
from rulebots.output.cards import RATIO, draw_card
from rulebots.output.diagram import Anchor, Diagram

WIDTH = 304.0
HEIGHT = 274.0
#: The size of words: no smaller on a phone than words beside the board.
WORDS = 10.0
#: A card; from one to the next of a hand, and from its upper row to the lower one, where a finger finds each on a
#: phone; and a card of another hand: face up, face down.
WIDE = 36.0
TALL = RATIO * WIDE
STEP = 40.0
DOWN = 36.0
IN_A_ROW = 7
SMALL = (22.0, 11.5)
BACK = (7.0, 9.5)
#: Where the cards of a trick lie, by place: you, left, across, right; and the middle of the table.
MIDDLE = WIDTH / 2, 100.0
TRICK = ((MIDDLE[0] - 16, 104.0), (MIDDLE[0] - 53, 78.0), (MIDDLE[0] - 16, 52.0), (MIDDLE[0] + 21, 78.0))
HAND = HEIGHT - TALL - DOWN - 4


def draw(position: Position, seat: int | None, *, opened: bool = False) -> Diagram:
    """The table with that seat's hand below; all hands if it is `opened`, or without a seat, the first seat's below."""
    return _table(position, seat, own=True, others=opened or seat is None)


def look_on(position: Position) -> Diagram:
    """The table with all hands as backs, that of the first seat below."""
    return _table(position, None, own=False, others=False)


def _table(position: Position, seat: int | None, *, own: bool, others: bool) -> Diagram:
    """The table with that seat, or the first one, below; whether its `own` hand and those of the `others` are seen."""
    state = position.state
    me = seat or 0
    order = [(me + place) % 4 for place in range(4)]
    diagram = Diagram(WIDTH, HEIGHT, _words(state))
    diagram.close = (94, 47, 116, 112)  # the trick
    # A trick stays on the table until its winner leads the next one, so that its last card is seen too.
    former = bool(state.tricks) and not state.count
    for place, who in enumerate(order):
        if place:
            _others(diagram, _cards(state.hand[who]), who, place, opened=others)
        card = int((state.former if former else state.trick)[who])
        best = bool(who == state.winner)
        if card >= 0:
            with diagram.piece(card_text(card), start=PLACES[place] if place else ""):
                _card(diagram, card, *TRICK[place], mark=best)
            diagram.place(
                f"card of {PLACES[place]}",
                *TRICK[place],
                WIDE,
                TALL,
                f"{{{who}}}: {card_name(card)}{', in the trick before' * former}{', the best card' * best}",
            )
    # No card that moves covers a name.
    for place, who in enumerate(order):
        _label(diagram, state, who, place)
    if state.passing or former:
        y = MIDDLE[1] if state.passing else TRICK[0][1] + TALL + 8
        diagram.text(MIDDLE[0], y, heading(state) if state.passing else "the latest trick", WORDS, "faint")
    hand = _cards(state.hand[me])
    # Where two took as many points as hers, one may have all the hearts.
    hers = [who for who in order if position.over and state.taken[who] >= QUEEN_POINTS]
    if len(hers) == 1:
        _card(diagram, RANKS * SPADES + QUEEN, 86, HAND + DOWN / 2)
        diagram.seat(130, HAND + 37, hers[0], f"Player {hers[0] + 1}", WORDS, "ink", "start")
        diagram.text(130, HAND + 50, "took the queen of spades", WORDS, "ink", "start")
    if not own:
        _others(diagram, hand, me, 0, opened=False)
        return diagram
    received = set() if state.passing or state.tricks else set(_cards(state.passed[(me - state.direction) % 4]))
    choosing = position.mover == me and not position.over and not state.passing
    legal = {move % CARDS for move in position.legal_moves.tolist()} if choosing else set(hand)
    # The lower row begins with a suit, where the cards of one do not fill both.
    cuts = range(max(len(hand) - IN_A_ROW, 0), IN_A_ROW + 1)
    cut = next((cut for cut in cuts if not cut or hand[cut - 1] // RANKS != hand[cut] // RANKS), cuts[0])
    for lower, row in enumerate((hand[:cut], hand[cut:])):
        left = (WIDTH - STEP * (len(row) - 1) - WIDE) / 2
        y = HAND + DOWN * lower
        for i, card in enumerate(row):
            x = left + i * STEP
            with diagram.piece(card_text(card)):
                _card(diagram, card, x, y, mark=card in received)
                if card not in legal:
                    diagram.rectangle(x, y, WIDE, TALL, "empty", WIDE / 10)
            came = ", passed to you" if card in received else ""
            diagram.place(card_text(card), x, y, WIDE, TALL if lower else DOWN, f"your {card_name(card)}{came}")
    diagram.ways_of(position, int(state.mover) if others else me, lambda move: [card_text(move % CARDS)])
    return diagram


def _cards(hand: Any) -> list[int]:
    """The cards of a hand: black and red suits by turns, high cards first."""
    return [
        RANKS * suit + rank
        for suit in (CLUBS, DIAMONDS, SPADES, HEARTS)
        for rank in reversed(ranks_in(int(hand[suit])))
    ]


def _look(card: int) -> str:
    """A colour for each suit; its symbol tells it as well."""
    return ("seat-4", "seat-3", "ink", "seat-2")[card // RANKS]


def _card(diagram: Diagram, card: int, x: float, y: float, *, mark: bool = False) -> None:
    symbol = ("club", "diamond", "spade", "heart")[card // RANKS]
    draw_card(diagram, x, y, WIDE, "card", RANK_TEXTS[card % RANKS], symbol, _look(card))
    if mark:
        diagram.circle(x + 6, y + DOWN - 6, 2.6, "last")


def _others(diagram: Diagram, hand: list[int], who: int, place: int, *, opened: bool) -> None:
    """A hand in a row above or below, in a column on the left or the right; its faces only if it is opened."""
    wide, tall = SMALL if opened else BACK
    count = max(len(hand), 1)
    if place in (0, 2):
        x = MIDDLE[0] - count / 2 * (wide + 1)
        y = 3.0 if place else HAND + 8
        right, down = wide + 1, 0.0
    else:
        x = 3.0 if place == 1 else WIDTH - 3 - wide
        # A full row of faces reaches into the corners.
        y = MIDDLE[1] - (4 if opened else 14) - count / 2 * (tall + 1)
        right, down = 0.0, tall + 1
    whose = f"{{{who}}}{f', {PLACES[place]}' * bool(place)}: {len(hand) or 'no'} card{'s' * (len(hand) != 1)}"
    diagram.place(PLACES[place], x, y, max(wide, count * right), max(tall, count * down), whose)
    for i, card in enumerate(hand):
        left = x + i * right
        top = y + i * down
        if opened:
            diagram.place(card_text(card), left, top, wide, tall, f"{{{who}}}: {card_name(card)}")
            with diagram.piece(card_text(card)):  # all suits in one size: words by themselves shrink on a wide page
                diagram.rectangle(left, top, wide, tall, "card", 1.5)
                diagram.text(left + wide / 2, top + tall / 2, card_text(card, SYMBOLS), 10, _look(card))
        else:
            diagram.rectangle(left, top, wide, tall, "back", 1.5)


def _label(diagram: Diagram, state: Any, who: int, place: int) -> None:
    """A seat's name, points, tricks and the suits it lacks; brighter if it is to move."""
    look = "ink" if who == state.mover else "faint"
    if place in (0, 2):
        y = 24 if place else HAND - 10
        diagram.seat(MIDDLE[0] - 42, y, who, f"Player {who + 1}", WORDS, look, "end")
        # Small pictures of the game go without what is faint.
        diagram.text(MIDDLE[0] - 36, y, ", ".join(standing(state, who)), WORDS, "faint", "start")
        return
    x = 28 if place == 1 else WIDTH - 28
    anchor: Anchor = "start" if place == 1 else "end"
    diagram.seat(x, MIDDLE[1] - 44, who, f"Player {who + 1}", WORDS, look, anchor)
    for i, line in enumerate(standing(state, who)):
        diagram.text(x, MIDDLE[1] - 44 + 12.5 * (i + 1), line, WORDS, look, anchor)


def _words(state: Any) -> str:
    """The table in words, without a hand."""
    played = [f", played the {card_name(card)}" if card >= 0 else "" for card in state.trick.tolist()]
    seats = [f"{{{who}}}: {', '.join(standing(state, who))}{played[who]}" for who in range(4)]
    return "; ".join([heading(state), *seats])
