"""Strategies that were tried: LRA-CMA-ES, TBPSA, and `ga` with growing batches and with a likelihood ratio as fitness."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from cmaes import CMA

import evolve.run
from evolve.deals import SPARRING
from evolve.evaluation import generation as of_generation
from evolve.evaluation.fitness import Tally, against, tally
from evolve.evaluation.generation import Generation, play_generation
from evolve.strategies import strategies
from evolve.strategies.ga import GeneticBreeder
from evolve.strategies.mean import MeanBreeder
from rulebots.random_numbers import rng_of


class Lra(MeanBreeder):
    """CMA-ES whose learning rate follows the signal-to-noise ratio (Nomura, Akimoto and Ono, GECCO 2023)."""

    name = "lra-cma-es"

    def begin(self, start):
        super().begin(start)
        self.cma = CMA(self.mean.copy(), 0.4, seed=self.settings.seed, population_size=self.settings.population, lr_adapt=True)

    def samples(self, normal):
        B, D = self.cma._eigen_decomposition()
        return self.cma._mean + self.cma._sigma * (normal * D) @ B.T

    def learn(self, samples, strength):
        self.cma.tell([(x, -float(s)) for x, s in zip(samples, strength)])
        self.mean = self.cma._mean.copy()


class Tbpsa(MeanBreeder):
    """Test-based population size adaptation (Hellwig and Beyer, 2016), as Nevergrad has it."""

    name = "tbpsa"

    def begin(self, start):
        super().begin(start)
        dim = len(self.mean)
        self.sigma, self.size = 0.4, max(self.settings.population, dim)
        self.kept, self.told = [], []

    def _sigmas(self):
        rng = rng_of(self.settings.seed, self.generation, 77)
        return self.sigma * np.exp(rng.standard_normal(self.settings.population) / np.sqrt(len(self.mean)))

    def samples(self, normal):
        return self.mean + self._sigmas()[:, None] * normal

    def learn(self, samples, strength):
        for x, s, sigma in zip(samples, strength, self._sigmas()):
            self.kept.append((float(s), sigma, x))
            self.told.append(-float(s))
        if len(self.kept) >= self.size:
            best = sorted(self.kept, key=lambda e: -e[0])[: max(1, self.size // 4)]
            self.mean = np.mean([x for _, _, x in best], axis=0)
            self.sigma = float(np.exp(np.mean([np.log(sigma) for _, sigma, _ in best])))
            self.kept = []
        if len(self.told) >= 5 * self.size:
            first, last = np.array(self.told[: self.size]), np.array(self.told[-self.size :])
            error = np.sqrt((first.var() + last.var()) / (self.size - 1))
            self.size = self.size * 2 if first.mean() - last.mean() < 2 * error else max(int(0.84 * self.size), len(self.mean))
            self.told = self.told[-self.size :]


class Growing(GeneticBreeder):
    """`ga`, each generation with 4 % more deals against the opponents than the last, from a half on."""

    name = "ga-growing"


class Likelihood(GeneticBreeder):
    """`ga` with growing batches and the pentanomial log-likelihood ratio of 10 Elo against none as fitness."""

    name = "ga-llr"


class LikelihoodTally(Tally):
    def strength(self, margin):
        return self.llr


def play(arena, population, opponents, generation):
    name = arena.settings.strategy_name
    if name not in ("ga-growing", "ga-llr"):
        return play_generation(arena, population, opponents, generation)
    deals = max(1, round(arena.settings.opponent_deals * min(4.0, 0.5 * 1.04**generation)))
    former, arena.settings = arena.settings, replace(arena.settings, opponent_deals=deals)
    try:
        played = play_generation(arena, population, opponents, generation)
    finally:
        arena.settings = former
    if name == "ga-growing":
        return played
    # The games of the population and of the opponents, pair by pair, as five outcomes.
    rng_deals = arena.deals(deals, SPARRING, generation)
    count = len(population)
    schedule = against(count, len(opponents), deals)
    games = arena.play([*population, *opponents], rng_deals, schedule)  # the same games once more: not counted twice
    sign = np.sign(games.points[:, 0] - games.points[:, 1]) * ~games.stalled
    scores = np.empty(len(schedule))
    mine = schedule[:, 1] < count
    scores = np.where(games.stalled, 0, np.where(mine, (1 + sign) / 2, (1 - sign) / 2))
    player = np.where(mine, schedule[:, 1], schedule[:, 2])
    half = len(schedule) // deals // 2
    paired = scores.reshape(deals, 2, half).mean(axis=1).ravel()
    who = player.reshape(deals, 2, half)[:, 0].ravel()
    s0, s1 = 0.5, 1 / (1 + 10 ** (-10 / 400))
    llr = np.zeros(count)
    for i in range(count):
        x = paired[who == i]
        five = (np.bincount(np.round(4 * x).astype(int), minlength=5) + 0.1) / (len(x) + 0.5)
        at = np.arange(5) / 4
        mean = five @ at
        var = five @ (at - mean) ** 2
        llr[i] = len(x) * (s1 - s0) * (2 * mean - s0 - s1) / (2 * var)
    t = played.tally
    made = LikelihoodTally(t.games, t.wins, t.draws, t.stalled, t.points, t.margin)
    object.__setattr__(made, "llr", llr)
    return Generation(made, played.sparring, played.games)


evolve.run.play_generation = play
for cls in (Lra, Tbpsa, Growing, Likelihood):
    strategies()[cls.name] = cls
