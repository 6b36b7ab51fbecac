"""The perfect player."""

from __future__ import annotations

import numpy as np
import pytest
from played_positions import after

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.games.circles.solver import CirclesTablebase, tablebase_of
from rulebots.kernel import compiling
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.play.deals import draw_deals, mirrored
from rulebots.play.match import play_games
from rulebots.search.exact.tablebase import best_moves

CIRCLES, TICTACTOE, KALAH = load_game("circles"), load_game("tictactoe"), load_game("kalah")


@pytest.mark.parametrize(
    ("rival", "wins_of_lost_games"), [("random", 0.5), ("hand_tuned", 0)] if compiling() else [("random", 0.5)]
)
def test_perfect_wins_every_won_game_of_circles_and_some_lost_ones(rival: str, wins_of_lost_games: float) -> None:
    size = 5 if compiling() else 4
    deals = draw_deals(CIRCLES, 20, 1, options={"size": size}, opening_plies=0)
    start = Position(CIRCLES, {"size": size})
    won = tablebase_of(start).value(start) > 0
    games = play_games([make_player("perfect", CIRCLES), make_player(rival, CIRCLES)], deals, mirrored(20))
    first, second = games.points[0::2, 0], games.points[1::2, 1]
    assert won
    assert first.all()
    assert second.mean() >= wins_of_lost_games


@pytest.mark.compiled
def test_perfect_never_loses_at_tictactoe() -> None:
    players = [make_player(name, TICTACTOE) for name in ("perfect", "random")]
    games = play_games(players, draw_deals(TICTACTOE, 30, 1, opening_plies=0), mirrored(30))
    mine = np.where(
        np.arange(60) % 2 == 0, games.points[:, 0] - games.points[:, 1], games.points[:, 1] - games.points[:, 0]
    )
    assert (mine >= 0).all()
    assert mine.mean() > 0.5


def test_perfect_wins_at_once_where_it_can() -> None:
    """A line that is left open for another win looks like a blunder."""
    game = load_game("tictactoe")
    position = Position.from_text(game, "2X/1O1/XOX O")
    assert position.write(make_player("perfect", game).decide(position)) == "b3"


def test_perfect_without_a_win_leaves_the_fewest_right_answers() -> None:
    base = CirclesTablebase(4, 3, 1)
    player = make_player("perfect", CIRCLES)
    hardest = 0
    for number in range(0, base.positions, 11):
        position = base.position(number)
        move = player.decide(position)
        assert move in best_moves(base, position)
        if base.value(position) < 0:
            shares = {}
            for other in position.legal_moves.tolist():
                child = after(position, other)
                shares[other] = len(best_moves(base, child)) / len(child.legal_moves)
            assert shares[move] == min(shares.values())
            hardest += len(set(shares.values())) > 1
    assert hardest > 5


def test_perfect_takes_no_settings_and_no_hidden_cards(lost_cities: Game) -> None:
    with pytest.raises(UsageError, match="no setting 'depth' of perfect"):
        make_player("perfect:depth=3", CIRCLES)
    with pytest.raises(UsageError, match="'perfect' searches positions, but Lost Cities hides cards"):
        make_player("perfect", lost_cities)
