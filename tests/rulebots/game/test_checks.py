"""The checks at every call of a law and a rule; --debug and RULEBOTS_DEBUG=1, which turn them on everywhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from nim_package import run_rulebots, write_nim

from rulebots.game import Game
from rulebots.game.checks import PARTS, CheckedKernel, call
from rulebots.game.contract import checked_game
from rulebots.game.trial import random_game, users_functions
from rulebots.kernel import compiling, kernel
from rulebots.kernel.compile_errors import mistakes
from rulebots.kernel.fingerprint import fingerprint
from rulebots.kernel.user_code import CodeError
from rulebots.packages import game_names, load_game
from rulebots.packages.rule_sets import load_rules
from rulebots.rules.rule_set import checked_rules

GAMES = [load_game(name) for name in game_names()]
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@every_game
def test_a_checked_game_is_the_same_game(game: Game) -> None:
    checked = checked_game(game)
    assert fingerprint(checked) == fingerprint(game)
    assert checked_game(checked) is checked
    for one, other in zip(random_game(game, 1), random_game(checked, 1), strict=True):
        assert one.tobytes() == other.tobytes()


@every_game
def test_checked_rules_give_the_same(game: Game) -> None:
    rules = load_rules(game=game)
    checked = checked_rules(rules)
    assert fingerprint(checked) == fingerprint(rules)
    state = next(state for state in random_game(game, 1) if state.mover in (0, 1))
    view, room = game.new_view(), np.zeros(game.move_count, np.int64)
    game.observe(state, view)
    seen = [rules.seeing(view), rules.seeing(view)]
    move = int(room[: game.moves(state, room)][0])
    item, groups = game.item(view, move), game.kinds[game.kind(move)].mix
    for these, record in zip((rules, checked), seen, strict=True):
        if these.facts is not None:
            these.facts(record)
        if these.consider is not None:
            these.consider(record, item)
    for one, other in zip(rules.rules, checked.rules, strict=True):
        assert one.group not in groups or one(seen[0], item) == other(seen[1], item)


def breaking(**parts: Any) -> Game:
    return checked_game(replace(load_game("tictactoe"), **{name: kernel(part) for name, part in parts.items()}))


def second(state: Any, out: Any) -> int:
    out[1] = 0
    return 2


def twice(state: Any, out: Any) -> int:
    out[0] = out[1] = 3
    return 2


def far(state: Any, out: Any) -> int:
    out[0] = 1_000_000
    return 1


def greedy(state: Any, out: Any) -> int:
    state.mover = 1
    out[0] = 0
    return 1


@pytest.mark.parametrize(
    ("moves", "says"),
    [
        (second, r"`second` gives 2 moves but does not write all of them into `out`"),
        (twice, "`twice` writes the move 3 twice"),
        (far, "`far` writes the move 1000000: moves are 0 to move_count - 1"),
        (greedy, "`greedy` changes state.mover: it may only read it"),
    ],
)
def test_moves_are_checked(moves: Any, says: str) -> None:
    game = breaking(moves=moves)
    with pytest.raises(CodeError, match=rf"^\S*test_checks.py:\d+: {says}"):
        game.moves(game.new_state(), np.zeros(game.move_count, np.int64))


def left_of(state: Any) -> bool:
    edge = state.mover - 1
    return bool(state.board[edge] == 1)


def within_a_row(state: Any) -> bool:
    rows = state.board[1:].reshape(2, -1)
    return bool(rows[0][state.mover - 2])


def around(state: Any) -> bool:
    edge = state.mover
    return bool(state.board[edge - 1 : edge + 2].all())


def written(state: Any, move: int) -> None:
    state.board[np.int8(state.mover) - 1] = 1


@pytest.mark.parametrize("over", [left_of, within_a_row, around])
def test_an_index_below_0_is_a_mistake(over: Any) -> None:
    game = breaking(over=over)
    line = over.__code__.co_firstlineno + 2
    says = (
        rf"^\S*test_checks.py:{line}: `{over.__name__}` reads or writes out of bounds: index -\d would count from the"
    )
    with pytest.raises(CodeError, match=says):
        game.over(game.new_state())


def test_an_index_below_0_is_not_written_at() -> None:
    game = breaking(play=written)
    state = game.new_state()
    with pytest.raises(CodeError, match=r"`written` reads or writes out of bounds: index -1 would count from the end"):
        game.play(state, 0)
    assert not state.board.any()


def from_the_end_of_others(state: Any) -> bool:
    cells = state.board
    largest, last = np.sort(cells)[-1], (cells + 1)[-1]
    places, copied = np.where(cells == 0)[0][-1], cells.copy()[-1]
    cells[:-1] = cells[1:]
    cells[:] = np.roll(cells, 1)
    return bool(largest + last + places + copied + cells.tolist()[-1] + cells[cells > 5].sum() < 0) and bool(
        repr(cells)
    )


def test_copies_tuples_and_slices_count_from_the_end() -> None:
    body, state = kernel(from_the_end_of_others), load_game("tictactoe").new_state()
    assert call(body, state) is False


def corner(state: Any) -> bool:
    board = state.board
    return bool(board[0] and board[-1])


def deep_corner(state: Any) -> bool:
    return bool(state.rows[0, -1] and state.rows.shape[-1])


@pytest.mark.parametrize(("body", "index"), [(corner, "-1` of `board`"), (deep_corner, "(0, -1)` of `state.rows`")])
def test_a_constant_below_0_is_named_wherever_it_stands(body: Any, index: str) -> None:
    (told,) = mistakes([body])
    assert f"`{body.__name__}` uses the index `{index}, which counts from the end" in told


def test_no_law_that_ships_counts_from_the_end() -> None:
    bodies = [part for game in GAMES for name in PARTS if (part := getattr(game, name)) is not None]
    assert [told for body in bodies for told in mistakes(users_functions(body))] == []


@pytest.mark.slow
def test_debug_checks_every_call_and_plays_the_same(tmp_path: Any) -> None:
    write_nim(tmp_path)
    match = ("match", "hand", "shy", "--game", "nim", "--deals", "5")
    plain, debugged = (
        run_rulebots(tmp_path, *match, interpreted=not compiling()),
        run_rulebots(tmp_path, *match, "--debug"),
    )
    assert debugged.stdout == plain.stdout
    assert debugged.stderr == ""


@pytest.mark.slow
def test_debug_ends_at_the_first_breach(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    write_nim(tmp_path, [("rules.py", "return left % 4 == 0", "return view.heap / (left - 3)")])
    monkeypatch.setenv("RULEBOTS_DEBUG", "1")
    done = run_rulebots(tmp_path, "match", "hand", "shy", "--game", "nim", "--deals", "20")
    assert done.returncode == 1
    assert done.stderr.startswith("rulebots: nim/rules.py:18: `leaves_fours` divides by zero")


def test_a_game_checks_itself_while_debugging(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEBOTS_DEBUG", "1")
    game = replace(load_game("kalah"))
    assert isinstance(game.moves, CheckedKernel)
    assert not compiling()
    assert fingerprint(game) == fingerprint(load_game("kalah"))
