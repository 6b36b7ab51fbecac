"""The players of Hanabi by strength, over more deals than chance could turn."""

from __future__ import annotations

import numpy as np
import pytest

from rulebots.games.hanabi.game import game
from rulebots.packages.players import make_player
from rulebots.play.deals import draw_deals
from rulebots.play.match import play_games

DEALS = 400


def mean_points(name: str, seats: int) -> float:
    """The mean points of a team of copies."""
    schedule = np.zeros((DEALS, 1 + seats), np.int64)
    schedule[:, 0] = np.arange(DEALS)
    games = play_games([make_player(name, game)], draw_deals(game, DEALS, 11, options={"seats": seats}), schedule)
    return float(games.points[:, 0].mean())


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_more_rules_make_more_points(seats: int) -> None:
    simple, holmes, standard = (mean_points(name, seats) for name in ("simple", "holmes", "standard"))
    assert 15 < simple < holmes - 0.5
    assert holmes < standard - 0.5
