"""Rolls and moves of Can't Stop by number."""

from __future__ import annotations

import math

import naive_cant_stop as naive
import pytest
from cant_stop_positions import GAME

from rulebots.game.position import Position
from rulebots.games.cant_stop.moves import ORDERS, ROLLS


@pytest.mark.parametrize("sides", range(2, 7))
def test_rolls_are_those_of_four_dice(sides: int) -> None:
    found = Position(GAME, {"sides": sides, "needed": 2})
    outcomes, odds = found.outcomes
    expected = naive.rolls(sides)
    assert {
        GAME.text.write(outcome): odd * sides**4 for outcome, odd in zip(outcomes, odds, strict=True)
    } == pytest.approx({"-".join(map(str, dice)): count for dice, count in expected.items()})


def test_126_rolls_stand_for_1296_orders() -> None:
    assert len(ROLLS) == math.comb(9, 4)
    assert ORDERS.sum() == 6**4
