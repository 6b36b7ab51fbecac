"""Hanabi as a diagram: fireworks, discards, tokens, what may be hinted, the other hands, and the own one as backs.

A card is laid in two steps: the card, then the fireworks or the discards. A hint is a hand, then a colour or a rank.
"""

from collections.abc import Sequence
from typing import Any

from rulebots.game.position import Position
from rulebots.game.seats import seat_after
from rulebots.games.hanabi.cards import (
    COLOUR_HINTS,
    COLOUR_NAMES,
    COLOURS,
    HINT,
    LETTERS,
    LIVES,
    PLAYS,
    POINTS,
    RANKS,
    TOKENS,
    card_text,
    colour_of,
    parts_of_hint,
    rank_of,
)
from rulebots.games.hanabi.text import (
    deck_text,
    discards_text,
    fireworks_text,
    hinted_text,
    last_moves,
    possible_text,
    told_text,
    turn_text,
)
from rulebots.output.cards import RATIO, draw_card, draw_slot
from rulebots.output.diagram import Diagram

#: The page's kinds of cards whose colour is nearest: red, yellow, green, white, blue.
SUITS = (4, 0, 3, 2, 1)
#: The symbol of each colour, which stands on a card beside its letter and rank.
SYMBOLS_OF = ("diamond", "star", "triangle", "hexagon", "square")
LEFT = 58.0
COLUMN = 40.0
#: A card, and a chip of what is not held by anybody.
CARD = 30.0
TALL = RATIO * CARD
CHIP = 36.0
LOW = 20.0
GAP = 5.0
WIDTH = LEFT + 5 * COLUMN
#: The size of the smallest words: no smaller on a phone than a person can read.
WORDS = 8.3
#: A hand: cards, and below each of them what colours and ranks it may have.
HAND = TALL + 21
#: Where the hands begin.
TOP = TALL + 3 * LOW + 4 * GAP + 6


def draw(position: Position, seat: int | None, *, opened: bool = False) -> Diagram:
    """The table as that seat sees it, its own hand at the bottom; if it is `opened`, over or no seat's, all hands."""
    return _table(position, seat, hidden=() if opened or seat is None or position.over else (seat,))


def look_on(position: Position) -> Diagram:
    """The table with all hands as backs, by seat: each is hidden from somebody."""
    return _table(position, None, hidden=range(int(position.state.seats)))


def _table(position: Position, seat: int | None, hidden: Sequence[int]) -> Diagram:
    """The table with the hand of that seat at the bottom, or by seat, and the `hidden` hands as backs."""
    state = position.state
    me = seat or 0
    seats = int(state.seats)
    diagram = Diagram(WIDTH, TOP + seats * HAND, _words(state))
    diagram.close = (LEFT - 4, 0, WIDTH - LEFT + 4, TOP + TALL + 1)
    _fireworks(diagram, state, 2, apart=not hidden)
    _discards(diagram, state, 2 + TALL + GAP)
    _supplies(diagram, state, 2 + TALL + LOW + 2 * GAP)
    _values(diagram, 2 + TALL + 2 * LOW + 3 * GAP)
    marks = _just_touched(state)
    for row in range(seats):
        whose = seat_after(me, row + 1, seats)
        y = TOP + row * HAND
        to_move = position.mover == whose and not position.over
        _hand(diagram, state, whose, y, marks[whose], shown=whose not in hidden, to_move=to_move)
    if seat is not None or not hidden:
        mover = me if hidden else int(state.mover)
        hands = [f"{{{seat_after(mover, k, seats)}}}" for k in range(seats)]
        piles = [
            "fireworks" if hidden else f"{COLOUR_NAMES[colour_of(card)]} firework"
            for card in state.hands[mover, : state.held[mover]].tolist()
        ]
        diagram.ways_of(position, mover, lambda move: _way(move, hands, piles))
    return diagram


def _way(move: int, names: list[str], piles: list[str]) -> tuple[str, str]:
    """The places of a move; `names` are those of the hands, the mover's first, `piles` where its cards are played."""
    if move < COLOUR_HINTS:
        return f"{names[0]} {move % PLAYS + 1}", piles[move - PLAYS] if move >= PLAYS else "discards"
    k, value, by_rank = parts_of_hint(move)
    return names[k], f"{value + 1}s" if by_rank else COLOUR_NAMES[value]


def _words(state: Any) -> str:
    """The table in words, without the hands."""
    names = [f"{{{seat}}}" for seat in range(state.seats)]
    table = f"Fireworks {fireworks_text(state)}; discards {discards_text(state)}; {_supplies_text(state)}"
    return "; ".join([table, *last_moves(state, names), turn_text(state, names)])


def _supplies_text(state: Any) -> str:
    lives = "1 life" if state.lives == 1 else f"{state.lives} lives"
    return f"{state.tokens} hint tokens, {lives}, deck {deck_text(state)}"


def _fireworks(diagram: Diagram, state: Any, y: float, *, apart: bool) -> None:
    """The fireworks, one place or, `apart`, one each: where a card goes would tell its colour."""
    played = int(sum(state.fireworks)) if state.lives or state.bombs else 0  # as the points
    diagram.text(2, y + 8, "Fireworks", WORDS, "ink", "start")
    diagram.text(2, y + 19, f"{played} of {POINTS}", WORDS, "faint", "start")
    for colour in range(COLOURS):
        x = LEFT + colour * COLUMN
        rank = int(state.fireworks[colour])
        with diagram.piece(f"firework {LETTERS[colour]}{rank}"):
            if rank:
                _face(diagram, RANKS * colour + rank - 1, x, y)
            else:
                draw_slot(diagram, x, y, CARD, SYMBOLS_OF[colour])
        if apart:
            diagram.place(
                f"{COLOUR_NAMES[colour]} firework", x, y, CARD, TALL, f"{COLOUR_NAMES[colour]} firework: {rank}"
            )
        elif not colour:
            fires = ", ".join(f"{COLOUR_NAMES[i]} {n}" for i, n in enumerate(state.fireworks.tolist()))
            diagram.place("fireworks", x, y, 4 * COLUMN + CARD, TALL, f"fireworks: {fires}")


def _face(diagram: Diagram, card: int, x: float, y: float) -> None:
    colour = colour_of(card)
    draw_card(diagram, x, y, CARD, f"suit-{SUITS[colour]}", card_text(card), SYMBOLS_OF[colour], "on-1")


def _discards(diagram: Diagram, state: Any, y: float) -> None:
    diagram.text(2, y + LOW / 2, "Discards", WORDS, "ink", "start")
    for colour in range(COLOURS):
        x = LEFT + colour * COLUMN
        ranks = "".join(str(rank + 1) * int(state.discards[RANKS * colour + rank]) for rank in range(RANKS))
        diagram.rectangle(x, y, CHIP, LOW, f"suit-{SUITS[colour]}" if ranks else "empty", 3)
        look = "on-1" if ranks else "faint"
        for line, part in enumerate((ranks[:5], ranks[5:])):
            if part:
                diagram.text(x + 22, y + (LOW / 2 if len(ranks) <= 5 else 6 + 8 * line), part, WORDS, look)
        diagram.symbol(x + 6, y + LOW / 2, 5.5, SYMBOLS_OF[colour], look)
    diagram.place("discards", LEFT, y, 5 * COLUMN - 4, LOW, f"discards: {discards_text(state)}")


def _supplies(diagram: Diagram, state: Any, y: float) -> None:
    """Tokens, lives and the deck."""
    middle = y + LOW / 2
    diagram.text(2, middle, "Hint tokens", WORDS, "ink", "start")
    for i in range(TOKENS):
        diagram.circle(LEFT + 5 + 10 * i, middle, 4, "suit-1" if i < state.tokens else "empty")
    diagram.text(LEFT + 88, middle, "Lives", WORDS, "ink", "start")
    for i in range(LIVES):
        diagram.circle(LEFT + 115 + 10 * i, middle, 4, "suit-4" if i < state.lives else "empty")
    x = LEFT + 4 * COLUMN
    diagram.rectangle(x, y, CHIP, LOW, "back", 3)
    diagram.place("deck", x, y, CHIP, LOW, _supplies_text(state))
    words = (
        f"deck {state.deck_left}"
        if state.deck_left
        else f"{state.turns_left} turn{'' if state.turns_left == 1 else 's'}"
    )
    for line, word in enumerate(words.split()):
        diagram.text(x + CHIP / 2, y + 6 + 8.5 * line, word, WORDS, "ink")


def _values(diagram: Diagram, y: float) -> None:
    """What may be hinted: colours and ranks."""
    diagram.text(2, y + LOW / 2, "To hint", WORDS, "ink", "start")
    wide = COLUMN / 2 - 2
    for value in range(COLOURS):
        x = LEFT + value * COLUMN / 2
        diagram.rectangle(x, y, wide, LOW, f"suit-{SUITS[value]}", 3)
        diagram.text(x + wide / 2, y + 6, LETTERS[value], WORDS, "on-1")
        diagram.symbol(x + wide / 2, y + 14, 7, SYMBOLS_OF[value], "on-1")
        diagram.place(COLOUR_NAMES[value], x, y, wide, LOW, f"hint {COLOUR_NAMES[value]}")
    for value in range(RANKS):
        x = LEFT + (COLOURS + value) * COLUMN / 2
        diagram.rectangle(x, y, wide, LOW, "card", 3)
        diagram.text(x + wide / 2, y + LOW / 2, str(value + 1), WORDS)
        diagram.place(f"{value + 1}s", x, y, wide, LOW, f"hint {value + 1}s")


def _just_touched(state: Any) -> list[int]:
    """Of each hand the set of places that a hint has touched in the last round."""
    marks = [0] * int(state.seats)
    for seat in range(int(state.seats)):
        if state.last_kind[seat] >= HINT:
            marks[int(state.last_target[seat])] |= int(state.last_touched[seat])
    return marks


def _hand(diagram: Diagram, state: Any, seat: int, y: float, marked: int, *, shown: bool, to_move: bool) -> None:
    """A hand with what is known of each card; its cards are backs unless they are shown, and chosen one by one."""
    count = int(state.held[seat])
    name = f"{{{seat}}}"
    diagram.seat(2, y + 8, seat, f"Player {seat + 1}", WORDS, "ink", "start")
    if to_move:
        diagram.text(2, y + 19, "to move", WORDS, "faint", "start")
    for i in range(count):
        x = LEFT + i * COLUMN
        middle = x + CARD / 2
        card = int(state.hands[seat, i])
        # A card is known by when it was dealt, which everyone has seen.
        with diagram.piece(f"card {int(state.number[seat, i])}", start="deck"):
            if shown:
                _face(diagram, card, x, y)
            else:
                diagram.rectangle(x, y, CARD, TALL, "back", 3)
                diagram.text(middle, y + TALL / 2, hinted_text(state, seat, i), 12, "ink")
            # All five say nothing.
            for line, part in enumerate(part for part in possible_text(state, seat, i).split() if len(part) < COLOURS):
                diagram.text(middle, y + TALL + 5.5 + 8 * line, part, 8.8, "ink")
        if marked >> i & 1:
            diagram.circle(x + CARD, y + 1, 2.6, "last")
        if not shown or state.mover == seat:
            what = f"{COLOUR_NAMES[colour_of(card)]} {rank_of(card) + 1}" if shown else f"{name}: card {i + 1}"
            drop = ", or the discards to discard it" * bool(state.tokens < TOKENS)
            then = f"choose the fireworks to play card {i + 1}{drop}"
            diagram.place(f"{name} {i + 1}", x, y, CARD, TALL, f"{what}, {told_text(state, seat, i)}", then=then)
    if shown and state.mover != seat and count:
        cards = ", ".join(map(card_text, state.hands[seat, :count].tolist()))
        then = f"choose a colour or number to tell {name}; it also says what to play or keep"
        # Its outline stands clear of the cards.
        diagram.place(name, LEFT - 2, y - 2, (count - 1) * COLUMN + CARD + 4, TALL + 4, f"{name}: {cards}", then=then)
