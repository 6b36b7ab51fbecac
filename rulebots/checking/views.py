"""What the mover may know, and what makes a position: views are wholly written, and no secret field decides."""

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import Any

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
from rulebots.checking.places import check_places
from rulebots.game.checks import CHANCE, require
from rulebots.game.contract import Game, State, checked_game
from rulebots.game.random_numbers import next_luck
from rulebots.game.seats import seats_kernel

#: Deals whose first positions are compared.
DEALS = 200
#: Positions from which moves are made in two orders, and how often in each.
STATES = 100
TRIES = 4
#: Moves whose orders are changed: the first and the third one, so that a seat's own two moves change places.
REORDERED = 3


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
    seats_of = seats_kernel(game)
    fields = [field for field in game.view.names or () if field != "luck"]
    for state in states:
        fresh = view_of(law, state)
        view = used[seats_of(state)]
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
    seats = int(seats_kernel(game)(state))  # no search compares tables of different sizes
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
    for seat in range(seats_kernel(law)(one)):
        points = (law.points(one, seat), law.points(other, seat))
        require(law.points, points[0] == points[1], f"gives {points[0]} and {points[1]} to seat {seat} {same}")
    moves = legal_moves(law, one)
    require(law.moves, moves == legal_moves(law, other), f"gives other moves {same}")
    for move in moves:
        if law.odds is not None and one.mover == CHANCE:
            require(law.odds, law.odds(one, move) == law.odds(other, move), f"gives other odds {same}")
        alike = _key(law, _played(law, one, [move])) == _key(law, _played(law, other, [move]))
        require(law.play, alike, f"leads the move {move} to another position {same}")
