"""What the rules of circle elimination say of written boards, and whether groups and nim-values are right."""

from __future__ import annotations

import functools
from typing import Any

import naive_circles as naive
import pytest
from hypothesis import given, settings, strategies as st
from written_positions import Case, facts_of, on_written_positions

from rulebots.game.dtypes import records
from rulebots.games.circles.game import LINE_BETWEEN, cell_number
from rulebots.games.circles.rules import MOST_KNOWN, MOST_SOLVED, UNKNOWN
from rulebots.kernel import compiling
from rulebots.packages import load_game
from rulebots.packages.rule_sets import load_rules

GAME = load_game("circles")
RULES = load_rules(game=GAME)
#: The stones that a move takes.
TAKEN = "x"


def stones_of(board: str, signs: str) -> frozenset[naive.Stone]:
    rows = [row for row in board.split("/") if row]
    return frozenset((r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign in signs)


def seen(board: str, eliminate: int = 3, last_wins: int = 1) -> tuple[Any, int]:
    """What the rules see of a board such as `o/.x`, rows of o (live), . (gone) and x, the line that the move takes."""
    view = records(GAME.view, 1)[0]
    view.rows, view.eliminate, view.last_wins = board.count("/") + 1, eliminate, last_wins
    for cell in stones_of(board, "ox"):
        view.stones[0] |= 1 << cell_number(*cell)
    taken = sorted(stones_of(board, TAKEN))
    line = LINE_BETWEEN[taken[0], taken[-1]]
    return facts_of(RULES, view, line), line


def value(rule: str, board: str, **options: int) -> float:
    record, line = seen(board, **options)
    return RULES.rules[RULES.columns[rule]](record, line)


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
    rows = ["".join(TAKEN if (r, c) == taken else ".o"[(r, c) in left] for c in range(r + 1)) for r in range(5)]
    view, _ = seen("/".join(rows), eliminate, int(last_wins))
    groups = parts(left)
    small = [group for group in groups if len(group) <= MOST_KNOWN]
    values = [nim_value(group, eliminate) for group in small]
    assert (view.left, view.groups) == (len(left), len(groups))
    assert view.of_size[1:].tolist() == [sum(len(g) == n for g in groups) for n in range(1, len(view.of_size))]
    assert (view.unknown, view.largest) == (len(groups) - len(small), max(map(len, groups), default=0))
    assert (view.nim_sum, view.highest) == (functools.reduce(int.__xor__, values, 0), max(values, default=0))
    assert view.lines == len(naive.lines(left, eliminate))
    lost = not naive.mover_wins(left, eliminate, last_wins) if len(left) <= MOST_SOLVED else UNKNOWN
    assert view.lost == lost


#: Rule, what is left, board, value and options.
WRITTEN: list[tuple[str, str, str, float, dict[str, int]]] = [
    ("balanced", "two in a line: the opponent takes both", "o/.o/x..", 0, {}),
    ("balanced", "three that stand alone", "o/../oxo", 0, {}),
    ("balanced", "two that stand alone", "o/../o.x", 1, {}),
    ("balanced", "a group of seven, which is unknown", "o/oo/ooo/o.../....x", 0, {}),
    ("unbalanced", "two in a line", "o/.o/x..", 1, {}),
    ("unbalanced", "two that stand alone", "o/../o.x", 0, {}),
    ("unbalanced", "a group of seven, which is unknown", "o/oo/ooo/o.../....x", 0, {}),
    ("endgame_won", "two that stand alone: one for the opponent, the last for me", "o/../o.x", 1, {}),
    ("endgame_won", "two in a line, the last of which the opponent takes", "o/.o/x..", 0, {}),
    ("endgame_lost", "two in a line: the opponent takes both", "o/.o/x..", 1, {}),
    ("endgame_lost", "two that stand alone", "o/../o.x", 0, {}),
    ("rest_balanced", "a group of seven, and one stone", "o/oo/ooo/o.../...../x....o", 0, {}),
    ("rest_balanced", "a group of seven and nothing else", "o/oo/ooo/o.../....x", 1, {}),
    ("one_group", "two in a line", "o/.o/x..", 1, {}),
    ("one_group", "two that stand alone", "o/../o.x", 0, {}),
    ("even_stones", "two", "o/../o.x", 1, {}),
    ("even_stones", "three", "o/oo/..x", 0, {}),
    ("even_groups", "two", "o/../o.x", 1, {}),
    ("even_groups", "one", "o/.o/x..", 0, {}),
    ("even_lines", "two", "o/../o.x", 1, {}),
    ("even_lines", "three", "o/.o/x..", 0, {}),
    ("even_lone", "two", "o/../o.x", 1, {}),
    ("even_lone", "one", "o/../..x", 0, {}),
    ("even_twos", "one pair", "o/o./..x", 0, {}),
    ("even_twos", "no pair", "o/../o.x", 1, {}),
    ("even_threes", "three together", "o/oo/x..", 0, {}),
    ("even_threes", "none together", "o/../o.x", 1, {}),
    ("unpaired", "two single stones", "o/../o.x", 0, {}),
    ("unpaired", "one group of three", "o/oo/..x", 1 / 5, {}),
    ("mirrored", "a triangle at the top", "o/oo/.x.", 1, {}),
    ("mirrored", "a pair and a single stone off the axes", "o/o./.x./o...", 0, {}),
    ("nearly_mirrored", "three of four", "o/../.x./oo.o", 3 / 4, {}),
    ("nearly_mirrored", "two of three", "o/o./.x./o...", 2 / 3, {}),
    ("takes_many", "one of three", "o/../o.x", 1 / 3, {}),
    ("takes_many", "two of three", "o/xx/..o", 2 / 3, {}),
    ("takes_many", "a line of three down the board", "x/x./x.o", 1, {}),
    ("takes_many", "three of four that may be taken", "o/../xxx/....", 3 / 4, {"eliminate": 4}),
    ("takes_many", "both of a board of two rows, though five may be taken", "x/xo", 1, {"eliminate": 5}),
    ("lines_left", "two moves, two stones", "o/../o.x", 2 / 2 / 3, {}),
    ("lines_left", "three single stones and three pairs, three stones", "o/oo/..x", 6 / 3 / 3, {}),
    ("many_groups", "two", "o/../o.x", 2 / 5, {}),
    ("many_groups", "one", "o/.o/x..", 1 / 5, {}),
    ("lone", "all", "o/../o.x", 1, {}),
    ("lone", "one of three", "o/o./.x./o...", 1 / 3, {}),
    ("largest_group", "two of three", "o/o./.x./o...", 2 / 3, {}),
    ("largest_group", "one of two", "o/../o.x", 1 / 2, {}),
    ("unknown_groups", "seven together", "o/oo/ooo/o.../....x", 1, {}),
    ("unknown_groups", "six together", "o/oo/ooo/..../....x", 0, {}),
]
CASES = [
    Case(f"take.{rule}", f"{what}, {board}", {"board": board, **options}, TAKEN, value)
    for rule, what, board, value, options in WRITTEN
]


@on_written_positions(RULES, CASES)
def test_a_rule_of_circles(case: Case) -> None:
    assert value(case.rule, **case.position) == pytest.approx(case.value)


def test_where_the_last_stone_loses_single_stones_count_the_other_way() -> None:
    assert value("take.balanced", "o/../o.x", last_wins=0) == 0
    assert value("take.balanced", "o/../..x", last_wins=0) == 1
    assert value("take.endgame_won", "o/../..x", last_wins=0) == 1


def test_a_board_of_twelve_rows_is_looked_at_to_its_last_stone() -> None:
    view = records(GAME.view, 1)[0]
    view.rows, view.eliminate, view.last_wins = 12, 3, 1
    view.stones[1] = 1 << 22  # the last cell of the last row
    view.stones[0] = 1 | 1 << 54  # the first cell of all, and the last of row 9
    record = facts_of(RULES, view, LINE_BETWEEN[(0, 0), (0, 0)])
    assert (record.left, record.groups, record.lost) == (2, 2, 1)
