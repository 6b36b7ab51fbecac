"""Whether the fields that a game calls the position decide how it goes on."""

from __future__ import annotations

from typing import Any

import numpy as np

from rulebots.checking.law import differing, sample_states
from rulebots.checking.problem import Problems, add, at, collecting
from rulebots.game import CHANCE, Game
from rulebots.game.checked import checked_game
from rulebots.game.random_numbers import next_luck

#: Positions from which moves are made in two orders, and how often in each.
STATES, TRIES = 100, 4
#: Moves whose orders are changed: the first and the third one, so that a seat's own two moves change places.
PLIES = 3


def check_position_fields(game: Game) -> Problems:
    """Two states that agree in `position_fields` but in nothing else have to go on alike.

    Such states come from the same moves in another order, and from random games.
    """
    found: Problems = []
    if not game.position_fields or game.hidden:
        return found
    law, luck, met = checked_game(game), 1, dict[bytes, Any]()
    with collecting(found):
        states = sample_states(game)
        for state in states:
            _compare(law, met.setdefault(_key(game, state), state), state, found)
        for state in states[:: max(1, len(states) // STATES)]:
            for _ in range(TRIES):
                moves, one = list[int](), state.copy()
                for _ in range(PLIES):
                    if legal := _legal(law, one):
                        luck = next_luck(luck)
                        moves.append(legal[luck % len(legal)])
                        law.play(one, moves[-1])
                other = _played(law, state, moves[::-1])
                if other is not None and _key(game, one) == _key(game, other):
                    _compare(law, one, other, found)
    return found


def _key(game: Game, state: Any) -> bytes:
    return b"".join(np.asarray(state[name]).tobytes() for name in game.position_fields)


def _legal(law: Game, state: Any) -> list[int]:
    """The legal moves, or outcomes; none where the game is over."""
    room = np.zeros(law.move_count, np.int64)
    return [] if law.over(state) else sorted(room[: law.moves(state, room)].tolist())


def _played(law: Game, state: Any, moves: list[int]) -> Any:
    """The state after these moves; None if they are not legal."""
    later = state.copy()
    for move in moves:
        if move not in _legal(law, later):
            return None
        law.play(later, move)
    return later


def _compare(law: Game, one: Any, other: Any, found: Problems) -> None:
    """Add what differs between two states that are said to be one position."""
    differ = differing(law, one, other)
    if not differ:
        return
    fields = ", ".join(f"state.{name}" for name in differ)
    same = f"where two states agree in position_fields and differ in {fields}"
    remedy = "add to position_fields what decides it"
    if bool(law.over(one)) != bool(law.over(other)):
        add(found, at(law.over, f"gives True and False {same}: {remedy}"))
        return
    for seat in (0, 1):
        if (points := law.points(one, seat)) != (others := law.points(other, seat)):
            add(found, at(law.points, f"gives {points} and {others} to seat {seat} {same}: {remedy}"))
            return
    moves = _legal(law, one)
    if moves != _legal(law, other):
        add(found, at(law.moves, f"gives other moves {same}: {remedy}"))
        return
    for move in moves:
        if law.odds is not None and one.mover == CHANCE and law.odds(one, move) != law.odds(other, move):
            add(found, at(law.odds, f"gives other odds {same}: {remedy}"))
            return
        after, instead = _played(law, one, [move]), _played(law, other, [move])
        if _key(law, after) != _key(law, instead):
            add(found, at(law.play, f"leads the move {move} to another position {same}: {remedy}"))
            return
