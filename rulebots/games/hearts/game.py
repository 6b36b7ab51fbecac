"""The law of Hearts for four. Each passes three cards in secret, then thirteen tricks are played.

A move is a card and what is done with it: 52 * kind + card (see cards.py), where the kinds are to pass it, to lead it,
to follow suit with it, and to throw it on a trick of another suit.
"""

from functools import partial
from typing import Any

import numpy as np

from rulebots.game import UNKNOWN, Game, GameText, Ints, Kind, Moves, Option, State, View
from rulebots.games.hearts.cards import (
    ALL_POINTS,
    CARDS,
    CLUBS,
    DIAMONDS,
    FOLLOW,
    HEARTS,
    JACK,
    LEAD,
    PASS,
    PASSED,
    QUEEN,
    QUEEN_POINTS,
    RANKS,
    SEATS,
    SPADES,
    SUITS,
    THROW,
    card_text,
)
from rulebots.games.hearts.redealing import redeal, undeal
from rulebots.games.hearts.text import LOTS, PLACES, grounds, learned, read, refusal, sentence, show, task, write
from rulebots.kernel import kernel

#: What the jack of diamonds and a deal without a trick are worth, where the options say so.
JACK_BONUS = 10
NO_TRICK_BONUS = 5
NO_CARD = -1

# Sets of ranks by suit: see cards.py.
STATE = np.dtype(
    [
        ("mover", np.int32),
        ("passing", np.int32),  # whether cards are still being passed
        ("direction", np.int32),  # how many places on the cards go; 0: none are passed
        ("chosen", np.int32),  # cards that the mover has chosen to pass
        ("hand", np.int32, (SEATS, SUITS)),
        ("passed", np.int32, (SEATS, SUITS)),  # by that seat
        ("laid", np.int32, (SEATS, SUITS)),  # cards that a seat has played
        ("played", np.int32, (SUITS,)),  # by all of them
        ("void", np.int32, (SEATS, SUITS)),  # 1: the seat has shown a void in the suit
        ("opener", np.int32),  # the seat that began, with the two of clubs
        ("led", np.int32),  # the suit of this trick, -1 before the lead
        ("top", np.int32),  # the highest rank of that suit in it
        ("winner", np.int32),  # whose that is
        ("count", np.int32),  # cards in this trick
        ("trick", np.int32, (SEATS,)),  # the card of each seat in it, or NO_CARD
        ("former", np.int32, (SEATS,)),  # the trick before
        ("trick_points", np.int32),
        ("tricks", np.int32),  # that are over
        ("won", np.int32, (SEATS,)),  # tricks that a seat has taken
        ("taken", np.int32, (SEATS,)),  # points in them: a heart 1, the queen of spades 13
        ("jack", np.int32, (SEATS,)),  # 1: the seat has taken the jack of diamonds
        ("broken", np.int32),  # whether hearts may be led
        ("clean_start", np.int32),  # the options that the law reads
        ("queen_breaks", np.int32),
        ("any_club", np.int32),
        ("hearts_for_queen", np.int32),
        ("jack_bonus", np.int32),
        ("no_trick_bonus", np.int32),
    ],
    align=True,
)
# What the mover may know. Seats are places from the mover, in order of play; itself comes first.
VIEW = np.dtype(
    [
        ("luck", np.int64),
        ("passing", np.int32),
        ("direction", np.int32),
        ("chosen", np.int32),
        ("hand", np.int32, (SUITS,)),
        ("passed", np.int32, (SUITS,)),  # by the mover, to the place `direction`
        ("received", np.int32, (SUITS,)),
        ("played", np.int32, (SUITS,)),
        ("laid", np.int32, (SEATS, SUITS)),
        ("void", np.int32, (SEATS, SUITS)),
        ("opener", np.int32),
        ("led", np.int32),
        ("top", np.int32),
        ("winner", np.int32),
        ("count", np.int32),
        ("trick_points", np.int32),
        ("tricks", np.int32),
        ("won", np.int32, (SEATS,)),
        ("taken", np.int32, (SEATS,)),
        ("jack", np.int32, (SEATS,)),
        ("broken", np.int32),
        ("jack_bonus", np.int32),
        ("no_trick_bonus", np.int32),
    ],
    align=True,
)


@kernel
def setup(state: State, deal: Any, options: Any) -> None:
    """Deal thirteen cards to each; the first of the four lots among them says in which direction cards are passed."""
    n = 0
    direction = NO_CARD
    for i in range(CARDS + SEATS):
        if deal[i] < CARDS:
            state.hand[n // RANKS, deal[i] // RANKS] |= 1 << (deal[i] % RANKS)
            n += 1
        elif direction < 0:
            direction = deal[i] - CARDS
    state.direction = direction if options.passing else 0
    state.clean_start = options.clean_start
    state.queen_breaks = options.queen_breaks
    state.any_club = options.any_club
    state.hearts_for_queen = options.hearts_for_queen
    state.jack_bonus = options.jack_bonus
    state.no_trick_bonus = options.no_trick_bonus
    state.broken = not options.breaking
    state.led = NO_CARD
    for seat in range(SEATS):
        state.trick[seat] = state.former[seat] = NO_CARD
    state.passing = state.direction > 0
    if not state.passing:
        _open(state)


@kernel
def _open(state: State) -> None:
    """The two of clubs begins."""
    state.passing = 0
    for seat in range(SEATS):
        if state.hand[seat, CLUBS] & 1:
            state.mover = state.opener = state.winner = seat


@kernel
def moves(state: State, out: Moves) -> int:
    """The cards that may be passed or played, by suit and rank."""
    hand = state.hand[state.mover]
    opening = state.tricks == 0
    if state.passing:
        return _all_of(hand, 0, SUITS, PASS, out, 0)
    if state.led >= 0:
        if hand[state.led]:
            return _all_of(hand, state.led, state.led + 1, FOLLOW, out, 0)
        n = 0
        if opening and state.clean_start:
            n = _all_of(hand, 0, SPADES, THROW, out, 0)
            n = _ranks(hand[SPADES] & ~(1 << QUEEN), SPADES, THROW, out, n)
        return n if n > 0 else _all_of(hand, 0, SUITS, THROW, out, 0)
    if opening:
        return _ranks(hand[CLUBS] if state.any_club else 1, CLUBS, LEAD, out, 0)
    n = _all_of(hand, 0, SUITS if state.broken else HEARTS, LEAD, out, 0)
    only_queen = n == 1 and out[0] == CARDS * LEAD + RANKS * SPADES + QUEEN
    if n == 0 or (only_queen and not state.broken and state.hearts_for_queen):
        n = _all_of(hand, 0, SUITS, LEAD, out, 0)
    return n


@kernel
def _all_of(hand: Any, first: int, end: int, kind: int, out: Moves, n: int) -> int:
    """List the cards of suits `first` to `end` - 1 after the first `n` moves; returns how many there are then."""
    for suit in range(first, end):
        n = _ranks(hand[suit], suit, kind, out, n)
    return n


@kernel
def _ranks(ranks: int, suit: int, kind: int, out: Moves, n: int) -> int:
    for rank in range(RANKS):
        if ranks >> rank & 1:
            out[n] = CARDS * kind + RANKS * suit + rank
            n += 1
    return n


@kernel
def play(state: State, move: int) -> None:
    """Pass a card, or play it to the trick; the fourth card ends the trick."""
    me = state.mover
    card = move % CARDS
    suit = card // RANKS
    bit = 1 << (card % RANKS)
    state.hand[me, suit] &= ~bit
    if state.passing:
        state.passed[me, suit] |= bit
        state.chosen += 1
        if state.chosen == PASSED:
            state.chosen = 0
            if me + 1 < SEATS:
                state.mover = me + 1
            else:
                _hand_over(state)
        return
    state.played[suit] |= bit
    state.laid[me, suit] |= bit
    state.trick[me] = card
    queen = (suit == SPADES) & (card % RANKS == QUEEN)
    state.trick_points += (suit == HEARTS) + QUEEN_POINTS * queen
    if suit == HEARTS and state.led < 0 and not state.broken:
        # To lead hearts before they are broken is to have no other suit; with `hearts_for_queen` perhaps the queen.
        for other in range(SPADES if state.hearts_for_queen else HEARTS):
            state.void[me, other] = 1
    state.broken |= (suit == HEARTS) | (queen & (state.queen_breaks > 0))
    if state.led < 0:
        state.led = suit
        state.top = card % RANKS
        state.winner = me
    elif suit != state.led:
        state.void[me, state.led] = 1
    elif card % RANKS > state.top:
        state.top = card % RANKS
        state.winner = me
    state.count += 1
    state.mover = (me + 1) % SEATS
    if state.count == SEATS:
        _end_trick(state)


@kernel
def _hand_over(state: State) -> None:
    """Everyone gets the cards that were passed to it."""
    for seat in range(SEATS):
        to = (seat + state.direction) % SEATS
        for suit in range(SUITS):
            state.hand[to, suit] |= state.passed[seat, suit]
    _open(state)


@kernel
def _end_trick(state: State) -> None:
    winner = state.winner
    state.taken[winner] += state.trick_points
    state.won[winner] += 1
    for seat in range(SEATS):
        if state.trick[seat] == RANKS * DIAMONDS + JACK:
            state.jack[winner] = 1
        state.former[seat] = state.trick[seat]
        state.trick[seat] = NO_CARD
    state.mover = winner
    state.led = NO_CARD
    state.count = state.trick_points = 0
    state.tricks += 1


@kernel
def over(state: State) -> bool:
    """All tricks are played."""
    return state.tricks == RANKS


@kernel
def points(state: State, seat: int) -> int:
    """Minus the penalty. If a seat has taken all penalties, it pays nothing and the others 26 each."""
    total = -state.taken[seat]
    shot = False
    for other in range(SEATS):
        if state.taken[other] == ALL_POINTS:
            total = 0 if other == seat else -ALL_POINTS
            shot = True
    if state.no_trick_bonus and not shot and state.tricks == RANKS and state.won[seat] == 0:
        total += NO_TRICK_BONUS
    return total + JACK_BONUS * state.jack_bonus * state.jack[seat]


@kernel
def observe(state: State, view: View) -> None:
    """What the mover may know: its cards, those it passed and got, and all that was played."""
    me = state.mover
    giver = (me + SEATS - state.direction) % SEATS
    view.passing = state.passing
    view.direction = state.direction
    view.chosen = state.chosen
    view.count = state.count
    view.led = state.led
    view.top = state.top
    view.trick_points = state.trick_points
    view.tricks = state.tricks
    view.broken = state.broken
    view.jack_bonus = state.jack_bonus
    view.no_trick_bonus = state.no_trick_bonus
    view.winner = (state.winner - me) % SEATS
    view.opener = (state.opener - me) % SEATS
    for suit in range(SUITS):
        view.hand[suit] = state.hand[me, suit]
        view.passed[suit] = state.passed[me, suit]
        view.played[suit] = state.played[suit]
        view.received[suit] = 0 if state.passing else state.passed[giver, suit]
    for place in range(SEATS):
        seat = (me + place) % SEATS
        view.taken[place] = state.taken[seat]
        view.won[place] = state.won[seat]
        view.jack[place] = state.jack[seat]
        for suit in range(SUITS):
            view.laid[place, suit] = state.laid[seat, suit]
            view.void[place, suit] = state.void[seat, suit]


@kernel
def kind(move: int) -> int:
    """PASS, LEAD, FOLLOW or THROW."""
    return move // CARDS


@kernel
def item(view: View, move: int) -> int:
    """The card."""
    return move % CARDS


def draw_deals(rng: np.random.Generator, count: int, options: Any) -> Ints:
    """`count` packs with four lots, 52 to 55, shuffled: int64[count, 56]; deal k does not depend on `count`."""
    return rng.random((count, CARDS + SEATS)).argsort(axis=1, kind="stable")


def told(state: Any, move: int, seat: int) -> int:
    """Plays are public. A pass is known to its seat; the receiver learns it once all have passed."""
    return move if move >= CARDS or seat == state.mover else UNKNOWN


@kernel
def moons(state: State, seat: int) -> int:
    """Whether a seat took all penalties."""
    return state.taken[seat] == ALL_POINTS


@kernel
def tricks(state: State, seat: int) -> int:
    """Tricks that a seat took."""
    return state.won[seat]


game = Game(
    name="hearts",
    title="Hearts",
    state=STATE,
    view=VIEW,
    seats=SEATS,
    counts="points",
    move_count=4 * CARDS,
    ply_cap=SEATS * PASSED + CARDS,
    kinds=tuple(Kind(name, {name: 1.0}) for name in ("pass", "lead", "follow", "throw")),
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
        unseen="pass(es) a card that you do not see",
        learned=learned,
        places=PLACES,
        dealt=(*map(card_text, range(CARDS)), *LOTS),
    ),
    draw_deals=draw_deals,
    hidden=True,
    redeal=redeal,
    undeal=undeal,
    told=told,
    options={
        "passing": Option(1, 0, 1, "three cards are passed: left, across, right or not at all, as the deal says"),
        "clean_start": Option(1, 0, 1, "no penalty card on the first trick, unless there is nothing else"),
        "breaking": Option(1, 0, 1, "hearts are led only after one has fallen, unless there is nothing else"),
        "queen_breaks": Option(1, 0, 1, "the queen of spades breaks hearts too"),
        "any_club": Option(0, 0, 1, "the holder of the two of clubs may lead any club"),
        "hearts_for_queen": Option(0, 0, 1, "a player left with hearts and the queen of spades may lead hearts"),
        "jack_bonus": Option(0, 0, 1, "the jack of diamonds is worth 10 points"),
        "no_trick_bonus": Option(0, 0, 1, "a deal without a trick is worth 5 points, unless somebody shot the moon"),
    },
    behaviour={"tricks": tricks, "moons": moons},
)
