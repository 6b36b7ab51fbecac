"""Who plays gomoku against a person by default blocks what must be blocked."""

from __future__ import annotations

import pytest

from rulebots.game import load_game
from rulebots.kernel import compiling
from rulebots.players.names import make_player
from rulebots.players.usual import usual_opponent
from rulebots.position import Position


@pytest.mark.skipif(not compiling(), reason="rollouts of gomoku take long interpreted")
@pytest.mark.parametrize(
    ("moves", "blocks"),
    [
        ("h8 a1 h9 c1 h10", {"h7", "h11", "h6", "h12"}),
        ("h8 a1 i9 c1 j10", {"g7", "k11", "f6", "l12"}),
        ("h8 a1 h9 c1 h11", {"h10", "h7", "h12"}),
        ("h8 h7 h9 a1 h10 c3 h11", {"h12"}),
        ("h8 a1 h9 c3 h10 m1 h12", {"h11"}),
        ("a2 h8 a1 h9 o1 h10 a15 h11 o15", {"h7", "h12"}),
    ],
    ids=[
        "an open three",
        "an open three on the diagonal",
        "a split three",
        "a four",
        "a split four",
        "its own open four, which wins",
    ],
)
def test_the_usual_opponent_answers_threats(moves: str, blocks: set[str]) -> None:
    game = load_game("gomoku")
    position = Position(game)
    for text in moves.split():
        position.push(position.read(text))
    player = make_player(usual_opponent(game), game)
    assert position.write(player.beginning_a_game(position.mover).decide(position)) in blocks
