"""What the tests of tournaments share."""

from __future__ import annotations

import pytest
from contenders import contender

from rulebots.packages import load_game
from rulebots.tournaments.tournament import Tournament, play_tournament


@pytest.fixture(scope="session")
def played() -> Tournament:
    game = load_game("kalah")
    players = [contender(game, who) for who in ("leftmost", "score", "remove-high", "score")]
    return play_tournament(players, deals=2, seed=5)
