"""Expressions over rules: their values, names, meanings and text, and which ones there are."""

from __future__ import annotations

import numpy as np
import pytest

from evolve.analysis.discovery.expressions import Expression, expressions
from rulebots.game import load_game
from rulebots.kernel import Kernel
from rulebots.rules import rule

KALAH = load_game("kalah")


@rule("win")
def pits(view, item):
    """Its number, in all."""
    return item


@rule("win")
def even(view, item):
    """I choose an even pit."""
    return item % 2 == 0


@rule("win")
def far(view, item):
    """It lies far away."""
    return item > 3


FACTS = frozenset({"win.even", "win.far"})
VALUES = {
    "win.pits": np.arange(6, dtype=np.float32),
    "win.even": np.array([1, 0, 1, 0, 1, 0], np.float32),
    "win.far": np.array([0, 0, 0, 0, 1, 1], np.float32),
}
CASES = [
    (Expression("win", pits, at_least=2.5), "pits_at_least_2_5", "This is at least 2.5: its number, in all."),
    (
        Expression("win", pits, pits),
        "pits_times_pits",
        "The product of two rules: its number, in all; and its number, ",
    ),
    (Expression("win", pits, even, facts=FACTS), "pits_if_even", "If I choose an even pit: its number, in all."),
    (Expression("win", far, even, facts=FACTS), "far_and_even", "Both at once: it lies far away; and I choose an even"),
    (
        Expression("win", far, pits, 0.5),
        "far_if_pits_at_least_0_5",
        "Where this is at least 0.5 (its number, in all): ",
    ),
]


@pytest.mark.parametrize(("expression", "name", "meaning"), CASES, ids=[case[1] for case in CASES])
def test_an_expression_says_the_same_as_kernel_values_and_text(expression: Expression, name: str, meaning: str) -> None:
    assert expression.name == name
    assert expression.meaning.startswith(meaning)
    made = expression.rule(0.5)
    assert (made.key, made.meaning, made.early) == (f"win.{name}", expression.meaning, 0.5)
    assert isinstance(made.kernel, Kernel)
    names = {term.key: term.name for term in expression.terms}
    called = {term.name: term.kernel for term in expression.terms}
    code = compile(expression.code(names), "code", "eval")
    for item, value in enumerate(expression.of(VALUES).tolist()):
        assert made(None, item) == value
        assert eval(code, {**called, "view": None, "item": item}) == value  # noqa: S307 - it is what is tested


def test_candidates_are_products_and_thresholds_of_what_differs() -> None:
    rules = KALAH.rule_set().extended("few", [pits, even, far])
    values = {r.key: np.zeros(6, np.float32) for r in rules.rules} | VALUES
    found = {expression.name for expression in expressions(rules, values)}
    expected = {"pits_if_even", "pits_if_far", "even_and_far"}
    for cut in ("1_5", "2_5", "3_5"):  # between values, as short as can be
        expected |= {f"pits_at_least_{cut}", f"even_if_pits_at_least_{cut}", f"far_if_pits_at_least_{cut}"}
    assert found == expected


def test_a_pair_is_one_that_every_move_of_the_first_rule_has() -> None:
    rules = load_game("lost-cities").rule_set()
    shown = np.array([0.0, 1.0], np.float32)
    for expression in expressions(rules, {r.key: shown for r in rules.rules}):
        of_group = [{kind.name for kind in rules.mixes if kind.mix.get(term.group)} for term in expression.terms]
        assert of_group[0] <= of_group[-1]
        assert expression.group == expression.first.group
