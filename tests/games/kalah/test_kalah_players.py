"""The players of the seed decide as their Ruby does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from naive_kalah_players import APessimistic, DeepScore, RemoveHigh, Ruby, Score
from recorded import recorded

from rulebots.game import Game, load_game
from rulebots.games.kalah.ruby_quiz import choose_unpruned
from rulebots.kernel import compiling
from rulebots.play.deals import draw_deals
from rulebots.players import KernelPlayer, Player
from rulebots.random_numbers import next_luck

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


def decide(player: Player, state: Any, luck: int) -> int:
    view, moves = player.game.new_view(), np.zeros(player.game.move_count, np.int64)
    player.game.observe(state, view)
    view.luck = luck
    return int(player.choose(view, moves[: player.game.moves(state, moves)]))


def turned(state: Any) -> list[int]:
    cells, first = 2 * int(state.pits) + 2, int(state.mover) * (int(state.pits) + 1)
    return [int(state.board[(first + cell) % cells]) for cell in range(cells)]


@pytest.mark.parametrize("who", ORACLES)
@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_the_oracle_decides_alike(kalah: Game, who: str, options: dict[str, int]) -> None:
    games, luck = (25, 1) if compiling() else (2, 1)
    deals, player = draw_deals(kalah, games, 1, options=options), kalah.own_players[who]()
    for number in range(games):
        for state in recorded(deals, number).states[:-1:3]:
            luck = next_luck(luck)
            expected = ORACLES[who](options["pits"]).get_move(turned(state), luck)  # type: ignore[attr-defined]
            assert decide(player, state, luck) == expected, turned(state)


def test_pruning_changes_no_decision(kalah: Game) -> None:
    options = {} if compiling() else {"pits": 4, "stones": 3}
    pruned, unpruned = kalah.own_players["apessimistic"](), KernelPlayer(kalah, choose_unpruned, "unpruned")
    luck = 1
    for state in recorded(draw_deals(kalah, 1, 2, options=options), 0).states[:-1:5]:
        luck = next_luck(luck)
        assert decide(pruned, state, luck) == decide(unpruned, state, luck), turned(state)
