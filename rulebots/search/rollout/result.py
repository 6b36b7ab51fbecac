"""What a search by rollouts found out about the moves that it compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.search.rollout.belief import Belief
from rulebots.search.rollout.racing import means
from rulebots.search.rollout.rounds import COUNT, GAIN, WON, Tally

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RolloutResult:
    """The chosen move, and what was found out about the candidates, the chosen one first, then the best first.

    `moves` and `rollouts` are int64[n]. `wins`, float64[n], are the shares of rollouts that the mover won, draws
    counting half: its chance to win after the move if it goes on as the guide does, and the opponent as the player that
    it seems to be; `wins_errors` their standard errors. `gains`, float64[n], is how much better than the guide's move
    each one was in the same rollouts, in the units of the search's return, 0 to 1, and `gains_errors` their standard
    errors. Without rollouts all are nan.
    """

    move: int
    #: The move of the guide.
    guide: int
    moves: npt.NDArray[np.int64]
    rollouts: npt.NDArray[np.int64]
    wins: Floats
    wins_errors: Floats
    gains: Floats
    gains_errors: Floats
    #: Rollouts of all moves together, without those that measure how far points lie apart.
    simulations: int
    seconds: float
    #: How many different deals rounds began with; 0 without a belief.
    worlds: int
    #: How likely each model of the opponent is, float64[players, temperatures] (see models.py); empty without a belief.
    models: Floats
    #: The names of the players that the models are made of, the guide's first.
    players: tuple[str, ...]

    def rows(self) -> list[dict[str, Any]]:
        """A line for each candidate in plain data: move, rollouts, wins, wins_95, gain, gain_error."""
        half = 1.96 * self.wins_errors
        return [
            {
                "move": int(self.moves[i]),
                "rollouts": int(self.rollouts[i]),
                "wins": float(self.wins[i]),
                "wins_95": (max(0.0, float(self.wins[i] - half[i])), min(1.0, float(self.wins[i] + half[i]))),
                "gain": float(self.gains[i]),
                "gain_error": float(self.gains_errors[i]),
            }
            for i in range(len(self.moves))
        ]

    @property
    def simulations_per_second(self) -> float:
        """Rollouts per second of this search."""
        return self.simulations / self.seconds if self.seconds > 0 else 0.0

    @property
    def effort(self) -> tuple[str, ...]:
        """What the search did, in words."""
        words = [f"{self.simulations:,} rollouts"]
        if self.simulations:
            words.append(f"wins {100 * self.wins[0]:.0f} % of them")
        if len(self.models) > 1:
            shares = self.models.sum(axis=1)
            words.append(f"the opponent plays like {self.players[shares.argmax()]} ({100 * shares.max():.0f} % sure)")
        return tuple(words)


def result_of(
    candidates: npt.NDArray[np.int64], tally: Tally | None, best: int, seconds: float, belief: Belief | None,
    players: tuple[str, ...],
) -> RolloutResult:  # fmt: skip
    """The result of a race: candidates, int64[n], the guide's move first, and the index of the chosen one.

    `players` are the names of those as whom the opponent may play.
    """
    n = len(candidates)
    sums = np.zeros((4, n, 1)) if tally is None else tally.sums
    (wins, wins_errors), (gains, gains_errors) = (means(sums[COUNT], sums[what]) for what in (WON, GAIN))
    order = sorted(range(n), key=lambda i: (i != best, -np.nan_to_num(gains[i], nan=-np.inf), i))
    return RolloutResult(
        move=int(candidates[best]),
        guide=int(candidates[0]),
        moves=candidates[order],
        rollouts=sums[COUNT].sum(axis=1).astype(np.int64)[order],
        wins=wins[order],
        wins_errors=wins_errors[order],
        gains=gains[order],
        gains_errors=gains_errors[order],
        simulations=int(sums[COUNT].sum()),
        seconds=seconds,
        worlds=0 if belief is None else len({deal.tobytes() for deal in belief.deals}),
        models=np.zeros((0, 0)) if belief is None else belief.models,
        players=players,
    )
