"""Mirrored pairs of games that tell in which direction the numbers of a program should move: ask and tell.

    search = Search(start, games=20_000, seed=1)
    while not search.done:
        plus, minus = search.pairs()
        search.tell(points of each plus against its minus)
    search.result()

No games, no files, no clock. The random numbers of a batch come from (seed, batch) alone, and `state` is everything
else: a search that was stopped goes on as if it had not been.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.game.random_numbers import rng_of

FloatArray = npt.NDArray[np.float64]

GAMES_A_PAIR = 2
#: The first and last step of a coordinate, in ranges, and the standard deviation of the perturbations.
FIRST_STEP = 0.0125
LAST_STEP = 0.0005
SIGMA = 0.15
#: Adam's decay rates of the gradient and of its square (Kingma and Ba, 2015).
MOMENTUM = 0.9
SQUARES = 0.99
TINY = 1e-9


class Search:
    """A mirrored evolution strategy with Adam; the result is the mean of its last iterates.

    `start` is float64[d] in 0..1, `games` the whole budget, `scale` float64[d] the relative sizes of the coordinates'
    perturbations, by default all 1. Coordinates are shares of the parameters' ranges.
    """

    def __init__(self, start: FloatArray, games: int, seed: int, scale: FloatArray | None = None) -> None:
        self.start = np.array(start, np.float64)
        self.games = games
        self.seed = seed
        self.scale = np.ones_like(self.start) if scale is None else np.array(scale, np.float64)
        self.games_played = 0
        self.batch = 0
        self.centre = self.start.copy()
        self.gradient = np.zeros_like(self.start)
        self.squares = np.zeros_like(self.start)
        self.total = np.zeros_like(self.start)
        self.counted = 0

    @property
    def done(self) -> bool:
        """Whether the budget is spent."""
        return self.games_played + GAMES_A_PAIR > self.games

    def pairs(self) -> tuple[FloatArray, FloatArray]:
        """The points of the next batch, float64[n, d], each with its mirror image, all inside 0..1."""
        directions = self._directions()
        return np.clip(self.centre + directions, 0, 1), np.clip(self.centre - directions, 0, 1)

    def tell(self, points: FloatArray) -> None:
        """Learn from the mean points of plus against minus, float64[n] in 0..1; NaN: the pair was lost."""
        played = np.isfinite(points)
        part = self.games_played / self.games
        self.games_played += GAMES_A_PAIR * len(points)
        self.batch += 1
        if played.any():
            directions = self._directions(self.batch - 1, len(points))
            self._move((points[played] - 0.5) @ directions[played] / played.sum(), part)

    def result(self) -> FloatArray:
        """The mean of the iterates of the last quarter, float64[d]; before that the latest one."""
        return self.total / self.counted if self.counted else self.centre.copy()

    def state(self) -> dict[str, Any]:
        """All that the future depends on, as plain numbers and lists."""
        return {name: one.tolist() if isinstance(one, np.ndarray) else one for name, one in vars(self).items()}

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> Search:
        """A search that goes on from `state`."""
        search = cls(np.array(state["start"]), state["games"], state["seed"])
        for name, value in state.items():
            setattr(search, name, np.array(value, np.float64) if isinstance(value, list) else value)
        return search

    def _directions(self, batch: int | None = None, size: int | None = None) -> FloatArray:
        left = (self.games - self.games_played) // GAMES_A_PAIR
        size = min(left, max(8, len(self.start))) if size is None else size
        normal = rng_of(self.seed, self.batch if batch is None else batch).standard_normal((size, len(self.start)))
        return SIGMA * self.scale * normal

    def _move(self, gradient: FloatArray, part: float) -> None:
        self.gradient += (1 - MOMENTUM) * (gradient - self.gradient)
        self.squares += (1 - SQUARES) * (gradient**2 - self.squares)
        step = FIRST_STEP * (LAST_STEP / FIRST_STEP) ** part
        unbiased = self.gradient / (1 - MOMENTUM**self.batch)
        spread = np.sqrt(self.squares / (1 - SQUARES**self.batch))
        self.centre = np.clip(self.centre + step * unbiased / (spread + TINY), 0, 1)
        if part >= 0.75:
            self.total += self.centre
            self.counted += 1
