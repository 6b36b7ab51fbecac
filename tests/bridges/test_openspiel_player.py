"""OpenSpiel's search as a player."""

from __future__ import annotations

import pytest

from rulebots import UsageError, load_game, make_player, play_match
from rulebots.game.position import Position


@pytest.mark.parametrize("name", ["kalah", "tictactoe"])
def test_openspiels_search_is_a_player(name: str) -> None:
    game = load_game(name)
    player = make_player("openspiel:mcts:simulations=20", game)
    options = {"pits": 3, "stones": 2} if name == "kalah" else {}
    one, again = (play_match(player, make_player("random", game), deals=2, options=options) for _ in range(2))
    assert one.games == 4
    assert (one.win_rate, one.points) == (again.win_rate, again.points)


def test_openspiels_search_finds_the_winning_move() -> None:
    game = load_game("tictactoe")
    position = Position.from_text(game, "XX1/OO1/3 X b2")
    assert position.write(make_player("openspiel:mcts:simulations=200,c=1", game).decide(position)) == "c3"


@pytest.mark.parametrize(
    ("spec", "game", "said"),
    [
        ("openspiel", "kalah", "expected openspiel:mcts, or openspiel:mcts:simulations=1000"),
        ("openspiel:cfr", "kalah", "expected openspiel:mcts"),
        ("openspiel:mcts:simulation=3", "kalah", "did you mean 'simulations'?"),
        ("openspiel:mcts:simulations=0", "kalah", "openspiel:mcts: simulations: expected a whole number from 1"),
        ("openspiel:mcts", "lost-cities", "searches positions, but Lost Cities hides cards"),
    ],
)
def test_a_wrong_name_is_one_line(spec: str, game: str, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        make_player(spec, load_game(game))
    assert said in str(raised.value)


def test_it_searches_tables_of_three() -> None:
    game = load_game("standing:game")
    search = make_player("openspiel:mcts:simulations=20", game)
    assert play_match(search, make_player("random", game), 1, options={"seats": 3}).games == 6
