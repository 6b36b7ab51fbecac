"""Crossover and mutation."""

from __future__ import annotations

import pytest

from evolve.strategies import operators


def test_the_pool_crosses_all_winners_the_better_the_heavier() -> None:
    child = operators.cross_pool([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    assert child[0] > child[1] > 0
    assert sum(operators.cross_pool([[1.0], [1.0], [1.0]])) == pytest.approx(1.0)
