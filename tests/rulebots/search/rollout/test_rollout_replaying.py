"""A game played again from another deal: which deals it can have begun with."""

from __future__ import annotations

import numpy as np
import pytest
from trick_positions import CARDS, HAND, begun

from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.game.random_numbers import rng_of
from rulebots.players import RulePlayer
from rulebots.search.rollout.belief import Believer, past_of
from rulebots.search.rollout.replaying import ROOT


@pytest.mark.slow
def test_every_deal_of_a_belief_leads_to_what_the_mover_sees(tricks: Game, hand: RulePlayer) -> None:
    for seed in range(1, 5):
        position = begun(tricks, hand, seed, seed)
        past = past_of(position)
        assert past is not None
        belief = Believer([hand]).believe(position, past, 80, np.inf, rng_of(seed))
        assert belief is not None
        assert belief.models.sum() == pytest.approx(1.0)
        for deal in belief.deals:
            again = Position(tricks, None, deal)
            for move in past.moves.tolist():
                again.push(move)
            again.state.mover = position.mover
            seen = again.view(position.mover), position.view()
            assert all(np.array_equal(seen[0][name], seen[1][name]) for name in tricks.view.names if name != "luck")


def test_the_unread_numbers_of_a_deal_are_known(lost_cities: Game, tricks: Game, hand: RulePlayer) -> None:
    position = begun(tricks, hand, 3, 2)
    past = past_of(position)
    assert past is not None
    belief = Believer([hand]).believe(position, past, 40, np.inf, rng_of(1))
    assert belief is not None
    assert belief.read == 2 * HAND  # the box is never opened


def test_chains_change_what_the_mover_cannot_know(tricks: Game, hand: RulePlayer) -> None:
    position = begun(tricks, hand, 3, 2)
    past = past_of(position)
    assert past is not None
    believer = Believer([hand])
    believer._scratch.states[ROOT] = position.state
    deals, luck = believer._imagined(8, CARDS, past, 5)
    _, spots = believer._begin(position, past, deals, luck)
    # The seats are dealt cards in turn.
    assert {int(spot) % 2 for spot in spots} == {1 - position.mover}
