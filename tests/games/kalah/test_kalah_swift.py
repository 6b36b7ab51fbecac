"""The swift rules of Kalah: on a written position the value each must give; what guides a search by them."""

from __future__ import annotations

from typing import Any

import pytest
from kalah_positions import case, position, value_in
from played_positions import after, margin, positions
from written_positions import Case, on_written_positions

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.games.kalah.swift import swift
from rulebots.kernel import compiling
from rulebots.players import RulePlayer
from rulebots.registry import load_game
from rulebots.rules import RuleSet
from rulebots.search.minimax.search import Limits, Minimax

kalah = load_game("kalah")
START = "4 4 4 4 4 4"
#: Pit 0 captures 7, pit 1 ends in my store.
CAPTURE = ("2 5 0 0 0 1", "1 1 1 7 1 1")
#: The opponent's pit 0 captures the 9 (of its pit 2, opposite), unless I move them.
THREAT = ("1 0 0 9 0 1", "2 0 0 4 0 0")
LATE = ("0 0 0 0 2 1", "1 0 0 0 0 0")

CASES = [
    case("win.stones_won", "a captor and seven", 0, 1.6, CAPTURE),
    case("win.stones_won", "one into the store", 5, 0.2, CAPTURE),
    case("win.stones_won", "one for me, and the opponent sweeps its own one", 5, 0.0, ("0 0 0 0 0 1", "1 0 0 0 0 0")),
    case("win.extra_turn", "four stones, four cells to the store", 2, 1, (START, START)),
    case("win.extra_turn", "one cell further", 3, 0, (START, START)),
    case("win.extra_turn", "the last stone ends the game", 5, 0, ("0 0 0 0 0 1", START)),
    case("win.next_extra_turns", "pits 1 and 5", 0, 1 / 3, CAPTURE),
    case("win.next_extra_turns", "none is left", 5, 0, ("0 0 0 9 0 1", THREAT[1])),
    case("win.next_capture", "the 7 opposite the empty pit", 5, 1.4, CAPTURE),
    case("win.next_capture", "it is captured already", 0, 0, CAPTURE),
    case("danger.threatened", "the nine, and the move goes across", 0, 1.8, THREAT),
    case("danger.threatened", "I move again", 5, 0, THREAT),
    case("danger.next_threat", "the nine are threatened, and I move again", 5, 1.8, THREAT),
    case("danger.next_threat", "the opponent is to move", 0, 0, THREAT),
    case("danger.opponents_extra_turns", "its pit 2", 5, 1 / 3, (START, START)),
    case("danger.opponents_extra_turns", "none", 5, 0, THREAT),
    case("shape.hoard", "10 against 6", 5, 0.4, THREAT),
    case("shape.hoard", "22 against 25", 3, -0.3, (START, START)),
    case("shape.to_the_right", "all in pit 5", 4, 1, ("0 0 0 0 1 1", START)),
    case("shape.to_the_right", "all in pit 2", 5, 0.5, ("0 0 8 0 0 1", START)),
    case("shape.empty_pits", "four", 5, 4 / 6, THREAT),
    case("shape.empty_pits", "one", 2, 1 / 6, (START, START)),
    case("shape.far_pits", "pit 3", 5, 1 / 6, THREAT),
    case("shape.far_pits", "none", 5, 0, LATE),
    case("shape.from_the_right", "pit 5", 5, 1, (START, START)),
    case("shape.from_the_right", "pit 2", 2, 0.5, (START, START)),
    case("end.majority", "25 of 48", 5, 1, ("1 0 0 0 0 1", "1 0 0 0 0 0"), (24, 21)),
    case("end.majority", "24 of 48", 5, 0, ("1 0 0 0 0 1", "2 0 0 0 0 0"), (23, 21)),
    case("end.ends_the_game", "I win it", 5, 1, ("0 0 0 0 0 1", "1 0 0 0 0 0"), (30, 16)),
    case("end.ends_the_game", "I lose it", 5, -1, ("0 0 0 0 0 1", "1 0 0 0 0 0"), (10, 36)),
    case("end.ends_the_game", "it goes on", 5, 0, THREAT),
]


@on_written_positions(swift, CASES)
def test_a_swift_rule_of_kalah(case: Case) -> None:
    found = value_in(swift, case.rule, position(**case.position), int(case.about))
    assert found == pytest.approx(case.value, abs=1e-12)


def best_score(here: Position, weights: Any) -> float:
    """In points, by the definition of a score, rule by rule."""
    found = []
    assert swift.facts is not None
    assert swift.consider is not None
    assert swift.progress is not None
    view = swift.seeing(here.view())
    swift.facts(view)
    t = swift.progress(view)
    blended = (1 - t) * weights[0] + t * weights[1]
    for pit in here.legal_moves.tolist():
        swift.consider(view, pit)
        found.append(sum(w * rule(view, pit) for w, rule in zip(blended, swift.rules, strict=True)))
    return float(max(found)) * 5 / float(blended[swift.columns["win.stones_won"]])


def promise(here: Position, move: int, weights: Any) -> float:
    """What is promised after a move, to the side that makes it."""
    child, seat = after(here, move), here.mover
    if child.over:
        return margin(child, seat)
    value = best_score(child, weights)
    return margin(child, seat) + (value if child.mover == seat else -value)


def bred_weights() -> Any:
    weights = swift.hand_tuned()
    weights[1] *= 1.5
    return weights


def test_a_position_is_worth_its_points_and_what_the_best_move_promises() -> None:
    guide = RulePlayer(swift, bred_weights())
    for here in positions(kalah, 6 if compiling() else 3):
        found = Minimax(kalah, guide, 0).best(here, Limits(depth=1))
        values = {move: promise(here, move, guide.weights) for move in here.legal_moves.tolist()}
        assert found.value == pytest.approx(max(values.values()), abs=0.01)
        assert values[found.move] == pytest.approx(max(values.values()), abs=0.01)


def test_without_search_the_player_looks_one_ply_ahead() -> None:
    player = RulePlayer(swift, bred_weights())
    for here in positions(kalah, 6 if compiling() else 3, pits=5, stones=3):
        values = {move: promise(here, move, player.weights) for move in here.legal_moves.tolist()}
        assert values[player.decide(here)] == pytest.approx(max(values.values()), abs=1e-9)


@pytest.mark.parametrize("worth", [0.0, -1.0, 1e-300])
def test_weights_by_which_a_point_is_worth_nothing_do_no_harm(worth: float) -> None:
    weights = swift.hand_tuned()
    weights[:, swift.columns["win.stones_won"]] = worth
    found = Minimax(kalah, RulePlayer(swift, weights), 0).best(positions(kalah, 1)[0], Limits(depth=2))
    assert abs(found.value) <= 1e6 + 48


def test_a_point_that_no_rule_counts_is_refused() -> None:
    with pytest.raises(UsageError, match=r"no rule 'win\.stone_won' of 'point'; did you mean 'win\.stones_won'"):
        RuleSet("other", kalah, swift.rules, point=("win.stone_won", 0.2))
