"""What all pairs of a search say of each parameter: whether it mattered, and which values may be the best.

The points of a pair are regressed on each parameter by itself: the others were moved at random beside it, and are noise
of the same kind. Where the strength is a parabola, the points rise with the step, by a slope that falls linearly with
the place: points - 1/2 = (a + b * place) * step. The best place is where the slope is 0, and the interval holds
every place whose slope may be 0 (E. C. Fieller, J. R. Stat. Soc. B 16, 1954).
"""

from typing import Any

import numpy as np

from rulebots.game import Bools, Floats

#: The 95 % quantile of a squared slope, by its variance, at the place that is best beside the other results, in
#: simulated tunes of 6 and 20 parameters, where it is 5 to 11; chi-square's is 3.84.
POSSIBLE = 7.0
#: The 97.5 % quantile of chi-square with one degree of freedom.
PULLED = 5.024
#: How far below 0, in standard errors, a slope falls by chance in 2.5 %: the places are where chance has led the search
#: (D. A. Dickey and W. A. Fuller, J. Am. Stat. Assoc. 74, 1979).
FALLEN = -3.12
#: Places of a parameter's range that are looked at.
PLACES = np.linspace(0, 1, 2001)
#: A little of the largest sum, so that a parameter that never moved has an inverse.
RIDGE = 1e-12


class Evidence:
    """The sums of a regression for each of d parameters, as `state` gives them back."""

    def __init__(self, d: int, state: dict[str, Any] | None = None) -> None:
        state = state or {"pairs": 0, "square": 0.0, "sums": np.zeros((5, d))}
        self.pairs = int(state["pairs"])
        self.square = float(state["square"])
        self.sums = np.array(state["sums"], np.float64)

    def add(self, plus: Floats, minus: Floats, points: Floats) -> None:
        """Pairs that were played: float64[n, d] both, and the points of plus, float64[n]; NaN: the pair was lost.

        Where all of them met the same point, they are no mirror images, and say nothing of slopes.
        """
        played = np.isfinite(points) & (np.ptp(minus, axis=0).max() > 0)
        step = (plus[played] - minus[played]) / 2
        at = (plus[played] + minus[played]) / 2
        won = (points[played] - 0.5)[:, None]
        parts = (step**2, step**2 * at, (step * at) ** 2, won * step, won * step * at)
        self.sums += np.array([part.sum(axis=0) for part in parts])
        self.pairs += int(played.sum())
        self.square += float((won**2).sum())

    def state(self) -> dict[str, Any]:
        """All of it as plain numbers and lists."""
        return {"pairs": self.pairs, "square": self.square, "sums": self.sums.tolist()}

    @property
    def _noise(self) -> float:
        """The variance of a pair's points."""
        return max(self.square, RIDGE) / max(self.pairs, 1)

    def _regression(self) -> tuple[Floats, Floats]:
        """The coefficients a and b, float64[d, 2], and their covariances, float64[d, 2, 2]."""
        first, mixed, second, *won = self.sums
        information = np.array([[first, mixed], [mixed, second]]).transpose(2, 0, 1)
        inverse = np.linalg.inv(information + RIDGE * (1 + first.max()) * np.eye(2))
        return np.einsum("dij,jd->di", inverse, won), self._noise * inverse

    def mattered(self) -> Bools:
        """Whether each parameter is shown to have changed the results, with 95 % certainty each: bool[d].

        Either it pulled them to one side, or their slope fell as its place rose.
        """
        coefficients, covariance = self._regression()
        fallen = coefficients[:, 1] < FALLEN * np.sqrt(covariance[:, 1, 1])
        return np.asarray(fallen | (self.sums[3] ** 2 > PULLED * self._noise * self.sums[0]))

    def intervals(self, result: Floats) -> Floats:
        """The places that may be the best beside the others' results, 95 % each, `result` among them: float64[d, 2].

        Where the result lies outside, or at an end, the interval reaches half its width beyond it. Where parameters
        depend on each other, the best program of all may lie outside.
        """
        coefficients, covariance = self._regression()
        powers = np.array([np.ones_like(PLACES), PLACES])
        slope = coefficients @ powers
        possible = slope**2 <= POSSIBLE * np.einsum("ip,dij,jp->dp", powers, covariance, powers)
        low = np.minimum(np.where(possible, PLACES, np.inf).min(axis=1), result)
        high = np.maximum(np.where(possible, PLACES, -np.inf).max(axis=1), result)
        beyond = (high - low) / 2 * ((low == result) | (high == result))
        return np.clip([np.minimum(low, result - beyond), np.maximum(high, result + beyond)], 0, 1).T
