"""Explanations number by number, of a rule set of which every score is known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numbers_game import base, namer, rest, size, takers, taking, view_at

from rulebots.game import GameText
from rulebots.game.position import Position
from rulebots.kernel import kernel
from rulebots.players import RulePlayer
from rulebots.players.explaining import Explanation, Term, explain
from rulebots.players.sentences import deeds_to_mover
from rulebots.rules import Rule

PLAYER = RulePlayer(takers, takers.hand_tuned())


def explained(moves: list[int]) -> Explanation:
    """With weights 3/2, 1/2 and -3/2: see test_weights_and_scores.py."""
    return explain(PLAYER, view_at(1), moves)


def test_moves_stand_in_the_order_of_their_scores_the_chosen_one_first() -> None:
    seen = explained([0, 1, 2, 3, 4, 5])
    assert seen.moves == (4, 2, 0, 5, 3, 1)
    assert seen.scores == (14, 13.25, 12.5, -24, -27, -30)
    assert (seen.chosen, seen.progress) == (4, 0.25)
    assert seen.values[:4].tolist() == [[2, 10, 8], [1, 10, 9], [0, 10, 10], [0, 0, 8]]
    assert seen.shares[:4].tolist() == [[1, 1, -0.5], [1, 1, -0.5], [1, 1, -0.5], [0, 0, 2]]
    assert seen.weights.tolist() == takers.hand_tuned().tolist()
    assert seen.weights is not PLAYER.weights


def test_equal_scores_stand_in_the_order_of_their_numbers() -> None:
    flat = RulePlayer(replace(takers, progress=None), takers.hand_tuned())
    seen = explain(flat, view_at(4), [4, 2, 0, 5])
    assert (seen.moves, seen.scores, seen.progress) == ((0, 2, 4, 5), (15, 15, 15, -32), 0.0)


def amounts(terms: tuple[Term, ...]) -> list[tuple[Rule, float]]:
    return [(term.rule, term.amount) for term in terms]


def test_the_reasons_are_what_each_rule_adds_to_the_next_best_move_the_largest_first() -> None:
    seen = explained([0, 1, 2, 3, 4, 5])
    assert amounts(seen.reasons) == [(size, 1.5), (rest, -0.75)]
    assert amounts(seen.between(2, 4)) == [(size, -1.5), (rest, 0.75)]
    assert amounts(seen.between(4, 5)) == [(rest, 30), (base, 5), (size, 3)]
    assert seen.between(4, 4) == ()
    first = seen.reasons[0]
    assert (first.early, first.late, first.weight, first.shares, first.values) == (1, 3, 1.5, (1, 1), (2, 1))
    assert seen.reasons[1].shares == (-0.5, -0.5)
    assert explained([3]).reasons == ()
    assert len(explained([3, 1]).reasons) == 1


def test_an_explanation_shows_its_moves_the_best_first() -> None:
    assert repr(explained([0, 4, 2, 5])) == "<Explanation at taking: 4 14.000, 2 13.250, 0 12.500, 5 -24.000>"
    assert repr(explained([4, 2, 0])) == "<Explanation at taking: 4 14.000, 2 13.250, 0 12.500>"
    assert repr(explained([5])) == "<Explanation at taking: 5 -24.000>"
    page = explained([4, 2])._repr_html_()
    assert "<tr><td>4</td><td>14.0000</td></tr><tr><td>2</td><td>13.2500</td></tr>" in page


def test_a_table_says_what_each_rule_adds_to_each_score() -> None:
    pytest.importorskip("pandas")
    table = explained([4, 5]).to_pandas()
    assert table.to_dict("list") == {
        "move": ["4", "5"],
        "score": [14.0, -24.0],
        "gain.size": [3.0, 0.0],
        "gain.base": [5.0, 0.0],
        "cost.rest": [6.0, -24.0],
    }


def test_without_functions_of_its_own_a_set_is_explained_by_its_rules_alone() -> None:
    seen = explain(namer(2.0, 3.0), view_at(1, namer(0).game), [0, 1, 2])
    assert (seen.moves, seen.scores, seen.progress) == ((1, 2, 0), (5, 4, 0), 0.0)
    assert [(term.rule.name, term.amount) for term in seen.reasons] == [("moderation", 3.0), ("number", -2.0)]


@kernel
def redeal(state: Any, luck: int) -> int:
    state.number[1] = luck % 2
    return luck


def sentence(state: Any, move: int) -> str:
    """Of the mover's number, of the other's, or nothing."""
    return ("", f"mine: {state.number[0]}", f"the other's: {state.number[1]}")[move]


@pytest.mark.parametrize(
    ("given", "deeds"),
    [
        ({"redeal": redeal}, ("", "mine: 0", "")),
        ({"redeal": None}, ("", "", "")),
        ({"redeal": redeal, "hidden": False}, ("the other's: 1", "mine: 0", "")),
    ],
)
def test_a_deed_that_tells_what_is_hidden_is_left_out(given: dict[str, Any], deeds: tuple[str, ...]) -> None:
    law = replace(taking, text=GameText(show=taking.text.show, sentence=sentence), **given)
    position = Position(law, deal=np.array([0, 1, 0, 0, 5]))
    assert [position.deed(move) for move in (0, 2, 1)] == ["", "the other's: 1", "mine: 0"]
    assert sorted(deeds_to_mover(position, (0, 2, 1))) == sorted(deeds)


def test_one_rule_tells_a_move_from_the_average_of_several_others() -> None:
    seen = explained([0, 1, 2, 3, 4, 5])
    apart = seen.between(*seen.moves)
    assert sum(term.amount for term in apart) == pytest.approx(seen.scores[0] - np.mean(seen.scores[1:]))
    assert [term.rule.name for term in seen.reasons] == [term.rule.name for term in seen.between(*seen.moves[:2])]


def test_a_deed_has_no_subject_and_names_the_seats() -> None:
    law = replace(taking, text=GameText(show=taking.text.show, sentence=lambda state, move: "take(s) it: {0} win(s)"))
    assert Position(law).deed(0) == "take it: seat 0 wins"
    assert Position(law).deed(0, ["ann", "bob"]) == "take it: ann wins"
