"""What people are shown of a game with hidden cards: a text, picture or points that tell of them are found."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from game_copies import with_parts

from rulebots.checking.hidden import check_secrecy, leaks
from rulebots.game import Game
from rulebots.kernel import kernel
from rulebots.output.diagram import Diagram
from rulebots.registry import load_game


def show(state: Any, seat: int | None) -> str:
    """Everything, whoever looks."""
    return str(state)


def draw(position: Any, seat: int | None) -> Diagram:
    """The same, for those who do not see the picture."""
    return Diagram(10, 10, str(position.state))


@kernel
def points(state, seat):
    """A card of the other seat's hand."""
    return state.hand[1 - seat, 0]


def fails(position: Any, seat: int | None) -> Diagram:
    raise KeyError("nowhere")


@pytest.fixture
def hidden() -> Game:
    return load_game("lost-cities")


def test_a_seat_that_is_shown_the_other_hand(hidden: Game) -> None:
    assert leaks(hidden) == frozenset()
    leaky = with_parts(replace(hidden, show=show, points=points), draw=draw)
    assert leaks(leaky) == {"show", "draw", "points"}
    assert [str(problem).partition(":")[0].endswith("test_secrecy.py") for problem in check_secrecy(leaky)] == [
        True
    ] * 2
    assert "`draw` tells a seat what is hidden from it" in str(check_secrecy(leaky)[0])


def test_nothing_is_told_where_nothing_is_hidden_or_nothing_is_drawn(hidden: Game) -> None:
    assert leaks(replace(load_game("kalah"), show=show)) == frozenset()
    assert leaks(with_parts(hidden, draw=fails)) == frozenset()
    assert leaks(replace(hidden, redeal=None, show=show)) == frozenset()
