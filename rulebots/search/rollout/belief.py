"""What the opponent may hold: deals weighted by how likely they make the moves seen so far, under several models.

A model of the opponent is a player at a temperature, which says how far the opponent strays from that player's own
choice (see replaying.py).
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rulebots.game import UNKNOWN, Floats, Ints
from rulebots.game.dtypes import records
from rulebots.game.position import Position
from rulebots.game.random_numbers import CARDS, luck_of, rng_of
from rulebots.players import RulePlayer
from rulebots.search.rollout.particles import (
    Chain,
    Particles,
    compiled_imagine,
    compiled_vary,
    drawn_models,
    next_power,
    systematic,
    weights_of,
)
from rulebots.search.rollout.replaying import (
    BLANK,
    ROOT,
    KnownPast,
    ReplayArrays,
    ReplayWorkspace,
    compiled_numbers_read,
    compiled_swaps,
    new_replay_workspace,
    player_arrays,
)
from rulebots.search.rollout.rounds import Worlds

#: The temperatures of each player, in units of how far its best score lies above the mean of the legal moves.
TEMPERATURES = (0.03, 0.12, 0.5, 2.0)
#: Deals that are drawn first, to find the unit of temperatures and the cost of a replay; and those of them in which the
#: numbers are counted that the game has read.
PILOTS = 8
READINGS = 4
#: Of all replays, the share that draws deals; the rest is for chains.
DRAWING = 0.4
#: Drawn deals for each particle, and particles at least and at most.
DEALS_A_PARTICLE = 4
FEWEST = 16
MOST = 256
#: Effective particles after a step of the power, as a share of all; and how many steps that is expected to take.
EFFECTIVE = 0.5
STEPS = 6
#: Steps of each chain between two passes over the worlds, where a world brings the same in every round.
STEPS_A_PASS = 4


class Models:
    """How likely the models make a game's moves, for the seat that knows its past.

    The models are numbered player by player. Logs are float64[players, deals, temperatures + 2], as `replay_kernel`
    gives them.
    """

    def __init__(self, players: Sequence[RulePlayer], past: KnownPast, seat: int, scratch: ReplayWorkspace) -> None:
        self._vary = [compiled_vary(one.style) for one in players]
        inverses = np.ones(len(TEMPERATURES))
        self._replayed = [
            ReplayArrays(past, seat, inverses, scratch, player_arrays(one.style, one.weights)) for one in players
        ]

    def measure(self, deals: Ints) -> None:
        """Find the unit of each player's temperatures from a few deals, int64[n, numbers]."""
        lead, decisions = self.weigh(deals)[..., -2:].sum(axis=1).T
        units = np.divide(lead, decisions, out=np.ones_like(lead), where=lead > 0)
        inverses = 1.0 / np.outer(units, TEMPERATURES)
        self._replayed = [one._replace(inverses=own) for one, own in zip(self._replayed, inverses, strict=True)]

    def weigh(self, deals: Ints) -> Floats:
        """The logs of deals, int64[n, numbers]."""
        logs = np.zeros((len(self._vary), len(deals), len(TEMPERATURES) + 2))
        for number in range(len(self._vary)):
            self._weigh(number, deals, logs[number])
        return logs

    def by_model(self, logs: Floats) -> Floats:
        """The log likelihoods alone, float64[deals, models]."""
        likely = logs[..., :-2].transpose(1, 0, 2)
        return np.asarray(likely.reshape(len(likely), -1))

    def vary(self, particles: Particles, chain: Chain, luck: int) -> int:
        """Let particles take the steps of their chains; returns the next random state.

        Their deals and logs are replaced. Models are numbered player by player here, and logs are as in this class.
        """
        deals, models, logs = particles
        players, temperatures = np.divmod(models, len(TEMPERATURES))
        for number, vary in enumerate(self._vary):
            own = np.flatnonzero(players == number)
            changed = deals[own]
            rows = logs[:, own]
            luck = vary(Particles(changed, temperatures[own], rows[number]), chain, self._replayed[number], luck)
            for other in range(len(self._vary)):
                if other != number:
                    self._weigh(other, changed, rows[other])
            deals[own] = changed
            logs[:, own] = rows
        return luck

    def _weigh(self, number: int, deals: Ints, logs: Floats) -> None:
        none = np.zeros(len(deals), np.int64)
        self._vary[number](
            Particles(deals, none, logs), Chain(0, 0.0, 0, none, np.zeros(logs.shape[1])), self._replayed[number], 1
        )


@dataclass(frozen=True, eq=False)
class Belief:
    """Equally likely deals, int64[n, numbers], and their origin.

    Deals of one group, int64[n], come from one deal before the last chains; the game has read the first `read` of their
    numbers. `players`, int64[n], is the player that models the opponent in each deal; `models`, float64[players,
    temperatures], is how likely each model is after the opponent's moves, from equal odds before. `go_on` lets each
    deal take some more steps of its chain, in place.
    """

    deals: Ints
    groups: Ints
    players: Ints
    read: int
    models: Floats
    hidden: int
    go_on: Callable[[], None]

    @property
    def all_read(self) -> bool:
        """Whether nothing is left to shuffle: then a world ends alike in every round."""
        return self.read == self.deals.shape[1] - self.hidden

    @property
    def worlds(self) -> Worlds:
        """The deals, for rounds of rollouts."""
        return Worlds(self.deals, self.groups, self.players, self.read)


def past_of(position: Position) -> KnownPast | None:
    """The past of a game as arrays; None where it is unknown, or the game told a seat a number that is not a move."""
    if position.past is None or position.options is None:
        return None
    seats, moves = np.array(position.history(), np.int64).reshape(-1, 2).T.copy()
    if ((moves < UNKNOWN) | (moves >= position.game.move_count)).any():
        return None
    return KnownPast(seats, moves, int((moves == UNKNOWN).sum()), position.options)


class Believer:
    """Works out beliefs about a game with `undeal`; the players are the models of the opponent."""

    def __init__(self, players: Sequence[RulePlayer]) -> None:
        self._game = players[0].game
        self._players = players
        self._scratch = new_replay_workspace(self._game)
        self._positions = records(self._game.state, 2)

    def prepare(self) -> None:
        """Compile what it calls."""
        compiled_imagine(self._game)
        for player in self._players:
            compiled_vary(player.style)
        compiled_numbers_read(self._game)
        compiled_swaps(self._game)

    def believe(
        self, position: Position, past: KnownPast, replays: int, seconds: float, rng: np.random.Generator
    ) -> Belief | None:
        """A belief by `replays` replays of the game, or fewer if they take more than `seconds`, but a few at least.

        The position is a determinization. None where no deal that is drawn can have led to it.
        """
        luck = int(luck_of(rng, (1,))[0])
        began = time.perf_counter()
        players = len(self._players)
        models = Models(self._players, past, position.mover, self._scratch)
        numbers = self._game.deal(rng_of(1, CARDS), 1, position.options).shape[1] + past.hidden
        self._scratch.states[ROOT] = position.state
        pilots, luck = self._imagined(PILOTS, numbers, past, luck)
        read, spots = self._begin(position, past, pilots, luck)
        models.measure(pilots)
        if seconds < np.inf:
            replays = min(replays, int(seconds / (time.perf_counter() - began) * (PILOTS * players + READINGS)))
        drawn = max(int(DRAWING * replays / players), PILOTS)
        count = min(max(drawn // DEALS_A_PARTICLE, FEWEST), MOST)
        # A step replays the game for one player, and at the end of its steps each deal is replayed for the others.
        steps = max(1, (replays - drawn * players) // (count * STEPS) - (players - 1))
        deals, luck = self._imagined(drawn, numbers, past, luck)
        logs = models.weigh(deals)
        # Every model with every deal.
        pairs = players * len(TEMPERATURES)
        who, model = (axis.ravel() for axis in np.mgrid[:drawn, :pairs])
        power = 0.0
        groups = np.arange(count)
        row = np.zeros(len(TEMPERATURES) + 2)
        while power < 1.0:
            likely = models.by_model(logs)[who, model]
            if not likely.max() > -np.inf:
                return None
            former = power
            power = next_power(likely, power, EFFECTIVE * count)
            chosen = systematic(weights_of(likely, power - former), count, rng)
            groups = np.unique(chosen, return_inverse=True)[1]
            deals = deals[who[chosen]]
            logs = logs[:, who[chosen]]
            model = model[chosen]
            luck = models.vary(Particles(deals, model, logs), Chain(steps, power, read, spots, row), luck)
            model = drawn_models(models.by_model(logs), power, rng)
            who = np.arange(count)
        shares = np.bincount(model, minlength=pairs).reshape(players, -1) / count

        def go_on() -> None:
            nonlocal luck
            luck = models.vary(Particles(deals, model, logs), Chain(STEPS_A_PASS, 1.0, read, spots, row), luck)

        return Belief(deals, groups, model // len(TEMPERATURES), read, shares, past.hidden, go_on)

    def _imagined(self, count: int, numbers: int, past: KnownPast, luck: int) -> tuple[Ints, int]:
        """`count` deals, int64[count, numbers], and the next random state."""
        deals = np.zeros((count, numbers), np.int64)
        return deals, compiled_imagine(self._game)(deals, luck, past, self._scratch)

    def _begin(self, position: Position, past: KnownPast, pilots: Ints, luck: int) -> tuple[int, Ints]:
        """The count of numbers read, and the places where chains change them.

        The places, int64[n], are listed once for each pilot in which the mover would not notice.
        """
        game = self._game
        scratch = self._scratch
        other = np.zeros(pilots.shape[1], np.int64)
        read = 0
        ordered = False
        both = self._positions
        for deal in pilots[:READINGS]:
            read = max(read, compiled_numbers_read(game)(deal, other, past, scratch, both))
            ordered |= both[0].tobytes() != both[1].tobytes()
        # Where the order of the rest means nothing, none of it is to be shuffled.
        read = read if ordered else pilots.shape[1] - past.hidden
        scratch.seen[ROOT] = scratch.seen[BLANK]
        position.law.observe(scratch.states[ROOT], scratch.seen[ROOT])
        counts = np.zeros(read, np.int64)
        compiled_swaps(game)(pilots, counts, past, scratch, scratch.bytes[ROOT].copy(), luck)
        return read, np.repeat(np.arange(read), counts)
