"""Liar's dice for two to five, three dice each: raise the bid or doubt it; who is wrong loses a die.

A bid says that at least so many of all dice show a face. It is raised by more dice, or by a higher face of as many.
The last player with dice wins; places go by how long the others held out.
"""

from __future__ import annotations

import numpy as np

from rulebots.errors import UsageError
from rulebots.game import Game, GameText, Kind
from rulebots.game.random_numbers import next_luck
from rulebots.game.seats import seat_after
from rulebots.kernel import kernel
from rulebots.packages import GamePackage
from rulebots.players import KernelPlayer, RulePlayer
from rulebots.rules import RuleSet, rule

SEATS = 5
DICE = 3
MOST_DICE = SEATS * DICE
FACES = 6
BIDS = MOST_DICE * FACES  # bid i: i // FACES + 1 dice of the face i % FACES + 1
DOUBT = BIDS
NO_BID = -1

STATE = np.dtype(
    [
        ("mover", np.int32),
        ("seats", np.int32),
        ("trick", np.int32),
        ("bid", np.int32),
        ("bidder", np.int32),
        ("left", np.int32),  # seats with dice
        ("dice", np.int32, (SEATS,)),
        ("place", np.int32, (SEATS,)),  # points of those who are out
        ("rolls", np.int8, (MOST_DICE, SEATS, DICE)),  # by round
    ]
)
VIEW = np.dtype(
    [
        ("luck", np.int64),
        ("seats", np.int32),
        ("bid", np.int32),
        ("total", np.int32),
        ("dice", np.int32, (SEATS,)),
        ("mine", np.int32, (FACES,)),  # how many of the mover's dice show each face
    ]
)


@kernel
def setup(state, deal, options):
    state.seats = options.seats
    state.left = options.seats
    state.bid = NO_BID
    for seat in range(state.seats):
        state.dice[seat] = DICE
    for round_ in range(MOST_DICE):
        for seat in range(SEATS):
            for die in range(DICE):
                state.rolls[round_, seat, die] = deal[(round_ * SEATS + seat) * DICE + die]


@kernel
def moves(state, out):
    total = state.dice.sum()
    n = 0
    if state.bid != NO_BID:
        out[0] = DOUBT
        n = 1
    for bid in range(state.bid + 1, total * FACES):
        out[n] = bid
        n += 1
    return n


@kernel
def next_with_dice(state, seat):
    """The next seat that still has dice."""
    seat = seat_after(seat, 1, state.seats)
    while state.dice[seat] == 0:
        seat = seat_after(seat, 1, state.seats)
    return seat


@kernel
def play(state, move):
    if move != DOUBT:
        state.bid = move
        state.bidder = state.mover
        state.mover = next_with_dice(state, state.mover)
        return
    count = 0
    for seat in range(state.seats):
        for die in range(state.dice[seat]):
            count += state.rolls[state.trick, seat, die] == state.bid % FACES
    loser = state.mover if count > state.bid // FACES else state.bidder
    state.dice[loser] -= 1
    if state.dice[loser] == 0:
        state.place[loser] = state.seats - state.left
        state.left -= 1
    state.trick += 1
    state.bid = NO_BID
    state.mover = loser if state.dice[loser] > 0 else next_with_dice(state, loser)


@kernel
def over(state):
    return state.left == 1


@kernel
def points(state, seat):
    return state.place[seat] if state.dice[seat] == 0 else state.seats - state.left


@kernel
def observe(state, view):
    view.seats = state.seats
    view.bid = state.bid
    view.total = state.dice.sum()
    for place in range(state.seats):
        view.dice[place] = state.dice[seat_after(state.mover, place, state.seats)]
    for face in range(FACES):
        view.mine[face] = 0
    for die in range(state.dice[state.mover]):
        view.mine[state.rolls[state.trick, state.mover, die]] += 1


@kernel
def redeal(state, luck):
    for round_ in range(state.trick, MOST_DICE):
        for seat in range(SEATS):
            for die in range(DICE):
                if round_ > state.trick or seat != state.mover or die >= state.dice[seat]:
                    luck = next_luck(luck)
                    state.rolls[round_, seat, die] = luck % FACES
    return luck


def draw_deals(rng, count, options):
    return rng.integers(0, FACES, (count, MOST_DICE * SEATS * DICE))


def told(state, move, seat):
    return move


def show(state, seat):
    lines = [f"bid: {'none' if state.bid == NO_BID else write(int(state.bid))}, {state.dice.sum()} dice in all"]
    for one in range(state.seats):
        dice = state.rolls[min(state.trick, MOST_DICE - 1), one, : state.dice[one]] + 1
        lines.append(f"seat {one}: " + (" ".join(map(str, dice)) if seat in (None, one) else f"{state.dice[one]} dice"))
    return "\n".join(lines)


def write(move):
    return "doubt" if move == DOUBT else f"{move // FACES + 1}x{move % FACES + 1}"


def read(text, state):
    word = text.strip().lower()
    if word == "doubt":
        return DOUBT
    count, times, face = word.partition("x")
    if not (times and count.isdecimal() and face.isdecimal() and 1 <= int(count) <= MOST_DICE and 1 <= int(face) <= 6):
        raise UsageError(f"expected a bid, such as 3x5, or doubt, not {text!r}")
    return (int(count) - 1) * FACES + int(face) - 1


def out(state, seat):
    return state.dice[seat] == 0


@kernel
def kind(move):
    return 1 if move == DOUBT else 0


game = Game(
    name="liars-dice",
    title="Liar's dice",
    state=STATE,
    view=VIEW,
    seats=(2, SEATS),
    move_count=BIDS + 1,
    ply_cap=MOST_DICE * (BIDS + 1),
    kinds=(Kind("bid", {"bid": 1.0}), Kind("doubt", {"doubt": 1.0})),
    setup=setup,
    moves=moves,
    play=play,
    over=over,
    points=points,
    observe=observe,
    kind=kind,
    draw_deals=draw_deals,
    hidden=True,
    redeal=redeal,
    told=told,
    out=out,
    text=GameText(show=show, write=write, read=read),
)


@kernel
def missing(view, bid):
    """How many dice of the others have to show the face of a bid."""
    return bid // FACES + 1 - view.mine[bid % FACES]


@kernel
def surplus(view, bid):
    """By how many dice the expected count exceeds a bid."""
    return (view.total - view.dice[0]) / FACES - missing(view, bid)


@rule("bid", early=1.0)
def likely(view, bid):
    """By how many dice the expected count of the others exceeds what the bid needs of them; at most 1."""
    return min(surplus(view, bid), 1.0)


@rule("bid", early=-1.0)
def impossible(view, bid):
    """The others do not have the dice that it needs."""
    return missing(view, bid) > view.total - view.dice[0]


@rule("bid", early=0.5)
def own(view, bid):
    """It needs none of the others."""
    return missing(view, bid) <= 0


@rule("bid", early=0.2)
def held(view, bid):
    """Dice of its own that show the face."""
    return view.mine[bid % FACES]


@rule("bid", early=-0.3)
def jump(view, bid):
    """How many dice it is above the bid before."""
    return bid // FACES - max(view.bid, 0) // FACES


@rule("bid", early=-0.1)
def face(view, bid):
    """How high the face is, as a share."""
    return (bid % FACES) / FACES


@rule("doubt", early=-1.0)
def likely_true(view, move):
    """By how many dice the expected count of the others exceeds what the last bid needs of them."""
    return surplus(view, view.bid) if view.bid >= 0 else 0.0


@rule("doubt", early=2.0)
def cannot_be_true(view, move):
    """The last bid cannot be true."""
    return view.bid >= 0 and missing(view, view.bid) > view.total - view.dice[0]


@rule("doubt", early=-0.5)
def always(view, move):
    """It doubts: the threshold."""
    return 1.0


@kernel
def progress(view):
    return 1.0 - view.total / (view.seats * DICE)


simple = RuleSet(
    "simple",
    game,
    (likely, impossible, own, held, jump, face, likely_true, cannot_be_true, always),
    progress=progress,
    meaning="nine rules",
)


@kernel
def choose_careful(view, moves, n, weights, blended, scores):
    """Doubt what more than the expected dice have to show; else the lowest bid."""
    if view.bid >= 0 and surplus(view, view.bid) < 0:
        return DOUBT
    return moves[0] if view.bid < 0 or n == 1 else moves[1]


package = GamePackage(
    __name__,
    game=game,
    rule_sets=(simple,),
    players={
        "hand": lambda: RulePlayer(simple, simple.hand_tuned(), "hand"),
        "careful": lambda: KernelPlayer(game, choose_careful, "careful"),
    },
    references=("hand", "careful", "random"),
)
