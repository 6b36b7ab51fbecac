"""One weight in a file: a number, or [early, late]."""

import pytest
from population_texts import HEAD, SHELLY, weights_of, with_rule


@pytest.mark.parametrize(
    ("written", "number"),
    [("1", 1), ("-0.5", -0.5), ("+.5", 0.5), ("2.", 2), ("1e-3", 0.001), ("1E3", 1000), ("-1.5e+2", -150), ("0", 0)],
)
def test_numbers_as_people_write_them(tmp_path, written, number):
    path = tmp_path / "a.yaml"
    path.write_text(with_rule(f"low_card: {written}"))
    assert weights_of(path)[0, SHELLY.columns["play.low_card"]] == number


def test_flat_rule_sets_take_one_number_or_two_that_are_the_same(problems_of):
    head = HEAD.replace("shelly", "sheppard")
    assert problems_of(with_rule("play_lowest_first: [2, 2.0]", head)) == []
    assert problems_of(with_rule("play_lowest_first: [1, 2]", head)) == [
        (
            "p.yaml:8:28: expected one number as weight of 'play_lowest_first', early and late alike in this rule set, "
            "not [1, 2]"
        )
    ]


#: What is no weight, and how it is described.
NO_WEIGHTS = [
    ("high", "'high'"),
    ("'0.5'", "the text '0.5'"),
    ("true", "'true'"),
    ("no", "'no'"),
    (".nan", "'.nan'"),
    ("nan", "'nan'"),
    (".inf", "'.inf'"),
    ("-.Inf", "'-.Inf'"),
    ("1e999", "'1e999'"),
    ("1_000", "'1_000'"),
    ("1:30", "'1:30'"),
    ("010", "'010'"),
    ("0x1F", "'0x1F'"),
    ("1,5", "'1,5'"),
    ("", "an empty value"),
    ("~", "an empty value"),
    ("{a: 1}", "a map"),
    ("x" * 100, "'" + "x" * 57 + "...'"),
]


@pytest.mark.parametrize(("written", "described"), NO_WEIGHTS)
def test_a_weight_that_is_no_finite_number(problems_of, written, described):
    column = 19 if written else 18
    expected = f"expected a finite number such as 0.5 or -1e-3 as weight of 'low_card', not {described}"
    assert problems_of(with_rule(f"low_card: {written}")) == [f"p.yaml:8:{column}: {expected}"]


@pytest.mark.parametrize(
    ("written", "described"),
    [
        (written, described) for written, described in NO_WEIGHTS if written != "1,5"
    ],  # in brackets these are two numbers
)
def test_a_late_weight_that_is_no_finite_number(problems_of, written, described):
    expected = f"expected a finite number such as 0.5 or -1e-3 as weight of 'low_card', not {described}"
    assert problems_of(with_rule(f"low_card: [0.5, {written or '~'}]")) == [f"p.yaml:8:25: {expected}"]
