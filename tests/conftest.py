"""What the tests share. Compiled kernels are kept in the user's cache, between tests and runs."""

from __future__ import annotations

import pytest

from rulebots.game import Game, load_game


@pytest.fixture(scope="session")
def lost_cities() -> Game:
    return load_game("lost-cities")
