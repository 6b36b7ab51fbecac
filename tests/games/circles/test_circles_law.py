"""The law of circle elimination: against the oracle, on written boards, and in the Ruby program's text."""

from __future__ import annotations

import naive_circles as naive
import pytest
from hypothesis import given, settings, strategies as st
from played_positions import after
from recorded import recorded

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.kernel import compiling
from rulebots.packages import load_game
from rulebots.play.deals import draw_deals

GAME = load_game("circles")
BOARD_OF_10 = """\
--------------
  0 ○
  1 ○○
  2 ○○○
  3 ○○○○
  4 ○○○○○
  5 ○○○○○○
  6 ○○○○○○○
  7 ○○○○○○○○
  8 ○○○○○○○○○
  9 ○○○○○○○○○○
    0123456789
--------------
○ in play, ● taken"""
BOARD_OF_3 = """\
------
 0 ●
 1 ○●
 2 ○○○
   012
------
○ in play, ● taken"""


@settings(max_examples=15 if compiling() else 5, deadline=None)
@given(
    size=st.integers(2, 12),
    eliminate=st.integers(1, 12),
    last_wins=st.integers(0, 1),
    seed=st.integers(0, 2**32 - 1),
)
def test_random_games_go_as_the_oracle_says(size: int, eliminate: int, last_wins: int, seed: int) -> None:
    options = {"size": size, "eliminate": eliminate, "last_wins": last_wins}
    record = recorded(draw_deals(GAME, 1, seed, options=options), 0)
    live = naive.triangle(size)
    for ply, chosen in enumerate(record.chosen):
        lines = {naive.word(line): line for line in naive.lines(live, eliminate)}
        assert {GAME.text.write(move) for move in record.legal[ply]} == lines.keys()
        live = live.difference(lines[GAME.text.write(chosen)])
        assert GAME.over(record.states[ply + 1]) == (not live)
    took_last = (record.plies - 1) % 2
    winner = took_last if last_wins else 1 - took_last
    assert [GAME.points(record.states[-1], seat) for seat in (0, 1)] == [int(winner == 0), int(winner == 1)]
    assert not any(GAME.points(state, seat) for state in record.states[:-1] for seat in (0, 1))


def test_the_board_is_drawn_as_in_the_seed() -> None:
    assert str(Position(GAME, {"size": 10})) == BOARD_OF_10
    assert after(Position(GAME, {"size": 3}), "0,0,1,1").text(0) == BOARD_OF_3


def test_the_ruler_of_a_large_board_begins_anew_after_nine() -> None:
    assert str(Position(GAME, {"size": 12})).splitlines()[-3] == "    012345678901"


@pytest.mark.parametrize(
    ("text", "means"),
    [("2,1", "2,1"), ("0,0,2,2", "0,0,2,2"), ("2,2,0,0", "0,0,2,2"), (" 2, 2 ,2 ,0", "2,0,2,2"), ("2,1,2,1", "2,1")],
)
def test_moves_are_read_as_the_seed_takes_them(text: str, means: str) -> None:
    position = Position(GAME)
    assert position.write(position.read(text)) == means


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2", r"expected one stone as 'row,col' or the ends of a line as 'row1,col1,row2,col2', not '2'"),
        ("1,1,1", "expected one stone"),
        ("a,b", "not 'a,b'"),
        ("6,0", r"there is no stone 6,0: rows are 0 to 5, row r has columns 0 to r"),
        ("2,3", "there is no stone 2,3"),
        ("0,0,7,7", "there is no stone 7,7"),
        ("0,0,2,1", r"0,0,2,1 is not a line: its ends must share a row, a column or a diagonal \(down and right\)"),
        ("3,0,1,1", "is not a line"),
        ("2,0,5,0", "2,0,5,0 takes 4 stones; a move takes at most 3"),
        ("5,3,5,5", "5,3,5,5 takes 5,4, which is gone already"),
    ],
)
def test_a_move_that_is_none_says_why(text: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        after(Position(GAME), "5,4").read(text)


def test_a_gap_ends_a_line() -> None:
    position = after(Position(GAME, {"size": 3, "eliminate": 3}), "2,1")
    legal = {position.write(move) for move in position.legal_moves}
    assert legal == {"0,0", "1,0", "1,1", "2,0", "2,2", "1,0,1,1", "0,0,1,0", "1,0,2,0", "0,0,2,0"} | {
        "0,0,1,1",
        "1,1,2,2",
        "0,0,2,2",
    }


def test_a_smaller_board_has_the_first_numbers_of_each_length() -> None:
    """So that a move says the same on a board of any size."""
    position = Position(GAME, {"size": 2})
    assert [position.write(move) for move in position.legal_moves] == [
        "0,0",
        "1,0",
        "1,1",
        "0,0,1,0",
        "0,0,1,1",
        "1,0,1,1",
    ]
