"""The law of Hanabi, as the Hanabi Learning Environment has it. cards.py numbers the moves."""

from functools import partial
from typing import Any

import numpy as np

from rulebots.game import Game, GameText, Ints, Kind, Moves, Option, State, View
from rulebots.game.seats import seat_after
from rulebots.games.hanabi.cards import (
    ALL,
    COLOUR_HINTS,
    COLOURS,
    COPIES,
    DISCARD,
    DISCARDS,
    HINT,
    HINT_RANK,
    KINDS,
    LIVES,
    MOST_CARDS,
    MOST_SEATS,
    MOVE_COUNT,
    NO_CARD,
    NONE,
    PACK,
    PLAY,
    PLAYS,
    POINTS,
    RANK_HINTS,
    RANKS,
    TOKENS,
    card_text,
    colour_of,
    parts_of_hint,
    rank_of,
)
from rulebots.games.hanabi.conventions import STATE_FIELDS, VIEW_FIELDS, follow, observe_signals, remove, risk_of
from rulebots.games.hanabi.redealing import redeal, undeal
from rulebots.games.hanabi.text import PLACES, grounds, harm, read, refusal, sentence, show, task, write
from rulebots.kernel import kernel

#: Two seats lay at most 42 cards, and hint at most 8 times, and once for each of these cards.
PLY_CAP = 100
#: Bits of `touched`: a hint of its colour, or of its rank, has named this card.
BY_COLOUR = 1
BY_RANK = 2

_PER_SEAT = (np.int8, (MOST_SEATS,))
_PER_CARD = (np.int8, (MOST_SEATS, MOST_CARDS))
# What everyone knows, of each seat. Places are those of the hands as they are now: what is noted of a card moves with
# it. Sets of places have bit i for place i.
_PUBLIC = [
    ("held", *_PER_SEAT),  # cards in that hand
    ("colours", *_PER_CARD),  # set of the colours that hints have left possible
    ("ranks", *_PER_CARD),  # set of the ranks likewise
    ("touched", *_PER_CARD),  # BY_COLOUR, BY_RANK
    ("drawn_at", *_PER_CARD),  # ply before which the card was drawn; 0 if dealt
    ("touched_at", *_PER_CARD),  # ply of the last hint that touched the card, or -1
    # The last move of each seat:
    ("last_kind", *_PER_SEAT),  # PLAY, DISCARD, HINT, HINT_RANK; NONE before its first
    ("last_target", *_PER_SEAT),  # the receiver of the hint, or NONE: a seat in the state, a place in the view
    ("last_value", *_PER_SEAT),  # the colour, the rank, or the place at which the card was
    ("last_touched", *_PER_SEAT),  # set of the places, of cards still held, that the hint touched
    ("last_new", *_PER_SEAT),  # those of them that no hint had touched before
    ("last_card", *_PER_SEAT),  # the card that was laid, or NO_CARD
    ("last_success", *_PER_SEAT),  # 1: a play that went on its firework
]
_TABLE = [
    ("seats", np.int32),
    ("hand_size", np.int32),
    ("deck_left", np.int32),
    ("tokens", np.int32),
    ("lives", np.int32),
    ("turns_left", np.int32),  # once the deck has run out, turns until the end; before that the number of seats
    ("ply", np.int32),
    ("fireworks", np.int8, (COLOURS,)),  # cards played, which is the rank that is wanted next
    ("discards", np.int8, (KINDS,)),  # how many of that card are out of the game, failed plays among them
    ("hands", *_PER_CARD),  # cards, the oldest first, then NO_CARD
]
STATE = np.dtype(
    [
        ("mover", np.int32),
        ("bombs", np.int32),
        *_TABLE,
        *_PUBLIC,
        ("deck", np.int8, (PACK,)),  # drawn from deck_left - 1 down to 0; those above were drawn
        ("number", *_PER_CARD),  # of each card in a hand, where in the deck it was
        # How each seat played: hints given, cards played, and the sum of how likely these could not be played.
        ("hints", np.int32, (MOST_SEATS,)),
        ("plays", np.int32, (MOST_SEATS,)),
        ("risks", np.float64, (MOST_SEATS,)),
        *STATE_FIELDS,
    ],
    align=True,
)
# Rows of hands and of what is public are in the order of play, the mover's first: its own cards are NO_CARD.
VIEW = np.dtype([("luck", np.int64), *_TABLE, *_PUBLIC, *VIEW_FIELDS], align=True)


@kernel
def cards_for(seats: int) -> int:
    """Cards of a hand."""
    return 5 if seats <= 3 else 4


@kernel
def setup(state: State, deal: Any, options: Any) -> None:
    """Deal the first cards to seat 0, the next ones to seat 1, and so on; the rest is the deck."""
    state.seats = options.seats
    state.bombs = options.bombs
    state.hand_size = cards_for(state.seats)
    state.tokens = TOKENS
    state.lives = LIVES
    state.turns_left = state.seats
    state.deck_left = PACK
    for i in range(PACK):
        state.deck[i] = deal[PACK - 1 - i]
    for seat in range(MOST_SEATS):
        state.last_kind[seat] = state.last_target[seat] = state.last_card[seat] = NONE
        for place in range(MOST_CARDS):
            clear(state, seat, place)
    for seat in range(state.seats):
        for _ in range(state.hand_size):
            draw(state, seat)


@kernel
def clear(state: State, seat: int, place: int) -> None:
    """A place without a card."""
    state.hands[seat, place] = NO_CARD
    state.colours[seat, place] = state.ranks[seat, place] = 0
    state.touched[seat, place] = state.drawn_at[seat, place] = 0
    state.touched_at[seat, place] = NONE
    state.number[seat, place] = 0


@kernel
def draw(state: State, seat: int) -> None:
    """Take the next card of the deck, at the newest place, if there is one."""
    if state.deck_left == 0:
        return
    place = state.held[seat]
    state.deck_left -= 1
    state.hands[seat, place] = state.deck[state.deck_left]
    state.colours[seat, place] = state.ranks[seat, place] = ALL
    state.drawn_at[seat, place] = state.ply
    state.number[seat, place] = state.deck_left
    state.held[seat] = place + 1


@kernel
def take(state: State, seat: int, place: int) -> int:
    """Take a card out of a hand; the newer ones move up with all that is known of them."""
    card = int(state.hands[seat, place])
    last = state.held[seat] - 1
    for i in range(place, last):
        state.hands[seat, i] = state.hands[seat, i + 1]
        state.colours[seat, i] = state.colours[seat, i + 1]
        state.ranks[seat, i] = state.ranks[seat, i + 1]
        state.touched[seat, i] = state.touched[seat, i + 1]
        state.drawn_at[seat, i] = state.drawn_at[seat, i + 1]
        state.touched_at[seat, i] = state.touched_at[seat, i + 1]
        state.number[seat, i] = state.number[seat, i + 1]
    clear(state, seat, last)
    state.held[seat] = last
    below = (1 << place) - 1
    for other in range(state.seats):
        if state.last_target[other] == seat:
            state.last_touched[other] = state.last_touched[other] & below | state.last_touched[other] >> 1 & ~below
            state.last_new[other] = state.last_new[other] & below | state.last_new[other] >> 1 & ~below
    remove(state, seat, place)
    return card


@kernel
def played(state: State) -> int:
    """Cards on the fireworks."""
    result = 0
    for colour in range(COLOURS):
        result += state.fireworks[colour]
    return result


@kernel
def lay(state: State, seat: int, place: int, playing: bool) -> None:
    """Play or discard a card, and draw."""
    if playing:
        state.plays[seat] += 1
        state.risks[seat] += risk_of(state, seat, place)
    card = take(state, seat, place)
    colour = colour_of(card)
    rank = rank_of(card)
    fits = playing and rank == state.fireworks[colour]
    if fits:
        state.fireworks[colour] += 1
    else:
        state.discards[card] += 1
        state.lives -= playing
    if not playing or (fits and rank == RANKS - 1 and state.tokens < TOKENS):
        state.tokens += 1
    state.last_kind[seat] = PLAY if playing else DISCARD
    state.last_target[seat] = NONE
    state.last_value[seat] = place
    state.last_touched[seat] = state.last_new[seat] = 0
    state.last_card[seat] = card
    state.last_success[seat] = fits
    if state.lives > 0 and played(state) < POINTS:
        draw(state, seat)


@kernel
def hint(state: State, seat: int, target: int, value: int, by_rank: bool) -> None:
    """Name all cards of that colour or rank; of the others all know that they are not of it."""
    named = new = 0
    for place in range(state.held[target]):
        card = int(state.hands[target, place])
        is_named = (rank_of(card) if by_rank else colour_of(card)) == value
        named |= int(is_named) << place
        left = 1 << value if is_named else ALL ^ 1 << value
        if by_rank:
            state.ranks[target, place] &= left
        else:
            state.colours[target, place] &= left
        if is_named:
            new |= int(state.touched[target, place] == 0) << place
            state.touched[target, place] |= BY_RANK if by_rank else BY_COLOUR
            state.touched_at[target, place] = state.ply
    state.tokens -= 1
    state.hints[seat] += 1
    state.last_kind[seat] = HINT_RANK if by_rank else HINT
    state.last_target[seat] = target
    state.last_value[seat] = value
    state.last_touched[seat] = named
    state.last_new[seat] = new
    state.last_card[seat] = NO_CARD
    state.last_success[seat] = 0


@kernel
def moves(state: State, out: Moves) -> int:
    """The legal moves: the hints that touch something, then of each card its discard and its play."""
    n = 0
    seat = state.mover
    for k in range(1, state.seats if state.tokens > 0 else 0):
        target = seat_after(seat, k, state.seats)
        colours = ranks = 0
        for place in range(state.held[target]):
            card = int(state.hands[target, place])
            colours |= 1 << colour_of(card)
            ranks |= 1 << rank_of(card)
        for value in range(COLOURS):
            out[n] = COLOUR_HINTS + COLOURS * (k - 1) + value
            n += colours >> value & 1
        for value in range(RANKS):
            out[n] = RANK_HINTS + RANKS * (k - 1) + value
            n += ranks >> value & 1
    for place in range(state.held[seat]):
        out[n] = DISCARDS + place
        n += state.tokens < TOKENS
        out[n] = PLAYS + place
        n += 1
    return n


@kernel
def play(state: State, move: int) -> None:
    """Make a legal move; then it is the next seat's turn."""
    seat = state.mover
    if state.deck_left == 0:
        state.turns_left -= 1
    if move < COLOUR_HINTS:
        lay(state, seat, move % MOST_CARDS, move >= PLAYS)
    else:
        k, value, by_rank = parts_of_hint(move)
        hint(state, seat, seat_after(seat, k, state.seats), value, by_rank)
    state.ply += 1
    follow(state, seat)
    state.mover = seat_after(seat, 1, state.seats)


@kernel
def over(state: State) -> bool:
    """The third life is lost, all is played, or everyone has had a turn more after the deck ran out."""
    return state.lives == 0 or state.turns_left == 0 or played(state) == POINTS


@kernel
def points(state: State, seat: int) -> int:
    """Cards played, the same for all seats; after the third lost life 0, unless `bombs` says otherwise."""
    return played(state) if state.lives > 0 or state.bombs else 0


@kernel
def observe(state: State, view: View) -> None:
    """What the mover may know: the table, what hints have told everyone, and all hands but its own."""
    seats = state.seats
    view.seats = seats
    view.hand_size = state.hand_size
    view.deck_left = state.deck_left
    view.tokens = state.tokens
    view.lives = state.lives
    view.turns_left = state.turns_left
    view.ply = state.ply
    for colour in range(COLOURS):
        view.fireworks[colour] = state.fireworks[colour]
    for card in range(KINDS):
        view.discards[card] = state.discards[card]
    for k in range(MOST_SEATS):
        # Seats that nobody sits in look like empty hands.
        seat = seat_after(state.mover, k, seats) if k < seats else k
        target = state.last_target[seat]
        view.held[k] = state.held[seat]
        view.last_kind[k] = state.last_kind[seat]
        view.last_target[k] = seat_after(target, seats - state.mover, seats) if target >= 0 else NONE
        view.last_value[k] = state.last_value[seat]
        view.last_touched[k] = state.last_touched[seat]
        view.last_new[k] = state.last_new[seat]
        view.last_card[k] = state.last_card[seat]
        view.last_success[k] = state.last_success[seat]
        for place in range(MOST_CARDS):
            view.hands[k, place] = state.hands[seat, place] if k > 0 else NO_CARD
            view.colours[k, place] = state.colours[seat, place]
            view.ranks[k, place] = state.ranks[seat, place]
            view.touched[k, place] = state.touched[seat, place]
            view.drawn_at[k, place] = state.drawn_at[seat, place]
            view.touched_at[k, place] = state.touched_at[seat, place]
    observe_signals(state, view)


@kernel
def kind(move: int) -> int:
    """PLAY, DISCARD or HINT."""
    if move < COLOUR_HINTS:
        return PLAY if move >= PLAYS else DISCARD
    return HINT


@kernel
def item(view: View, move: int) -> int:
    """The place of the card that is laid, 0 to 4; a hint is its own item, 10 to 49."""
    return move % MOST_CARDS if move < COLOUR_HINTS else move


@kernel
def hints_given(state: State, seat: int) -> int:
    """Hints that a seat gave."""
    return state.hints[seat]


@kernel
def risk_taken(state: State, seat: int) -> float:
    """The mean probability that a card which a seat played would fail, by public knowledge without conventions."""
    return state.risks[seat] / max(state.plays[seat], 1)


def move_numbers(seats: int) -> list[int]:
    """The moves of a table, by their numbers in OpenSpiel's `hanabi` with that many players."""
    cards = cards_for(seats)
    others = COLOURS * (seats - 1)
    starts = ((DISCARDS, cards), (PLAYS, cards), (COLOUR_HINTS, others), (RANK_HINTS, others))
    return [first + i for first, count in starts for i in range(count)]


def draw_deals(rng: np.random.Generator, count: int, options: Any) -> Ints:
    """`count` shuffled packs of cards, int64[count, 50]; pack k does not depend on `count`."""
    pack = np.repeat(np.arange(KINDS, dtype=np.int64), np.tile(COPIES, COLOURS))
    return pack[rng.random((count, PACK)).argsort(axis=1, kind="stable")]


def told(state: Any, move: int, seat: int) -> int:
    """Moves are public; the face of a drawn card is not part of a move."""
    return move


game = Game(
    name="hanabi",
    title="Hanabi",
    state=STATE,
    view=VIEW,
    seats=(2, MOST_SEATS),
    aim="together",
    most_points=POINTS,
    move_count=MOVE_COUNT,
    ply_cap=PLY_CAP,
    kinds=(Kind("play", {"play": 1.0}), Kind("discard", {"discard": 1.0}), Kind("hint", {"hint": 1.0})),
    setup=setup,
    moves=moves,
    play=play,
    over=over,
    points=points,
    observe=observe,
    kind=kind,
    item=item,
    text=GameText(
        show=show,
        write=write,
        read=read,
        refusal=refusal,
        sentence=partial(sentence, play=play),
        task=task,
        grounds=grounds,
        harm=harm,
        places=PLACES,
        dealt=tuple(map(card_text, range(KINDS))),
    ),
    draw_deals=draw_deals,
    hidden=True,
    redeal=redeal,
    undeal=undeal,
    told=told,
    behaviour={"hints": hints_given, "risk": risk_taken},
    options={"bombs": Option(0, 0, 1, "1: a game that is lost counts the cards played; 0: it counts nothing")},
)
