"""The score test: it finds what is there, and calls chance what is none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.special import chdtrc

from evolve.analysis.discovery.evidence import DECISIONS_AT_ONCE, Gradients, by_chance, halves, shuffled, with_columns
from evolve.lessons.rollouts import Lessons

#: The weights that explain what is no product.
LINEAR = np.array([[0.5, -0.2, 0.0], [0.5, -0.2, 0.0]])


def made_up(decisions: int, seed: int) -> Lessons:
    rng = np.random.default_rng(seed)
    counts = rng.integers(2, 6, decisions)
    moves = int(counts.sum())
    features = rng.standard_normal((moves, 3)).astype(np.float32)
    returns = features @ LINEAR[0] + 0.6 * features[:, 0] * features[:, 1] + rng.standard_normal(moves)
    return Lessons(counts, rng.random(decisions), features, returns, np.arange(moves))


def products(lessons: Lessons) -> np.ndarray:
    f = lessons.features
    return np.column_stack([f[:, 0] * f[:, 1], f[:, 0] * f[:, 2], f[:, 0] + f[:, 2]])


@pytest.mark.parametrize("flat", [False, True])
def test_it_finds_the_product_and_nothing_that_the_rules_say_already(flat: bool) -> None:
    lessons = made_up(1500, 3)
    found = Gradients(lessons, LINEAR, 1.0, flat=flat).evidence(products(lessons))
    assert found.chi2[0] > 30 > found.chi2[1]
    assert found.chi2[2] == 0  # a sum of two rules is no new one
    assert found.direction[0, 0] > 0
    known = with_columns(lessons, products(lessons)[:, :1])
    assert (
        Gradients(known, np.column_stack([LINEAR, [0.6, 0.6]]), 1.0, flat=flat).evidence(products(lessons)).chi2[0] == 0
    )


@pytest.mark.parametrize("flat", [False, True])
def test_under_chance_one_in_twenty_seems_significant(flat: bool) -> None:
    lessons, rng = made_up(6000, 4), np.random.default_rng(5)
    seen = []
    for _ in range(30):
        mixed = shuffled(lessons, rng)
        assert np.allclose(np.add.reduceat(mixed.returns, np.cumsum(mixed.counts) - mixed.counts),
                           np.add.reduceat(lessons.returns, np.cumsum(lessons.counts) - lessons.counts))  # fmt: skip
        found = Gradients(mixed, np.zeros((2, 3)), 1.0, flat=flat).evidence(products(lessons)[:, :2])
        seen += [by_chance(chi2, flat=flat) for chi2 in found.chi2.tolist()]
    assert np.mean(np.array(seen) < 0.05) < 0.17
    assert 0.3 < np.mean(seen) < 0.7


@pytest.mark.parametrize("flat", [False, True])
def test_the_probability_is_another_librarys(flat: bool) -> None:
    for chi2 in (0.0, 0.3, 3.84, 50.0, 1000.0):
        assert by_chance(chi2, flat=flat) == pytest.approx(float(chdtrc(1 if flat else 2, chi2)), rel=1e-12)


@pytest.mark.parametrize("decisions", [1, DECISIONS_AT_ONCE, 3 * DECISIONS_AT_ONCE + 7])
def test_gradients_are_the_products_of_a_sparse_matrix(decisions: int) -> None:
    lessons = made_up(decisions, 2)
    model = Gradients(lessons, LINEAR, 1.0, flat=True)
    ends = np.append(model.first, len(lessons.moves))
    sparse = csr_array((model.push[:, 0], np.arange(len(lessons.moves)), ends))
    assert np.allclose(model._of(lessons.features)[0], sparse @ lessons.features, rtol=1e-12, atol=1e-12)


def test_halves_share_no_decision() -> None:
    lessons = made_up(7, 1)
    first, one, other = halves(lessons)
    assert (len(one), len(other)) == (4, 3)  # 0, 1, 4 and 5; 2, 3 and 6
    assert np.array_equal(np.concatenate([one.late, other.late]), lessons.late[[0, 1, 4, 5, 2, 3, 6]])
    for f in ("features", "returns", "moves"):
        assert np.array_equal(getattr(one, f), getattr(lessons, f)[first])
        assert np.array_equal(getattr(other, f), getattr(lessons, f)[~first])


def test_decisions_whose_returns_are_alike_say_nothing() -> None:
    lessons = made_up(1500, 3)
    alike = replace(lessons, returns=np.repeat(np.random.default_rng(1).random(1500), lessons.counts))
    assert not Gradients(alike, LINEAR, 1.0, flat=True).evidence(products(alike)).chi2.any()


def test_candidates_that_say_the_same_are_apart_from_others_once() -> None:
    lessons = made_up(1500, 3)
    first, second, _ = products(lessons).T
    model = Gradients(lessons, LINEAR, 1.0, flat=False)
    several = np.column_stack([first, -2 * first, second, first + 0.1 * second])
    assert model.apart(several, 10) == [0, 2]
    assert model.apart(several, 1) == [0]
