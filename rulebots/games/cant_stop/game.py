"""The law of Can't Stop for two to four, or one alone (Sid Sackson, 1980). moves.py numbers moves and rolls."""

from functools import partial
from typing import Any

import numpy as np

from rulebots.errors import demand
from rulebots.game import CHANCE, Game, GameText, Kind, Moves, Option, State, View
from rulebots.game.seats import seat_after
from rulebots.games.cant_stop.moves import (
    ADVANCE,
    COLUMNS,
    FIRST_ROLL,
    HIGH,
    LOW,
    MOST_SIDES,
    MOVES,
    NO_COLUMN,
    ORDERS,
    PAIRED,
    ROLL,
    ROLLS_WITH,
    RUNNERS,
    STEP,
    STOP,
    WAYS,
    columns_of,
    length_of,
    room,
)
from rulebots.games.cant_stop.text import (
    NUMBERS,
    grounds,
    read,
    read_position,
    refusal,
    sentence,
    show,
    task,
    write,
    write_position,
)
from rulebots.kernel import kernel

MOST_PLAYING = 4
MOST_SHORTEST = 3
MOST_NEEDED = 3
#: Only players that never stop, or hardly ever, come near it.
PLY_CAP = 3000

STATE = np.dtype(
    [
        ("mover", np.int16),
        ("seats", np.int16),
        ("turn", np.int16),  # the seat that has the turn, also while the dice roll
        ("turns", np.int16),  # turns ended so far by a single player; 0 with several
        ("sides", np.int16),
        ("shortest", np.int16),  # spaces of the shortest column
        ("needed", np.int16),  # columns that win
        ("both", np.int16),
        ("roll", np.int16),  # the outcome that must be used now; 0 if the dice are not rolled
        ("free", np.int16),  # runners that are not on the board
        ("topped", np.int16),  # columns whose top a runner has reached
        ("closed", np.int16),  # columns that a seat has won, one bit each
        ("won", np.int16, (MOST_PLAYING,)),  # columns that each seat has won
        ("height", np.int16, (MOST_PLAYING, COLUMNS)),  # spaces that each has climbed for good; 0 where another won
        ("runner", np.int16, (COLUMNS,)),  # the space of a runner; 0 where there is none
    ],
    align=True,
)

VIEW = np.dtype(
    [
        ("luck", np.int64),
        ("seats", np.int32),
        ("sides", np.int32),
        ("shortest", np.int32),
        ("needed", np.int32),
        ("both", np.int32),
        ("my_turn", np.int32),  # whether the runners are mine
        ("roll", np.int32),
        ("free", np.int32),
        ("topped", np.int32),
        ("closed", np.int32),
        ("my_won", np.int32),
        ("their_won", np.int32),  # the most that one of the others has won
        ("others_won", np.int32, (MOST_PLAYING - 1,)),  # what each of them has won, the next in the order of play first
        ("mine", np.int32, (COLUMNS,)),
        ("theirs", np.int32, (COLUMNS,)),  # the height of the highest of the others
        ("others", np.int32, (MOST_PLAYING - 1, COLUMNS)),  # the heights of each of them
        ("runner", np.int32, (COLUMNS,)),
    ],
    align=True,
)


@kernel
def setup(state: State, deal: Any, options: Any) -> None:
    """An empty board; seat 0 rolls first."""
    state.seats = options.seats
    state.sides = options.sides
    state.shortest = options.shortest
    state.needed = options.needed
    state.both = options.both
    state.free = RUNNERS
    state.mover = CHANCE


@kernel
def moves(state: State, out: Moves) -> int:
    """What the dice may show; the ways to use what they show; or stop and roll again."""
    if state.mover == CHANCE:
        rolls = ROLLS_WITH[state.sides]
        for roll in range(rolls):
            out[roll] = FIRST_ROLL + roll
        return rolls
    if state.roll:
        return advances(state, out)
    out[0] = STOP
    out[1] = ROLL
    return 2


@kernel
def advances(state: State, out: Moves) -> int:
    """Each way to pair the dice: both its columns, if there are runners for both, or else either."""
    n = 0
    roll = state.roll - FIRST_ROLL
    for way in range(WAYS[roll]):
        low = PAIRED[roll, way, 0]
        high = PAIRED[roll, way, 1]
        first = room(state, low)
        second = room(state, high)
        if low == high:
            if first:
                out[n] = STEP[low, low if first > 1 else NO_COLUMN]
                n += 1
            continue
        together = first and second and (state.free > 1 or state.runner[low] or state.runner[high])
        if together:
            out[n] = STEP[low, high]
            n += 1
        if not (together and state.both):
            if first:
                out[n] = STEP[low, NO_COLUMN]
                n += 1
            if second:
                out[n] = STEP[high, NO_COLUMN]
                n += 1
    return n


@kernel
def play(state: State, move: int) -> None:
    """Roll, use the roll, or stop; the third column ends the turn and the game by itself."""
    if move >= FIRST_ROLL:
        use_or_lose(state, move)
    elif move == ROLL:
        state.mover = CHANCE
    elif move == STOP:
        stop(state)
    else:
        step(state, LOW[move])
        if HIGH[move] != NO_COLUMN:
            step(state, HIGH[move])
        state.roll = 0
        if state.won[state.turn] + state.topped >= state.needed:
            stop(state)


@kernel
def use_or_lose(state: State, outcome: int) -> None:
    """The roller must use the roll; where it fits nowhere, the runners fall and the turn is over."""
    roll = outcome - FIRST_ROLL
    for way in range(WAYS[roll]):
        if room(state, PAIRED[roll, way, 0]) or room(state, PAIRED[roll, way, 1]):
            state.roll = outcome
            state.mover = state.turn
            return
    end_turn(state)


@kernel
def step(state: State, column: int) -> None:
    """Climb one space in a column, with a new runner if there is none."""
    if state.runner[column] == 0:
        state.runner[column] = state.height[state.turn, column]
        state.free -= 1
    state.runner[column] += 1
    state.topped += state.runner[column] == length_of(state.sides, state.shortest, column)


@kernel
def stop(state: State) -> None:
    """What the runners have climbed is climbed for good; a column climbed to its top is won, and closed to all."""
    turn = state.turn
    for column in range(columns_of(state.sides)):
        runner = state.runner[column]
        if runner:
            if runner == length_of(state.sides, state.shortest, column):
                state.closed |= 1 << column
                state.won[turn] += 1
                for seat in range(state.seats):
                    state.height[seat, column] = 0
            state.height[turn, column] = runner
    end_turn(state)


@kernel
def end_turn(state: State) -> None:
    """Take the runners off the board; the next seat rolls, unless the game is over."""
    state.free = RUNNERS
    state.topped = 0
    for column in range(columns_of(state.sides)):
        state.runner[column] = 0
    if state.seats == 1:
        state.turns += 1
    if not over(state):
        state.turn = seat_after(state.turn, 1, state.seats)
        state.mover = CHANCE


@kernel
def odds(state: State, outcome: int) -> float:
    """In how many orders the dice of a roll come."""
    return ORDERS[outcome - FIRST_ROLL]


@kernel
def over(state: State) -> bool:
    """Whether the seat whose turn it is has won the columns that it takes."""
    return state.won[state.turn] >= state.needed


@kernel
def points(state: State, seat: int) -> int:
    """1 for the seat that has won; alone, 1 less for each turn."""
    if state.seats == 1:
        return -state.turns
    return 1 if state.won[seat] >= state.needed else 0


@kernel
def observe(state: State, view: View) -> None:
    """Everything: nothing is hidden."""
    me = state.mover
    others = state.seats - 1
    view.seats = state.seats
    view.sides = state.sides
    view.shortest = state.shortest
    view.needed = state.needed
    view.both = state.both
    view.my_turn = state.turn == me
    view.roll = state.roll
    view.free = state.free
    view.topped = state.topped
    view.closed = state.closed
    view.my_won = state.won[me]
    for column in range(COLUMNS):
        view.mine[column] = state.height[me, column]
        view.runner[column] = state.runner[column]
    for k in range(others):
        other = seat_after(me, k + 1, state.seats)
        view.others_won[k] = state.won[other]
        view.their_won = max(view.their_won, state.won[other]) if k else state.won[other]
        for column in range(COLUMNS):
            height = state.height[other, column]
            view.others[k, column] = height
            view.theirs[column] = max(view.theirs[column], height) if k else height


@kernel
def kind(move: int) -> int:
    """0: advance, 1: stop, 2: roll again."""
    return 0 if move >= ADVANCE else 1 + move


@kernel
def item(view: View, move: int) -> int:
    """The columns in which it advances; STOP for both, to stop and to roll again."""
    return move if move >= ADVANCE else STOP


@kernel
def columns_won(state: State, seat: int) -> int:
    """Columns that a seat has won."""
    return state.won[seat]


@kernel
def spaces_climbed(state: State, seat: int) -> int:
    """Spaces that a seat has climbed for good, without those in columns that another has won."""
    spaces = 0
    for column in range(columns_of(state.sides)):
        spaces += state.height[seat, column]
    return spaces


def check(options: Any) -> None:
    """A game must be possible to win: of 2 * sides - 1 columns, one seat wins `needed` before the columns run out."""
    most = 1 + 2 * (options.sides - 1) // options.seats
    demand(
        options.needed <= most,
        f"option 'needed' of cant-stop: expected 1 to {most} with dice of {options.sides} sides, so that the "
        f"{2 * options.sides - 1} columns are enough for one of the {NUMBERS[options.seats]} to win, "
        f"not {options.needed}",
    )


game = Game(
    name="cant-stop",
    title="Can't Stop",
    state=STATE,
    view=VIEW,
    seats=(1, MOST_PLAYING),
    move_count=MOVES,
    ply_cap=PLY_CAP,
    kinds=(Kind("advance", {"advance": 1.0}), Kind("stop", {"stop": 1.0}), Kind("roll", {"stop": 0.0})),
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
        sentence=partial(sentence, play=play),
        task=task,
        grounds=grounds,
        refusal=refusal,
        write_position=write_position,
        read_position=read_position,
    ),
    hidden=False,
    chance=True,
    odds=odds,
    options={
        "sides": Option(6, 2, MOST_SIDES, "sides of the dice; the columns are the sums of two of them"),
        "shortest": Option(3, 1, MOST_SHORTEST, "spaces of the shortest columns; the next ones have two more"),
        "needed": Option(3, 1, MOST_NEEDED, "columns that win"),
        "both": Option(1, 0, 1, "1: both columns of a pairing advance if they can; 0: one is enough", off="either"),
        "seats": Option(2, 1, MOST_PLAYING, "how many play"),
    },
    check=check,
    behaviour={"columns": columns_won, "spaces": spaces_climbed},
)
