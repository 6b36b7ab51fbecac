"""Whether a view goes by places, own side first, and not by the numbers of seats: all seats of a state turned by one.

What in a state belongs to which seat is not declared. So each field is read in every way that its shape allows, and
those readings count in which the law gives the same moves and points, and then the views differ least. Where the law
plays the turned state otherwise than the state itself, a view may have to tell seats apart: then there is a note.
"""

from __future__ import annotations

import contextlib
import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TypeAlias

import numpy as np

from rulebots.checking.findings import Findings
from rulebots.checking.law import legal_moves, view_of
from rulebots.game.checks import CHANCE
from rulebots.game.contract import Game, State, checked_game
from rulebots.game.random_numbers import next_luck, rng_of
from rulebots.game.seats import seat_after, seats_kernel

#: How many positions of each number of seats are turned, and the moves that then follow.
TURNED = 8
PLIES = 40
#: How a field is read: the axis that goes by seat, if any, and what number stands for seat 0 in it, if any does.
Reading: TypeAlias = tuple[int | None, int | None]


def check_places(game: Game, states: list[State], found: Findings) -> None:
    """The view of a seat shows what the view of the next one shows where all seats are turned by one."""
    by_seats = dict[int, list[State]]()
    for state in states:
        by_seats.setdefault(int(seats_kernel(game)(state)), []).append(state)
    for seats, several in sorted(by_seats.items()):
        if seats > 1:
            # At random: every so many plies it might always be the same part of a round.
            some = rng_of(0, seats).permutation(len(several))[:TURNED].tolist()
            _check_table(game, [several[i] for i in sorted(some)], seats, found)


def _check_table(game: Game, states: list[State], seats: int, found: Findings) -> None:
    law = checked_game(game)
    names = [name for name in game.state.names or () if name not in ("mover", "seats")]
    readings = {name: next(_readings(game, name, states)) for name in names}
    least = _told(law, states, seats, readings)
    for name in names * 3:  # what a field means may only show when others are read right
        for reading in _readings(game, name, states) if any(least[0]) or least[1] else ():
            if _turned_alike(states, seats, readings, {**readings, name: reading}):
                continue
            told = _told(law, states, seats, {**readings, name: reading}, least[0][0])
            if told[0] < least[0] or (told[0] == least[0] and told[1].total() < least[1].total()):
                readings = {**readings, name: reading}
                least = told
    if least[0][0] or not least[1]:  # the law is not understood, or all is well
        return
    same = all(_alike(law, state, seats, readings, PLIES) for state in states)
    ((field, _),) = least[1].most_common(1)
    what = f"writes another view.{field} where all seats are turned by one: expected places, not numbers of seats, own"
    remedy = "side first, then that of seat_after(state.mover, 1, seats)"
    unless = "" if same else "; it may be meant, as this law does not treat all seats alike"
    found.add_of(game.observe, f"{what} {remedy}{unless}", note=not same)


def _readings(game: Game, name: str, states: list[State]) -> Iterator[Reading]:
    """How a field may be read, the likeliest first."""
    values = np.array([state[name] for state in states])
    # An array by team is turned by one as well: the next seat is of the next team.
    lengths = {game.most_seats} if game.team is None else range(2, game.most_seats + 1)
    axes = [axis for axis, length in enumerate(values.shape[1:]) if length in lengths]
    yield from itertools.product([*axes, None], [None, 0, 1] if values.dtype.kind in "iu" else [None])


def _turned(state: State, seats: int, readings: Mapping[str, Reading]) -> State:
    """The state in which every seat has what the one before it had."""
    turned = state.copy()
    for name, (axis, first) in readings.items():
        values = np.array(state[name])
        if axis is not None:
            among = (slice(None),) * axis + (slice(0, seats),)
            values[among] = np.roll(values[among], 1, axis)
        if first is not None:
            of_seats = (values >= first) & (values < first + seats)
            values = np.where(of_seats, (values - first + 1) % seats + first, values)
        turned[name] = values
    if state.mover != CHANCE:
        turned.mover = seat_after(state.mover, 1, seats)
    return turned


def _turned_alike(states: list[State], seats: int, *readings: Mapping[str, Reading]) -> bool:
    """Whether two readings make the same states."""
    return all(len({_turned(state, seats, reading).tobytes() for reading in readings}) == 1 for state in states)


def _told(
    law: Game, states: list[State], seats: int, readings: Mapping[str, Reading], most: int = TURNED
) -> tuple[tuple[int, int], Counter[str]]:
    """In how many states the law tells the turned one from it, at once or within a round, and by field the view."""
    by_law = sum(not _alike(law, state, seats, readings, 0) for state in states)
    by_view = Counter[str]()
    if by_law > most:  # another reading is better: the rest says nothing
        return (by_law, by_law), by_view
    by_course = sum(not _alike(law, state, seats, readings, seats) for state in states)
    for state in states:
        with contextlib.suppress(Exception):  # what is turned in a wrong way may not be a state of the game
            view = view_of(law, state)
            other = view_of(law, _turned(state, seats, readings))
            by_view.update(name for name in law.view.names or () if not np.array_equal(view[name], other[name]))
    return (by_law, by_course), by_view


def _alike(law: Game, state: State, seats: int, readings: Mapping[str, Reading], plies: int) -> bool:
    """Whether the law treats a state and the turned one alike, now and after some moves."""
    with contextlib.suppress(Exception):
        return _same_course(law, state.copy(), _turned(state, seats, readings), seats, plies)
    return False


def _same_course(law: Game, one: State, other: State, seats: int, plies: int) -> bool:
    luck = 31
    for _ in range(plies + 1):
        legal = legal_moves(law, one)
        if legal != legal_moves(law, other) or bool(law.over(one)) != bool(law.over(other)):
            return False
        if other.mover != (one.mover if one.mover == CHANCE else seat_after(one.mover, 1, seats)):
            return False
        if any(law.points(one, seat) != law.points(other, seat_after(seat, 1, seats)) for seat in range(seats)):
            return False
        if not legal:
            return True
        luck = next_luck(luck)
        for state in (one, other):
            law.play(state, legal[luck % len(legal)])
    return True
