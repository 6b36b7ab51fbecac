"""The rollouts of one decision: sequential halving of the candidates, with races in between.

Karnin, Koren and Somekh, Almost Optimal Exploration in Multi-Armed Bandits, ICML 2013; Maron and Moore, Hoeffding
Races, NIPS 1993. Candidate 0 is the guide's move. It is in every round, and all others are compared with it on the
same worlds: common random numbers.
"""

import functools
import time
from collections.abc import Sequence

import numpy as np

from rulebots.game import Floats, Ints
from rulebots.game.position import Position
from rulebots.players import RulePlayer
from rulebots.ratings.intervals import Z, student_quantile
from rulebots.search.player import convincing
from rulebots.search.rollout.replaying import KnownPast, player_arrays
from rulebots.search.rollout.rounds import (
    COUNT,
    GAIN,
    ROOT,
    Race,
    RolloutTally,
    Worlds,
    compiled_rounds,
    new_rounds_workspace,
    new_tally,
)

#: A candidate is given up once it is worse than the guide's move, or the leader, by this many standard errors.
HOPELESS = 3.0
#: The search is over once the leader is better than the guide's move by this many standard errors.
DECIDED = 5.0
#: No candidate is given up, and no search ends, with fewer groups of rollouts than this.
FEWEST_GROUPS = 12
#: Rounds that measure how far the margins of rollouts lie apart, and the scale of returns in their standard deviations.
PILOTS = 16
SCALE = 0.5
#: Rounds before the clock is looked at for the first time.
FIRST_ROUNDS = 4


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
    """The factor by which the 95 % interval of so few groups is wider than that of a known error."""
    return student_quantile(groups - 1, 0.975) / Z


def going_on(who: Ints, counts: Floats, differences: Floats, share: float) -> Ints:
    """The candidates of `who`, int64[n], that stay in the race; the guide's move, 0, is the first of them.

    `counts` and `differences` are float64[candidates, groups]: rollouts, and the sums of their returns less those of
    the guide's move in the same rounds. `share` is the share of the budget that is spent, 0 to 1: the number of
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
    """The best candidate with a convincing gain over the guide's move; 0 if there is none.

    It needs at least half as many rollouts as any other but the guide's: a candidate that was given up early does not
    come back.
    """
    gains, errors = means(counts, differences)
    most = counts[1:].sum(axis=1).max(initial=0.0)
    able = convincing(gains, errors, gate) & (counts.sum(axis=1) >= most / 2)
    able[0] = False
    return int(np.argmax(np.where(able, gains, -np.inf))) if able.any() else 0


class CandidateRollouts:
    """Rollouts of candidates, int64[n], the guide's move first, from worlds that the mover of a position may be in.

    `who`, int64[k], are those still in the race, and `tally` holds the returns of all.
    """

    def __init__(
        self, players: Sequence[RulePlayer], position: Position, candidates: Ints, worlds: Worlds,
        past: KnownPast, luck: int, *, ahead: bool = True,
    ) -> None:  # fmt: skip
        guide = players[0]
        mine = player_arrays(guide.style, guide.weights)
        self._plays = [compiled_rounds(guide.style, one.style) for one in players]
        self._races = [
            Race(
                candidates=candidates,
                seat=position.mover,
                plies=position.plies,
                scale=1.0,
                worlds=worlds,
                past=past,
                mine=mine,
                theirs=player_arrays(one.style, one.weights),
            )
            for one in players
        ]
        self._worlds = worlds
        self._luck = luck
        self._table = new_rounds_workspace(guide.game, worlds.deals.shape[1], ahead=ahead)
        self._table.states[ROOT] = position.state
        self.rounds = 0
        self._seconds = 0.0
        self.who = np.arange(len(candidates))
        self.tally = new_tally(len(candidates), int(worlds.groups.max()) + 1)
        scale = self._measured(new_tally(len(candidates), self.tally.sums.shape[2]))
        self._races = [race._replace(scale=scale) for race in self._races]

    @property
    def simulations(self) -> int:
        """Rollouts so far."""
        return int(self.tally.sums[COUNT].sum())

    @property
    def gains(self) -> tuple[Floats, Floats]:
        """Rollouts, and the sums of their gains over the guide's move, float64[n, groups] each."""
        return self.tally.sums[COUNT], self.tally.sums[GAIN]

    def run(self, rounds: int) -> None:
        """Play that many rounds."""
        began = time.perf_counter()
        self._play(rounds, self.who, self.tally)
        self.rounds += rounds
        self._seconds += time.perf_counter() - began

    def rounds_in(self, seconds: float) -> int:
        """About how many rounds take that long, by the rollouts so far."""
        if not self._seconds:
            return FIRST_ROUNDS
        return max(1, int(min(self.simulations / self._seconds * seconds / len(self.who), 2.0 * self.rounds)))

    def _measured(self, tally: RolloutTally) -> float:
        """The scale of returns, from the margins of some extra rollouts of the guide's move.

        Where points count, those of the mean rollout return one half.
        """
        self._play(PILOTS, np.zeros(1, np.int64), tally)
        total, squares = tally.margins / PILOTS
        self._table.middle[0] = total
        return max(SCALE * float(np.sqrt(max(squares - total**2, 0.0))), SCALE)

    def _play(self, rounds: int, who: Ints, tally: RolloutTally) -> None:
        places = np.arange(self.rounds, self.rounds + rounds) % len(self._worlds.groups)
        players = self._worlds.players[places]
        for number in np.unique(players):
            own = places[players == number]
            self._luck = self._plays[number](own, who, self._races[number], tally, self._table, self._luck)
