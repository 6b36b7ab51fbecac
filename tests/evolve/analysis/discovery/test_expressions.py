"""Expressions over rules: their values, names, meanings and text, and which ones there are."""

from __future__ import annotations

import numpy as np
import pytest

from evolve.analysis.discovery.expressions import (
    AT_LEAST,
    DIFFERENCE,
    REACHES,
    Expression,
    Made,
    expressions,
    negation,
    product,
    scaled,
)
from evolve.analysis.discovery.terms import Term, rule_term
from rulebots.kernel import Kernel
from rulebots.registry import load_game, parts_of
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


PITS, EVEN, FAR = rule_term(pits), rule_term(even, truth=True), rule_term(far, truth=True)
ITEM, LONG = Term("item", "the item", text="item"), Term("next", "the next", text="item + 1 if item < 9 else 0")
VALUES = {
    "win.pits": np.arange(6, dtype=np.float32),
    "win.even": np.array([1, 0, 1, 0, 1, 0], np.float32),
    "win.far": np.array([0, 0, 0, 0, 1, 1], np.float32),
    "item": np.arange(6, dtype=np.float32),
    LONG.key: np.arange(1, 7, dtype=np.float32),
}
MANY = Made(AT_LEAST, (PITS,), 2.5)
CASES = [
    (MANY, "pits_at_least_2_5", "This (its number, in all) is at least 2.5."),
    (negation(MANY), "pits_below_2_5", "This (its number, in all) is less than 2.5."),
    (negation(negation(MANY)), "pits_at_least_2_5", "This (its number, in all) is at least 2.5."),
    (negation(EVEN), "not_even", "It is not so that I choose an even pit."),
    (negation(negation(EVEN)), "even", "I choose an even pit."),
    (product(PITS, PITS), "pits_times_pits", "The product of this (its number, in all) and that (its number, in all)."),
    (product(PITS, EVEN), "pits_if_even", "If I choose an even pit: its number, in all."),
    (product(EVEN, PITS), "pits_if_even", "If I choose an even pit: its number, in all."),
    (product(FAR, EVEN), "far_and_even", "Both at once: it lies far away; and I choose an even pit."),
    (
        product(FAR, MANY),
        "far_and_pits_at_least_2_5",
        "Both at once: it lies far away; and this (its number, in all) is",
    ),
    (
        product(Made(DIFFERENCE, (LONG, PITS)), negation(Made(REACHES, (ITEM, PITS)))),
        "next_less_pits_if_not_item_reaches_pits",
        "If (it is not so that (the item is at least this (its number, in all))): (the next less this (its number, in",
    ),
]


@pytest.mark.parametrize(("node", "name", "meaning"), CASES, ids=[f"{i}-{case[1]}" for i, case in enumerate(CASES)])
@pytest.mark.parametrize("scale", [1, 10])
def test_an_expression_says_the_same_as_kernel_values_and_text(node, name: str, meaning: str, scale: int) -> None:
    expression = Expression("win", node, scale)
    assert expression.name == name
    assert expression.meaning.startswith(meaning.rstrip("."))
    made = expression.rule(0.5)
    assert (made.key, made.meaning, made.early) == (f"win.{name}", expression.meaning, 0.5)
    assert isinstance(made.kernel, Kernel)
    called = {term.key: term for term in expression.terms if term.rule or term.long}
    names = {key: term.name for key, term in called.items()}
    code = compile(expression.code(names), "code", "eval")
    bodies = {term.name: term.kernel for term in called.values()}
    for item, value in enumerate(expression.of(VALUES).tolist()):
        assert made(None, item) == pytest.approx(value)
        assert eval(code, {**bodies, "view": None, "item": item}) == pytest.approx(value)  # noqa: S307 - it is what is tested


def test_what_is_made_of_fields_is_scaled_and_a_long_name_is_cut() -> None:
    wide = Term("wide", "a wide one", text="wide")
    values = {**VALUES, "wide": np.array([0, 30, 60, 90, 120, 150], np.float32)}
    assert scaled("win", wide, values).code({}) == "wide / 100"
    assert scaled("win", Made(AT_LEAST, (wide,), 50.0), values).scale == 1
    assert scaled("win", product(PITS, PITS), values).scale == 1  # rules are about 1 as they are
    long = product(
        product(PITS, MANY), Made(AT_LEAST, (Term("quite_a_long_name_of_a_field", "it", text="item"),), 0.25)
    )
    assert Expression("win", long).name == "pits_with_pits_with_quite_a_long_name_of_a_field"


def test_candidates_are_products_and_thresholds_of_what_differs() -> None:
    rules = parts_of(KALAH).rule_set().extended("few", [pits, even, far])
    values = {r.key: np.zeros(6, np.float32) for r in rules.rules} | VALUES
    found = {expression.name for expression in expressions(rules, values)}
    expected = {"pits_if_even", "pits_if_far", "even_and_far"}
    for cut in ("1_5", "2_5", "3_5"):  # between values, as short as can be
        expected |= {f"pits_at_least_{cut}", f"even_and_pits_at_least_{cut}", f"far_and_pits_at_least_{cut}"}
    assert found == expected


def test_a_pair_is_one_that_every_move_of_the_first_rule_has() -> None:
    rules = parts_of(load_game("lost-cities")).rule_set()
    shown = np.array([0.0, 1.0], np.float32)
    for expression in expressions(rules, {r.key: shown for r in rules.rules}):
        groups = [term.rule.group for term in expression.terms if term.rule]
        of_group = [{kind.name for kind in rules.mixes if kind.mix.get(group)} for group in groups]
        assert of_group[0] <= of_group[-1]
        assert expression.group == groups[0]
