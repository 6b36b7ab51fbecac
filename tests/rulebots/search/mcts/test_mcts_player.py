"""Tree search as a player."""

from __future__ import annotations

import pytest
from search_positions import GAME

from rulebots.game.position import Position
from rulebots.kernel import compiling
from rulebots.play.deals import draw_deals
from rulebots.play.match import mirrored, play_games
from rulebots.players import RandomPlayer
from rulebots.players.names import make_player
from rulebots.registry import load_game


def test_power_is_200_simulations() -> None:
    player = make_player("mcts:power=2", GAME)
    move = player.decide(Position(GAME, {"size": 3}, luck=[5, 5]))
    assert player.name == "mcts:power=2"
    assert player.result.simulations == 400  # type: ignore[attr-defined]
    assert move == player.result.move  # type: ignore[attr-defined]
    assert player.for_one_game().result is None  # type: ignore[attr-defined]
    assert not isinstance(player, RandomPlayer)


@pytest.mark.slow
def test_mcts_never_loses_tic_tac_toe_to_random() -> None:
    game = load_game("tictactoe")
    deals = 40 if compiling() else 2
    players = [make_player("mcts:iterations=500", game), make_player("random", game)]
    games = play_games(players, draw_deals(game, deals, 1, opening_plies=0), mirrored(deals))
    lost = games.points[:, 0] < games.points[:, 1]
    lost[1::2] = games.points[1::2, 0] > games.points[1::2, 1]
    assert not lost.any()
