"""Diagrams, and those of every game that draws."""

from __future__ import annotations

import numpy as np
import pytest

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.output.diagram import LOOKS, Diagram
from rulebots.packages import game_names, load_game, package_of


def positions(name: str, seed: int, most: int = 60) -> list[Position]:
    """The positions of a random game."""
    position, rng, found = Position(load_game(name), seed=seed), np.random.default_rng(seed), []
    while not (position.over or position.stalled) and len(found) < most:
        found.append(position.copy())
        position.push(int(rng.choice(position.legal_moves)))
    return [*found, position]


@pytest.mark.parametrize("name", game_names())
def test_every_game_draws_positions_whose_ways_are_its_moves(name: str) -> None:
    draw = package_of(load_game(name)).draw
    assert draw is not None
    for seed in (1, 2):
        for position in positions(name, seed)[::5]:
            for seat in (0, 1, None):
                diagram = draw(position, seat)
                assert diagram.words
                for place in diagram.places.values():
                    assert place.label
                    assert place.x >= 0
                    assert place.y >= 0
                    assert place.x + place.width <= diagram.width + 1e-6
                    assert place.y + place.height <= diagram.height + 1e-6
                assert set(diagram.ways) <= set(position.legal_moves.tolist())
                assert len(set(diagram.ways.values())) == len(diagram.ways)
            if position.mover in (0, 1) and not position.over and name != "cant-stop":
                assert set(draw(position, position.mover).ways) == set(position.legal_moves.tolist())


@pytest.mark.parametrize("name", [name for name in game_names() if load_game(name).hidden])
def test_a_seat_sees_nothing_that_is_hidden_from_it(name: str) -> None:
    draw = package_of(load_game(name)).draw
    assert draw is not None
    for position in positions(name, 3):
        if position.over or position.mover not in (0, 1):
            continue
        shown, other = (draw(p, position.mover) for p in (position, position.redealt(7)))
        assert (shown.shapes, shown.places, shown.words) == (other.shapes, other.places, other.words)
        assert shown.pieces == other.pieces, "what moves tells nothing either"


def test_only_what_is_hidden_needs_a_drawing_for_who_looks_on() -> None:
    games = [load_game(name) for name in game_names()]
    assert [game.name for game in games if package_of(game).look_on is not None] == [g.name for g in games if g.hidden]


def test_a_wrong_diagram_is_refused_with_the_nearest_name() -> None:
    diagram = Diagram(10, 10, "nothing")
    diagram.place("a", 0, 0, 5, 5, "the first")
    for wrong, said in (
        (lambda: diagram.circle(1, 1, 1, "bord"), "did you mean 'board'"),
        (lambda: diagram.place("a", 0, 0, 1, 1, "again"), "two places 'a'"),
        (lambda: diagram.place("b", 0, 0, 0, 1, "flat"), "width: expected a number above 0, not 0"),
        (lambda: diagram.text(float("nan"), 0, "x", 1), "x: expected a finite number, not nan"),
        (lambda: diagram.circle(float("inf"), 0, 1, "cell"), "cx: expected a finite number, not inf"),
        (lambda: Diagram(10, 0, "flat"), "height: expected a number above 0, not 0"),
        (lambda: diagram.way(3, "b"), "no place 'b' .*; a place comes before what names it$"),
        (lambda: diagram.way(3), "expected one place or two"),
        (lambda: diagram.way(3, "a", "a", "a"), "expected one place or two"),
    ):
        with pytest.raises(UsageError, match=said):
            wrong()
    assert "board" in LOOKS


def test_the_last_ply_is_what_the_seat_was_told() -> None:
    position = Position(load_game("kalah"), seed=1)
    assert position.last_ply(0) is None
    position.push(2)
    assert position.last_ply(1) == (0, 2)
    assert Position.from_text(position.game, position.to_text()).last_ply(0) is None


def test_a_seat_is_named_with_its_colour() -> None:
    diagram = Diagram(10, 10, "a table")
    diagram.seat(5, 5, 2, "left", 3)
    [shape] = diagram.shapes
    assert (shape.kind, shape.words, shape.seat) == ("text", "left", 2)
    with pytest.raises(UsageError, match="seat-10"):
        diagram.seat(5, 5, 10, "nobody", 3)
