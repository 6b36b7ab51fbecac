"""The law of Lost Cities. A turn is two decisions: play or discard a card, then draw one (see cards.py)."""

from typing import Any

import numpy as np

from rulebots.game import Game, GameText, Ints, Kind, Moves, Option, State, View
from rulebots.game.bits import count_of
from rulebots.games.lost_cities.cards import (
    DISCARD,
    DRAW,
    FROM_DECK,
    FROM_PILE,
    INVESTMENTS,
    KINDS,
    MAX_SUITS,
    MOVE_COUNT,
    NO_CARD,
    PLAY,
    SUIT_SIZE,
    card_text,
    expedition_points,
    number_bit,
    playable,
    suit_of,
    sum_of,
    value_of,
)
from rulebots.games.lost_cities.redealing import redeal, undeal
from rulebots.games.lost_cities.text import grounds, own, read, refusal, sentence, show, task, write
from rulebots.kernel import kernel

#: The item of a draw from the deck: its top card is unknown.
UNKNOWN_CARD = NO_CARD
#: 300 turns: Sheppard's limit for a game that does not end.
PLY_CAP = 600
MAX_HAND = 12
NEVER_STARTED = -1

# Sets of numbers are ints with one bit per number: see cards.py.
STATE = np.dtype(
    [
        ("mover", np.int32),
        ("phase", np.int32),  # PLAY (which is also when a card may be discarded) or DRAW
        ("suits", np.int32),
        ("deck", np.int32, (SUIT_SIZE * MAX_SUITS,)),  # drawn from deck_left - 1 down to 0
        ("deck_left", np.int32),
        ("hand", np.int32, (2, MAX_HAND + 1)),  # cards, sorted
        ("hand_size", np.int32, (2,)),
        ("known", np.int32, (2, MAX_SUITS)),  # numbers that a seat took from a pile and still holds
        ("known_invested", np.int32, (2, MAX_SUITS)),  # investments likewise
        ("known_laid", np.int32, (2,)),  # investments that a seat took from a pile and laid: two bits a suit
        ("top", np.int32, (2, MAX_SUITS)),  # last value of an expedition; 0 for an investment, -1 if not started
        ("laid", np.int32, (2, MAX_SUITS)),  # numbers on an expedition
        ("invested", np.int32, (2, MAX_SUITS)),  # investments on an expedition
        ("pile", np.int32, (MAX_SUITS, SUIT_SIZE)),  # cards, the last one on top
        ("pile_size", np.int32, (MAX_SUITS,)),
        ("piled", np.int32, (MAX_SUITS,)),  # numbers on the pile
        ("shown", np.int32, (MAX_SUITS,)),  # numbers on expeditions and piles
        ("shown_invested", np.int32, (MAX_SUITS,)),
        ("just_discarded", np.int32),  # the suit this turn's discard went to, or -1
        ("just_laid", np.int32),  # the card played or discarded this turn, or NO_CARD
        ("just_covered", np.int32),  # the card that it was laid on, or NO_CARD
        ("streak", np.int32, (2,)),  # discards in a row since the seat last played
        ("former_streak", np.int32),  # the mover's before this turn's card
        ("from_piles", np.int32, (2,)),  # cards that a seat has drawn from the piles
    ],
    align=True,
)

PER_SUIT = (np.int32, (MAX_SUITS,))
# What the mover may know.
VIEW = np.dtype(
    [
        ("luck", np.int64),
        ("phase", np.int32),
        ("suits", np.int32),
        ("deck_left", np.int32),
        ("hand", np.int32, (MAX_HAND,)),  # cards, sorted, then NO_CARD
        ("hand_size", np.int32),
        ("held", *PER_SUIT),  # numbers in hand
        ("held_invested", *PER_SUIT),
        ("known", *PER_SUIT),  # numbers that the opponent took from a pile and still holds
        ("known_invested", *PER_SUIT),
        ("known_laid", np.int32),  # investments that the opponent took from a pile and laid: two bits a suit
        ("my_top", *PER_SUIT),
        ("opp_top", *PER_SUIT),
        ("my_total", *PER_SUIT),  # sum of the numbers on an expedition
        ("opp_total", *PER_SUIT),
        ("my_invested", *PER_SUIT),
        ("opp_invested", *PER_SUIT),
        ("my_length", *PER_SUIT),  # cards on an expedition
        ("opp_length", *PER_SUIT),
        ("piled", *PER_SUIT),
        ("pile_size", *PER_SUIT),
        ("pile_top", *PER_SUIT),  # card on top of the pile, or NO_CARD
        ("shown", *PER_SUIT),
        ("shown_invested", *PER_SUIT),
        ("just_discarded", np.int32),
        ("just_laid", np.int32),
        ("just_covered", np.int32),
        ("my_streak", np.int32),
        ("former_streak", np.int32),
        ("opp_streak", np.int32),
    ],
    align=True,
)


@kernel
def setup(state: State, deal: Any, options: Any) -> None:
    """Deal the first cards to seat 0, the next ones to seat 1; the rest is the deck."""
    state.suits = options.suits
    state.just_discarded = -1
    state.just_laid = NO_CARD
    state.just_covered = NO_CARD
    for seat in range(2):
        for suit in range(MAX_SUITS):
            state.top[seat, suit] = NEVER_STARTED
        for i in range(options.hand_size):
            add_to_hand(state, seat, deal[seat * options.hand_size + i])
    dealt = 2 * options.hand_size
    state.deck_left = SUIT_SIZE * options.suits - dealt
    for i in range(state.deck_left):
        state.deck[state.deck_left - 1 - i] = deal[dealt + i]


@kernel
def add_to_hand(state: State, seat: int, card: int) -> None:
    """Insert a card in order: by suit, then investments, then rising numbers."""
    i = state.hand_size[seat]
    while i > 0 and state.hand[seat, i - 1] > card:
        state.hand[seat, i] = state.hand[seat, i - 1]
        i -= 1
    state.hand[seat, i] = card
    state.hand_size[seat] += 1


@kernel
def take_from_hand(state: State, seat: int, card: int, laid: int) -> None:
    """Remove one copy of a card that the seat holds; `laid` is 1 if it lays it on its expedition, else 0."""
    size = state.hand_size[seat] - 1
    i = 0
    while state.hand[seat, i] != card:
        i += 1
    while i < size:
        state.hand[seat, i] = state.hand[seat, i + 1]
        i += 1
    state.hand_size[seat] = size
    suit = suit_of(card)
    state.known[seat, suit] &= ~number_bit(card)
    if card % 10 == 0 and state.known_invested[seat, suit] > 0:
        state.known_invested[seat, suit] -= 1
        state.known_laid[seat] += laid << 2 * suit


@kernel
def lay_open(state: State, card: int, sign: int) -> None:
    """Note that a card has come to the table (sign 1) or left it (sign -1)."""
    suit = suit_of(card)
    state.shown[suit] ^= number_bit(card)
    state.shown_invested[suit] += sign * (card % 10 == 0)


@kernel
def top_of_pile(state: State, suit: int) -> int:
    """The top card of a discard pile, or NO_CARD."""
    size = state.pile_size[suit]
    return state.pile[suit, max(size - 1, 0)] if size > 0 else NO_CARD


@kernel
def moves(state: State, out: Moves) -> int:
    """The legal moves; the play and the discard of the same card follow each other."""
    # Written without branches: a processor cannot predict which cards are playable.
    n = 0
    if state.phase == DRAW:
        out[0] = FROM_DECK
        n = 1
        for suit in range(state.suits):
            out[n] = FROM_PILE + suit
            n += (state.pile_size[suit] > 0) & (suit != state.just_discarded)
        return n
    seat = state.mover
    former = NO_CARD
    for i in range(state.hand_size[seat]):
        card = state.hand[seat, i]
        out[n] = card
        n += (card != former) & playable(state.top[seat, suit_of(card)], value_of(card))
        out[n] = KINDS + card
        n += card != former
        former = card
    return n


@kernel
def play(state: State, move: int) -> None:
    """Make a legal move; after the draw it is the other seat's turn."""
    if move < FROM_DECK:
        lay_card(state, move % KINDS, move < KINDS)
    else:
        draw_card(state, move)


@kernel
def lay_card(state: State, card: int, playing: bool) -> None:
    """Play or discard a card of the mover's."""
    seat = state.mover
    suit = suit_of(card)
    take_from_hand(state, seat, card, int(playing))
    lay_open(state, card, 1)
    state.just_laid = card
    state.former_streak = state.streak[seat]
    state.phase = DRAW
    if playing:
        top = state.top[seat, suit]
        state.just_covered = 10 * suit + top - (top > 0) if top != NEVER_STARTED else NO_CARD
        state.top[seat, suit] = value_of(card)
        state.invested[seat, suit] += card % 10 == 0
        state.laid[seat, suit] |= number_bit(card)
        state.streak[seat] = 0
        state.just_discarded = -1
    else:
        state.just_covered = top_of_pile(state, suit)
        state.pile[suit, state.pile_size[suit]] = card
        state.pile_size[suit] += 1
        state.piled[suit] |= number_bit(card)
        state.streak[seat] += 1
        state.just_discarded = suit


@kernel
def draw_card(state: State, move: int) -> None:
    """Draw from the deck or from a pile, and end the turn."""
    seat = state.mover
    if move == FROM_DECK:
        state.deck_left -= 1
        add_to_hand(state, seat, state.deck[state.deck_left])
    else:
        suit = move - FROM_PILE
        card = top_of_pile(state, suit)
        state.pile_size[suit] -= 1
        state.from_piles[seat] += 1
        lay_open(state, card, -1)
        state.piled[suit] &= ~number_bit(card)
        state.known[seat, suit] |= number_bit(card)
        state.known_invested[seat, suit] += card % 10 == 0
        add_to_hand(state, seat, card)
    state.just_discarded = -1
    state.just_laid = state.just_covered = NO_CARD
    state.phase = PLAY
    state.mover = 1 - seat


@kernel
def over(state: State) -> bool:
    """The game ends at once when the last card of the deck is drawn."""
    return state.deck_left == 0


@kernel
def points(state: State, seat: int) -> int:
    """The points of all expeditions of a seat; one that was never started counts 0."""
    result = 0
    for suit in range(state.suits):
        if state.top[seat, suit] != NEVER_STARTED:
            result += expedition_points(state.laid[seat, suit], state.invested[seat, suit])
    return result


@kernel
def expeditions(state: State, seat: int) -> int:
    """Expeditions that a seat has begun."""
    return (state.top[seat] != NEVER_STARTED).sum()


@kernel
def investments(state: State, seat: int) -> int:
    """Investments that a seat has made."""
    return state.invested[seat].sum()


@kernel
def from_discards(state: State, seat: int) -> int:
    """Cards that a seat has drawn from the discard piles."""
    return state.from_piles[seat]


@kernel
def observe(state: State, view: View) -> None:
    """What the mover may know: its hand, the table, and the cards that it has seen the opponent take."""
    me = state.mover
    opp = 1 - me
    view.phase = state.phase
    view.suits = state.suits
    view.deck_left = state.deck_left
    view.just_discarded = state.just_discarded
    view.just_laid = state.just_laid
    view.just_covered = state.just_covered
    view.former_streak = state.former_streak
    view.my_streak = state.streak[me]
    view.opp_streak = state.streak[opp]
    view.known_laid = state.known_laid[opp]
    view.hand_size = state.hand_size[me]
    for suit in range(MAX_SUITS):
        view.my_top[suit] = state.top[me, suit]
        view.opp_top[suit] = state.top[opp, suit]
        view.my_invested[suit] = state.invested[me, suit]
        view.opp_invested[suit] = state.invested[opp, suit]
        view.my_total[suit] = sum_of(state.laid[me, suit])
        view.opp_total[suit] = sum_of(state.laid[opp, suit])
        view.my_length[suit] = count_of(state.laid[me, suit]) + state.invested[me, suit]
        view.opp_length[suit] = count_of(state.laid[opp, suit]) + state.invested[opp, suit]
        view.known[suit] = state.known[opp, suit]
        view.known_invested[suit] = state.known_invested[opp, suit]
        view.shown[suit] = state.shown[suit]
        view.shown_invested[suit] = state.shown_invested[suit]
        view.piled[suit] = state.piled[suit]
        view.pile_size[suit] = state.pile_size[suit]
        view.pile_top[suit] = top_of_pile(state, suit)
    for i in range(MAX_HAND):
        view.hand[i] = NO_CARD
    # Gathered in registers: successive cards share a suit, and in memory each would wait for the one before.
    ranks = counts = 0
    for i in range(view.hand_size):
        card = int(state.hand[me, i])
        view.hand[i] = card
        ranks |= 1 << card
        counts += (card % 10 == 0) << 4 * suit_of(card)
    for suit in range(MAX_SUITS):
        view.held[suit] = (ranks >> 10 * suit & 0x3FE) << 1
        view.held_invested[suit] = counts >> 4 * suit & 0xF


@kernel
def kind(move: int) -> int:
    """PLAY, DISCARD or DRAW."""
    if move < KINDS:
        return PLAY
    return DISCARD if move < FROM_DECK else DRAW


@kernel
def item(view: View, move: int) -> int:
    """The card that a move is about; UNKNOWN_CARD for a draw from the deck."""
    if move < FROM_DECK:
        return move % KINDS
    if move == FROM_DECK:
        return UNKNOWN_CARD
    return view.pile_top[move - FROM_PILE]


def draw_deals(rng: np.random.Generator, count: int, options: Any) -> Ints:
    """`count` shuffled packs of cards, int64[count, 12 * suits]; pack k does not depend on `count`."""
    pack = [10 * suit + max(0, copy - INVESTMENTS + 1) for suit in range(options.suits) for copy in range(SUIT_SIZE)]
    order = rng.random((count, len(pack))).argsort(axis=1, kind="stable")
    return np.array(pack, np.int64)[order]


def told(state: Any, move: int, seat: int) -> int:
    """Moves are public: the card played or discarded, and the source of the next one."""
    return move


game = Game(
    name="lost-cities",
    title="Lost Cities",
    state=STATE,
    view=VIEW,
    move_count=MOVE_COUNT,
    ply_cap=PLY_CAP,
    kinds=(
        Kind("play", {"play": 1.0, "keep": -0.5}),
        Kind("discard", {"play": 0.5, "keep": -1.0}),
        Kind("draw", {"draw": 1.0}),
    ),
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
        sentence=sentence,
        own=own,
        task=task,
        grounds=grounds,
        dealt=tuple(map(card_text, range(KINDS))),
    ),
    draw_deals=draw_deals,
    hidden=True,
    redeal=redeal,
    undeal=undeal,
    told=told,
    options={
        "suits": Option(5, 5, MAX_SUITS, "suits in the pack; the later edition has 6"),
        "hand_size": Option(8, 5, MAX_HAND, "cards in a hand"),
    },
    behaviour={"expeditions": expeditions, "investments": investments, "cards from discards": from_discards},
)
