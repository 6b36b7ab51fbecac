"""A game that takes no time: everyone names a number once. And a rule set of which every score is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rulebots.game import Game, GameText, Kind
from rulebots.game.seats import seat_after
from rulebots.kernel import kernel
from rulebots.players import KernelPlayer, RulePlayer
from rulebots.rules import RuleSet, rule

STATE = np.dtype([("mover", np.int32), ("seats", np.int32), ("named", np.int32), ("number", np.int32, (4,))])
VIEW = np.dtype([("luck", np.int64), ("deal", np.int32)])


@kernel
def setup(state, deal, options):
    state.seats = options.seats
    for seat in range(4):
        state.number[seat] = deal[seat]


@kernel
def moves(state, out):
    for move in range(3):
        out[move] = move
    return 3


@kernel
def play(state, move):
    state.number[state.mover] += 2 * move
    state.named += 1
    state.mover = seat_after(state.mover, 1, state.seats)


@kernel
def over(state):
    return state.named == state.seats


@kernel
def points(state, seat):
    return state.number[seat]


@kernel
def observe(state, view):
    view.deal = state.number[state.mover]


@kernel
def dealt(state, seat):
    """The seat's number of the deal: 0 or 1."""
    return state.number[seat] % 2


@kernel
def seat_number(state, seat):
    """The number of the seat."""
    return seat


def draw_deals(rng, count, options):
    """A 0 or 1 for each seat, and a number that makes every deal another one."""
    return rng.integers(0, [2, 2, 2, 2, 10**9], (count, 5))


game = Game(
    name="numbers",
    title="Numbers",
    state=STATE,
    view=VIEW,
    seats=(2, 4),
    move_count=3,
    ply_cap=4,
    kinds=(Kind("name", {"name": 1.0}),),
    setup=setup,
    moves=moves,
    play=play,
    over=over,
    points=points,
    observe=observe,
    draw_deals=draw_deals,
    hidden=True,
    behaviour={"dealt": dealt, "seat": seat_number},
    text=GameText(show=lambda state, seat: str(state.number)),
)
by_places = replace(game, name="numbers-by-places", counts="places")
by_points = replace(game, name="numbers-by-points", counts="points")


@kernel
def choose_low(view, moves, n, weights, blended, scores):
    return moves[0]


@kernel
def choose_middle(view, moves, n, weights, blended, scores):
    return moves[1]


@kernel
def choose_high(view, moves, n, weights, blended, scores):
    return moves[n - 1]


def low(law: Game = game) -> KernelPlayer:
    return KernelPlayer(law, choose_low, "low")


def middle(law: Game = game) -> KernelPlayer:
    return KernelPlayer(law, choose_middle, "middle")


def high(law: Game = game) -> KernelPlayer:
    return KernelPlayer(law, choose_high, "high")


@rule("name", early=1.0)
def number(view, item):
    """The number itself."""
    return item


@rule("name", early=0.0)
def moderation(view, item):
    """It is the number in the middle."""
    return item == 1


namers = RuleSet("namers", game, (number, moderation))


def namer(number: float, moderation: float = 0.0, name: str = "namer") -> RulePlayer:
    """Names 2 for a weight above 0, and 0 for others, or 1 in moderation."""
    return RulePlayer(namers, {"name": {"number": number, "moderation": moderation}}, name)


#: The same game with two moves for each number: the even one takes it, the odd one leaves it.
taking = replace(
    game,
    name="taking",
    move_count=6,
    kinds=(Kind("take", {"gain": 1.0, "cost": -0.5}), Kind("leave", {"cost": 2.0})),
    kind=kernel(lambda move: move % 2),
    item=kernel(lambda view, move: move // 2),
)


@rule("gain", early=1.0, late=3.0)
def size(view, item):
    """The number."""
    return item


@rule("gain", early=0.5)
def base(view, item):
    """What the facts say: ten."""
    return view.ten


@rule("cost", early=-2.0, late=0.0)
def rest(view, item):
    """What is missing from ten, worked out for each number."""
    return view.missing


@kernel
def progress(view):
    return view.deal / 4


@kernel
def facts(view):
    view.ten = 10


@kernel
def consider(view, item):
    view.missing = view.ten - item


takers = RuleSet(
    "takers",
    taking,
    (size, base, rest),
    fields=[("ten", np.int32), ("missing", np.int32)],
    progress=progress,
    facts=facts,
    consider=consider,
)


def view_at(deal: int, law: Game = taking) -> np.void:
    """What a mover sees to whom that number was dealt."""
    view = law.new_view()
    view.deal = deal
    return view
