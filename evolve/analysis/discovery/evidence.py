"""What lessons say for a candidate: would a weight of its own make the player choose better?

The evidence is the gradient by a candidate's weight of the expected return of a player that draws its moves from the
softmax of their scores, at weights where the rules that are there have nothing more to learn. Only what changes choices
counts, not what merely predicts returns. It is a score test in its outer-product form, decision by decision (C. R. Rao,
1948; T. S. Breusch and A. R. Pagan, Review of Economic Studies 47, 1980): one pass serves thousands of candidates, and
none of them has to be learnt.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from evolve.analysis.discovery.expressions import Floats
from evolve.analysis.measuring import Floats as Doubles
from evolve.deals import DISCOVERY
from evolve.lessons.policy_gradient import BATCH, Adam, ascend
from evolve.lessons.rollouts import Lessons
from rulebots.game.random_numbers import rng_of
from rulebots.rules import RuleSet, Weights

#: The step sizes of the learner, and the steps at each, at least: few lessons make few steps in a pass over them.
STEP_SIZES, STEPS = (0.02, 0.01, 0.005, 0.002), 150
#: A candidate is not new where the gradients of the rules leave less than this share of its own.
NEW = 1e-3
#: The evidence must come from at least this many decisions of equal weight: fewer do not follow chi-squared.
FEWEST = 50
#: Candidates whose gradients correlate by this much say the same.
ALIKE = 0.9
#: Digits of a return; further ones are rounding.
ROUNDING = 9
#: Candidates to examine at once: little memory, and much work for each call of a library.
AT_ONCE = 128
#: Decisions at once whose gradients are summed.
DECISIONS_AT_ONCE = 256


def learnt_from(lessons: Lessons, begun: Weights, temperature: float, seed: int, *, flat: bool) -> Weights:
    """What these weights, float64[2, rules], become by the lessons."""
    genes = begun[0] if flat else begun.ravel()
    adam, rng = Adam(len(genes)), rng_of(seed, DISCOVERY, 1)
    part = replace(lessons, features=np.ascontiguousarray(lessons.features, np.float32))
    epochs = math.ceil(STEPS * BATCH / max(1, len(part)))
    for step_size in STEP_SIZES:
        genes = ascend(genes, [part], adam, epochs=epochs, step_size=step_size, temperature=temperature, rng=rng)
    return np.stack([genes, genes]) if flat else genes.reshape(2, -1)


def raw_values(rules: RuleSet, lessons: Lessons) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """The value of each rule for each move, float32[moves] by key, and the share of each group in its score.

    The features of the lessons begin with those of the rules. Where a kind of move does not count a group, both are 0.
    """
    kind = rules.game.kind
    kinds = {move: int(kind(move)) for move in np.unique(lessons.moves).tolist()}
    number_of = np.array([kinds[move] for move in lessons.moves.tolist()], np.int64)
    shares = {
        group: np.array([mix.mix.get(group, 0.0) for mix in rules.mixes], np.float32)[number_of]
        for group in rules.groups
    }
    values = {}
    for r, column in zip(rules.rules, lessons.features.T, strict=False):
        share = shares[r.group]
        values[r.key] = np.divide(column, share, out=np.zeros_like(column), where=share != 0)
    return values, shares


def shuffled(lessons: Lessons, rng: np.random.Generator) -> Lessons:
    """The lessons with the returns of each decision's moves in random order: nothing is left to be found in them."""
    decision = np.repeat(np.arange(len(lessons)), lessons.counts)
    order = np.lexsort((rng.random(len(decision)), decision))
    return replace(lessons, returns=lessons.returns[order])


@dataclass(frozen=True)
class Evidence:
    """`chi2` float64[candidates], and the directions float64[candidates, 2] in which the weights should go.

    Under chance, `chi2` has a chi-squared distribution with two degrees of freedom, one where rules have one weight.
    """

    chi2: Doubles
    direction: Doubles


def by_chance(chi2: float, *, flat: bool) -> float:
    """How probable so much evidence is by chance: a tail of chi-squared, two degrees of freedom or, if `flat`, one."""
    return math.erfc(math.sqrt(chi2 / 2)) if flat else math.exp(-chi2 / 2)


class Gradients:
    """The gradients of the expected return of some lessons, for a player with these weights, float64[2, rules].

    `flat` says that rules have one weight, early and late alike.
    """

    def __init__(self, lessons: Lessons, weights: Weights, temperature: float, *, flat: bool) -> None:
        self.flat, self.late = flat, lessons.late[:, None]
        self.first = np.cumsum(lessons.counts) - lessons.counts
        late = np.repeat(lessons.late, lessons.counts)
        early_late = lessons.features @ weights.T
        scores = ((1.0 - late) * early_late[:, 0] + late * early_late[:, 1]) / temperature
        best = np.maximum.reduceat(scores, self.first)
        chance = np.exp(scores - np.repeat(best, lessons.counts))
        chance /= np.repeat(np.add.reduceat(chance, self.first), lessons.counts)
        # Less the first one's: where all returns are alike, rounding would else be left, and taken for evidence.
        returns = (lessons.returns - np.repeat(lessons.returns[self.first], lessons.counts)).round(ROUNDING)
        expected = np.add.reduceat(chance * returns, self.first)
        self.push = (chance * (returns - np.repeat(expected, lessons.counts)))[:, None]
        self.base = np.concatenate(self._of(lessons.features), axis=1)
        self.inverse = np.linalg.pinv(self.base.T @ self.base, rcond=1e-9, hermitian=True)

    def evidence(self, features: npt.NDArray[np.float32]) -> Evidence:
        """The evidence for candidates that would add `features`, float32[moves, candidates], to the scores."""
        count = features.shape[1]
        parts = [(part, self._new(part)) for part in self._of(features)]
        squares = [(np.square(part), np.square(new).sum(axis=0)) for part, new in parts]
        kept = [
            (square.sum(axis=0) ** 2 > FEWEST * np.square(square).sum(axis=0)) & (of_new > NEW * square.sum(axis=0))
            for square, of_new in squares
        ]
        early, late = parts[0][1], parts[-1][1]
        a, c = squares[0][1], squares[-1][1]
        if self.flat:
            ways = early.sum(axis=0)
            chi2 = np.divide(ways**2, a, out=np.zeros(count), where=kept[0] & (a > 0))
            return Evidence(chi2, np.column_stack([ways, np.zeros(count)]))
        x, y, b = early.sum(axis=0), late.sum(axis=0), (early * late).sum(axis=0)
        room = a * c - b**2
        usable = kept[0] & kept[1] & (room > 1e-9 * a * c)
        top = c * x**2 - 2 * b * x * y + a * y**2
        return Evidence(np.divide(top, room, out=np.zeros(count), where=usable), np.column_stack([x, y]))

    def apart(self, features: npt.NDArray[np.float32], most: int) -> list[int]:
        """The first of some candidates, by number, at most `most`, whose gradients are unlike those before them."""
        whole = self._new(np.sum(self._of(features), axis=0))
        size = np.sqrt(np.square(whole).sum(axis=0))
        likeness = np.abs(whole.T @ whole) / np.maximum(np.outer(size, size), 1e-300)
        found: list[int] = []
        for place in range(features.shape[1]):
            if len(found) < most and (likeness[place, found] < ALIKE).all():
                found.append(place)
        return found

    def _of(self, features: npt.NDArray[np.float32]) -> list[Doubles]:
        """The gradient of each decision, float64[decisions, rules]: by early weights and by late ones."""
        whole, ends = np.empty((len(self.first), features.shape[1])), np.append(self.first, len(features))
        # Some decisions at once: their products with features make no matrix of the size of all.
        for start in range(0, len(self.first), DECISIONS_AT_ONCE):
            first = self.first[start : start + DECISIONS_AT_ONCE]
            moves = slice(first[0], ends[start + len(first)])
            whole[start : start + len(first)] = np.add.reduceat(self.push[moves] * features[moves], first - first[0])
        return [whole] if self.flat else [(1.0 - self.late) * whole, self.late * whole]

    def _new(self, gradients: Doubles) -> Doubles:
        """What those of the rules do not explain of these."""
        new: Doubles = gradients - self.base @ (self.inverse @ (self.base.T @ gradients))
        return new


def halves(lessons: Lessons) -> tuple[npt.NDArray[np.bool_], Lessons, Lessons]:
    """Two decisions out of four, of which two have changed seats, and the others; bool[moves]: the former's moves."""
    first = np.arange(len(lessons)) // 2 % 2 == 0
    moves = np.repeat(first, lessons.counts)
    return moves, _part(lessons, first, moves), _part(lessons, ~first, ~moves)


def _part(lessons: Lessons, decisions: npt.NDArray[np.bool_], moves: npt.NDArray[np.bool_]) -> Lessons:
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
