"""The shapes that a stone of gomoku makes, against an oracle."""

from __future__ import annotations

import naive_rows as naive
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from row_positions import seen

from rulebots.game.grid import point_of
from rulebots.games.gomoku.game import WIDTH
from rulebots.games.gomoku.rules import patterns
from rulebots.games.gomoku.shapes import OWN, REACH, SHAPE, TERNARY, consider_point, study_lines
from rulebots.kernel import compiling
from rulebots.packages import load_game

GAME = load_game("gomoku")
NAMES = ("dead", "room", "two", "open two", "three", "open three", "four", "open four", "five")


def shape_of(line: str, exactly: int) -> str:
    bits = {mark: sum(1 << i for i, c in enumerate(line) if c == mark and i != REACH) for mark in "xo"}
    return NAMES[SHAPE[exactly, OWN * TERNARY[bits["x"]] + 2 * TERNARY[bits["o"]]]]


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(sides=st.lists(st.sampled_from("..xo"), min_size=10, max_size=10), exactly=st.integers(0, 1))
def test_the_table_has_the_shape_that_trying_every_next_stone_finds(sides: list[str], exactly: int) -> None:
    line = "".join([*sides[:5], "x", *sides[5:]])
    assert shape_of(line, exactly) == naive.shape(line, bool(exactly))


@pytest.mark.parametrize(
    ("line", "shape", "exact_shape"),
    [
        ("ooo.xxxx.oo", "open four", "open four"),
        ("oooxxxxx.oo", "five", "five"),
        ("ooxxxxxxooo", "five", "dead"),
        ("oooxxxx.ooo", "four", "four"),
        ("ooxx.xxx.oo", "four", "dead"),  # to fill the gap makes six
        ("oo.xxx.oooo", "three", "three"),  # there are only five points for it
        ("oooxxx..ooo", "three", "three"),
        ("oo..xxx..oo", "open three", "open three"),
        ("ox..xxx..xo", "open three", "three"),  # a four on either side has one end where it makes a six
        ("oo.x.xx.ooo", "open three", "open three"),
        ("ox.x.xxx.xo", "open four", "open four"),  # either gap makes five
        ("x.x.xxx.x.x", "open four", "open four"),
        ("o....x....o", "room", "room"),
        ("o...xx...oo", "open two", "open two"),
        ("ooooxx...oo", "two", "two"),
        ("oooo.x..ooo", "dead", "dead"),
    ],
)
def test_shapes_by_name(line: str, shape: str, exact_shape: str) -> None:
    assert (naive.shape(line, False), naive.shape(line, True)) == (shape, exact_shape)
    assert (shape_of(line, 0), shape_of(line, 1)) == (shape, exact_shape)


@settings(max_examples=8 if compiling() else 4, deadline=None)
@given(size=st.integers(5, 22), stones=st.integers(1, 60), exactly=st.integers(0, 1), seed=st.integers(0, 2**32 - 1))
def test_shapes_of_a_point_are_those_of_its_four_lines(size: int, stones: int, exactly: int, seed: int) -> None:
    """On random boards, for points near a stone; far ones have none at all."""
    rng = np.random.default_rng(seed)
    places = [(int(p) // size, int(p) % size) for p in rng.permutation(size * size)[: min(stones, size * size - 1)]]
    board = {place: i % 2 for i, place in enumerate(places)}
    mine, theirs = (" ".join(f"{row},{column}" for row, column in places[side::2]) for side in (0, 1))
    view = seen(GAME, mine, theirs, size=size, exactly=exactly)
    view = patterns.seeing(view)
    study_lines(view)
    for row in range(size):
        for column in range(size):
            if (row, column) in board:
                continue
            consider_point(view, point_of(row, column, WIDTH))
            near = any(max(abs(row - r), abs(column - c)) <= 2 for r, c in board)
            for side, counts in enumerate(view.shapes):
                lines = (naive.line_seen(board, (row, column), d, side, size) for d in naive.DIRECTIONS if near)
                shapes = [naive.shape(line, bool(exactly)) for line in lines]
                assert counts.tolist() == [shapes.count(name) for name in NAMES]
