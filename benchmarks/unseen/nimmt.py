"""6 nimmt! for two to five: all choose a card in secret, and the lowest goes first to the row that it fits best.

The sixth card of a row takes the other five, whose bullheads count against their owner. A card below all rows takes
the row of the fewest bullheads, as most players would.
"""

from __future__ import annotations

import numpy as np

from rulebots.errors import UsageError
from rulebots.game import UNKNOWN, Game, GameText, Kind
from rulebots.game.random_numbers import next_luck
from rulebots.game.seats import seat_after
from rulebots.kernel import kernel
from rulebots.packages import GamePackage
from rulebots.players import KernelPlayer, RulePlayer
from rulebots.rules import RuleSet, rule

SEATS = 5
HAND = 10
CARDS = 104
ROWS = 4
FULL = 5
NONE = -1
# Where a card is: unseen in the pack, in the hand of a seat (seat + 1), or seen by all.
PACK = 0
SEEN = SEATS + 1

STATE = np.dtype(
    [
        ("mover", np.int32),
        ("seats", np.int32),
        ("trick", np.int32),
        ("place", np.int8, (CARDS,)),
        ("top", np.int32, (ROWS,)),  # the last card of each row
        ("length", np.int32, (ROWS,)),
        ("heads", np.int32, (ROWS,)),
        ("choice", np.int32, (SEATS,)),
        ("lost", np.int32, (SEATS,)),
    ]
)
VIEW = np.dtype(
    [
        ("luck", np.int64),
        ("seats", np.int32),
        ("trick", np.int32),
        ("hand", np.int8, (CARDS,)),
        ("unseen", np.int8, (CARDS,)),
        ("top", np.int32, (ROWS,)),
        ("length", np.int32, (ROWS,)),
        ("heads", np.int32, (ROWS,)),
        ("lost", np.int32, (SEATS,)),
    ]
)


@kernel
def bullheads(card):
    """What a card costs."""
    number = card + 1
    if number == 55:
        return 7
    if number % 11 == 0:
        return 5
    if number % 10 == 0:
        return 3
    return 2 if number % 5 == 0 else 1


@kernel
def row_of(top, card):
    """The row that a card goes to; NONE below all of them."""
    best = NONE
    for row in range(ROWS):
        if top[row] < card and (best == NONE or top[row] > top[best]):
            best = row
    return best


@kernel
def cheapest(heads):
    """The row of the fewest bullheads."""
    best = 0
    for row in range(1, ROWS):
        if heads[row] < heads[best]:
            best = row
    return best


@kernel
def setup(state, deal, options):
    state.seats = options.seats
    for i in range(state.seats * HAND):
        state.place[deal[i]] = 1 + i % state.seats
    for row in range(ROWS):
        card = deal[state.seats * HAND + row]
        state.place[card] = SEEN
        state.top[row] = card
        state.length[row] = 1
        state.heads[row] = bullheads(card)
    for seat in range(SEATS):
        state.choice[seat] = NONE


@kernel
def moves(state, out):
    n = 0
    for card in range(CARDS):
        if state.place[card] == state.mover + 1:
            out[n] = card
            n += 1
    return n


@kernel
def lay(state, seat, card):
    """Put a card into its row."""
    state.place[card] = SEEN
    row = row_of(state.top, card)
    if row == NONE or state.length[row] == FULL:
        row = cheapest(state.heads) if row == NONE else row
        state.lost[seat] += state.heads[row]
        state.length[row] = 0
        state.heads[row] = 0
    state.top[row] = card
    state.length[row] += 1
    state.heads[row] += bullheads(card)


@kernel
def play(state, move):
    state.choice[state.mover] = move
    state.mover = seat_after(state.mover, 1, state.seats)
    if state.mover == 0:
        for _ in range(state.seats):
            first = 0
            for seat in range(1, state.seats):
                if state.choice[first] == NONE or NONE < state.choice[seat] < state.choice[first]:
                    first = seat
            lay(state, first, state.choice[first])
            state.choice[first] = NONE
        state.trick += 1


@kernel
def over(state):
    return state.trick == HAND


@kernel
def points(state, seat):
    return -state.lost[seat]


@kernel
def observe(state, view):
    view.seats = state.seats
    view.trick = state.trick
    for card in range(CARDS):
        mine = state.place[card] == state.mover + 1
        view.hand[card] = mine
        view.unseen[card] = not mine and state.place[card] != SEEN
    for row in range(ROWS):
        view.top[row] = state.top[row]
        view.length[row] = state.length[row]
        view.heads[row] = state.heads[row]
    for place in range(state.seats):
        view.lost[place] = state.lost[seat_after(state.mover, place, state.seats)]


@kernel
def redeal(state, luck):
    mine = state.mover + 1
    unseen = 0
    sizes = np.zeros(SEATS + 1, np.int64)
    for card in range(CARDS):
        if state.place[card] != mine and state.place[card] != SEEN:
            sizes[state.place[card]] += 1
            unseen += 1
    for card in range(CARDS):
        if state.place[card] != mine and state.place[card] != SEEN:
            luck = next_luck(luck)
            ticket = luck % unseen
            place = 0
            while ticket >= sizes[place]:
                ticket -= sizes[place]
                place += 1
            state.place[card] = place
            sizes[place] -= 1
            unseen -= 1
    for seat in range(state.seats):
        if state.choice[seat] != NONE:
            held = int(HAND - state.trick)
            luck = next_luck(luck)
            ticket = luck % held
            for card in range(CARDS):
                if state.place[card] == seat + 1:
                    if ticket == 0:
                        state.choice[seat] = card
                    ticket -= 1
    return luck


def draw_deals(rng, count, options):
    return np.array([rng.permutation(CARDS) for _ in range(count)], np.int64)


def told(state, move, seat):
    return move if seat == state.mover else UNKNOWN


def show(state, seat):
    rows = [
        f"row {row + 1}: {state.length[row]} cards up to {state.top[row] + 1}, {state.heads[row]} bullheads"
        for row in range(ROWS)
    ]
    hands = [
        f"seat {one} has lost {state.lost[one]}"
        + (f", holds {' '.join(map(str, np.flatnonzero(state.place == one + 1) + 1))}" if seat in (None, one) else "")
        for one in range(state.seats)
    ]
    return "\n".join([*rows, *hands])


def write(move):
    return str(move + 1)


def read(text, state):
    if not text.strip().isdecimal() or not 1 <= int(text) <= CARDS:
        raise UsageError(f"expected a card, 1 to {CARDS}, not {text!r}")
    return int(text) - 1


game = Game(
    name="six-nimmt",
    title="6 nimmt!",
    state=STATE,
    view=VIEW,
    seats=(2, SEATS),
    move_count=CARDS,
    ply_cap=HAND * SEATS,
    kinds=(Kind("card", {"card": 1.0}),),
    setup=setup,
    moves=moves,
    play=play,
    over=over,
    points=points,
    observe=observe,
    draw_deals=draw_deals,
    hidden=True,
    redeal=redeal,
    told=told,
    text=GameText(show=show, write=write, read=read),
)


@kernel
def between(view, card):
    """Unseen cards that would go to the row of a card before it; -1 where it goes below all rows."""
    row = row_of(view.top, card)
    if row == NONE:
        return -1
    count = 0
    for other in range(view.top[row] + 1, card):
        count += view.unseen[other]
    return count


@rule("card", early=2.0)
def sure(view, card):
    """Nobody can come between the card and its row, which has a place left."""
    row = row_of(view.top, card)
    return row != NONE and between(view, card) + view.length[row] < FULL


@rule("card", early=-1.0)
def sixth(view, card):
    """It would be the sixth card of its row: what that costs, in tens of bullheads."""
    row = row_of(view.top, card)
    return (row != NONE and view.length[row] == FULL) * view.heads[max(row, 0)] / 10


@rule("card", early=-0.5)
def below_all(view, card):
    """It goes below all rows: what the cheapest one costs, in tens of bullheads."""
    return (row_of(view.top, card) == NONE) * view.heads[cheapest(view.heads)] / 10


@rule("card", early=-0.5)
def cards_between(view, card):
    """Unseen cards between the card and its row, in tens."""
    return max(between(view, card), 0) / 10


@rule("card", early=-0.3)
def row_length(view, card):
    """How full the card's row is."""
    row = row_of(view.top, card)
    return 0 if row == NONE else view.length[row] / FULL


@rule("card", early=-0.3)
def row_cost(view, card):
    """The bullheads of the card's row, in tens."""
    row = row_of(view.top, card)
    return 0 if row == NONE else view.heads[row] / 10


@rule("card", early=0.1)
def own_heads(view, card):
    """The bullheads of the card."""
    return bullheads(card)


@rule("card", early=0.2, late=0.0)
def high(view, card):
    """How high the card is."""
    return card / CARDS


@rule("card", early=0.5)
def cheap_row_low(view, card):
    """It goes below all rows while a row costs one or two bullheads."""
    return row_of(view.top, card) == NONE and view.heads[cheapest(view.heads)] <= 2


@kernel
def progress(view):
    return view.trick / HAND


simple = RuleSet(
    "simple",
    game,
    (sure, sixth, below_all, cards_between, row_length, row_cost, own_heads, high, cheap_row_low),
    progress=progress,
    meaning="nine rules",
)


@kernel
def choose_nearest(view, moves, n, weights, blended, scores):
    """The card with the fewest unseen cards between it and its row."""
    best = moves[0]
    least = CARDS
    for i in range(n):
        gap = between(view, moves[i])
        if 0 <= gap < least:
            least = gap
            best = moves[i]
    return best


package = GamePackage(
    __name__,
    game=game,
    rule_sets=(simple,),
    players={
        "hand": lambda: RulePlayer(simple, simple.hand_tuned(), "hand"),
        "nearest": lambda: KernelPlayer(game, choose_nearest, "nearest"),
    },
    references=("hand", "nearest", "random"),
)
