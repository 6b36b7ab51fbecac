"""Which candidates a search goes on with: sequential halving, and racing between.

Karnin, Koren and Somekh, Almost Optimal Exploration in Multi-Armed Bandits, ICML 2013; Maron and Moore, Hoeffding
Races, NIPS 1993. Candidate 0 is the guide's move. It is in every round, and all others are compared with it on the
same worlds: common random numbers.
"""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt
from scipy.stats import norm, t

from rulebots.search.gate import convincing

Floats = npt.NDArray[np.float64]
#: Standard errors by which a candidate is behind the guide's move, or the leader, when it is given up.
HOPELESS = 3.0
#: Standard errors by which the leader is better than the guide's move when the search is over.
DECIDED = 5.0
#: No candidate is given up, and no search ends, with fewer groups of rollouts than this.
FEWEST_GROUPS = 12


def means(counts: Floats, sums: Floats) -> tuple[Floats, Floats]:
    """The mean of each candidate and its standard error, float64[candidates] each.

    `counts` and `sums` are float64[candidates, groups]. Rollouts on one world are alike, so that they count as one
    cluster: the errors are cluster-robust. With few groups they are widened, by Student's t, so that 1.96 of them are
    still a 95 % interval; with fewer than two they are infinite. Without rollouts the mean is nan.
    """
    total = counts.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = sums.sum(axis=1) / total
        rest = np.where(counts > 0, sums - mean[:, None] * counts, 0.0)
        groups = (counts > 0).sum(axis=1)
        error = np.sqrt((rest**2).sum(axis=1) * groups / (groups - 1.0)) / total
    return mean, np.array([one * _widened(int(g)) if g > 1 else np.inf for one, g in zip(error, groups, strict=True)])


@functools.cache
def _widened(groups: int) -> float:
    """What the 95 % interval of so many groups is wider by than that of a known error."""
    return float(t.ppf(0.975, groups - 1) / norm.ppf(0.975))


def going_on(who: npt.NDArray[np.int64], counts: Floats, differences: Floats, share: float) -> npt.NDArray[np.int64]:
    """Which of the candidates `who`, int64[n], the search goes on with; the guide's move, 0, is the first of them.

    `counts` and `differences` are float64[candidates, groups]: rollouts, and the sums of what they returned more than
    the guide's move did in the same round. `share` is the share of the budget that is spent, 0 to 1: the number of
    challengers falls from all of them to one, halving at equal steps.
    """
    gains, errors = means(counts, differences)
    if (counts[0] > 0).sum() < FEWEST_GROUPS:
        return who
    challengers = who[who > 0]
    ranked = challengers[np.argsort(-gains[challengers], kind="stable")]
    if not len(ranked):
        return who
    leader = ranked[0]
    best, error = (gains[leader], errors[leader]) if gains[leader] > 0 else (0.0, 0.0)
    most = int(np.ceil((len(counts) - 1) ** (1.0 - share) - 1e-9))
    hopeful = [
        int(one)
        for one in ranked[:most]
        if one == leader or gains[one] + HOPELESS * np.hypot(errors[one], error) > best
    ]
    if gains[leader] + HOPELESS * errors[leader] <= 0:
        hopeful.remove(int(leader))
    if hopeful == [int(leader)] and convincing(gains, errors, DECIDED)[leader]:
        hopeful = []
    return np.array([0, *sorted(hopeful)], np.int64)


def chosen(counts: Floats, differences: Floats, gate: float) -> int:
    """The best candidate of those whose gain over the guide's move is convincing; 0 if none is.

    A candidate has to have been in at least half as many rollouts as any other but the guide's: one that was given up
    early was given up.
    """
    gains, errors = means(counts, differences)
    most = counts[1:].sum(axis=1).max(initial=0.0)
    able = convincing(gains, errors, gate) & (counts.sum(axis=1) >= most / 2)
    able[0] = False
    return int(np.argmax(np.where(able, gains, -np.inf))) if able.any() else 0
