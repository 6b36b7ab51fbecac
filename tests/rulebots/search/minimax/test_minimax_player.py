"""Minimax as a player.

----

Names of minimax players, with settings.
"""

from __future__ import annotations

import pytest
from played_positions import positions

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.play.deals import draw_deals, mirrored
from rulebots.play.match import play_games
from rulebots.search.minimax.player import MinimaxPlayer
from rulebots.search.minimax.search import Limits, Minimax

kalah, tictactoe = load_game("kalah"), load_game("tictactoe")
KALAH = {"pits": 4, "stones": 3}


@pytest.mark.slow
def test_a_player_by_name_plays_whole_games_of_any_game() -> None:
    for game, names in {
        kalah: ("minimax:depth=2", "minimax:nodes=60,table=0.5"),
        tictactoe: ("minimax:depth=3", "minimax:nodes=30,depth=9"),
    }.items():
        players = [make_player(name, game) for name in names]
        deals = draw_deals(game, 2, 1, options=KALAH if game is kalah else {})
        games = play_games(players, deals, mirrored(2))
        again = play_games(players, deals, mirrored(2), jobs=2)
        assert games.points.tolist() == again.points.tolist()
        assert not games.stalled.any()


def test_each_game_has_a_table_of_its_own() -> None:
    player = MinimaxPlayer(kalah, Limits(depth=2))
    first, second = player.for_one_game(), player.for_one_game()
    assert first is not second is not player
    position = positions(kalah, 1, **KALAH)[0]
    assert first.decide(position) == second.decide(position)
    assert first.result
    assert player.result is None


def test_a_game_that_hides_something_is_refused(lost_cities: Game) -> None:
    with pytest.raises(UsageError, match="this search reads the position, but Lost Cities hides cards"):
        Minimax(lost_cities)
    with pytest.raises(UsageError, match="'minimax:depth=2' searches positions, but Lost Cities hides cards"):
        make_player("minimax:depth=2", lost_cities)


def test_what_a_search_needs_is_made_before_its_first_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling takes seconds, and a move may have to come in less."""
    made = list[Game]()
    monkeypatch.setattr("rulebots.search.minimax.player.Minimax", lambda game, *_: made.append(game))
    MinimaxPlayer(kalah, Limits(depth=2)).for_one_game()
    assert made == [kalah]


kalah = load_game("kalah")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("minimax", "minimax: a search needs a limit: give depth, nodes or seconds"),
        ("minimax:table=1", "a search needs a limit"),
        ("minimax:depth=0", "minimax: depth: expected a whole number from 1 to 1,022, not 0"),
        ("minimax:depth=1023", "depth: expected a whole number from 1 to 1,022, not 1023"),
        ("minimax:nodes=0", "minimax: nodes: expected a whole number from 1 to "),
        ("minimax:seconds=0", "minimax: seconds: expected a number from 1e-06 to 1,000,000, not 0.0"),
        ("minimax:depth=2,table=-1", "minimax: table: expected a number from 0 to 4,096, not -1.0"),
        ("minimax:deep=2", "no setting 'deep' of minimax; did you mean 'depth'?"),
        ("minimax:depth=2,rules=nobody", "no player 'nobody' of kalah"),
        ("minimax:depth=2,rules=random", "expected the name of a rule player, such as hand_tuned, not 'random'"),
    ],
)
def test_a_wrong_name_is_answered_in_one_line(spec: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        make_player(spec, kalah)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
