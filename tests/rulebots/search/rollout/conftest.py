"""A stranger's game with hidden cards: the one that `rulebots new --hidden` writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from game_copies import stranger

from rulebots.game import Game
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.players import RulePlayer


@pytest.fixture
def tricks(tmp_path: Path, forget: object) -> Game:
    """Four tricks with twelve cards, of which four stay in the box."""
    return load_game(str(stranger("tricks", "tricks", tmp_path) / "tricks"))


@pytest.fixture
def hand(tricks: Game) -> RulePlayer:
    """Its hand-tuned player."""
    player = make_player("hand", tricks)
    assert isinstance(player, RulePlayer)
    return player
