"""The swift rules of Kalah: on a written position the value each must give; what guides a search by them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from kalah_positions import position
from naive_minimax import after, legal_moves, margin, positions

from rulebots.game import State, load_game
from rulebots.errors import UsageError
from rulebots.games.kalah.swift import swift
from rulebots.kernel import compiling
from rulebots.players import RulePlayer
from rulebots.rules import RuleSet
from rulebots.search.minimax.search import Limits, Minimax

kalah = load_game("kalah")
START = "4 4 4 4 4 4"
#: Pit 0 captures 7, pit 1 ends in my store.
CAPTURE = ("2 5 0 0 0 1", "1 1 1 7 1 1")
#: The opponent's pit 0 captures the 9 (of its pit 2, opposite), unless I move them.
THREAT = ("1 0 0 9 0 1", "2 0 0 4 0 0")
LATE = ("0 0 0 0 2 1", "1 0 0 0 0 0")

Case = tuple[str, int, float, tuple[str, str], tuple[int, int]]
CASES: list[Case] = [
    ("win.stones_won", 0, 1.6, CAPTURE, (0, 0)),
    ("win.stones_won", 5, 0.2, CAPTURE, (0, 0)),
    ("win.stones_won", 5, 0.0, ("0 0 0 0 0 1", "1 0 0 0 0 0"), (0, 0)),
    ("win.extra_turn", 2, 1, (START, START), (0, 0)),
    ("win.extra_turn", 3, 0, (START, START), (0, 0)),
    ("win.extra_turn", 5, 0, ("0 0 0 0 0 1", START), (0, 0)),
    ("win.next_extra_turns", 0, 1 / 3, CAPTURE, (0, 0)),
    ("win.next_extra_turns", 5, 0, ("0 0 0 9 0 1", THREAT[1]), (0, 0)),
    ("win.next_capture", 5, 1.4, CAPTURE, (0, 0)),
    ("win.next_capture", 0, 0, CAPTURE, (0, 0)),
    ("danger.threatened", 0, 1.8, THREAT, (0, 0)),
    ("danger.threatened", 5, 0, THREAT, (0, 0)),
    ("danger.next_threat", 5, 1.8, THREAT, (0, 0)),
    ("danger.next_threat", 0, 0, THREAT, (0, 0)),
    ("danger.opponents_extra_turns", 5, 1 / 3, (START, START), (0, 0)),
    ("danger.opponents_extra_turns", 5, 0, THREAT, (0, 0)),
    ("shape.hoard", 5, 0.4, THREAT, (0, 0)),
    ("shape.hoard", 3, -0.3, (START, START), (0, 0)),
    ("shape.to_the_right", 4, 1, ("0 0 0 0 1 1", START), (0, 0)),
    ("shape.to_the_right", 5, 0.5, ("0 0 8 0 0 1", START), (0, 0)),
    ("shape.empty_pits", 5, 4 / 6, THREAT, (0, 0)),
    ("shape.empty_pits", 2, 1 / 6, (START, START), (0, 0)),
    ("shape.far_pits", 5, 1 / 6, THREAT, (0, 0)),
    ("shape.far_pits", 5, 0, LATE, (0, 0)),
    ("shape.from_the_right", 5, 1, (START, START), (0, 0)),
    ("shape.from_the_right", 2, 0.5, (START, START), (0, 0)),
    ("end.majority", 5, 1, ("1 0 0 0 0 1", "1 0 0 0 0 0"), (24, 21)),
    ("end.majority", 5, 0, ("1 0 0 0 0 1", "2 0 0 0 0 0"), (23, 21)),
    ("end.ends_the_game", 5, 1, ("0 0 0 0 0 1", "1 0 0 0 0 0"), (30, 16)),
    ("end.ends_the_game", 5, -1, ("0 0 0 0 0 1", "1 0 0 0 0 0"), (10, 36)),
    ("end.ends_the_game", 5, 0, THREAT, (0, 0)),
]


@pytest.mark.parametrize("written", CASES, ids=lambda c: f"{c[0]}: {c[1]} of {c[3][0]}")
def test_a_rule_on_a_written_position(written: Case) -> None:
    key, pit, value, (mine, theirs), stores = written
    view = kalah.new_view()
    kalah.observe(position(mine, theirs, stores), view)
    assert swift.facts is not None
    assert swift.consider is not None
    swift.facts(view)
    swift.consider(view, pit)
    assert swift.rules[swift.columns[key]](view, pit) == pytest.approx(value, abs=1e-12)


def test_every_rule_is_tested_with_more_than_one_value() -> None:
    for rule in swift.rules:
        assert len({value for key, _, value, _, _ in CASES if key == rule.key}) >= 2, rule.key


def best_score(state: State, weights: Any) -> float:
    """In points, by the definition of a score, rule by rule."""
    view, found = kalah.new_view(), []
    kalah.observe(state, view)
    assert swift.facts is not None
    assert swift.consider is not None
    assert swift.progress is not None
    swift.facts(view)
    t = swift.progress(view)
    blended = (1 - t) * weights[0] + t * weights[1]
    for pit in legal_moves(kalah, state):
        swift.consider(view, pit)
        found.append(sum(w * rule(view, pit) for w, rule in zip(blended, swift.rules, strict=True)))
    return float(max(found)) * 5 / float(blended[swift.columns["win.stones_won"]])


def promise(state: State, move: int, weights: Any) -> float:
    """What is promised after a move, to the side that makes it."""
    child, seat = after(kalah, state, move), int(state.mover)
    if kalah.over(child):
        return margin(kalah, child, seat)
    value = best_score(child, weights)
    return margin(kalah, child, seat) + (value if child.mover == seat else -value)


def bred_weights() -> Any:
    weights = swift.hand_tuned()
    weights[1] *= 1.5
    return weights


def test_a_position_is_worth_its_points_and_what_the_best_move_promises() -> None:
    guide = RulePlayer(swift, bred_weights())
    for state in positions(kalah, 6 if compiling() else 3):
        found = Minimax(kalah, guide, 0).best(state, Limits(depth=1))
        values = {move: promise(state, move, guide.weights) for move in legal_moves(kalah, state)}
        assert found.value == pytest.approx(max(values.values()), abs=0.01)
        assert values[found.move] == pytest.approx(max(values.values()), abs=0.01)


def test_without_search_the_player_looks_one_ply_ahead() -> None:
    player = RulePlayer(swift, bred_weights())
    for state in positions(kalah, 6 if compiling() else 3, pits=5, stones=3):
        view, legal = kalah.new_view(), np.array(legal_moves(kalah, state))
        kalah.observe(state, view)
        values = {move: promise(state, move, player.weights) for move in legal.tolist()}
        assert values[player.choose(view, legal)] == pytest.approx(max(values.values()), abs=1e-9)


@pytest.mark.parametrize("worth", [0.0, -1.0, 1e-300])
def test_weights_by_which_a_point_is_worth_nothing_do_no_harm(worth: float) -> None:
    weights = swift.hand_tuned()
    weights[:, swift.columns["win.stones_won"]] = worth
    found = Minimax(kalah, RulePlayer(swift, weights), 0).best(positions(kalah, 1)[0], Limits(depth=2))
    assert abs(found.value) <= 1e6 + 48


def test_a_point_that_no_rule_counts_is_refused() -> None:
    with pytest.raises(UsageError, match=r"no rule 'win\.stone_won' of 'point'; did you mean 'win\.stones_won'"):
        RuleSet("other", kalah, swift.rules, point=("win.stone_won", 0.2))
