"""Gomoku's shapes against an oracle, and every rule on written positions with the value it must give."""

from __future__ import annotations

import numpy as np
import pytest
from row_positions import seen, value_at
from written_positions import Case, on_written_positions

from rulebots.game.grid import point_of
from rulebots.game.position import Position
from rulebots.games.gomoku.game import WIDTH
from rulebots.games.gomoku.rules import patterns
from rulebots.kernel import compiling
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.play.match import play_match
from rulebots.players import RulePlayer

GAME = load_game("gomoku")


#: Rule, point, value; my stones, the opponent's. The last of the opponent's stones is their last move.
WRITTEN = [
    ("attack.five", "l8", 1, "h8 i8 j8 k8", "a1"),
    ("attack.five", "g8", 1, "h8 i8 j8 k8", "l8"),
    ("attack.five", "m8", 0, "h8 i8 j8 k8", "a1"),
    ("attack.open_four", "k8", 1, "h8 i8 j8", "a1"),
    ("attack.open_four", "l8", 0, "h8 i8 j8", "a1"),
    ("attack.open_four", "k8", 0, "h8 i8 j8", "l8"),
    ("attack.double_four", "h8", 1, "e8 f8 g8 h9 h10 h11", "d8 h12"),
    ("attack.double_four", "h8", 0, "e8 f8 g8 h9 h10", "d8 h12"),
    ("attack.four_three", "h8", 1, "e8 f8 g8 h9 h10", "d8"),
    ("attack.four_three", "h8", 0, "e8 f8 g8 h9 h10", "d8 h11"),
    ("attack.double_three", "h8", 1, "f8 g8 h9 h10", "a1"),
    ("attack.double_three", "h8", 0, "f8 g8 h9 h10", "i8"),
    ("attack.four", "h8", 1, "e8 f8 g8", "d8"),
    ("attack.four", "h8", 2, "e8 f8 g8 h9 h10 h11", "d8 h12"),
    ("attack.four", "h8", 0, "e8 f8 g8", "d8 i8"),
    ("attack.open_three", "h8", 1, "f8 g8", "a1"),
    ("attack.open_three", "h8", 2, "f8 g8 h9 h10", "a1"),
    ("attack.open_three", "h8", 0, "f8 g8", "e8"),
    ("attack.three", "h8", 1, "f8 g8", "e8"),
    ("attack.three", "h8", 0, "f8 g8", "a1"),
    ("attack.open_two", "h8", 1, "g8", "a1"),
    ("attack.open_two", "h8", 1, "f6", "a1"),
    ("attack.open_two", "a8", 0, "b8", "a1"),
    ("attack.two", "a8", 1, "b8", "a1"),
    ("attack.two", "h8", 0, "g8", "a1"),
    ("attack.room", "h8", 4, "g8", "a1"),
    ("attack.room", "a1", 2, "b1", "a3"),
    ("attack.room", "a2", 2, "b1", "a3"),
    ("attack.crossing", "h8", 1, "g8 h9", "a1"),
    ("attack.crossing", "h8", 0, "g8 i8", "a1"),
    ("defence.block_five", "l8", 1, "a1", "h8 i8 j8 k8"),
    ("defence.block_five", "l8", 0, "a1", "h8 i8 j8"),
    ("defence.block_open_four", "k8", 1, "a1", "h8 i8 j8"),
    ("defence.block_open_four", "k8", 0, "g8", "h8 i8 j8"),
    ("defence.block_double_four", "h8", 1, "d8 h12", "e8 f8 g8 h9 h10 h11"),
    ("defence.block_double_four", "h8", 0, "d8 h12", "e8 f8 g8 h9 h10"),
    ("defence.block_four_three", "h8", 1, "d8", "e8 f8 g8 h9 h10"),
    ("defence.block_four_three", "h8", 0, "d8 h11", "e8 f8 g8 h9 h10"),
    ("defence.block_double_three", "h8", 1, "a1", "f8 g8 h9 h10"),
    ("defence.block_double_three", "h8", 0, "i8", "f8 g8 h9 h10"),
    ("defence.block_four", "h8", 2, "d8 h12", "e8 f8 g8 h9 h10 h11"),
    ("defence.block_four", "h8", 0, "a1", "e8 f8"),
    ("defence.block_open_three", "h8", 1, "a1", "f8 g8"),
    ("defence.block_open_three", "h8", 0, "i8", "f8 g8"),
    ("defence.block_three", "h8", 1, "i8", "f8 g8"),
    ("defence.block_three", "h8", 0, "a1", "f8 g8"),
    ("defence.block_open_two", "h8", 1, "a1", "g8"),
    ("defence.block_open_two", "h8", 0, "i8", "a1"),
    ("defence.block_two", "h8", 1, "i8", "g8"),
    ("defence.block_two", "h8", 0, "a1", "g8"),
    ("defence.block_crossing", "h8", 1, "a1", "g8 h9"),
    ("defence.block_crossing", "h8", 0, "a1", "g8 i8"),
    ("place.centre", "h8", 1, "a1", "b1"),
    ("place.centre", "h1", 0, "a1", "b1"),
    ("place.centre", "i10", 5 / 7, "a1", "b1"),
    ("place.near_last_move", "h8", 1, "a1", "g7"),
    ("place.near_last_move", "h8", 1 / 3, "a1", "e8"),
    ("place.near_last_move", "h8", 0, "a1", "h12"),
    ("place.near_last_move", "h8", 0, "a1", "i8 d1"),
    ("place.beside_mine", "h8", 2, "g7 h9 j8", "g8"),
    ("place.beside_mine", "a1", 0, "c1", "a2"),
    ("place.beside_theirs", "h8", 3, "g8", "g7 h9 i8 j8"),
    ("place.beside_theirs", "o15", 1, "o13", "n14"),
    ("place.beside_theirs", "o15", 0, "o14", "m15"),
]
CASES = [
    Case(rule, f"at {at}, {mine} against {theirs}", {"mine": mine, "theirs": theirs}, at, value)
    for rule, at, value, mine, theirs in WRITTEN
]


@on_written_positions(patterns, CASES)
def test_a_pattern_of_gomoku(case: Case) -> None:
    *others, last = case.position["theirs"].split()
    view = seen(GAME, case.position["mine"], " ".join(others), last)
    assert value_at(patterns, case.rule, view, case.about) == pytest.approx(case.value)


def test_where_only_five_win_a_six_is_no_five() -> None:
    mine = "e8 f8 g8 i8 j8"
    assert value_at(patterns, "attack.five", seen(GAME, mine, "a1"), "h8") == 1
    assert value_at(patterns, "attack.five", seen(GAME, mine, "a1", exactly=1), "h8") == 0


def test_before_the_first_move_no_point_is_near_the_last() -> None:
    assert value_at(patterns, "place.near_last_move", seen(GAME, "", ""), "h8") == 0


def chosen(mine: str, theirs: str) -> str:
    view = seen(GAME, mine, theirs)
    taken = {GAME.text.read(text, view) for text in f"{mine} {theirs}".split()}
    size = int(view.side)
    points = [point_of(row, column, WIDTH) for row in range(size) for column in range(size)]
    player = RulePlayer(patterns, patterns.hand_tuned())
    return GAME.text.write(player.choose(view, np.array([p for p in points if p not in taken])))


@pytest.mark.parametrize(
    ("what", "mine", "theirs", "move"),
    [
        ("the first stone goes to the middle", "", "", "h8"),
        ("win rather than block", "h8 i8 j8 k8", "g8 d4 e4 f4 g4", "l8"),
        ("block a four rather than make an open one", "h8 i8 j8 b4", "c4 d4 e4 f4", "g4"),
        ("make an open four rather than prevent one", "h8 i8 j8", "d4 e4 f4", "g8"),
        ("prevent an open four rather than make an open three", "h8 i8", "d4 e4 f4", "g4"),
        ("a four and an open three at once win", "e8 f8 g8 h9 h10", "d8 a1 c3 e1 i5", "h8"),
    ],
    ids=lambda text: text,
)
def test_the_hand_tuned_player_sees_what_a_beginner_sees(what: str, mine: str, theirs: str, move: str) -> None:
    assert chosen(mine, theirs) == move


@pytest.mark.compiled
def test_the_bred_player_beats_the_hand_tuned_one() -> None:
    assert play_match(make_player("champion", GAME), make_player("patterns", GAME), deals=40, seed=5).win_rate > 0.6


@pytest.mark.slow
def test_the_hand_tuned_player_beats_one_that_only_wins_and_blocks() -> None:
    result = play_match(make_player("patterns", GAME), make_player("careful", GAME), deals=20 if compiling() else 1)
    assert result.wins >= 0.9 * result.games


@pytest.mark.parametrize(
    ("moves", "move", "said"),
    [
        ("h8 a1 i8 a3", "b2", ""),
        ("h8 a1 i8 a3", "g8", "It makes an open three. {0} hold(s) h8 and i8 in line with it."),
        ("h8 a1 i8 g8 j8", "k8", "{0} hold(s) h8, i8 and j8 in line with it."),
        (
            "h8 g8 i8 a3 j8 a5",
            "k8",
            "It makes a four: l8 has to be blocked. {0} hold(s) h8, i8 and j8 in line with it.",
        ),
        (
            "h8 a1 i8 a3 j8 a5",
            "k8",
            "It makes an open four: only one of g8 and l8 can be blocked. {0} hold(s) h8, i8 and j8 in line with it.",
        ),
        (
            "e8 d8 f8 a1 g8 c3 h9 e1 h10 i5",
            "h8",
            (
                "It makes a four and an open three: i8 has to be blocked. "
                "{0} hold(s) e8, f8 and g8, and h9 and h10 in line with it."
            ),
        ),
        (
            "h8 a1 i8 a3 k9 a15 k10 o1",
            "k8",
            "It makes two open threes. {0} hold(s) h8 and i8, and k9 and k10 in line with it.",
        ),
        # Not the stones of two weaker rows, f9 and j13, and f12 and j12; and along the edge.
        ("j13 f9 k14 a1 j12 e1 f12 a3", "i12", "It makes an open three. {0} hold(s) j13 and k14 in line with it."),
        ("a1 o13 c3 o14 f5 a5", "o12", "{1} hold(s) o13 and o14 in line with it."),
        ("h8 a1 i8 a3 j8 a5 k8 g8 a7 a9", "l8", "{0} hold(s) h8, i8, j8 and k8 in line with it."),
    ],
)
def test_reasons_say_what_a_stone_threatens_and_with_which_others(moves: str, move: str, said: str) -> None:
    """“Prevents an open three” asks a person to find it; those of the stronger side are named, along the edge too."""
    position = Position(GAME)
    for one in moves.split():
        position.push(position.read(one))
    assert GAME.text.grounds is not None
    assert GAME.text.grounds(position.state, position.read(move)) == said


@pytest.mark.parametrize(
    ("exactly", "said"),
    [(0, "It makes a four: e5 has to be blocked. {0} hold(s) c5, d5 and f5 in line with it."), (1, "")],
)
def test_reasons_know_that_a_six_may_not_win(exactly: int, said: str) -> None:
    position = Position.from_text(GAME, "OO1OO4/9/9/9/X1XX1X3/9/9/9/9 X", {"size": 9, "exactly": exactly})
    assert GAME.text.grounds is not None
    assert GAME.text.grounds(position.state, position.read("b5")) == said
