"""The laws of tic-tac-toe and gomoku: against an oracle over random games, and on written positions."""

from __future__ import annotations

import itertools

import naive_rows as naive
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from row_positions import reached

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.grid import point_of
from rulebots.game.position import Position
from rulebots.kernel import compiling
from rulebots.packages import load_game

TICTACTOE, GOMOKU = load_game("tictactoe"), load_game("gomoku")
WIDTHS = {"tictactoe": 11, "gomoku": 23}
EXAMPLES = 40 if compiling() else 10


@st.composite
def chosen_options(draw: st.DrawFn) -> tuple[Game, dict[str, int]]:
    if draw(st.booleans()):
        size = draw(st.integers(5, 22))
        return GOMOKU, {"size": size, "exactly": draw(st.integers(0, 1))}
    size = draw(st.integers(3, 10))
    return TICTACTOE, {"size": size, "win": draw(st.sampled_from([0, *range(3, size + 1)]))}


@settings(max_examples=EXAMPLES, deadline=None)
@given(chosen=chosen_options(), seed=st.integers(0, 2**32 - 1), clumsy=st.booleans())
def test_random_games_go_as_the_oracle_says(chosen: tuple[Game, dict[str, int]], seed: int, clumsy: bool) -> None:
    """`clumsy` games crowd in one corner, where lines come about at once."""
    game, options = chosen
    position, rng = Position(game, options, compiled=True), np.random.default_rng(seed)
    size, width = options["size"], WIDTHS[game.name]
    wanted = 5 if game is GOMOKU else options["win"] or size
    empty = [(row, column) for row in range(size) for column in range(size)]
    rng.shuffle(empty)
    if clumsy:
        empty.sort(key=lambda point: -max(point))
    board: naive.Board = {}
    won = False
    while empty and not won:
        assert not position.over
        assert position.mover == len(board) % 2
        if len(board) % 7 == 0:
            assert sorted(position.legal_moves.tolist()) == sorted(point_of(*point, width) for point in empty)
        point = empty.pop()
        position.play(point_of(*point, width))
        board[point] = len(board) % 2
        won = naive.wins(board, point, wanted, bool(options.get("exactly")))
    assert position.over
    winner = board[point] if won else None
    assert position.points == (int(winner == 0), int(winner == 1))


def line_from(row: int, column: int, down: int, across: int, stones: int) -> list[tuple[int, int]]:
    return [(row + i * down, column + i * across) for i in range(stones)]


#: Name, and the row, the column and the step of a line of five on 15 x 15: at every edge, in every corner.
LINES = {
    "bottom edge": (0, 5, 0, 1),
    "top edge": (14, 5, 0, 1),
    "left edge": (5, 0, 1, 0),
    "right edge": (5, 14, 1, 0),
    "corner a1, row": (0, 0, 0, 1),
    "corner o1, row": (0, 10, 0, 1),
    "corner o15, column": (10, 14, 1, 0),
    "rising from a1": (0, 0, 1, 1),
    "rising to o15": (10, 10, 1, 1),
    "falling from a15": (14, 0, -1, 1),
    "falling to o1": (4, 10, -1, 1),
    "rising in the middle": (5, 5, 1, 1),
    "falling in the middle": (9, 5, -1, 1),
}


def test_five_in_a_row_win_wherever_they_are_and_whichever_comes_last() -> None:
    for where, order in itertools.product(LINES, ("01234", "43210", "01342")):
        line = line_from(*LINES[where], 5)
        aside = [p for p in line_from(2, 2, 2, 1, 5) if p not in line] + [(12, 3)]
        position = Position(GOMOKU)
        for i, number in enumerate(order):
            for place in (line[int(number)], aside[i]):
                position.push(position.read(f"{place[0]},{place[1]}"))
                if i == 4:
                    break
        assert position.over, (where, order)
        assert position.points == (1, 0), (where, order)


def test_a_line_does_not_go_on_beyond_the_edge() -> None:
    moves = "m1 h9 n1 h11 o1 h13 a2 h15 b2 j9 c2 j11"  # m1 n1 o1 and a2 b2 c2
    assert not reached(GOMOKU, moves, size=15).over
    assert not reached(TICTACTOE, "0,1 2,0 0,2 2,2 1,0").over


SIX = "a1 a3 b1 b3 c1 c3 e1 e3 f1 f3"


@pytest.mark.parametrize(("exactly", "over"), [(0, True), (1, False)])
def test_six_in_a_row_win_unless_only_five_do(exactly: int, over: bool) -> None:
    position = reached(GOMOKU, f"{SIX} d1", exactly=exactly)
    assert position.over == over
    assert position.points[0] == int(over)


def test_exactly_five_win_beside_a_gap() -> None:
    assert reached(GOMOKU, "a1 a3 b1 b3 c1 c3 d1 d3 g1 g3 e1", exactly=1).over


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 5, "win": 6}, "option 'win' of tictactoe: expected 3 to 5 on a board of size 5, or 0 for 5, not 6"),
        ({"size": 3, "win": 2}, "expected 3 to 3 on a board of size 3, or 0 for 3, not 2"),
        ({"win": 4}, "expected 3 to 3 on a board of size 3, or 0 for 3, not 4"),
        ({"size": 11}, "option 'size' of tictactoe takes a whole number from 3 to 10, not 11"),
    ],
)
def test_a_line_that_does_not_fit_is_refused(options: dict[str, int], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        TICTACTOE.option_values(options)


@pytest.mark.parametrize(
    ("game", "text", "move"),
    [
        (GOMOKU, "H8", "h8"),
        (GOMOKU, " 7,7 ", "h8"),
        (GOMOKU, "7 7", "h8"),
        (GOMOKU, "0,1", "b1"),
        (GOMOKU, "i 10", "i10"),
        (GOMOKU, "14,14", "o15"),
        (TICTACTOE, "2 , 0", "a3"),
        (TICTACTOE, "2 0", "a3"),
    ],
)
def test_moves_are_read_as_people_write_them(game: Game, text: str, move: str) -> None:
    assert game.text.write(Position(game).read(text)) == move


@pytest.mark.parametrize(
    ("game", "text"),
    [
        *((GOMOKU, text) for text in ("p1", "a16", "a0", "h", "8h", "15,0", "1,2,3", "h8 h9")),
        *((TICTACTOE, text) for text in ("3,0", "0,3", "1", "0,0,0", "a4")),
    ],
)
def test_what_is_no_point_is_answered_with_what_was_expected(game: Game, text: str) -> None:
    expected = "a point from a1 to o15" if game is GOMOKU else "a point from a1 to c3"
    with pytest.raises(UsageError, match=rf"expected .*{expected}.*, not '{text}'"):
        Position(game).read(text)


def test_boards_mark_the_last_move() -> None:
    assert str(reached(TICTACTOE, "0,0 1,2")).splitlines() == [
        " 3  .  .  .",
        " 2  .  . (O)",
        " 1  X  .  .",
        "    a  b  c",
        "X to move, 3 in a row win",
    ]
    assert str(reached(GOMOKU, "a1 e2", size=5, exactly=1)).splitlines() == [
        " 5  .  .  .  .  .",
        " 4  .  .  .  .  .",
        " 3  .  .  .  .  .",
        " 2  .  .  .  . (O)",
        " 1  X  .  .  .  .",
        "    a  b  c  d  e",
        "X to move, exactly five in a row win",
    ]


def test_boards_say_how_a_game_ended() -> None:
    assert str(reached(TICTACTOE, "0,0 1,0 0,1 1,1 0,2")).endswith("\nX has won")
    assert str(reached(TICTACTOE, "1,1 0,0 0,2 2,0 1,0 1,2 0,1 2,1 2,2")).endswith("\na draw")


def test_a_match_tells_of_the_longest_lines_and_of_the_corners() -> None:
    def told(game: Game, moves: str, **options: int) -> dict[str, list[int]]:
        state = reached(game, moves, **options).state
        return {name: [int(kernel(state, seat)) for seat in (0, 1)] for name, kernel in game.behaviour.items()}

    assert told(TICTACTOE, "") == {"longest line": [0, 0], "corners": [0, 0]}
    assert told(TICTACTOE, "0,2 0,0 1,1 2,2 2,0") == {"longest line": [3, 1], "corners": [2, 2]}
    assert told(TICTACTOE, "0,0 3,3 0,1 2,3 3,0 1,3", size=4) == {"longest line": [2, 3], "corners": [2, 1]}
    # Stones at the end of one row and at the beginning of the next are no line, nor are those beside a gap.
    assert told(GOMOKU, "e1 a1 a2 b1 c3 d1", size=5) == {"longest line": [1, 2]}
    assert told(GOMOKU, "a5 a1 b4 a2 c3 a3 d2 a4 e1", size=5) == {"longest line": [5, 4]}
