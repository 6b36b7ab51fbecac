"""What is signalled in whole games of Hanabi: played again with other hidden cards, and held against the hints."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
import pytest

from rulebots.game import State
from rulebots.game.position import Position
from rulebots.game.random_numbers import rng_of
from rulebots.games.hanabi.cards import hinted
from rulebots.games.hanabi.conventions import STATE_FIELDS
from rulebots.games.hanabi.game import game
from rulebots.packages.players import make_player

SIGNALS = [name for name, *_ in STATE_FIELDS]
SEED = 3


@functools.cache
def course(seats: int) -> tuple[list[State], list[int]]:
    """A game by `standard`, every fifth move at random: the states after 0, 1, 2.. moves, and the moves."""
    player, rng = make_player("standard", game), rng_of(SEED)
    position = Position(game, {"seats": seats}, seed=SEED, compiled=True)
    states, moves = [position.state.copy()], list[int]()
    while not position.over:
        chosen = int(rng.choice(position.legal_moves)) if rng.random() < 0.2 else player.decide(position)
        position.play(chosen)
        states.append(position.state.copy())
        moves.append(chosen)
    return states, moves


def replayed(state: State, moves: Sequence[int]) -> State:
    """The state after these moves, from the deal that a state's deck says."""
    deal = state.deck[::-1].astype(np.int64)
    position = Position(game, {"seats": int(state.seats)}, deal=deal, compiled=True)
    for move in moves:
        position.play(move)
    return position.state


@pytest.mark.parametrize("seats", [3, *(pytest.param(seats, marks=pytest.mark.slow) for seats in (2, 4, 5))])
def test_a_course_signals_the_same_whatever_cards_a_seat_does_not_see(seats: int) -> None:
    """What a seat cannot see is dealt again, by its hints, and the whole course played from there."""
    assert game.redeal is not None
    states, moves = course(seats)
    dealt_otherwise = 0
    for plies in range(1, len(states), 6):
        state = states[plies]
        for seat in range(seats):
            other = state.copy()
            other.mover = seat
            game.redeal(other, 1000 * SEED + plies)
            again = replayed(other, moves[:plies])
            assert np.array_equal(again.hands, other.hands)
            dealt_otherwise += not np.array_equal(again.hands, state.hands)
            for name in SIGNALS:
                assert np.array_equal(again[name], state[name]), (plies, seat, name)
    assert dealt_otherwise > 10


@pytest.mark.parametrize("seats", [2, 5])
def test_what_a_card_is_taken_for_is_possible_by_hints(seats: int) -> None:
    narrower = 0
    for state in course(seats)[0][1:]:
        for seat in range(seats):
            for place in range(state.held[seat]):
                meant, possible = int(state.meant[seat, place]), hinted(state, seat, place)
                assert meant
                assert meant & ~possible == 0
                narrower += meant != possible
    assert narrower > 100
