"""Names of minimax players, with settings."""

from __future__ import annotations

import pytest

from rulebots.errors import UsageError
from rulebots.players.names import make_player
from rulebots.registry import load_game

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
