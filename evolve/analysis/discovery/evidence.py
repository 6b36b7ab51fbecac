"""What lessons say for a candidate: does it explain returns that the rules do not explain yet?

The returns of a decision's moves, less their mean, are fitted by the rules, early and late (least squares). What is
left is compared with what the rules leave of the candidate: a score test, with decisions as clusters, since moves of
one decision share their luck (Liang and Zeger, Biometrika 73, 1986). So thousands of candidates need one fit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from evolve.lessons.rollouts import Lessons

Floats = npt.NDArray[np.float64]

#: A candidate of which the rules leave less than this share is no new one.
NEW = 1e-3
#: Candidates to examine at once: little memory, and much work for each call of a library.
AT_ONCE = 128


@dataclass(frozen=True)
class Evidence:
    """`chi2` float64[candidates], and the directions float64[candidates, 2] in which the weights should go.

    Under chance, `chi2` has a chi-squared distribution with two degrees of freedom, one where rules have one weight.
    """

    chi2: Floats
    direction: Floats


class Residuals:
    """What the rules leave unexplained of the returns of some lessons; `flat` says that rules have one weight."""

    def __init__(self, lessons: Lessons, *, flat: bool) -> None:
        self.flat, self.counts = flat, lessons.counts
        self.late = np.repeat(lessons.late, lessons.counts)
        self.base = self._columns(np.asarray(lessons.features, np.float64))
        self.inverse = np.linalg.pinv(self.base.T @ self.base, rcond=1e-9, hermitian=True)
        centred = self._centred(lessons.returns[:, None])
        self.rest = (centred - self.base @ (self.inverse @ (self.base.T @ centred)))[:, 0]

    def evidence(self, features: npt.NDArray[np.float32]) -> Evidence:
        """The evidence for candidates that would add `features`, float32[moves, candidates], to the scores."""
        columns = self._columns(np.asarray(features, np.float64))
        new = columns - self.base @ (self.inverse @ (self.base.T @ columns))
        kept = (new**2).sum(axis=0) > NEW * (columns**2).sum(axis=0)
        by_decision = self._sums(new * self.rest[:, None])
        count = features.shape[1]
        if self.flat:
            sums, square = by_decision.sum(axis=0), (by_decision**2).sum(axis=0)
            chi2 = np.divide(sums**2, square, out=np.zeros(count), where=kept & (square > 0))
            return Evidence(chi2, np.column_stack([sums, np.zeros(count)]))
        early, late = by_decision[:, :count], by_decision[:, count:]
        sums = np.column_stack([early.sum(axis=0), late.sum(axis=0)])
        a, b, c = (early**2).sum(axis=0), (early * late).sum(axis=0), (late**2).sum(axis=0)
        room = a * c - b**2
        usable = kept[:count] & kept[count:] & (room > 1e-9 * a * c)
        top = c * sums[:, 0] ** 2 - 2 * b * sums[:, 0] * sums[:, 1] + a * sums[:, 1] ** 2
        return Evidence(np.divide(top, room, out=np.zeros(count), where=usable), sums)

    def _columns(self, features: Floats) -> Floats:
        """Features as columns of the fit, within decisions: early, then late."""
        centred = self._centred(features)
        if self.flat:
            return centred
        late = self.late[:, None]
        return np.concatenate([(1.0 - late) * centred, late * centred], axis=1)

    def _centred(self, columns: Floats) -> Floats:
        return columns - np.repeat(self._sums(columns) / self.counts[:, None], self.counts, axis=0)

    def _sums(self, columns: Floats) -> Floats:
        """Sums over the moves of each decision: float64[decisions, columns]."""
        sums: Floats = np.add.reduceat(columns, np.cumsum(self.counts) - self.counts, axis=0)
        return sums


def halves(lessons: Lessons) -> tuple[npt.NDArray[np.bool_], Lessons, Lessons]:
    """The first half of the lessons and the rest; bool[moves] says which moves are in the first."""
    half = len(lessons) // 2
    end = int(lessons.counts[:half].sum())
    first = np.arange(len(lessons.returns)) < end
    return first, _part(lessons, slice(half), slice(end)), _part(lessons, slice(half, None), slice(end, None))


def _part(lessons: Lessons, decisions: slice, moves: slice) -> Lessons:
    return Lessons(
        lessons.counts[decisions],
        lessons.late[decisions],
        lessons.features[moves],
        lessons.returns[moves],
        lessons.moves[moves],
    )


def with_columns(lessons: Lessons, more: npt.NDArray[np.float32]) -> Lessons:
    """The lessons with further rules, whose features are float32[moves, rules]."""
    return replace(lessons, features=np.concatenate([lessons.features, more], axis=1))


def shuffled(lessons: Lessons, rng: np.random.Generator) -> Lessons:
    """The lessons with the returns of each decision's moves in random order: nothing is left to be found in them."""
    decision = np.repeat(np.arange(len(lessons)), lessons.counts)
    order = np.lexsort((rng.random(len(decision)), decision))
    return replace(lessons, returns=lessons.returns[order])
