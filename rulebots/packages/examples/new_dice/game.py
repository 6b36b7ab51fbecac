"""The law of New dice: roll as often as you dare; a 1 loses the turn's points.

This is an example. Replace it by your game, function by function.
"""

from typing import Any

import numpy as np

from rulebots.game import CHANCE, Game, GameText, Kind, Moves, State, View
from rulebots.game.seats import seat_after
from rulebots.game.text import named_moves
from rulebots.kernel import kernel

SEATS = (2, 4)  # how many play: (fewest, most)
MOST = SEATS[1]
AIM = "against"  # or "together": then all seats share their points
TOGETHER = AIM == "together"
GOAL = 50
# Moves 0 to 5 are the faces of the die: what chance may choose.
HOLD = 6
ROLL = 7
# Every move and every outcome has a name, by which a person types it.
NAMES = ("die:1", "die:2", "die:3", "die:4", "die:5", "die:6", "hold", "roll")
write, read = named_moves(*NAMES)

# Everything that the referee knows. `mover` is the seat that decides next, from 0 on,
# or CHANCE.
STATE = np.dtype(
    [
        ("mover", np.int32),
        ("seats", np.int32),  # how many play
        ("seat", np.int32),  # whose turn it is
        ("turn", np.int32),  # points rolled in this turn
        ("turns", np.int32),  # that have ended
        ("scores", np.int32, MOST),  # points that are safe, by seat
    ],
    align=True,
)
# What the mover may know. `luck` is a random state, fresh at every decision.
# Arrays by seat go by place: the mover's own first, then that of the next seat.
VIEW = np.dtype(
    [
        ("luck", np.int64),
        ("seats", np.int32),
        ("turn", np.int32),
        ("scores", np.int32, MOST),
    ],
    align=True,
)


@kernel
def setup(state: State, deal: Any, options: Any) -> None:
    """Fill a state of zeros."""
    state.seats = options.seats


@kernel
def moves(state: State, out: Moves) -> int:
    """Write the legal moves, or the outcomes, into `out`; return how many."""
    if state.mover == CHANCE:
        for face in range(6):
            out[face] = face
        return 6
    out[0] = HOLD
    out[1] = ROLL
    return 2


@kernel
def play(state: State, move: int) -> None:
    """Make a legal move, or an outcome, and say who decides next."""
    if move == ROLL:
        state.mover = CHANCE
        return
    if move == HOLD:
        state.scores[state.seat] += state.turn
    if move in (HOLD, 0):  # the turn is over
        state.turn = 0
        state.turns += 1
        state.seat = seat_after(state.seat, 1, state.seats)
    else:
        state.turn += move + 1
    state.mover = state.seat


@kernel
def over(state: State) -> bool:
    """Whether the game has ended."""
    return (state.scores.sum() if TOGETHER else state.scores.max()) >= GOAL


@kernel
def points(state: State, seat: int) -> int:
    """A seat's points, a whole number; more points win."""
    if TOGETHER or state.seats == 1:
        return -state.turns  # without an opponent, few turns are good
    return state.scores[seat]


@kernel
def observe(state: State, view: View) -> None:
    """Write what the mover may know into every field."""
    view.turn = state.turn
    view.seats = state.seats
    for place in range(state.seats):
        view.scores[place] = state.scores[seat_after(state.mover, place, state.seats)]


def show(state: State, seat: int | None) -> str:
    """The position for people."""
    scores = " to ".join(map(str, state.scores[: state.seats]))
    return f"{scores}; seat {state.seat} has {state.turn} in this turn"


def sentence(state: State, move: int) -> str:
    """What a move does, after its player's name; `(s)` goes where that is `you`.

    Of an outcome it is a whole sentence; `{0}` in it is the name of seat 0.
    """
    if state.mover == CHANCE:
        lost = f": {{{state.seat}}} lose(s) {state.turn}" if move == 0 else ""
        return f"The die shows {move + 1}{lost}"
    return "roll(s) the die" if move == ROLL else f"hold(s) and keep(s) {state.turn}"


game = Game(
    name="new-dice",
    title="New dice",
    state=STATE,
    view=VIEW,
    seats=SEATS,  # the option `seats` says how many play
    move_count=len(NAMES),  # moves and outcomes are 0 to move_count - 1
    ply_cap=2000,  # a game that is not over by then is stalled
    # Each kind of move, and how it mixes the groups of rules.
    kinds=(Kind("turn", {"turn": 1.0}),),
    setup=setup,
    moves=moves,
    play=play,
    over=over,
    points=points,
    observe=observe,
    text=GameText(
        show=show,
        write=write,
        read=read,
        sentence=sentence,
    ),
    hidden=False,  # whether anything is hidden from a player
    chance=True,  # `mover` may be CHANCE; the faces of a die are equally likely
    aim=AIM,
)
