"""What the opponent may hold: deals as likely as the moves that were seen make them, under the models that fit."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.dtypes import records
from rulebots.players import RulePlayer
from rulebots.position import Position
from rulebots.random_numbers import CARDS, luck_of, rng_of
from rulebots.search.rollout.compiled import compiled_imagine, compiled_numbers_read, compiled_vary
from rulebots.search.rollout.replaying import BLANK, ROOT, Past, new_scratch
from rulebots.search.rollout.rounds import Worlds

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
#: The temperatures of the models, in units of how far the best score lies above the mean of the legal moves.
TEMPERATURES = (0.03, 0.12, 0.5, 2.0)
#: Deals that are drawn to find that unit, and how many at once afterwards.
PILOTS, CHUNK = 8, 32
#: Deals in which is looked how many of their numbers the game has read.
READINGS = 4
#: Worlds at most, and the steps of the chain that each of them takes.
MOST_WORLDS, STEPS = 256, 6


@dataclass(frozen=True, eq=False)
class Belief:
    """Deals, int64[n, numbers], each as likely as any other, and how they were found.

    `origins`, int64[n], says from which of the drawn deals each comes, and `read` how many of their numbers the game
    has read. `drawn` deals were drawn, worth `effective` equally weighted ones. `models`, float64[models], is how
    likely each model of the opponent is after its moves, all of them being equally likely before.
    """

    deals: Ints
    origins: Ints
    read: int
    drawn: int
    effective: float
    models: Floats

    @property
    def worlds(self) -> Worlds:
        """The deals, for rounds of rollouts."""
        return Worlds(self.deals, self.origins, self.read)


def past_of(position: Position) -> Past | None:
    """The course of a game as arrays; None where it is not known, or not wholly."""
    if position.past is None or position.options is None:
        return None
    course = np.array(position.history(), np.int64).reshape(-1, 2)
    if ((course[:, 1] < 0) | (course[:, 1] >= position.game.move_count)).any():
        return None
    return Past(course[:, 0].copy(), course[:, 1].copy(), position.options)


class Believer:
    """Works out beliefs about a game with `undeal`; the guide's scores are the model of the opponent.

    It remembers nothing from one belief to the next.
    """

    def __init__(self, guide: RulePlayer) -> None:
        self._game, self._style = guide.game, guide.style
        self._scratch = new_scratch(guide.game)
        self._positions = records(guide.game.state, 2)
        self._player = (guide.weights, *guide.style.workspace())

    def prepare(self) -> None:
        """Compile what it calls."""
        compiled_imagine(self._style)
        compiled_vary(self._style)
        compiled_numbers_read(self._game)

    def believe(
        self, position: Position, past: Past, most: int, until: tuple[float, float], rng: np.random.Generator
    ) -> Belief | None:
        """A belief from at most so many drawn deals; None where none of them can have led here.

        The position is a determinization. Deals are drawn until the first of the two times, and their chains go on
        until the second one (`time.perf_counter`).
        """
        imagine, numbers = compiled_imagine(self._style), self._game.deal(rng_of(1, CARDS), 1, position.options).shape[1]
        luck, seat, models = int(luck_of(rng, (1,))[0]), position.mover, len(TEMPERATURES)
        deals, logs = np.zeros((max(most, PILOTS), numbers), np.int64), np.zeros((max(most, PILOTS), models + 2))
        read = self._begin(position, past, deals, logs, luck)
        decisions, lead = logs[:PILOTS, models + 1].sum(), logs[:PILOTS, models].sum()
        inverses = 1.0 / (np.array(TEMPERATURES) * (lead / decisions if lead > 0 else 1.0))
        count = 0
        while count < len(deals) and (count == 0 or time.perf_counter() < until[0]):
            part = slice(count, count + CHUNK)
            luck = imagine(deals[part], logs[part], luck, past, seat, inverses, self._scratch, *self._player)
            count = min(part.stop, len(deals))
        weights = _weights(logs[:count, :models])
        if weights is None:
            return None
        chosen = _systematic(weights.ravel(), min(count, MOST_WORLDS), rng)
        origins, model = np.divmod(chosen, models)
        drawn = deals[origins]
        for one in range(0, len(drawn), CHUNK):
            if time.perf_counter() > until[1]:
                break
            some, own = drawn[one : one + CHUNK], model[one : one + CHUNK]
            luck = compiled_vary(self._style)(
                some, own, STEPS, read, logs[0], luck, past, seat, inverses, self._scratch, *self._player
            )
        by_deal = weights.sum(axis=1)
        return Belief(drawn, origins, read, count, float(1.0 / (by_deal**2).sum()), weights.sum(axis=0))

    def _begin(self, position: Position, past: Past, deals: Ints, logs: Floats, luck: int) -> int:
        """Draw the pilots, and give how many numbers of a deal were read."""
        game, scratch, seat = self._game, self._scratch, position.mover
        scratch.states[ROOT] = position.state
        flat = np.ones(len(TEMPERATURES))
        pilots = deals[:PILOTS]
        self._look(position)
        compiled_imagine(self._style)(pilots, logs[:PILOTS], luck, past, seat, flat, scratch, *self._player)
        other, read = np.zeros(deals.shape[1], np.int64), 0
        for deal in pilots[:READINGS]:
            read = max(read, compiled_numbers_read(game)(deal, other, past, scratch, self._positions))
        self._look(position)
        return read

    def _look(self, position: Position) -> None:
        """Note what the mover sees."""
        seen = self._scratch.seen
        seen[ROOT] = seen[BLANK]
        position.law.observe(self._scratch.states[ROOT], seen[ROOT])


def _weights(logs: Floats) -> Floats | None:
    """Weights that sum to 1 from log likelihoods, float64[deals, models]; None where all of these are -inf."""
    highest = logs.max(initial=-np.inf)
    if not highest > -np.inf:
        return None
    weights = np.exp(logs - highest)
    return np.asarray(weights / weights.sum())


def _systematic(weights: Floats, count: int, rng: np.random.Generator) -> Ints:
    """`count` numbers of entries, drawn as likely as they weigh, and shuffled: int64[count].

    Systematic resampling: Carpenter, Clifford and Fearnhead, IEE Proc. Radar Sonar Navig. 146(1), 1999.
    """
    steps = (np.arange(count) + rng.random()) / count
    drawn = np.searchsorted(np.cumsum(weights), steps).clip(max=len(weights) - 1)
    return rng.permutation(drawn)
