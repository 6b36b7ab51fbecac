"""Breeders that are told made-up scores: no games."""

from __future__ import annotations

import numpy as np

from evolve.evaluation.fitness import Tally
from evolve.settings import Settings
from evolve.strategies import make_breeder
from evolve.strategies.base import Breeder
from rulebots.rules import RuleSet, Weights


def told(strength: np.ndarray, stalled: np.ndarray | None = None) -> Tally:
    """A tally of 100 games each in which a player's wins are its strength."""
    n = len(strength)
    zero = np.zeros(n)
    return Tally(np.full(n, 100.0), strength, zero, zero if stalled is None else stalled, zero, zero)


def best_is_largest_sum(weights: list[Weights]) -> np.ndarray:
    return np.array([w[0].sum() for w in weights])


def bred(strategy: str, rules: RuleSet, generations: int, seed: int = 1, **sizes: int) -> Breeder:
    breeder = make_breeder(Settings.of(strategy, seed=seed, **sizes), rules, [rules.hand_tuned()])
    for _ in range(generations):
        breeder.tell(told(best_is_largest_sum(breeder.ask())))
    return breeder
