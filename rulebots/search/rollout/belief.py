"""What the opponent may hold: deals as likely as the moves that were seen make them, under the models that fit."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rulebots.dtypes import records
from rulebots.players import RulePlayer
from rulebots.position import Position
from rulebots.random_numbers import CARDS, luck_of, rng_of
from rulebots.search.rollout.compiled import compiled_imagine, compiled_numbers_read, compiled_swaps, compiled_vary
from rulebots.search.rollout.replaying import BLANK, ROOT, Past, new_scratch
from rulebots.search.rollout.rounds import Worlds

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
#: The temperatures of the models, in units of how far the best score lies above the mean of the legal moves.
TEMPERATURES = (0.03, 0.12, 0.5, 2.0)
#: Deals that are drawn first, to find that unit and what a replay costs; in so many of them is looked how many of their
#: numbers the game has read.
PILOTS, READINGS = 8, 4
#: Of all replays, the share that draws deals; the rest is for chains.
DRAWING = 0.4
#: Drawn deals for each particle, and particles at least and at most.
DEALS_A_PARTICLE, FEWEST, MOST = 4, 16, 256
#: Effective particles after a step of the power, as a share of all; and how many steps that is expected to take.
EFFECTIVE, STEPS = 0.5, 6
#: How near the power of a step is found, by halving.
HALVINGS = 20


@dataclass(frozen=True, eq=False)
class Belief:
    """Deals, int64[n, numbers], each as likely as any other, and how they were found.

    `groups`, int64[n], says which of them come from one deal before the last chains, and `read` how many of their
    numbers the game has read. `models`, float64[models], is how likely each model of the opponent is after its moves,
    all of them being equally likely before.
    """

    deals: Ints
    groups: Ints
    read: int
    models: Floats

    @property
    def worlds(self) -> Worlds:
        """The deals, for rounds of rollouts."""
        return Worlds(self.deals, self.groups, self.read)


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
        compiled_swaps(self._game)

    def believe(
        self, position: Position, past: Past, replays: int, seconds: float, rng: np.random.Generator
    ) -> Belief | None:
        """A belief by so many replays of the game, or as many of them as take so many seconds, a few at least.

        The position is a determinization. None where no deal that is drawn can have led to it.
        """
        luck, seat, models = int(luck_of(rng, (1,))[0]), position.mover, len(TEMPERATURES)
        numbers = self._game.deal(rng_of(1, CARDS), 1, position.options).shape[1]
        pilots, logs, began = np.zeros((PILOTS, numbers), np.int64), np.zeros((PILOTS, models + 2)), time.perf_counter()
        read, spots = self._begin(position, past, pilots, logs, luck)
        if seconds < np.inf:
            replays = min(replays, int(seconds / (time.perf_counter() - began) * (PILOTS + READINGS)))
        decisions, lead = logs[:, models + 1].sum(), logs[:, models].sum()
        inverses = 1.0 / (np.array(TEMPERATURES) * (lead / decisions if lead > 0 else 1.0))
        drawn = max(int(DRAWING * replays), PILOTS)
        count = min(max(drawn // DEALS_A_PARTICLE, FEWEST), MOST)
        steps = max(1, (replays - drawn) // (count * STEPS))
        given = (past, seat, inverses, self._scratch, *self._player)
        deals, logs = np.zeros((drawn, numbers), np.int64), np.zeros((drawn, models + 2))
        luck = compiled_imagine(self._style)(deals, logs, luck, *given)
        # Every model with every deal.
        who, model = (axis.ravel() for axis in np.mgrid[:drawn, :models])
        power, row = 0.0, np.zeros(models + 2)
        groups = np.arange(count)
        while power < 1.0:
            likely = logs[who, model]
            if not likely.max() > -np.inf:
                return None
            former, power = power, _next_power(likely, power, EFFECTIVE * count)
            kept = _systematic(_weights(likely, power - former), count, rng)
            groups = np.unique(kept, return_inverse=True)[1]
            deals, logs, model = deals[who[kept]], logs[who[kept]], model[kept]
            luck = compiled_vary(self._style)(deals, model, logs, steps, power, read, spots, row, luck, *given)
            who = np.arange(count)
        return Belief(deals, groups, read, np.bincount(model, minlength=models) / count)

    def _begin(self, position: Position, past: Past, deals: Ints, logs: Floats, luck: int) -> tuple[int, Ints]:
        """Draw the pilots, and give how many numbers of a deal were read, and where chains change them.

        The places, int64[n], are in the list once for each pilot in which the mover would not notice.
        """
        game, scratch, seat = self._game, self._scratch, position.mover
        scratch.states[ROOT] = position.state
        flat = np.ones(len(TEMPERATURES))
        self._look(position)
        compiled_imagine(self._style)(deals, logs, luck, past, seat, flat, scratch, *self._player)
        other, read = np.zeros(deals.shape[1], np.int64), 0
        for deal in deals[:READINGS]:
            read = max(read, compiled_numbers_read(game)(deal, other, past, scratch, self._positions))
        self._look(position)
        found = np.zeros(read, np.int64)
        if read < deals.shape[1]:
            compiled_swaps(game)(deals, read, found, past, scratch, luck)
        return read, np.repeat(np.arange(read), found)

    def _look(self, position: Position) -> None:
        """Note what the mover sees."""
        seen = self._scratch.seen
        seen[ROOT] = seen[BLANK]
        position.law.observe(self._scratch.states[ROOT], seen[ROOT])


def _next_power(likely: Floats, power: float, effective: float) -> float:
    """The largest power, up to 1, that leaves so many effective particles.

    `likely`, float64[n], are log likelihoods of particles that are drawn by their power `power` so far.
    """
    low, high = power, 1.0
    if _effective(_weights(likely, 1.0 - power)) >= effective:
        return 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2.0
        if _effective(_weights(likely, middle - power)) >= effective:
            low = middle
        else:
            high = middle
    return high


def _effective(weights: Floats) -> float:
    """How many equally weighted particles these are worth: Kong, Liu and Wong, JASA 89(425), 1994."""
    return float(1.0 / (weights**2).sum())


def _weights(likely: Floats, power: float) -> Floats:
    """Weights that sum to 1, from log likelihoods, float64[n], of which one at least is more than -inf."""
    with np.errstate(invalid="ignore"):
        weights = np.where(likely > -np.inf, np.exp(power * (likely - likely.max())), 0.0)
    return np.asarray(weights / weights.sum())


def _systematic(weights: Floats, count: int, rng: np.random.Generator) -> Ints:
    """`count` numbers of entries, drawn as likely as they weigh, and shuffled: int64[count].

    Systematic resampling: Carpenter, Clifford and Fearnhead, IEE Proc. Radar Sonar Navig. 146(1), 1999.
    """
    steps = (np.arange(count) + rng.random()) / count
    drawn = np.searchsorted(np.cumsum(weights), steps).clip(max=len(weights) - 1)
    return rng.permutation(drawn)
