"""The models of the opponent: each of some players at each of some temperatures.

A temperature is how far the opponent strays from that player's own choice (see replaying.py).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rulebots.players import RulePlayer
from rulebots.search.rollout.compiled import compiled_vary
from rulebots.search.rollout.replaying import Past, Scratch

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
#: The temperatures of each player, in units of how far its best score lies above the mean of the legal moves.
TEMPERATURES = (0.03, 0.12, 0.5, 2.0)


class Models:
    """How likely the models make a game's moves, for the seat that was told of its past.

    The models are numbered player by player. Logs are float64[players, deals, temperatures + 2], as `replay_kernel`
    gives them.
    """

    def __init__(self, players: Sequence[RulePlayer], past: Past, seat: int, scratch: Scratch) -> None:
        self._players = [(compiled_vary(one.style), (one.weights, *one.style.workspace())) for one in players]
        self._past, self._seat, self._scratch = past, seat, scratch
        self._inverses = np.ones((len(players), len(TEMPERATURES)))

    @property
    def count(self) -> int:
        """How many models there are."""
        return int(self._inverses.size)

    def players_of(self, models: Ints) -> Ints:
        """The numbers of the players that models, int64[n], are made of."""
        return models // len(TEMPERATURES)

    def measure(self, deals: Ints) -> None:
        """Find what the temperatures of each player are in units of, from a few deals, int64[n, numbers]."""
        lead, decisions = self.weigh(deals)[..., -2:].sum(axis=1).T
        units = np.divide(lead, decisions, out=np.ones_like(lead), where=lead > 0)
        self._inverses = 1.0 / np.outer(units, TEMPERATURES)

    def weigh(self, deals: Ints) -> Floats:
        """The logs of deals, int64[n, numbers]."""
        logs = np.zeros((len(self._players), len(deals), len(TEMPERATURES) + 2))
        for number in range(len(self._players)):
            self._weigh(number, deals, logs[number])
        return logs

    def by_model(self, logs: Floats) -> Floats:
        """The log likelihoods alone, float64[deals, models]."""
        likely = logs[..., :-2].transpose(1, 0, 2)
        return np.asarray(likely.reshape(len(likely), -1))

    def vary(
        self, deals: Ints, models: Ints, logs: Floats, steps: int, power: float, read: int, spots: Ints, luck: int
    ) -> int:
        """Let particles, deals with a model each, take steps of their chains; returns the next random state.

        Deals and logs are replaced. See `vary_kernel` for the rest.
        """
        players, temperatures = np.divmod(models, len(TEMPERATURES))
        for number, (vary, player) in enumerate(self._players):
            own = np.flatnonzero(players == number)
            moved, found = deals[own], logs[:, own]
            luck = vary(
                moved, temperatures[own], found[number], steps, power, read, spots, np.zeros(logs.shape[2]), luck,
                self._past, self._seat, self._inverses[number], self._scratch, *player,
            )  # fmt: skip
            for other in range(len(self._players)):
                if other != number:
                    self._weigh(other, moved, found[other])
            deals[own], logs[:, own] = moved, found
        return luck

    def _weigh(self, number: int, deals: Ints, logs: Floats) -> None:
        none = np.zeros(len(deals), np.int64)
        vary, player = self._players[number]
        vary(
            deals, none, logs, 0, 0.0, 0, none, np.zeros(logs.shape[1]), 1,
            self._past, self._seat, self._inverses[number], self._scratch, *player,
        )  # fmt: skip
