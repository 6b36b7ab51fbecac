"""Positions of Can't Stop on one line: what X has climbed, what O has, the runners, whose turn it is, what is next."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from rulebots.errors import PositionError, UsageError
from rulebots.game import CHANCE, State
from rulebots.games.cant_stop.dice import PAIRED, WAYS
from rulebots.games.cant_stop.moves import FIRST_ROLL, RUNNERS
from rulebots.games.cant_stop.text import SEATS, length_of_column, read, write

#: What is next, where it is not to use a roll: the dice roll, or a player says whether they do.
DICE, DECIDE = "dice", "decide"
_FORM = "three lists of spaces, a seat and what is next, such as '0,0,3,0,0,1,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0/- X dice'"


def write_position(state: State) -> str:
    """The spaces of X and of O from the left column to the right, the runners or `-`, then seat and what is next.

    A column is won by the seat that stands on its last space. What is next is `dice`, the roll to be used, `decide`
    (to stop or to roll again), or `-` where the game is over.
    """
    columns = 2 * int(state.sides) - 1
    lists = [",".join(map(str, spaces[:columns].tolist())) for spaces in (*state.height, state.runner)]
    if not state.runner.any():
        lists[2] = "-"
    return f"{'/'.join(lists)} {SEATS[int(state.turn)]} {_next(state)}"


def _next(state: State) -> str:
    if max(state.won) >= state.needed:
        return "-"
    if state.mover == CHANCE:
        return DICE
    return write(int(state.roll)) if state.roll else DECIDE


def read_position(text: str, state: State) -> None:
    """Turn the first position into that of a text.

    Raises:
        PositionError: not such a text, or one that no game with these options can come to.
    """
    found = re.fullmatch(r"\s*([0-9,]+)/([0-9,]+)/([0-9,]+|-)\s+([XO])\s+(\S+)\s*", text)
    if found is None:
        raise PositionError(text, 0, f"expected {_FORM}")
    columns = 2 * int(state.sides) - 1
    state.turn = SEATS.index(found[4])
    for seat in range(2):
        state.height[seat, :columns] = _spaces(text, found, 1 + seat, state)
    for column in range(columns):
        tops = [seat for seat in range(2) if state.height[seat, column] == length_of_column(state, column)]
        for seat in tops:
            if state.height[1 - seat, column]:
                said = f"{SEATS[seat]} has won column {column + 2}: expected 0 there for {SEATS[1 - seat]}"
                raise PositionError(text, found.start(2 - seat), said)
            state.won[seat] += 1
            state.closed |= 1 << column
    if min(state.won) >= state.needed:
        raise PositionError(text, found.start(1), f"expected the game to end with {state.needed} won")
    if found[3] != "-":
        _read_runners(text, found, state)
    _read_next(text, found, state)


def _spaces(text: str, found: re.Match[str], group: int, state: State) -> Any:
    """A list of spaces, one for each column, none beyond its column."""
    words, columns = found[group].split(","), 2 * int(state.sides) - 1
    if len(words) != columns or not all(re.fullmatch("[0-9]{1,2}", word) for word in words):
        raise PositionError(text, found.start(group), f"expected {columns} numbers of spaces, not '{found[group]}'")
    for column, word in enumerate(words):
        if int(word) > length_of_column(state, column):
            said = f"column {column + 2} has {length_of_column(state, column)} spaces, not {word}"
            raise PositionError(text, found.start(group), said)
    return np.array(words, np.int16)


def _read_runners(text: str, found: re.Match[str], state: State) -> None:
    runners, at = _spaces(text, found, 3, state), found.start(3)
    state.free = RUNNERS - np.count_nonzero(runners)
    if state.free < 0:
        raise PositionError(text, at, f"expected {RUNNERS} runners at most, not {np.count_nonzero(runners)}")
    for column, runner in enumerate(runners.tolist()):
        if runner == 0:
            continue
        if state.closed >> column & 1:
            raise PositionError(text, at, f"column {column + 2} is won: expected no runner there")
        if runner <= state.height[state.turn, column]:
            said = (
                f"column {column + 2}: expected a runner above space {state.height[state.turn, column]}, not {runner}"
            )
            raise PositionError(text, at, said)
        state.topped += runner == length_of_column(state, column)
    state.runner[: len(runners)] = runners
    if state.won[state.turn] + state.topped >= state.needed:
        said = f"the runners win the game for {found[4]}: expected it to be over, their spaces climbed"
        raise PositionError(text, at, said)


def _read_next(text: str, found: re.Match[str], state: State) -> None:
    what, at, over = found[5], found.start(5), max(state.won) >= state.needed
    if over or what == "-":
        if not over or what != "-" or state.won[state.turn] < state.needed or state.runner.any():
            said = "expected '-' where the seat has won and no runner is left, and only there"
            raise PositionError(text, at, said)
        state.mover = state.turn
    elif what == DICE:
        state.mover = CHANCE
    elif what == DECIDE:
        if not state.runner.any():
            raise PositionError(text, at, f"nothing has been climbed yet: expected '{DICE}' or a roll, not '{DECIDE}'")
        state.mover = state.turn
    else:
        state.roll, state.mover = _roll(text, what, at, state), state.turn


def _roll(text: str, what: str, at: int, state: State) -> int:
    """The outcome of a roll that can be used."""
    try:
        roll = read(what, state)
    except UsageError:
        roll = 0
    if roll < FIRST_ROLL:
        said = f"expected '{DICE}', '{DECIDE}' or a roll of dice from 1 to {int(state.sides)}, such as '1-1-2-2'"
        raise PositionError(text, at, f"{said}, not '{what}'")
    pairs = PAIRED[roll - FIRST_ROLL, : WAYS[roll - FIRST_ROLL]]
    if not any(_has_room(state, column) for column in pairs.ravel().tolist()):
        raise PositionError(text, at, f"{what} cannot be used here, which ends the turn: expected the next one's roll")
    return roll


def _has_room(state: State, column: int) -> bool:
    """Whether the roller can climb in a column."""
    if state.closed >> column & 1 or not (state.runner[column] or state.free):
        return False
    reached = max(int(state.runner[column]), int(state.height[state.turn, column]))
    return reached < length_of_column(state, column)
