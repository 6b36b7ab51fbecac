"""Secret moves one after the other are simultaneous moves: Goofspiel as OpenSpiel plays it, at two to five seats."""

from __future__ import annotations

from typing import Any

import goofspiel
import numpy as np
import pyspiel
import pytest

from rulebots.game.position import Position
from rulebots.game.seats import worth_kernel

GAME, GAMES = goofspiel.game, 510
VALUE = worth_kernel(GAME).function


def theirs(seats: int, cards: int, returns: str) -> Any:
    """OpenSpiel's game, whose simultaneous moves it turns into secret ones itself, in the order of the seats."""
    of = f"players={seats},num_cards={cards},imp_info=False,points_order=random,returns_type={returns}"
    return pyspiel.load_game(f"turn_based_simultaneous_game(game=goofspiel({of}))").new_initial_state()


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_it_is_openspiels_goofspiel(seats: int) -> None:
    """The same legal cards at every bid, the same points and the same winners, in 2,040 random games in all."""
    rng = np.random.default_rng(seats)
    for _ in range(GAMES):
        cards = int(rng.integers(2, 9))
        position = Position(GAME, {"seats": seats, "cards": cards}, rng.permutation(goofspiel.CARDS))
        prizes = [int(prize) for prize in position.state.prizes[:cards]]
        states = [theirs(seats, cards, "total_points"), theirs(seats, cards, "win_loss")]
        while not states[0].is_terminal():
            if states[0].is_chance_node():
                move = prizes[position.plies // seats]
            else:
                assert states[0].current_player() == position.mover
                assert states[0].legal_actions() == position.legal_moves.tolist()
                move = int(rng.choice(position.legal_moves))
                position.push(move)
            for state in states:
                state.apply_action(move)
        # It makes the moves of the last round itself, as nobody has a choice there.
        while not position.over:
            (move,) = position.legal_moves.tolist()
            position.push(move)
        assert position.plies == seats * cards
        assert states[0].returns() == list(position.points)
        worth = np.zeros(seats)
        VALUE(np.array(position.points), seats, worth)
        won = states[1].returns()
        if any(won):
            assert won == pytest.approx([part or -1 / (seats - np.count_nonzero(worth)) for part in worth])
        else:
            assert len(set(position.points)) == 1


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_nobody_learns_of_a_bid_before_all_have_made_theirs(seats: int) -> None:
    """What a seat sees, is told, and is shown by a redeal does not depend on the bids of the others in this round."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        one = Position(GAME, {"seats": seats, "cards": 6}, seed=int(rng.integers(1000)))
        while one.plies < 2 * seats:
            one.push(int(rng.choice(one.legal_moves)))
        other = one.copy()
        for seat in range(seats):
            assert one.view().tobytes() == other.view().tobytes()
            assert one.history(seat) == other.history(seat)
            assert one.redealt(99).state.tobytes() == other.redealt(99).state.tobytes()
            bids = rng.permutation(one.legal_moves)[:2]
            one.push(int(bids[0]))
            other.push(int(bids[1]))
        assert one.view()["hand"].tolist() != other.view()["hand"].tolist()
