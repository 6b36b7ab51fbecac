"""Expressions over rules: their values, names, meanings and text, and which ones there are."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from evolve.analysis.discovery.expressions import (
    AT_LEAST,
    DIFFERENCE,
    REACHES,
    Expression,
    Made,
    Operand,
    expressions,
    field_operands,
    field_rules,
    field_values,
    negation,
    product,
    rule_operand,
    scaled,
)
from rulebots.game.dtypes import records
from rulebots.kernel import Kernel
from rulebots.registry import load_game, parts_of
from rulebots.rules import RuleSet, rule

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


PITS, EVEN, FAR = rule_operand(pits), rule_operand(even, truth=True), rule_operand(far, truth=True)
ITEM, LONG = (
    Operand("item", "the item", text="item"),
    Operand("next", "the next", text="item + 1 if item < 9 else 0"),
)
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
    called = {operand.key: operand for operand in expression.operands if operand.rule or operand.long}
    names = {key: operand.name for key, operand in called.items()}
    code = compile(expression.code(names), "code", "eval")
    bodies = {operand.name: operand.kernel for operand in called.values()}
    for item, value in enumerate(expression.of(VALUES).tolist()):
        assert made(None, item) == pytest.approx(value)
        assert eval(code, {**bodies, "view": None, "item": item}) == pytest.approx(value)  # noqa: S307 - it is what is tested


def test_what_is_made_of_fields_is_scaled_and_a_long_name_is_cut() -> None:
    wide = Operand("wide", "a wide one", text="wide")
    values = {**VALUES, "wide": np.array([0, 30, 60, 90, 120, 150], np.float32)}
    assert scaled("win", wide, values).code({}) == "wide / 100"
    assert scaled("win", Made(AT_LEAST, (wide,), 50.0), values).scale == 1
    assert scaled("win", product(PITS, PITS), values).scale == 1  # rules are about 1 as they are
    long = product(
        product(PITS, MANY), Made(AT_LEAST, (Operand("quite_a_long_name_of_a_field", "it", text="item"),), 0.25)
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
        groups = [operand.rule.group for operand in expression.operands if operand.rule]
        of_group = [{kind.name for kind in rules.mixes if kind.mix.get(group)} for group in groups]
        assert of_group[0] <= of_group[-1]
        assert expression.group == groups[0]


LOST_CITIES, GOMOKU, KALAH = map(load_game, ("lost-cities", "gomoku", "kalah"))


def texts(rules: RuleSet) -> dict[str, str]:
    return {operand.name: operand.text for operand in field_operands(rules)}


def test_a_table_is_read_where_the_item_has_a_place() -> None:
    assert texts(parts_of(KALAH).rule_set())["board_of_item"] == "view.board[item]"
    assert texts(parts_of(KALAH).rule_set())["ahead_3"] == "view.ahead[3]"
    assert texts(parts_of(GOMOKU).rule_set())["board_of_item"] == "float(view.board[item])"  # of few bits
    cards = texts(parts_of(LOST_CITIES).rule_set())
    assert cards["my_top_of_item"] == "view.my_top[item // 10] if 0 <= item < 60 else 0"  # a draw's card may be unknown
    assert cards["deck_left"] == "view.deck_left"
    assert "luck" not in cards


def test_every_field_can_be_read_for_every_item() -> None:
    for game in (LOST_CITIES, GOMOKU, KALAH):
        rules = parts_of(game).rule_set()
        view = records(rules.record, 1)[0]
        items = {int(game.item(view, move)) for move in (0, game.move_count // 2, game.move_count - 1)}
        for operand in field_operands(rules):
            assert all(float(operand.kernel(view, item)) in (0, item) for item in items), operand.text


def test_the_number_of_a_square_has_a_row_and_a_column() -> None:
    def of(shape: tuple[int, ...]) -> dict[str, str]:
        record = np.dtype([("grid", np.int32, shape)])
        game = SimpleNamespace(item=KALAH.item, move_count=12)
        return texts(SimpleNamespace(record=record, game=game))  # type: ignore[arg-type]

    assert of((3, 4)) == {"item": "item", "grid_of_item": "view.grid[item // 4, item % 4]"}
    assert of((20,)) == {"item": "item", "grid_of_item": "view.grid[item]"}
    assert of((3, 5)) == {"item": "item"}  # too small for each item to have a place
    assert list(of((2,))) == ["item", "grid_0", "grid_1"]


def test_lessons_tell_what_fields_were_and_only_what_can_be_used_is_left() -> None:
    rules = parts_of(LOST_CITIES).rule_set()
    operands = [Operand(name, name, text=name) for name in ("good", "alike", "endless", "bits")]
    # A card played, a card discarded, a card drawn, each a kind of move with a group of its own.
    of_play = np.array([[1, 7, np.inf, 5e8], [0, 0, 0, 0], [0, 0, 0, 0]], np.float32)
    of_keep = np.array([[0, 0, 0, 0], [-2, -7, -1, -1], [0, 0, 0, 0]], np.float32)
    of_draw = np.array([[0, 0, 0, 0], [0, 0, 0, 0], [3, 7, 1, 1]], np.float32)
    groups = ("play", "keep", "draw")
    shares = {group: np.where(np.arange(3) == i, (1, -1, 1), 0).astype(np.float32) for i, group in enumerate(groups)}
    found = field_values(rules, operands, np.concatenate([of_play, of_keep, of_draw], axis=1), shares)
    assert {key: value.tolist() for key, value in found.items()} == {"good": [1, 2, 3]}
    assert [r.group for r in field_rules(rules, operands)] == [group for group in groups for _ in operands]


@rule("win")
def wordy(view, item):
    """I am wordy. There is more to say."""
    return 1


def test_a_rule_is_told_by_its_first_sentence() -> None:
    assert rule_operand(wordy).words == "I am wordy"
