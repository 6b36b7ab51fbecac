"""No Thanks! for three to five: take the card on offer with its chips, or pay one chip to refuse it.

Cards count against their owner, but of a run only its lowest; chips count for him. Nine cards stay out, unseen.
"""

from __future__ import annotations

import numpy as np

from rulebots.game import Game, GameText, Kind
from rulebots.game.random_numbers import next_luck
from rulebots.game.seats import seat_after
from rulebots.game.text import named_moves
from rulebots.kernel import kernel
from rulebots.packages import GamePackage
from rulebots.players import KernelPlayer, RulePlayer
from rulebots.rules import RuleSet, rule

SEATS = 5
LOW = 3
CARDS = 33  # 3 to 35
OUT = 9
OFFERED = CARDS - OUT
CHIPS = 11
TAKE, REFUSE = 0, 1
write, read = named_moves("take", "refuse")

STATE = np.dtype(
    [
        ("mover", np.int32),
        ("seats", np.int32),
        ("turn", np.int32),  # cards that were taken
        ("pot", np.int32),
        ("deck", np.int32, (CARDS,)),
        ("chips", np.int32, (SEATS,)),
        ("cards", np.int8, (SEATS, CARDS)),
    ]
)
VIEW = np.dtype(
    [
        ("luck", np.int64),
        ("seats", np.int32),
        ("turn", np.int32),
        ("pot", np.int32),
        ("card", np.int32),
        ("chips", np.int32, (SEATS,)),
        ("cards", np.int8, (SEATS, CARDS)),
    ]
)


@kernel
def setup(state, deal, options):
    state.seats = options.seats
    for i in range(CARDS):
        state.deck[i] = deal[i]
    for seat in range(state.seats):
        state.chips[seat] = CHIPS


@kernel
def moves(state, out):
    out[0] = TAKE
    if state.chips[state.mover] == 0:
        return 1
    out[1] = REFUSE
    return 2


@kernel
def play(state, move):
    if move == TAKE:
        state.cards[state.mover, state.deck[state.turn]] = 1
        state.chips[state.mover] += state.pot
        state.pot = 0
        state.turn += 1
    else:
        state.chips[state.mover] -= 1
        state.pot += 1
        state.mover = seat_after(state.mover, 1, state.seats)


@kernel
def over(state):
    return state.turn == OFFERED


@kernel
def points(state, seat):
    total = int(state.chips[seat])
    for card in range(CARDS):
        if state.cards[seat, card] == 1 and (card == 0 or state.cards[seat, card - 1] == 0):
            total -= card + LOW
    return total


@kernel
def observe(state, view):
    view.seats = state.seats
    view.turn = state.turn
    view.pot = state.pot
    view.card = state.deck[state.turn]
    for place in range(state.seats):
        seat = seat_after(state.mover, place, state.seats)
        view.chips[place] = state.chips[seat]
        for card in range(CARDS):
            view.cards[place, card] = state.cards[seat, card]


@kernel
def redeal(state, luck):
    first = state.turn + 1
    state.deck[first:].sort()
    for i in range(first, CARDS):
        luck = next_luck(luck)
        j = i + luck % (CARDS - i)
        card = state.deck[i]
        state.deck[i] = state.deck[j]
        state.deck[j] = card
    return luck


def draw_deals(rng, count, options):
    return np.array([rng.permutation(CARDS) for _ in range(count)], np.int64)


def told(state, move, seat):
    return move


def show(state, seat):
    offer = f"on offer: {state.deck[min(state.turn, OFFERED - 1)] + LOW} with {state.pot} chips"
    hands = [
        f"seat {one}: {state.chips[one]} chips, {' '.join(map(str, np.flatnonzero(state.cards[one]) + LOW))}"
        for one in range(state.seats)
    ]
    return "\n".join([offer, *hands])


game = Game(
    name="no-thanks",
    title="No Thanks!",
    state=STATE,
    view=VIEW,
    seats=(3, SEATS),
    move_count=2,
    ply_cap=2000,
    kinds=(Kind("offer", {"take": 1.0}),),
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
def has(view, place, card):
    """Whether a seat has a card; cards outside the pack are nobody's."""
    return int(0 <= card < CARDS and view.cards[place, card] == 1)


@rule("take", early=-1.0)
def the_card(view, move):
    """It takes: what the card costs alone, in tens."""
    return (move == TAKE) * (view.card + LOW) / 10


@rule("take", early=1.0)
def the_pot(view, move):
    """It takes: the chips on the card, in tens."""
    return (move == TAKE) * view.pot / 10


@rule("take", early=1.5)
def follows_a_run(view, move):
    """It takes a card that is one above a card of its own, in tens of what the card costs alone."""
    return (move == TAKE) * has(view, 0, view.card - 1) * (view.card + LOW) / 10


@rule("take", early=0.8)
def leads_a_run(view, move):
    """It takes a card that is one below a card of its own."""
    return (move == TAKE) * has(view, 0, view.card + 1)


@rule("take", early=0.3)
def leaves_a_gap(view, move):
    """It takes a card that is two away from a card of its own."""
    return (move == TAKE) * (has(view, 0, view.card - 2) + has(view, 0, view.card + 2))


@rule("take", early=0.5)
def few_chips(view, move):
    """It takes: how few chips it has, 1 at none."""
    return (move == TAKE) / (1 + view.chips[0])


@rule("take", early=0.5)
def wanted_by_others(view, move):
    """It takes: others to whose cards the card is next."""
    count = 0
    for place in range(1, view.seats):
        count += has(view, place, view.card - 1) or has(view, place, view.card + 1)
    return (move == TAKE) * count


@rule("take", early=0.3)
def others_have_no_chips(view, move):
    """It takes: others who would have to take the card."""
    count = 0
    for place in range(1, view.seats):
        count += view.chips[place] == 0
    return (move == TAKE) * count


@rule("take", early=-0.3)
def comes_back(view, move):
    """It takes a card of its own run, which nobody else is likely to want: it would come back with more chips."""
    alone = has(view, 0, view.card - 1) or has(view, 0, view.card + 1)
    for place in range(1, view.seats):
        if view.chips[place] == 0 or has(view, place, view.card - 1) or has(view, place, view.card + 1):
            alone = False
    return (move == TAKE) * alone


@kernel
def progress(view):
    return view.turn / OFFERED


simple = RuleSet(
    "simple",
    game,
    (
        the_card, the_pot, follows_a_run, leads_a_run, leaves_a_gap, few_chips, wanted_by_others,
        others_have_no_chips, comes_back,
    ),
    progress=progress,
    meaning="nine rules",
)  # fmt: skip


@kernel
def choose_cheap(view, moves, n, weights, blended, scores):
    """Take a card that costs at most three times its chips."""
    if n == 1 or view.card + LOW <= 3 * view.pot or has(view, 0, view.card - 1):
        return TAKE
    return REFUSE


package = GamePackage(
    __name__,
    game=game,
    rule_sets=(simple,),
    players={
        "hand": lambda: RulePlayer(simple, simple.hand_tuned(), "hand"),
        "cheap": lambda: KernelPlayer(game, choose_cheap, "cheap"),
    },
    references=("hand", "cheap", "random"),
)
