"""What the mover may know, and what makes a position: views are wholly written, and no secret field decides.

With three seats and more a view goes by places, own side first, and not by the numbers of seats: it stays the same
where all seats of a state are turned by one. The state does not declare which fields are per-seat. So each field is
read in every way that its shape allows, and those readings count in which the law gives the same moves and points, and
then the views differ least. Where the law plays the turned state otherwise than the state itself, a view may have to
tell seats apart: then there is a note.
"""

from __future__ import annotations

import contextlib
import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np

from rulebots.checking.findings import Findings
from rulebots.checking.hidden import check_redeal
from rulebots.checking.law import (
    dealt_states,
    differing,
    legal_moves,
    part_ways,
    sample_states,
    tables_of,
    view_of,
)
from rulebots.game.checks import CHANCE, require
from rulebots.game.contract import Game, State, checked_game
from rulebots.game.random_numbers import next_luck, rng_of
from rulebots.game.seats import seat_after

#: Deals whose first positions are compared.
DEALS = 200
#: Positions from which moves are made in two orders, and how often in each.
STATES = 100
TRIES = 4
#: Moves whose orders are changed: the first and the third one, so that a seat's own two moves change places.
REORDERED = 3
#: How many positions of each number of seats are turned, and the moves that then follow.
TURNED = 8
PLIES = 40
#: How a field is read: the axis that goes by seat, if any, and what number stands for seat 0 in it, if any does.
Reading: TypeAlias = tuple[int | None, int | None]


def check_observation(game: Game) -> Findings:
    """The view of random positions."""
    found = Findings()
    with found.collecting():
        states = sample_states(game)
        _check_written(game, states, found)
        if game.most_seats > 2:
            check_places(game, states, found)
        if game.hidden:
            check_redeal(game, states, found)
        else:
            _check_open(game)
    return found


def _check_written(game: Game, states: list[State], found: Findings) -> None:
    """A view must not depend on what was in the record before."""
    law = checked_game(game)
    used = defaultdict[int, Any](game.new_view)
    fields = [field for field in game.view.names or () if field != "luck"]
    for state in states:
        fresh = view_of(law, state)
        view = used[game.seats_of(state)]
        law.observe(state, view)
        lost = [field for field in fields if not np.array_equal(fresh[field], view[field])]
        what = f"leaves what an earlier position had in view.{', '.join(lost[:1])}: it has to write all of it"
        require(game.observe, not lost, what)
    never = [field for field in fields if not any(view_of(law, state)[field].any() for state in states)]
    if never and states:
        what = f"writes nothing but 0 into view.{never[0]} in {len(states)} positions"
        found.add_of(game.observe, what, note=True)


def _check_open(game: Game) -> None:
    """Where nothing is hidden, the view tells deals apart: else they hold a future that searches would read."""
    for options in tables_of(game):
        secret = _unseen_fields(game, dealt_states(game, DEALS, options))
        names = ", ".join(f"state.{name}" for name in secret)
        what = f"shows nothing of {names}, which deals differ in, and hidden=False lets searches read it"
        remedy = "show it, or set hidden=True, or draw dice in play (chance=True)"
        require(game.observe, not secret, f"{what}: {remedy}")


def _unseen_fields(game: Game, states: list[State]) -> list[str]:
    """The fields in which two of these first positions differ that look alike, or would go on differently."""
    law = checked_game(game)
    seen = dict[bytes, State]()
    for state in states:
        fields = differing(game, seen.setdefault(view_of(law, state).tobytes(), state), state)
        if fields:
            return fields
    # Where every deal shows something else, a field that no view shows may still decide what comes.
    for one, other in itertools.pairwise(states):
        for name in differing(game, one, other):
            mixed = one.copy()
            mixed[name] = other[name]
            if view_of(law, mixed).tobytes() == view_of(law, one).tobytes() and part_ways(game, one, mixed):
                return [name]
    return []


def check_position_fields(game: Game) -> Findings:
    """Two states that agree in `position_fields` but in nothing else have to go on alike.

    Such states come from the same moves in another order, and from random games.
    """
    found = Findings()
    if not game.position_fields or game.hidden:
        return found
    law = checked_game(game)
    luck = 1
    met = dict[bytes, Any]()
    with found.collecting():
        states = sample_states(game)
        for state in states:
            _compare(law, met.setdefault(_key(game, state), state), state)
        for state in states[:: max(1, len(states) // STATES)]:
            for _ in range(TRIES):
                moves = list[int]()
                one = state.copy()
                for _ in range(REORDERED):
                    if legal := legal_moves(law, one):
                        luck = next_luck(luck)
                        moves.append(legal[luck % len(legal)])
                        law.play(one, moves[-1])
                other = _played(law, state, moves[::-1])
                if other is not None and _key(game, one) == _key(game, other):
                    _compare(law, one, other)
    return found


def _key(game: Game, state: State) -> bytes:
    seats = game.seats_of(state)  # no search compares tables of different sizes
    return bytes([seats]) + b"".join(np.asarray(state[name]).tobytes() for name in game.position_fields)


def _played(law: Game, state: State, moves: list[int]) -> State | None:
    """The state after these moves; None if they are not legal."""
    later = state.copy()
    for move in moves:
        if move not in legal_moves(law, later):
            return None
        law.play(later, move)
    return later


def _compare(law: Game, one: State, other: State) -> None:
    """Raise CodeError for the first difference between two states that are said to be one position."""
    fields = ", ".join(f"state.{name}" for name in differing(law, one, other))
    if not fields:
        return
    same = f"where two states agree in position_fields and differ in {fields}: add to position_fields what decides it"
    require(law.over, bool(law.over(one)) == bool(law.over(other)), f"gives True and False {same}")
    for seat in range(law.seats_of(one)):
        points = (law.points(one, seat), law.points(other, seat))
        require(law.points, points[0] == points[1], f"gives {points[0]} and {points[1]} to seat {seat} {same}")
    moves = legal_moves(law, one)
    require(law.moves, moves == legal_moves(law, other), f"gives other moves {same}")
    for move in moves:
        if law.odds is not None and one.mover == CHANCE:
            require(law.odds, law.odds(one, move) == law.odds(other, move), f"gives other odds {same}")
        alike = _key(law, _played(law, one, [move])) == _key(law, _played(law, other, [move]))
        require(law.play, alike, f"leads the move {move} to another position {same}")


def check_places(game: Game, states: list[State], found: Findings) -> None:
    """The view of a seat shows what the view of the next one shows where all seats are turned by one."""
    by_seats = dict[int, list[State]]()
    for state in states:
        by_seats.setdefault(game.seats_of(state), []).append(state)
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
