"""Goofspiel for two to five: all bid a card for each prize in secret, and the highest bid takes it; ties take nothing.

A bid is a move that nobody else is told of until all have made theirs. The page docs/how-to/simultaneous-moves.md
shows this law.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rulebots.game import UNKNOWN, Game, GameText, Kind, Option
from rulebots.game.random_numbers import next_luck
from rulebots.game.seats import seat_after
from rulebots.kernel import kernel
from rulebots.packages import GamePackage
from rulebots.players import RulePlayer
from rulebots.rules import RuleSet, rule

CARDS, SEATS, NONE = 13, 5, -1

STATE = np.dtype(
    [
        ("mover", np.int32),
        ("seats", np.int32),
        ("cards", np.int32),
        ("turn", np.int32),
        ("prizes", np.int32, (CARDS,)),
        ("hand", np.int32, (SEATS, CARDS)),
        ("bid", np.int32, (SEATS,)),
        ("won", np.int32, (SEATS,)),
    ]
)
VIEW = np.dtype(
    [
        ("luck", np.int64),
        ("seats", np.int32),
        ("cards", np.int32),
        ("turn", np.int32),
        ("prize", np.int32),
        ("hand", np.int32, (SEATS, CARDS)),
        ("won", np.int32, (SEATS,)),
    ]
)


@kernel
def setup(state, deal, options):
    state.seats, state.cards = options.seats, options.cards
    n = 0
    for i in range(CARDS):
        if deal[i] < state.cards:
            state.prizes[n] = deal[i]
            n += 1
    for seat in range(state.seats):
        state.bid[seat] = NONE
        for card in range(state.cards):
            state.hand[seat, card] = 1


@kernel
def moves(state, out):
    n = 0
    for card in range(state.cards):
        if state.hand[state.mover, card]:
            out[n] = card
            n += 1
    return n


@kernel
def play(state, move):
    state.bid[state.mover] = move
    state.hand[state.mover, move] = 0
    state.mover = seat_after(state.mover, 1, state.seats)
    if state.mover == 0:  # all have bid
        best, winner = NONE, NONE
        for seat in range(state.seats):
            if state.bid[seat] > best:
                best, winner = state.bid[seat], seat
            elif state.bid[seat] == best:
                winner = NONE
        if winner >= 0:
            state.won[winner] += state.prizes[state.turn] + 1
        state.bid[:] = NONE
        state.prizes[state.turn] = 0
        state.turn += 1


@kernel
def over(state):
    return state.turn == state.cards


@kernel
def points(state, seat):
    return state.won[seat]


@kernel
def observe(state, view):
    view.seats, view.cards, view.turn = state.seats, state.cards, state.turn
    view.prize = state.prizes[state.turn] + 1
    for k in range(state.seats):
        seat = seat_after(state.mover, k, state.seats)
        view.won[k] = state.won[seat]
        for card in range(state.cards):
            view.hand[k, card] = state.hand[seat, card]
        if state.bid[seat] >= 0:
            view.hand[k, state.bid[seat]] = 1


@kernel
def redeal(state, luck):
    state.prizes[state.turn + 1 : state.cards].sort()  # what it makes depends on what the mover knows alone
    for i in range(state.turn + 1, state.cards):
        luck = next_luck(luck)
        j = i + luck % int(state.cards - i)
        state.prizes[i], state.prizes[j] = state.prizes[j], state.prizes[i]
    for seat in range(state.seats):
        if state.bid[seat] >= 0:  # of the others: the mover has not bid yet
            state.hand[seat, state.bid[seat]] = 1
            luck = next_luck(luck)
            left = luck % int(state.hand[seat].sum())
            card = 0
            while state.hand[seat, card] == 0 or left > 0:
                left -= state.hand[seat, card]
                card += 1
            state.bid[seat] = card
            state.hand[seat, card] = 0
    return luck


def draw_deals(rng, count, options):
    return rng.permuted(np.tile(np.arange(CARDS), (count, 1)), axis=1)


def told(state, move, seat):
    return move if seat == state.mover else UNKNOWN


def show(state, seat):
    return f"prize {state.prizes[state.turn % CARDS] + 1}, won {state.won[: state.seats].tolist()}"


game = Game(
    name="goofspiel",
    title="Goofspiel",
    state=STATE,
    view=VIEW,
    seats=(2, 5),
    counts="wins",
    move_count=CARDS,
    ply_cap=CARDS * SEATS,
    kinds=(Kind("bid", {"bid": 1.0}),),
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
    text=GameText(
        show=show,
    ),
    options={"cards": Option(6, 2, CARDS, "cards of each suit"), "seats": Option(3, 2, 5, "how many play")},
)


@rule("bid", early=-1.0)
def apart(view, card):
    """How far the bid is from the prize."""
    return abs(card + 1 - view.prize)


@rule("bid", early=0.0)
def high(view, card):
    """The bid itself."""
    return card


@rule("bid", early=2.0)
def whim(view, card):
    """Chance, so that copies do not all bid alike."""
    return (view.luck * (card + 7) // 97) % 1009 / 1009


simple = RuleSet("simple", game, (apart, high, whim), meaning="bid about what the prize is worth")


@kernel
def all_points(state, seat):
    """What all together have taken."""
    return state.won.sum()


#: The same for all together: the bids have to differ.
together = replace(game, name="goofspiel-together", aim="together", points=all_points, most_points=21)
as_a_team = RuleSet("simple", together, (apart, high, whim), meaning="bid about what the prize is worth")


def matching(name="matching"):
    return RulePlayer(simple, simple.hand_tuned(), name)


def contrary(name="contrary"):
    return RulePlayer(simple, {"bid": {"apart": 1.0, "whim": 1.0}}, name)


package = GamePackage(
    __name__,
    game=game,
    rule_sets=(simple,),
    players={"matching": matching, "contrary": contrary},
    references=("matching",),
)
