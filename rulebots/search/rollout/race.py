"""The rounds of one decision: how long each candidate stays in the race, and what it brought."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rulebots.game.position import Position
from rulebots.players import RulePlayer
from rulebots.search.rollout.compiled import compiled_rounds
from rulebots.search.rollout.racing import going_on
from rulebots.search.rollout.replaying import Past
from rulebots.search.rollout.rounds import COUNT, GAIN, ROOT, Worlds, new_table, new_tally

Floats = npt.NDArray[np.float64]
#: Rounds that measure how far the margins of rollouts lie apart, and the scale of returns in their standard deviations.
PILOTS, SCALE = 16, 0.5
#: Rounds before the clock is looked at for the first time.
FIRST_ROUNDS = 4


class Race:
    """Rollouts of candidates, int64[n], the guide's move first, from worlds that the mover of a position may be in.

    `who`, int64[k], are those still in the race, and `tally` is what all of them brought.
    """

    def __init__(
        self, players: Sequence[RulePlayer], position: Position, candidates: npt.NDArray[np.int64], worlds: Worlds,
        past: Past, luck: int,
    ) -> None:  # fmt: skip
        guide = players[0]
        self._mine = (guide.weights, *guide.style.workspace())
        self._others = [
            (compiled_rounds(guide.style, one.style), (one.weights, *one.style.workspace())) for one in players
        ]
        self._seat, self._plies = position.mover, position.plies
        self._candidates, self._worlds, self._past, self._luck = candidates, worlds, past, luck
        self._table = new_table(guide.game, worlds.deals.shape[1])
        self._table.states[ROOT] = position.state
        self._first, self._seconds = 0, 0.0
        self.who = np.arange(len(candidates))
        self.tally = new_tally(len(candidates), int(worlds.groups.max()) + 1)
        self._scale = self._measured()

    @property
    def simulations(self) -> int:
        """Rollouts so far."""
        return int(self.tally.sums[COUNT].sum())

    @property
    def gains(self) -> tuple[Floats, Floats]:
        """Rollouts, and the sums of how much more than the guide's move they returned, float64[n, groups] each."""
        return self.tally.sums[COUNT], self.tally.sums[GAIN]

    def run(self, rounds: int) -> None:
        """Play so many rounds."""
        began = time.perf_counter()
        self._play(rounds, self.who, self._scale, self.tally)
        self._first += rounds
        self._seconds += time.perf_counter() - began

    def rounds_in(self, seconds: float) -> int:
        """About how many rounds take so long, by the rollouts so far."""
        if not self._seconds:
            return FIRST_ROUNDS
        pace = self.simulations / self._seconds
        return max(1, int(min(pace * seconds / len(self.who), 2.0 * self._first)))

    def give_up(self, share: float) -> None:
        """Take those out of the race who are out of it when this share of the budget is spent."""
        self.who = going_on(self.who, *self.gains, share)

    def _measured(self) -> float:
        """The scale of returns: from the margins of some rollouts of the guide's move, which count for nothing else."""
        tally = new_tally(len(self._candidates), self.tally.sums.shape[2])
        self._play(PILOTS, np.zeros(1, np.int64), 1.0, tally)
        total, squares = tally.margins / PILOTS
        return max(SCALE * float(np.sqrt(max(squares - total**2, 0.0))), SCALE)

    def _play(self, rounds: int, who: npt.NDArray[np.int64], scale: float, tally: object) -> None:
        places = np.arange(self._first, self._first + rounds) % len(self._worlds.groups)
        players = self._worlds.players[places]
        for number in np.unique(players):
            play, theirs = self._others[number]
            self._luck = play(
                places[players == number], self._candidates, who, self._seat, self._plies, scale, self._luck,
                self._worlds, self._past, tally, self._table, self._mine, theirs,
            )  # fmt: skip
