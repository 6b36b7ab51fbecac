"""Who of a mix is met how often."""

from __future__ import annotations

import numpy as np

from evolve.evaluation.generation import sparring_schedule
from evolve.evaluation.mix import Mix
from rulebots.players.names import make_player
from rulebots.registry import load_game

PLAYER = make_player("standard", load_game("tictactoe"))


def test_everyone_gets_its_share_from_the_first_deals_on() -> None:
    whom = Mix([PLAYER] * 3, [0.5, 0.3, 0.2]).shared_out(100)
    for count in range(1, 101):
        met = np.bincount(whom[:count], minlength=3)
        assert (np.abs(met - count * np.array([0.5, 0.3, 0.2])) <= 1).all()


def test_a_mix_is_one_opponent_more_whose_deals_its_players_share() -> None:
    schedule = sparring_schedule(2, 1, Mix([PLAYER] * 2, [0.5, 0.5]), 4)
    assert len(schedule) == 2 * 2 * 2 * 4  # seats, players, an opponent and the mix, deals
    for player in (0, 1):
        other = 1 - player
        mine = schedule[(schedule[:, 1:] == player).any(axis=1)]
        assert not (mine[:, 1:] == other).any()
        whom = np.where(mine[:, 1] == player, mine[:, 2], mine[:, 1])
        assert np.bincount(whom, minlength=5).tolist() == [0, 0, 8, 4, 4]
        for deal in range(4):
            on_it = mine[mine[:, 0] == deal]
            seats = [tuple(pair) for pair in on_it[:, 1:]]
            assert len(seats) == len(set(seats)) == 4
            assert {pair[::-1] for pair in seats} == set(seats)  # from both seats
