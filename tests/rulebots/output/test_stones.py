"""Boards of stones as diagrams: where rows and columns are, what is marked, and what may be clicked."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from rulebots.output.diagram import Diagram
from rulebots.output.stones import CELL, draw_stones

#: A board of two rows whose places in the field are not in a row.
POINTS = [[5, 6], [9, 10]]


def drawn(legal: frozenset[int] = frozenset(), winner: int = 0) -> Diagram:
    board = np.zeros(12, np.int8)
    board[5], board[10] = 1, 2
    names = {5: "a1", 6: "b1", 9: "a2", 10: "b2"}
    state = SimpleNamespace(board=board, last=10, winner=winner, mover=0, left=2)
    return draw_stones(state, POINTS, names.__getitem__, legal, goal="two in a row win")


def corners(diagram: Diagram) -> dict[str, tuple[str, str]]:
    """Where each place stands on a board of two by two."""
    xs, ys = (
        sorted({place.x for place in diagram.places.values()}),
        sorted({place.y for place in diagram.places.values()}),
    )
    return {
        p.name: (("upper", "lower")[ys.index(p.y)], ("left", "right")[xs.index(p.x)]) for p in diagram.places.values()
    }


@pytest.mark.parametrize(("size", "stars"), [(8, []), (9, [2, 4, 6]), (14, [3, 10]), (15, [3, 7, 11])])
def test_star_points_are_on_the_lines_that_players_know(size: int, stars: list[int]) -> None:
    board = np.zeros(size * size, np.int8)
    state = SimpleNamespace(board=board, last=-1, winner=0, mover=0, left=2)
    points = np.arange(size * size).reshape(size, size).tolist()
    diagram = draw_stones(state, points, str, frozenset(), goal="five in a row win", crossings=True)
    circles = [dict(shape.numbers) for shape in diagram.shapes if shape.kind == "circle"]
    edge = diagram.places["0"].x
    assert sorted({round((one["cx"] - edge) / CELL - 0.5) for one in circles}) == stars
    assert len(circles) == (0 if not stars else 4 + len(stars) % 2)


def test_the_first_row_is_at_the_bottom() -> None:
    assert corners(drawn()) == {
        "a1": ("lower", "left"), "b1": ("lower", "right"), "a2": ("upper", "left"), "b2": ("upper", "right"),
    }  # fmt: skip
    assert [shape.words for shape in drawn().shapes if shape.words] == ["2", "a", "1", "b"]


def test_stones_and_the_last_move_are_marked_and_said_aloud() -> None:
    diagram = drawn()
    assert [shape.look for shape in diagram.shapes if shape.kind == "circle"] == ["seat-0", "seat-1", "last"]
    labels = {name: place.label for name, place in diagram.places.items()}
    assert labels == {"a1": "a1, {0}", "b1": "b1, empty", "a2": "a2, empty", "b2": "b2, {1}, the last move"}
    assert [diagram.words, drawn(winner=2).words] == ["{0} to move, two in a row win", "won by {1}"]


def test_only_legal_points_are_moves() -> None:
    assert drawn(frozenset({6, 9})).ways == {6: ("b1",), 9: ("a2",)}
    assert drawn().ways == {}
