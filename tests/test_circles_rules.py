"""What the rules of circle elimination say of written boards, and whether groups and nim-values are right."""

from __future__ import annotations

import functools
from typing import Any

import naive_circles as naive
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulebots.game import load_game, records
from rulebots.games.circles.facts import MOST_KNOWN, MOST_SOLVED, UNKNOWN, count_stones, look_at
from rulebots.games.circles.lines import LINE_BETWEEN, cell_number
from rulebots.kernel import compiling, runnable

GAME = load_game("circles")
RULES = GAME.rule_set()
#: A stone apart from all that a board has on its left: taking it leaves the board as it is drawn.
EXTRA = "x"


@functools.cache
def _look() -> Any:
    return runnable(look_at, GAME.new_view(), 0)


def stones_of(board: str, signs: str) -> frozenset[naive.Stone]:
    rows = [row for row in board.split("/") if row]
    return frozenset((r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign in signs)


def seen(board: str, eliminate: int = 3, last_wins: int = 1) -> tuple[Any, int]:
    """The view of a board such as `o/.x`, rows of o (live), . (gone) and the one x that the move takes."""
    view = records(GAME.view, 1)[0]
    view.rows, view.eliminate, view.last_wins = board.count("/") + 1, eliminate, last_wins
    for cell in stones_of(board, "ox"):
        view.stones[0] |= 1 << cell_number(*cell)
    (taken,) = stones_of(board, EXTRA)
    line = LINE_BETWEEN[taken, taken]
    count_stones(view)
    _look()(view, line)
    return view, line


def value(rule: str, board: str, eliminate: int = 3, last_wins: int = 1) -> float:
    view, line = seen(board, eliminate, last_wins)
    return next(r for r in RULES.rules if r.name == rule)(view, line)


def parts(live: frozenset[naive.Stone]) -> list[frozenset[naive.Stone]]:
    """Groups of neighbours, by growing them."""
    rest, found = set(live), []
    while rest:
        group = {rest.pop()}
        while more := {s for s in rest if any((s[0] - r, s[1] - c) in NEIGHBOURS for r, c in group)}:
            group |= more
            rest -= more
        found.append(frozenset(group))
    return found


NEIGHBOURS = {(0, 1), (1, 0), (1, 1), (0, -1), (-1, 0), (-1, -1)}


@functools.cache
def nim_value(live: frozenset[naive.Stone], eliminate: int) -> int:
    reached = {nim_value(live.difference(line), eliminate) for line in naive.lines(live, eliminate)}
    return next(n for n in range(len(reached) + 1) if n not in reached)


@settings(max_examples=60 if compiling() else 15, deadline=None)
@given(
    live=st.sets(st.sampled_from(sorted(naive.triangle(5))), min_size=1, max_size=12),
    eliminate=st.integers(1, 5),
    last_wins=st.booleans(),
    data=st.data(),
)
def test_groups_and_values_are_those_of_the_oracle(
    live: set[naive.Stone], eliminate: int, last_wins: bool, data: st.DataObject
) -> None:
    taken = data.draw(st.sampled_from(sorted(live)))
    left = frozenset(live - {taken})
    rows = ["".join(EXTRA if (r, c) == taken else ".o"[(r, c) in left] for c in range(r + 1)) for r in range(5)]
    view, _ = seen("/".join(rows), eliminate, int(last_wins))
    groups = parts(left)
    small = [group for group in groups if len(group) <= MOST_KNOWN]
    values = [nim_value(group, eliminate) for group in small]
    assert (view.here, view.left, view.groups) == (len(live), len(left), len(groups))
    assert view.of_size[1:].tolist() == [sum(len(g) == n for g in groups) for n in range(1, len(view.of_size))]
    assert (view.unknown, view.largest) == (len(groups) - len(small), max(map(len, groups), default=0))
    assert (view.nim_sum, view.highest) == (functools.reduce(int.__xor__, values, 0), max(values, default=0))
    assert view.lines == len(naive.lines(left, eliminate))
    lost = not naive.mover_wins(left, eliminate, last_wins) if len(left) <= MOST_SOLVED else UNKNOWN
    assert view.lost == lost


@pytest.mark.parametrize(
    ("rule", "board", "expected"),
    [
        ("balanced", "o/.o/x..", False),  # two in a line: the opponent takes both
        ("balanced", "o/../oxo", False),
        ("balanced", "o/../o.x", True),  # two that stand alone
        ("unbalanced", "o/.o/x..", True),
        ("unbalanced", "o/../o.x", False),
        ("endgame_won", "o/../o.x", True),
        ("endgame_lost", "o/.o/x..", True),
        ("rest_balanced", "o/oo/ooo/o.../...../x....o", False),
        ("rest_balanced", "o/oo/ooo/o.../....x", True),
        ("one_group", "o/.o/x..", True),
        ("one_group", "o/../o.x", False),
        ("even_stones", "o/../o.x", True),
        ("even_stones", "o/oo/..x", False),
        ("even_groups", "o/../o.x", True),
        ("even_groups", "o/.o/x..", False),
        ("even_lines", "o/../o.x", True),
        ("even_lines", "o/.o/x..", False),
        ("even_lone", "o/../o.x", True),
        ("even_lone", "o/../..x", False),
        ("even_twos", "o/o./..x", False),
        ("even_twos", "o/../o.x", True),
        ("even_threes", "o/oo/x..", False),
        ("even_threes", "o/../o.x", True),
        ("unpaired", "o/../o.x", 0.0),
        ("unpaired", "o/oo/..x", 0.2),
        ("mirrored", "o/oo/.x.", True),
        ("mirrored", "o/o./.x./o...", False),
        ("nearly_mirrored", "o/../.x./oo.o", 0.75),
        ("nearly_mirrored", "o/o./.x./o...", 2 / 3),
        ("takes_many", "o/../o.x", 1 / 3),
        ("lines_left", "o/../o.x", 1 / 3),
        ("lines_left", "o/oo/..x", 6 / 3 / 3),
        ("many_groups", "o/../o.x", 0.4),
        ("lone", "o/../o.x", 1.0),
        ("lone", "o/o./.x./o...", 1 / 3),
        ("largest_group", "o/o./.x./o...", 2 / 3),
        ("unknown_groups", "o/oo/ooo/o.../....x", 1),
        ("unknown_groups", "o/oo/ooo/..../....x", 0),
    ],
)
def test_a_rule_on_a_written_board(rule: str, board: str, expected: float) -> None:
    assert value(rule, board) == pytest.approx(float(expected))


def test_every_rule_has_written_boards() -> None:
    (marked,) = test_a_rule_on_a_written_board.pytestmark
    assert {rule for rule, *_ in marked.args[1]} == {rule.name for rule in RULES.rules}


def test_where_the_last_stone_loses_single_stones_count_the_other_way() -> None:
    assert value("balanced", "o/../o.x", last_wins=0) == 0
    assert value("balanced", "o/../..x", last_wins=0) == 1
    assert value("endgame_won", "o/../..x", last_wins=0) == 1


def test_a_board_of_twelve_rows_is_looked_at_to_its_last_stone() -> None:
    view = records(GAME.view, 1)[0]
    view.rows, view.eliminate, view.last_wins = 12, 3, 1
    view.stones[1] = 1 << 22  # the last cell of the last row
    view.stones[0] = 1 | 1 << 54  # the first cell of all, and the last of row 9
    _look()(view, LINE_BETWEEN[(0, 0), (0, 0)])
    assert (view.left, view.groups, view.lost) == (2, 2, 1)
