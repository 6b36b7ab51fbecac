"""Players made of a policy: a function of an observation and an action mask."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rulebots import PlayerFault, load_game, make_player, play_match
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.players.policy import PolicyPlayer, mask_of, observation_of


def test_a_policy_plays_as_the_player_that_chooses_the_same_moves() -> None:
    kalah = load_game("kalah")
    policy = PolicyPlayer(kalah, "first", lambda observation, mask: int(np.argmax(mask)))
    one, other = (play_match(player, make_player("random", kalah), deals=5) for player in
                  (policy, make_player("leftmost", kalah)))  # fmt: skip
    assert (one.win_rate, one.points) == (other.win_rate, other.points)


def test_a_policy_is_given_every_field_of_the_view_but_luck(lost_cities: Game) -> None:
    given: list[tuple[dict[str, Any], Any]] = []

    def policy(observation: dict[str, Any], mask: Any) -> int:
        given.append((observation, mask))
        observation["hand"][:] = 0  # its own copy
        return int(np.argmax(mask))

    position = Position(lost_cities, seed=4)
    PolicyPlayer(lost_cities, "kept", policy).decide(position)
    [(observation, mask)] = given
    assert list(observation) == [name for name in lost_cities.view.names if name != "luck"]
    assert np.flatnonzero(mask).tolist() == sorted(position.legal_moves.tolist())
    assert mask.dtype == np.int8
    assert mask.shape == (lost_cities.move_count,)
    assert observation["suits"].tolist() == [5]
    assert position.view()["hand"].any()


@pytest.mark.parametrize(
    ("answer", "came"), [(0.5, "chose 0.5, of type float"), (None, "chose None"), (-1, "chose -1")]
)
def test_a_wrong_action_is_a_fault(answer: Any, came: str) -> None:
    kalah = load_game("kalah")
    with pytest.raises(PlayerFault, match=came):
        PolicyPlayer(kalah, "wrong", lambda observation, mask: answer).decide(Position(kalah))


def test_a_mask_has_a_1_for_each_legal_move() -> None:
    kalah = load_game("kalah")
    assert np.flatnonzero(mask_of(kalah, np.array([0, 5])) == 1).tolist() == [0, 5]
    assert observation_of(Position(kalah).view())["board"].sum() == 48
