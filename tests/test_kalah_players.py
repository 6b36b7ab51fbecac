"""The players of the seed decide as their Ruby does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from naive_kalah_players import APessimistic, DeepScore, RemoveHigh, Ruby, Score
from recorded import recorded

from rulebots.game import Game, load_game
from rulebots.kernel import compiling
from rulebots.luck import next_luck
from rulebots.matches import draw_deals

ORACLES: dict[str, type[Ruby]] = {
    "remove-high": RemoveHigh,
    "score": Score,
    "deep-score": DeepScore,
    "apessimistic": APessimistic,
}
#: Small boards, where the oracle's look-ahead does not take long, and one with more than a lap of stones.
BOARDS = [{"pits": 3, "stones": 3}, {"pits": 4, "stones": 2, "empty_capture": 0}, {"pits": 2, "stones": 9}]


@pytest.fixture(scope="module")
def kalah() -> Game:
    return load_game("kalah")


def decide(game: Game, who: str, state: Any, luck: int) -> int:
    view, moves = game.new_view(), np.zeros(game.move_count, np.int64)
    game.observe(state, view)
    view.luck = luck
    return int(game.own_players[who]().choose(view, moves[: game.moves(state, moves)]))


def turned(state: Any) -> list[int]:
    cells, first = 2 * int(state.pits) + 2, int(state.mover) * (int(state.pits) + 1)
    return [int(state.board[(first + cell) % cells]) for cell in range(cells)]


@pytest.mark.parametrize("who", ORACLES)
@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_the_oracle_decides_alike(kalah: Game, who: str, options: dict[str, int]) -> None:
    games, luck = (25, 1) if compiling() else (2, 1)
    deals = draw_deals(kalah, games, 1, options=options)
    for number in range(games):
        for state in recorded(deals, number).states[:-1:3]:
            luck = next_luck(luck)
            expected = ORACLES[who](options["pits"]).get_move(turned(state), luck)  # type: ignore[attr-defined]
            assert decide(kalah, who, state, luck) == expected, turned(state)
