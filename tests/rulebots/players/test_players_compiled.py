"""Players whose decision is a kernel."""

from __future__ import annotations

from typing import Any

import pytest

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.play.match import play_match
from rulebots.players import KernelPlayer, RandomPlayer


def test_a_compiled_player_that_chooses_by_no_kernel_is_refused(lost_cities: Game) -> None:
    def choose_plainly(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
        return int(moves[0])

    player = KernelPlayer(lost_cities, choose_plainly, "plain")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"test_players_compiled.py:\d+: `choose_plainly` is a plain function"):
        play_match(player, RandomPlayer(lost_cities), 1)
