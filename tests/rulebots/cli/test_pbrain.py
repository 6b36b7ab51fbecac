"""`pbrain-rulebots`, as a manager of gomoku engines starts it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rulebots.cli.pbrain import limited
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.play.deals import draw_deals
from rulebots.play.match import play_deals

GOMOKU = load_game("gomoku")


@pytest.mark.compiled
def test_our_engine_plays_in_its_own_process_as_it_plays_here() -> None:
    """Both halves of the protocol, over pipes: the games of `pbrain-rulebots patterns` are those of `patterns`."""
    pbrain = Path(sys.executable).parent / "pbrain-rulebots"
    other, deals = make_player("careful", GOMOKU), draw_deals(GOMOKU, 2, 1, options={"size": 22})
    one, same = (
        play_deals(make_player(name, GOMOKU), other, deals)
        for name in (f"piskvork:{pbrain} patterns:start=60,seconds=60", "patterns")
    )
    assert one.courses.tolist() == same.courses.tolist()
    assert one.points.tolist() == same.points.tolist()


@pytest.mark.parametrize(
    ("player", "started"),
    [
        ("champion", "champion"),
        ("mcts", "mcts:seconds=30"),
        ("mcts:solver=0", "mcts:solver=0,seconds=30"),
        ("mcts:power=3", "mcts:power=3"),
        ("minimax:depth=2", "minimax:depth=2"),
    ],
)
def test_a_search_without_a_limit_has_what_managers_allow(player: str, started: str) -> None:
    assert limited(player) == started
