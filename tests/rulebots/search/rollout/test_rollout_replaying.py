"""A game played again from another deal: which deals it can have begun with."""

from __future__ import annotations

import numpy as np
import pytest
from trick_positions import CARDS, HAND, begun

from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.game.random_numbers import rng_of
from rulebots.packages.players import make_player
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


def begun_belief(believer: Believer, position: Position) -> tuple[int, set[int]]:
    """How many numbers of a deal are read, and where chains change them."""
    past = past_of(position)
    assert past is not None
    believer._scratch.states[ROOT] = position.state
    numbers = position.game.deal(rng_of(1), 1, position.options).shape[1]
    deals, luck = believer._imagined(8, numbers, past, 5)
    read, spots = believer._begin(position, past, deals, luck)
    return read, set(spots.tolist())


def test_the_unread_numbers_of_a_deal_are_known(lost_cities: Game, tricks: Game, hand: RulePlayer) -> None:
    shelly = make_player("shelly", lost_cities)
    assert isinstance(shelly, RulePlayer)
    position = Position(lost_cities, seed=3)
    for _ in range(7):
        position.push(shelly.decide(position))
    read, _ = begun_belief(Believer([shelly]), position.redealt(7))
    assert read == 60 - position.state.deck_left
    read, _ = begun_belief(Believer([hand]), begun(tricks, hand, 3, 2))
    assert read == CARDS, "the box is never opened: its order means nothing, so that there is nothing to shuffle"


def test_chains_change_what_the_mover_cannot_know(tricks: Game, hand: RulePlayer) -> None:
    position = begun(tricks, hand, 3, 2)
    _, spots = begun_belief(Believer([hand]), position)
    # The seats are dealt cards in turn, and the box gets the rest.
    assert {spot % 2 for spot in spots if spot < 2 * HAND} == {1 - position.mover}
    assert max(spots) >= 2 * HAND
