"""What the mover may know, and what makes a position: views are wholly written, and no secret field decides.

With three seats and more a view goes by places, own side first, and not by the numbers of seats: it stays the same
where all seats of a state are turned by one. The state does not declare which fields are per-seat. So each field is
read in every way that its shape allows, and those readings count in which the law gives the same moves and points, and
then the views differ least. Where the law plays the turned state otherwise than the state itself, a view may have to
tell seats apart: then there is a note.
"""

import contextlib
import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np

from rulebots.checking.findings import Findings, check
from rulebots.checking.hidden import check_redeal
from rulebots.checking.law import (
    dealt_states,
    differing,
    legal_moves,
    look_alike,
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
#: A state, and the one in which all seats are turned by one.
Pair: TypeAlias = tuple[State, State]


@check
def check_observation(findings: Findings, game: Game) -> None:
    """The view of random positions."""
    states = sample_states(game)
    views = [view_of(checked_game(game), state) for state in states]
    silent = [field for field in game.view.names or () if field != "luck" and not any(v[field].any() for v in views)]
    if silent and states:
        findings.add_of(
            game.observe, f"writes nothing but 0 into view.{silent[0]} in {len(states)} positions", note=True
        )
    if game.most_seats > 2:
        check_places(game, states, findings)
    if game.hidden:
        check_redeal(game, states, findings)
    else:
        _check_open(game)


def _check_open(game: Game) -> None:
    """Where nothing is hidden, the view tells deals apart: else they hold a future that searches would read."""
    for options in tables_of(game):
        secret = _unseen_fields(game, dealt_states(game, DEALS, options))
        names = ", ".join(f"state.{name}" for name in secret)
        require(
            game.observe,
            not secret,
            f"shows nothing of {names}, which deals differ in, and hidden=False lets searches read it: "
            "show it, or set hidden=True, or draw dice in play (chance=True)",
        )


def _unseen_fields(game: Game, states: list[State]) -> list[str]:
    """The fields in which two of these first positions differ that look alike, or would go on differently."""
    law = checked_game(game)
    seen = dict[bytes, State]()
    for state in states:
        first = seen.setdefault(view_of(law, state).tobytes(), state)
        if fields := differing(game.state, first, state):
            return fields
    # Where every deal shows something else, a field that no view shows may still decide what comes.
    for one, other in itertools.pairwise(states):
        for name in differing(game.state, one, other):
            mixed = one.copy()
            mixed[name] = other[name]
            if look_alike(law, mixed, one) and part_ways(game, one, mixed):
                return [name]
    return []


@check
def check_position_fields(findings: Findings, game: Game) -> None:
    """Two states that agree in `position_fields` but in nothing else have to go on alike.

    Such states come from the same moves in another order, and from random games.
    """
    if not game.position_fields or game.hidden:
        return
    law = checked_game(game)
    luck = 1
    met = dict[bytes, Any]()
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
    fields = ", ".join(f"state.{name}" for name in differing(law.state, one, other))
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
        if law.odds and one.mover == CHANCE:
            require(law.odds, law.odds(one, move) == law.odds(other, move), f"gives other odds {same}")
        alike = _key(law, _played(law, one, [move])) == _key(law, _played(law, other, [move]))
        require(law.play, alike, f"leads the move {move} to another position {same}")


def check_places(game: Game, states: list[State], findings: Findings) -> None:
    """The view of a seat shows what the view of the next one shows where all seats are turned by one."""
    by_seats = dict[int, list[State]]()
    for state in states:
        by_seats.setdefault(game.seats_of(state), []).append(state)
    for seats, several in sorted(by_seats.items()):
        if seats > 1:
            # At random: every so many plies it might always be the same part of a round.
            some = rng_of(0, seats).permutation(len(several))[:TURNED].tolist()
            _check_table(game, [several[i] for i in sorted(some)], seats, findings)


def _check_table(game: Game, states: list[State], seats: int, findings: Findings) -> None:
    law = checked_game(game)
    names = [name for name in game.state.names or () if name not in ("mover", "seats")]
    least, pairs = _best_turned(game, states, seats, {name: next(_readings(game, name, states)) for name in names})
    if least[0] or not least[2]:  # the law is not understood, or all is well
        return
    # Arrays of another meaning, such as four rows at a table of four, may be turned together without a change of the
    # law: so begin once more with none of them turned.
    least, pairs = min(
        (least, pairs), _best_turned(game, states, seats, dict.fromkeys(names, (None, None))), key=lambda one: one[0]
    )
    if not least[2]:
        return
    same = all(_alike(law, pair, seats, PLIES) for pair in pairs)
    ((field, _),) = _views_apart(law, pairs).most_common(1)
    findings.add_of(
        game.observe,
        f"writes another view.{field} where all seats are turned by one: expected places, not numbers of seats, own "
        "side first, then that of seat_after(state.mover, 1, seats)"
        f"{'' if same else '; it may be meant, as this law does not treat all seats alike'}",
        note=not same,
    )


def _best_turned(
    game: Game, states: list[State], seats: int, readings: Mapping[str, Reading]
) -> tuple[tuple[int, int, int], list[Pair]]:
    """The states turned as the law understands them best, found from these readings by changing one at a time.

    With them come their `_mismatches`.
    """
    law = checked_game(game)
    pairs = [(state, _turned(state, seats, readings)) for state in states]
    least = _mismatches(law, pairs, seats, TURNED)
    tried = set[bytes]()
    for name in [*readings] * 3:  # what a field means may only show when others are read right
        for reading in _readings(game, name, states):
            others = {**readings, name: reading}
            turned = [(state, _turned(state, seats, others)) for state in states]
            key = b"".join(twin.tobytes() for _, twin in turned)
            if not any(least) or key in tried:
                continue
            tried.add(key)
            mismatches = _mismatches(law, turned, seats, least[0])
            if mismatches < least:
                readings = others
                pairs = turned
                least = mismatches
    return least, pairs


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


def _mismatches(law: Game, pairs: list[Pair], seats: int, most: int) -> tuple[int, int, int]:
    """In how many pairs the law treats the states otherwise, at once and within a round; and fields of the views."""
    by_law = sum(not _alike(law, pair, seats, 0) for pair in pairs)
    if by_law > most:  # another reading is better: the rest says nothing
        return by_law, by_law, 0
    return by_law, sum(not _alike(law, pair, seats, seats) for pair in pairs), _views_apart(law, pairs).total()


def _views_apart(law: Game, pairs: list[Pair]) -> Counter[str]:
    """By field of the view, in how many pairs the movers see something else."""
    fields = Counter[str]()
    for state, twin in pairs:
        with contextlib.suppress(Exception):  # what is turned in a wrong way may not be a state of the game
            fields.update(differing(law.view, view_of(law, state), view_of(law, twin)))
    return fields


def _alike(law: Game, pair: Pair, seats: int, plies: int) -> bool:
    """Whether the law treats a state and the turned one alike, now and after some moves."""
    luck = 31
    one, other = (state.copy() for state in pair)
    with contextlib.suppress(Exception):
        for _ in range(plies + 1):
            legal = legal_moves(law, one)
            if (
                legal != legal_moves(law, other)
                or bool(law.over(one)) != bool(law.over(other))
                or other.mover != (one.mover if one.mover == CHANCE else seat_after(one.mover, 1, seats))
                or any(law.points(one, seat) != law.points(other, seat_after(seat, 1, seats)) for seat in range(seats))
            ):
                return False
            if not legal:
                return True
            luck = next_luck(luck)
            for state in (one, other):
                law.play(state, legal[luck % len(legal)])
        return True
    return False
