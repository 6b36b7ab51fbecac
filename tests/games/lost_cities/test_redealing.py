"""Lost Cities dealt again: all unknown cards are equally likely, forwards and back to the deal."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hidden_cards import REDEALT
from recorded import recorded

from rulebots.game import Game
from rulebots.game.dtypes import records
from rulebots.play.deals import draw_deals


@pytest.mark.slow
def test_all_unknown_cards_are_as_likely_to_be_the_opponents(lost_cities: Game) -> None:
    record = recorded(draw_deals(lost_cities, 1, 3), 0)
    state = next(s for s in record.states if s.known[1 - int(s.mover)].any() and s.deck_left > 10)
    opp, luck, trials = 1 - int(state.mover), 99, 400
    seats: list[Counter[int]] = [Counter(), Counter()]
    for trial in range(trials):
        kernel_made = records(lost_cities.state, 1)
        kernel_made[0] = state
        assert lost_cities.redeal is not None
        luck = lost_cities.redeal(kernel_made[0], luck)
        for seat, made in zip(seats, (kernel_made[0], oracles(state, trial)), strict=True):
            hand = made.hand[opp, : made.hand_size[opp]].tolist()
            assert hand == sorted(hand)
            cards = sorted([*hand, *made.deck[: made.deck_left].tolist()])
            before = [*state.hand[opp, : state.hand_size[opp]].tolist(), *state.deck[: state.deck_left].tolist()]
            assert cards == sorted(before)
            seat.update(hand)
    assert set(seats[0]) == set(seats[1])
    # Six standard deviations of the difference of two counts.
    assert max(abs(seats[0][card] - seats[1][card]) for card in seats[0]) < 6 * np.sqrt(2 * trials / 4)


def oracles(state: Any, seed: int) -> Any:
    return REDEALT["lost-cities"](state, np.random.default_rng(seed))


@pytest.mark.slow
def test_taking_back_makes_all_deals_equally_likely(lost_cities: Game) -> None:
    """Of the cards in a hand, each was drawn from the deck as often as any other."""
    assert lost_cities.undeal is not None
    record = recorded(draw_deals(lost_cities, 1, 3), 0)
    ply = next(p for p, s in enumerate(record.states) if int(s.mover) == 0 and p >= 12 and s.phase == 0)
    state, seats = record.states[ply], np.array([s.mover for s in record.states[:ply]], np.int64)
    moves = np.array(record.chosen[:ply], np.int64)
    first, luck, trials = Counter[int](), 99, 600
    options, deal = lost_cities.option_values(), np.zeros(60, np.int64)
    for _ in range(trials):
        luck = lost_cities.undeal(state, seats, moves, options, deal, luck)
        first.update(deal[:8].tolist())
    fetched = {int(c) for c in np.flatnonzero([state.known[0, c // 10] >> (c % 10 + 1) & 1 for c in range(60)])}
    held = [c for c in state.hand[0, : state.hand_size[0]].tolist() if c % 10 and c not in fetched]
    assert len(held) >= 3
    # Six standard deviations of the difference of two counts.
    assert max(first[one] - first[other] for one in held for other in held) < 6 * np.sqrt(2 * trials / 4)
    assert min(first[card] for card in held) > 0
