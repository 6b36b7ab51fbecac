"""Can't Stop for people: the board in text, and moves as `6+8`, `7`, `stop`, `roll` and, for the dice, `1-3-3-4`."""

from __future__ import annotations

import re

from rulebots.errors import UsageError
from rulebots.game import CHANCE, State
from rulebots.games.cant_stop.dice import DICE, NO_COLUMN, PAIRED, ROLL_OF, ROLLS, WAYS
from rulebots.games.cant_stop.moves import FIRST_ROLL, HIGH, LOW, ROLL, STEP, STOP

SEATS = "XO"
RUNNER, BOTH, SPACE = "*", "&", "."


def show(state: State, seat: int | None) -> str:
    """The columns from left to right, each a row that climbs to the right, and what is to be done.

    X has climbed to its X, O to its O, & is both; * is a runner. A won column is full of its winner's letter.
    """
    rows = [_row(state, column) for column in range(2 * int(state.sides) - 1)]
    return "\n".join([*rows, to_do(state)])


def length_of_column(state: State, column: int) -> int:
    """The spaces of a column."""
    return int(state.shortest) + 2 * min(column, 2 * int(state.sides) - 2 - column)


def _row(state: State, column: int) -> str:
    length = length_of_column(state, column)
    if state.closed >> column & 1:
        spaces = SEATS[0 if state.height[0, column] else 1] * length
    else:
        marks = [SPACE] * (length + 1)
        for seat in range(2):
            height = int(state.height[seat, column])
            marks[height] = BOTH if marks[height] == SEATS[0] else SEATS[seat]
        if state.runner[column]:
            marks[int(state.runner[column])] = RUNNER
        spaces = "".join(marks[1:])
    return f"{column + 2:>2} {spaces}"


def to_do(state: State) -> str:
    """Whose turn it is and what the dice show, or who has won."""
    who = SEATS[int(state.turn)]
    if max(state.won) >= state.needed:
        return f"{who} has won"
    left = f"{int(state.free)} of 3 runners left"
    if state.mover == CHANCE:
        return f"{who} rolls the dice, {left}"
    return f"{who} has rolled {write(int(state.roll))}, {left}" if state.roll else f"{who} to stop or roll, {left}"


def write(move: int) -> str:
    """`stop`, `roll`, the columns in which a move advances (`6+8`, `7+7`, `7`), or what the dice show (`1-3-3-4`)."""
    if move >= FIRST_ROLL:
        return "-".join(map(str, ROLLS[move - FIRST_ROLL]))
    if move in (STOP, ROLL):
        return "roll" if move == ROLL else "stop"
    columns = (int(LOW[move]), int(HIGH[move]))
    return "+".join(str(column + 2) for column in columns if column != NO_COLUMN)


def read(text: str, state: State) -> int:
    """The move that a text means, legal or not; columns and dice may come in any order, parted by blanks too.

    Raises:
        UsageError: the text is not a move.
    """
    word, sides = text.strip().lower(), int(state.sides)
    if word in ("stop", "roll"):
        return ROLL if word == "roll" else STOP
    parts = re.split(r"[-+,\s]+", word)
    numbers = sorted(int(part) for part in parts) if all(re.fullmatch("[0-9]{1,2}", part) for part in parts) else []
    if len(numbers) == DICE and numbers[0] >= 1 and numbers[-1] <= sides:
        return FIRST_ROLL + ROLL_OF[tuple(numbers)]
    if len(numbers) in (1, 2) and numbers[0] >= 2 and numbers[-1] <= 2 * sides:
        low, high = (*(number - 2 for number in numbers), NO_COLUMN)[:2]
        return int(STEP[low, high])
    raise UsageError(
        f"expected 'stop', 'roll', the columns to advance in, from 2 to {2 * sides} ('6+8', '7'), or four dice from 1 "
        f"to {sides} ('1-2-2-{sides}'), not {text.strip()!r}"
    )


def refusal(state: State, move: int) -> str:
    """Why a move is not legal."""
    if state.mover == CHANCE:
        return "the dice are to be rolled: expected four dice such as '1-1-2-2'"
    if not state.roll:
        return "the last roll has been used: expected 'stop' or 'roll'"
    dice, roll = write(int(state.roll)), int(state.roll) - FIRST_ROLL
    if move in (STOP, ROLL):
        return f"{dice} must be used before you stop or roll again"
    pairs = [f"{low + 2}+{high + 2}" for low, high in PAIRED[roll, : WAYS[roll]].tolist()]
    made = " or ".join([", ".join(pairs[:-1]), pairs[-1]] if len(pairs) > 1 else pairs)
    return f"{dice} makes {made}: expected the columns of one of them, both if both can advance"
