"""Simultaneous perturbation (J. C. Spall, IEEE Trans. Automat. Contr. 37, 1992), for few games.

A few thousand games say little about one player, and much about a direction. So the population is pairs of mirror
images around a centre: all weights of a player are moved at once, up or down by chance, those of its image the other
way. The centre follows what each pair's games say, whoever won by luck. The result is the mean of the centres, the
later ones counting more. `evolve tune` steps alike: see evolve/perturbation.py.

The centre plays as well. How far the others are from it follows from how many games it wins: where they play nonsense,
or just as well, their games say nothing.
"""

from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from evolve.evaluation.fitness import Tally
from evolve.perturbation import add_centre, step_of
from evolve.strategies.base import BREEDING, Breeder
from evolve.strategies.ga import scaled_steps
from rulebots.files.ranges import number
from rulebots.game import Floats
from rulebots.game.random_numbers import rng_of
from rulebots.rules import Weights

#: How much more often than its images the centre should win: 70 % of two players' games. How fast the perturbation
#: follows, the generations after which it follows half as fast, and how much smaller or larger than at first it gets.
LEAD = 0.2
FOLLOW = 2.0
SETTLE = 10.0
SMALLER = 100.0
LARGER = 4.0
#: A pair moves at most FASTEST d / (d + pairs - 1) perturbations: pairs share directions.
FASTEST = 1.0
FARTHEST = 1e5
#: Instead of a mean or a deviation of 0.
LEAST = 1e-9


@dataclass(frozen=True)
class SpsaSettings:
    """The settings of `spsa`."""

    sigma: float = number(0.5, 0.0001, 10.0, "how far weights are from the centre's, first generation")
    scaling: float = number(1.0, 0.0, 1.0, "1: that is inverse to how much a rule differs among the moves; 0: alike")


class PerturbingBreeder(Breeder):
    """A centre, and pairs of mirror images around it; see the module."""

    name = "spsa"
    own_settings = SpsaSettings
    defaults = MappingProxyType({"population": 16, "generations": 200})
    kept = ("centre", "mean", "ranges", "sigma", "pairs_played")
    games_share = 0.25  # more games would only let the centre move less often

    def begin(self, start: list[list[float]]) -> None:
        """The best of the players to start from is the first centre; the others only enter a run-off at once."""
        self.start = start
        self.centre = np.array(start[0], np.float64)
        self.mean = self.centre.copy()
        self.sigma = float(self.own.sigma)
        self.pairs_played = 0.0

    def moves(self) -> Floats:
        """How far the first of each pair is from the centre, float64[pairs, genes]."""
        pairs = max(1, (self.settings.population - 1) // 2)
        signs = rng_of(self.settings.seed, self.generation, BREEDING).choice([-1.0, 1.0], (pairs, len(self.centre)))
        steps = scaled_steps(self.ranges, self.own.scaling)
        return self.sigma * signs * np.tile(steps, signs.shape[1] // len(steps))

    def ask(self) -> list[Weights]:
        """The centre, the result so far where the number is even, and the pairs, one after the other."""
        moves = self.moves()
        pairs = np.stack([self.centre + moves, self.centre - moves], axis=1).reshape(-1, len(self.centre))
        middle = [self.centre, self.mean][: self.settings.population - len(pairs)]
        return [self.weights(genes.tolist()) for genes in [*middle, *pairs]]

    def tell(self, tally: Tally) -> None:
        """Move the centre along each pair's difference, as far as one wins more than the other."""
        moves = self.moves()
        pairs, size = moves.shape
        even = max(2 * float(tally.win_rate.mean()), LEAST)
        won = tally.win_rate / even
        strength = tally.strength(self.settings.margin) / even
        if tally.in_points:
            strength *= won.std() / max(float(strength.std()), LEAST)
        middle = len(won) - 2 * pairs
        first, second = strength[middle:].reshape(pairs, 2).T
        played = float(tally.games[middle:].mean()) / 4
        step = min(step_of(self.pairs_played, size) * played, FASTEST * size / (size + pairs - 1))
        change = step * np.clip(first - second, -1, 1) @ moves
        self.centre = np.clip(self.centre + change, -FARTHEST, FARTHEST)
        self.pairs_played += pairs * played
        self.generation += 1
        add_centre(self.mean, self.centre, self.generation)
        if middle:
            ahead = float(np.clip(won[0] - won[middle:].mean(), -1, 1))
            follow = np.exp(FOLLOW * (LEAD - ahead) / (1 + self.generation / SETTLE))
            self.sigma = float(np.clip(self.sigma * follow, self.own.sigma / SMALLER, self.own.sigma * LARGER))

    def finalists(self) -> list[Weights]:
        """The mean of the centres, and the last one."""
        ends = [self.mean.tolist(), self.centre.tolist()] if self.generation else self.start
        return [self.weights(genes) for genes in ends]
