"""Student's quantile against SciPy's."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st
from scipy.special import stdtr, stdtrit

from rulebots.ratings.intervals import MANY, student_probability, student_quantile


@given(st.floats(-0.3, 9).map(lambda power: 10**power), st.floats(0.55, 0.9999))
def test_it_is_that_of_another_library(freedom: float, probability: float) -> None:
    assert student_quantile(freedom, probability) == pytest.approx(float(stdtrit(freedom, probability)), rel=1e-10)


@given(st.floats(-0.3, 8).map(lambda power: 10**power), st.floats(-8, 8))
def test_the_probability_is_that_of_another_library(freedom: float, at: float) -> None:
    assert student_probability(freedom, at) == pytest.approx(
        float(stdtr(freedom, at)), abs=1e-10 if freedom < MANY else 1e-7
    )


def test_far_out_the_probability_is_certain() -> None:
    for freedom in (5000.0, 1e9):
        assert (student_probability(freedom, 1e6), student_probability(freedom, -1e6)) == (1, 0)


@pytest.mark.parametrize("freedom", [1.0, 2.0])
def test_one_and_two_degrees_of_freedom_have_closed_forms(freedom: float) -> None:
    found = student_quantile(freedom, 0.975)
    expected = math.tan(math.pi * 0.475) if freedom == 1 else 0.95 * math.sqrt(2 / (1 - 0.95**2))
    assert found == pytest.approx(expected, rel=1e-13)


def test_both_ways_to_find_it_meet() -> None:
    assert student_quantile(MANY, 0.975) == pytest.approx(student_quantile(math.nextafter(MANY, 0), 0.975), rel=1e-12)


def test_each_term_of_the_expansion_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a hundred degrees of freedom what comes after the last term is in the eleventh digit."""
    monkeypatch.setattr("rulebots.ratings.intervals.MANY", 1.0)
    assert student_quantile(100.0, 0.975) == pytest.approx(float(stdtrit(100.0, 0.975)), rel=4e-11)


def test_next_to_no_freedom_makes_it_infinite() -> None:
    assert student_quantile(1e-3, 0.975) == math.inf
