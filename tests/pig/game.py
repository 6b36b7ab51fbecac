"""The law of Pig: moves 0 to 11 are what the die shows, 1 to 12; then roll and hold."""

import numpy as np

from rulebots.errors import UsageError
from rulebots.game import CHANCE, Game, GameText, Kind, Option
from rulebots.kernel import kernel

MOST_SIDES = 12
ROLL, HOLD = MOST_SIDES, MOST_SIDES + 1

STATE = np.dtype(
    [
        ("mover", np.int32),
        ("turn", np.int32),  # whose turn it is, also while the die rolls
        ("turns", np.int32),  # how many turns both seats have left together
        ("goal", np.int32),
        ("sides", np.int32),
        ("loaded", np.int32),
        ("total", np.int32),  # what the turn has won so far
        ("scores", np.int32, (2,)),
    ],
    align=True,
)
VIEW = np.dtype(
    [
        ("luck", np.int64),
        ("total", np.int32),
        ("goal", np.int32),
        ("mine", np.int32),
        ("theirs", np.int32),
    ],
    align=True,
)


@kernel
def setup(state, deal, options):
    """Nothing is dealt."""
    state.goal, state.sides, state.turns, state.loaded = options.goal, options.sides, 2 * options.turns, options.loaded


@kernel
def moves(state, out):
    """What the die may show; else roll, and hold once there is something to hold."""
    if state.mover == CHANCE:
        for face in range(state.sides):
            out[face] = face
        return int(state.sides)
    out[0], out[1] = ROLL, HOLD
    return 2 if state.total > 0 else 1


@kernel
def play(state, move):
    """Roll, hold, or what the die shows; what reaches the goal wins at once."""
    if move == ROLL:
        state.mover = CHANCE
        return
    if move == HOLD:
        state.scores[state.turn] += state.total
    elif move > 0:
        state.total += move + 1
        if state.scores[state.turn] + state.total < state.goal:
            state.mover = state.turn
            return
        state.scores[state.turn] += state.total
    state.total = 0
    state.turns -= 1
    state.turn = 1 - state.turn
    state.mover = state.turn


@kernel
def odds(state, outcome):
    """A loaded die shows its highest face as often as it is loaded, and any other one once."""
    return state.loaded if outcome == state.sides - 1 else 1


@kernel
def over(state):
    """A seat has reached the goal, or no turns are left."""
    return state.turns == 0 or max(state.scores[0], state.scores[1]) >= state.goal


@kernel
def points(state, seat):
    """What the seat has put aside."""
    return int(state.scores[seat])


@kernel
def observe(state, view):
    """Everything."""
    view.total, view.goal = state.total, state.goal
    view.mine, view.theirs = state.scores[state.mover], state.scores[1 - state.mover]


@kernel
def kind(move):
    """0 to roll, 1 to hold. An outcome would be out of range."""
    return move - ROLL


@kernel
def item(view, move):
    """What the turn has won."""
    return int(view.total)


def draw_deals(rng, count, options):
    """Nothing is decided before play."""
    return np.zeros((count, 0), np.int64)


def show(state, seat):
    """The scores and the turn."""
    return f"scores {state.scores[0]} and {state.scores[1]} of {state.goal}, this turn {state.total}"


def write(move):
    """A move as text."""
    return "roll" if move == ROLL else "hold" if move == HOLD else f"die:{move + 1}"


def read(text, state):
    """The move that a text means."""
    texts = {write(move): move for move in range(HOLD + 1)}
    if text.strip() not in texts:
        raise UsageError(f"expected roll, hold or die:1 to die:{MOST_SIDES}, not {text.strip()!r}")
    return texts[text.strip()]


game = Game(
    name="pig",
    title="Pig",
    state=STATE,
    view=VIEW,
    move_count=HOLD + 1,
    ply_cap=2000,
    kinds=(Kind("roll", {"dare": 1.0}), Kind("hold", {"rest": 1.0})),
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
    ),
    draw_deals=draw_deals,
    hidden=False,
    chance=True,
    odds=odds,
    options={
        "goal": Option(100, 2, 1000, "points that win"),
        "sides": Option(6, 2, MOST_SIDES, "sides of the die"),
        "turns": Option(100, 1, 100, "turns of each player"),
        "loaded": Option(1, 0, 100, "how often the highest side shows, where any other one shows once"),
    },
)
