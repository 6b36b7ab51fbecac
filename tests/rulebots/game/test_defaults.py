"""What a game does that leaves out what most games repeat."""

from __future__ import annotations

import numpy as np
import pytest

from rulebots.errors import UsageError
from rulebots.game import Game, GameText
from rulebots.game.position import Position
from rulebots.game.text import named_moves
from rulebots.kernel import kernel


@kernel
def moves(state, out):
    for move in range(3):
        out[move] = move
    return 3


@kernel
def play(state, move):
    state.total += move
    state.mover = 1 - state.mover


@kernel
def over(state):
    return state.total >= 5


@kernel
def points(state, seat):
    return state.total * (seat == state.mover)


@kernel
def observe(state, view):
    view.total = state.total


@pytest.fixture
def game() -> Game:
    return Game(
        name="sums",
        title="Sums",
        state=np.dtype([("mover", np.int32), ("total", np.int32)]),
        view=np.dtype([("luck", np.int64), ("total", np.int32)]),
        move_count=3,
        ply_cap=50,
        moves=moves,
        play=play,
        over=over,
        points=points,
        observe=observe,
        text=GameText(
            show=lambda state, seat: str(state.total),
        ),
        hidden=False,
    )


def test_nothing_is_dealt_and_the_state_begins_as_zeros(game: Game) -> None:
    assert game.draw_deals(np.random.default_rng(1), 4, game.option_values()).shape == (4, 0)
    start = Position(game)
    assert start.state.tolist() == (0, 0)


def test_there_is_one_kind_and_rules_look_at_the_move(game: Game) -> None:
    view = game.new_view()
    assert [(game.kind(move), game.item(view, move)) for move in range(3)] == [(0, 0), (0, 1), (0, 2)]
    assert [(kind.name, kind.mix) for kind in game.kinds] == [("move", {"move": 1.0})]


def test_moves_are_written_and_read_as_numbers(game: Game) -> None:
    start = Position(game)
    assert [start.read(start.write(move)) for move in range(3)] == [0, 1, 2]
    assert start.read(" 2 ") == 2
    for text in ("", "-1", "x", "1.0", "9" * 40, "²"):
        with pytest.raises(UsageError, match="expected the number of a move, such as 0, not '"):
            start.read(text)


def test_moves_that_have_names_are_written_and_read_by_them() -> None:
    write, read = named_moves("Hold", "roll")
    assert [write(0), write(1), read(" hold", None), read("ROLL", None)] == ["Hold", "roll", 0, 1]
    with pytest.raises(UsageError, match="expected one of Hold, roll, not 'x'"):
        read("x ", None)


def test_a_game_says_in_a_word_which_one_it_is(game: Game) -> None:
    assert repr(game) == "<Game sums>"
