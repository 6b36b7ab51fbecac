"""Pairs of games that tell in which direction the numbers of a program should move: ask and tell.

    search = Search(start, games=20_000, seed=1)
    while not search.done:
        plus, minus = search.pairs()
        search.tell(points of each plus against its minus)
    search.result()

No games, no files, no clock. The random numbers of a batch come from (seed, batch) alone, and `state` is everything
else: a search that was stopped goes on as if it had not been.

Thousands of games say little about one parameter and much about all of them together, so every pair perturbs all: it
plays a point against its mirror image. Each pair moves the centre a little, and the result is the mean of the centres,
the later ones counting more: see evolve/perturbation.py. It is not the point that scored best, which was mostly the
luckiest.

How far to perturb is measured first. Where a perturbed program plays nonsense, its games say nothing about the centre,
and steps would overshoot: the perturbation shrinks until perturbed programs score about 30 % against the centre.
From time to time the result plays against the start. If it is clearly worse, chance has led the search to where all
programs are bad, and it begins again with smaller perturbations.
"""

import math
from typing import Any, Self

import numpy as np

from evolve.perturbation import add_centre, step_of
from rulebots.game import Bools, Floats
from rulebots.game.random_numbers import rng_of
from rulebots.ratings.intervals import elo

GAMES_A_PAIR = 2
#: The pairs of a batch, whose games may run side by side: see `_batch_size`.
FEWEST_PAIRS = 16
MOST_PAIRS = 64
FEWEST_BATCHES = 40
#: The largest perturbation, in ranges.
LARGEST = 0.19
#: The Elo that a perturbed program should lose against the centre, how much more passes, and how often to shrink.
LOSS = 150.0
TOLERANCE = 1.2
TRIALS = 6
#: The pairs of such a trial, and the fewest, where the budget is small: this share of its pairs.
PAIRS_A_TRIAL = 40
FEWEST_TRIAL_PAIRS = 4
TRIAL_SHARE = 0.01
#: One trial shrinks no further; scores beyond this, or below its complement, are taken for it.
LEAST_SHRINK = 0.3
CERTAIN = 0.98
#: The shares of the budget after which the result plays against the start, over as many pairs as a trial has, and how
#: many standard errors of a pair's points below one half are too little.
CHECKS = (0.05, 0.1, 0.2, 0.5)
DEVIATION = 0.285
CLEARLY = 2.0
#: The perturbations of a search that begins again, relative to the former ones.
AGAIN = 0.5
#: The step of a pair is that of a search of BUDGET games, less in a longer one. A batch moves at most FASTEST * d
#: perturbations: it would overshoot.
BUDGET = 10_000
HORIZON = 0.25
FASTEST = 1.2


class Search:
    """Stochastic approximation with simultaneous perturbations, whose size is measured first: see the module.

    `start` is float64[d] in 0..1: shares of the parameters' ranges. `games` is the whole budget. `scale`, float64[d],
    are the relative sizes of the perturbations of the parameters, by default all 1.
    """

    def __init__(self, start: Floats, games: int, seed: int, scale: Floats | None = None) -> None:
        self.games = games
        self.seed = seed
        self.scale = np.ones(len(start)) if scale is None else np.array(scale, np.float64)
        self.start = np.array(start, np.float64)
        self.centre = self.start.copy()
        self.mean = self.centre.copy()
        self.sigma = LARGEST
        self.trials_left = TRIALS
        self.checks = 0
        self.batch = 0
        self.steps = 0
        self.pairs_used = 0
        self.games_played = 0

    @property
    def done(self) -> bool:
        """Whether the budget is spent."""
        return self.games_played + GAMES_A_PAIR > self.games

    def pairs(self) -> tuple[Floats, Floats]:
        """The next points to play against each other, float64[n, d] each, all inside 0..1.

        They are mirror images; while the size of the perturbations is measured, the second is the centre itself, and
        in a check the result plays against the start.
        """
        signs = rng_of(self.seed, self.batch).choice([-1.0, 1.0], (self._batch_size(), len(self.centre)))
        away = signs * self.scale * self.sigma
        if self.trials_left:
            return np.clip(self.centre + away, 0, 1), np.tile(self.centre, (len(away), 1))
        if self._due():
            return np.tile(self.mean, (len(away), 1)), np.tile(self.start, (len(away), 1))
        return np.clip(self.centre + away, 0, 1), np.clip(self.centre - away, 0, 1)

    def tell(self, points: Floats) -> None:
        """Learn from the mean points of each first against its second, float64[n] in 0..1; NaN: the pair was lost."""
        played = np.isfinite(points)
        if played.any():
            if self.trials_left:
                self._resize(float(points[played].mean()))
            elif self._due():
                self._check(points[played])
            else:
                self._step(points, played)
        self.batch += 1
        self.games_played += GAMES_A_PAIR * len(points)

    def result(self) -> Floats:
        """The weighted mean of the centres, float64[d]."""
        return self.mean.copy()

    def state(self) -> dict[str, Any]:
        """All that the future depends on, as plain numbers and lists."""
        return {name: one.tolist() if isinstance(one, np.ndarray) else one for name, one in vars(self).items()}

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> Self:
        """A search that goes on from `state`."""
        search = cls(np.array(state["centre"]), state["games"], state["seed"])
        for name, value in state.items():
            setattr(search, name, np.array(value, np.float64) if isinstance(value, list) else value)
        return search

    def _batch_size(self) -> int:
        """Many pairs can be played side by side, few let the centre move at once: some of both."""
        whole = self.games // GAMES_A_PAIR
        if self.trials_left or self._due():
            wanted = min(PAIRS_A_TRIAL, max(FEWEST_TRIAL_PAIRS, int(TRIAL_SHARE * whole)))
        else:
            wanted = min(MOST_PAIRS, max(FEWEST_PAIRS, len(self.centre) // 2), max(1, whole // FEWEST_BATCHES))
        return max(0, min(wanted, (self.games - self.games_played) // GAMES_A_PAIR))

    def _resize(self, rate: float) -> None:
        """Shrink the perturbations where perturbed programs lose more than LOSS; once they do not, the trials end."""
        loss = -elo(min(max(rate, 1 - CERTAIN), CERTAIN))
        if loss > TOLERANCE * LOSS:
            self.sigma *= max(LEAST_SHRINK, math.sqrt(LOSS / loss))
            self.trials_left -= 1
        else:
            self.trials_left = 0

    def _due(self) -> bool:
        """Whether it is time for a check; a result that is still the start needs none."""
        return self.steps > 0 and self.checks < len(CHECKS) and self.games_played >= CHECKS[self.checks] * self.games

    def _check(self, points: Floats) -> None:
        """Begin again where the result is clearly worse than the start."""
        self.checks += 1
        if points.mean() < 0.5 - CLEARLY * DEVIATION / math.sqrt(len(points)):
            self.centre = self.start.copy()
            self.mean = self.start.copy()
            self.sigma *= AGAIN
            self.steps = 0
            self.pairs_used = 0

    def _step(self, points: Floats, played: Bools) -> None:
        """Move the centre along each pair's difference, as far as its points are away from one half."""
        plus, minus = self.pairs()
        size = len(self.centre)
        step = step_of(self.pairs_used, size) * (BUDGET / self.games) ** HORIZON
        step = min(step, FASTEST * size / len(points))
        moves = (points[played] - 0.5) @ (plus - minus)[played] / 2
        self.centre = np.clip(self.centre + step * moves, 0, 1)
        self.steps += 1
        self.pairs_used += int(played.sum())
        add_centre(self.mean, self.centre, self.steps)
