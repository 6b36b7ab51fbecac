"""Possible deals of the game, drawn by their likelihood given the moves so far.

First a deal is drawn for each of many redeals (`imagine`): with the moves taken back at random these are all possible
deals, equally likely. Weighted by how likely each makes the opponent's moves they would be the belief, but after some
moves nearly all weight lies on a few. So belief.py weights them by a power of the likelihood that rises to 1 in steps,
and draws them by these weights after each. In between they move as Markov chains (`vary`): two numbers of a deal
change places, if the past stays possible, by the rule of Metropolis et al., J. Chem. Phys. 21(6), 1953. That keeps the
weights right and makes different deals of equal ones. Del Moral, Doucet and Jasra, Sequential Monte Carlo
samplers, J. R. Stat. Soc. B 68(3), 2006.
"""

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from rulebots.game import Floats, Game, Ints
from rulebots.game.random_numbers import below, next_luck
from rulebots.kernel import Kernel, kernel, runnable
from rulebots.players import Style, compiled_for
from rulebots.search.rollout.replaying import (
    ROOT,
    WORK,
    ReplayArrays,
    exchange,
    new_replay_workspace,
    no_past,
    player_arrays,
    replay_kernel,
)

#: One step in this many changes any two numbers. Odd, so that half of the others take an unread one.
ANY = 17
#: The accuracy of a step's power: rounds of the search, and the parts into which each divides the rest.
ROUNDS = 3
PARTS = 16


@functools.cache
def imagine_kernel(game: Game) -> Kernel[..., int]:
    """A kernel that draws deals: all possible ones equally likely.

    `(deals, luck, past, scratch) -> luck`; `deals` is int64[n, numbers]. Some of them contradict the past, which
    `vary_kernel` finds.
    """
    redeal = game.redeal
    undeal = game.undeal
    assert redeal is not None
    assert undeal is not None

    @kernel
    def imagine(deals: Any, luck: int, past: Any, scratch: Any) -> int:
        state = scratch.states[WORK]
        for one in range(deals.shape[0]):
            scratch.states[WORK] = scratch.states[ROOT]
            luck = redeal(state, luck)
            luck = undeal(state, past.seats, past.moves, past.options, deals[one], luck)
        return luck

    imagine.title = f"deals of {game.title} before the moves"
    return imagine


class Particles(NamedTuple):
    """Deals with a model of the opponent each."""

    #: int64[n, numbers].
    deals: Ints
    #: int64[n]: the temperatures in the style that plays, by number.
    models: Ints
    #: float64[n, models + 2]: the logs of each deal by `replay_kernel`.
    logs: Floats


class Chain(NamedTuple):
    """The steps of particles: the chains keep deals distributed by likelihood ** `power`."""

    #: 0: the deals stay, and their logs are computed, -inf for all models of an impossible deal.
    steps: int
    power: float
    #: The number of a deal's numbers that the game has read so far.
    read: int
    #: int64[m]: places where most steps change a number, for an unread one or one at another of these places. The other
    #: steps change any two, so that no deal is out of reach.
    spots: Ints
    #: float64[models + 2]: scratch.
    row: Floats


def vary_kernel(style: Style) -> Kernel[..., int]:
    """A kernel `(particles, chain, replayed, luck) -> luck` that lets each particle take the steps of its chain.

    The arguments are `Particles`, `Chain` and `ReplayArrays`.
    """
    replay = replay_kernel(style)

    @kernel
    def vary(particles: Any, chain: Any, replayed: Any, luck: int) -> int:
        deals, models, logs = particles
        steps, power, read, spots, row = chain
        length = deals.shape[1] - replayed.past.hidden
        targeted = spots.shape[0]
        for one in range(deals.shape[0]):
            deal = deals[one]
            here = logs[one]
            model = models[one]
            i = j = 0
            least = -math.inf
            # One call of `replay` for both uses: each call is compiled by itself.
            for _ in range(max(steps, 1)):
                if steps > 0:
                    luck = next_luck(luck)
                    way = below(luck, ANY)
                    luck = next_luck(luck)
                    i = spots[below(luck, targeted)] if way > 0 and targeted > 0 else below(luck, read)
                    luck = next_luck(luck)
                    if way == 0 or targeted == 0:
                        j = below(luck, length)
                    elif way % 2 == 0 or read == length:
                        j = spots[below(luck, targeted)]
                    else:
                        j = read + below(luck, length - read)
                    if deal[i] == deal[j]:
                        continue
                    luck = next_luck(luck)
                    least = here[model] + math.log(luck / 2.0**32) / power if power > 0.0 else -math.inf
                    exchange(deal, i, j, length)
                if replay(deal, row, model, least, replayed):
                    here[:] = row
                elif steps > 0:
                    exchange(deal, i, j, length)
                else:
                    here[:-2] = -math.inf
        return luck

    vary.title = f"beliefs about {style.game.title}"
    return vary


@functools.cache
def compiled_imagine(game: Game) -> Callable[..., int]:
    """`imagine_kernel(game)`, compiled."""
    return runnable(imagine_kernel(game), np.zeros((0, 0), np.int64), 1, no_past(game), new_replay_workspace(game))


@functools.cache
def compiled_vary(style: Style) -> Callable[..., int]:
    """`vary_kernel(style)`, compiled."""
    game = style.game
    none = np.zeros(0, np.int64)
    row = np.zeros(0)
    particles = Particles(np.zeros((0, 0), np.int64), none, np.zeros((0, 0)))
    replayed = ReplayArrays(no_past(game), 0, row, new_replay_workspace(game), player_arrays(style))
    return compiled_for(style, vary_kernel, particles, Chain(0, 1.0, 0, none, row), replayed, 1)


def next_power(likely: Floats, power: float, effective: float) -> float:
    """The largest power, up to 1, that leaves `effective` effective particles.

    `likely`, float64[n], are log likelihoods of particles that are drawn by their power `power` so far.
    """
    likely = likely[likely > -np.inf] - likely.max()
    low = power
    high = 1.0
    if _effective(likely, np.array([high - power]))[0] >= effective:
        return high
    for _ in range(ROUNDS):
        powers = np.linspace(low, high, PARTS + 1)
        too_far = int(np.argmin(_effective(likely, powers[1:] - power) >= effective)) + 1
        low = powers[too_far - 1]
        high = powers[too_far]
    return float(high)


def _effective(likely: Floats, powers: Floats) -> Floats:
    """The effective number of particles at each power, float64[powers].

    Kong, Liu and Wong, JASA 89(425), 1994.
    """
    weights = np.exp(powers[:, None] * likely)
    return np.asarray(weights.sum(axis=1) ** 2 / (weights**2).sum(axis=1))


def weights_of(likely: Floats, power: float) -> Floats:
    """Weights that sum to 1, from log likelihoods, float64[n], of which one at least is more than -inf."""
    with np.errstate(invalid="ignore"):
        weights = np.where(likely > -np.inf, np.exp(power * (likely - likely.max())), 0.0)
    return np.asarray(weights / weights.sum())


def systematic(weights: Floats, count: int, rng: np.random.Generator) -> Ints:
    """`count` numbers of entries, drawn by their weights and shuffled: int64[count].

    Systematic resampling: Carpenter, Clifford and Fearnhead, IEE Proc. Radar Sonar Navig. 146(1), 1999.
    """
    steps = (np.arange(count) + rng.random()) / count
    return rng.permutation(np.searchsorted(np.cumsum(weights), steps).clip(max=len(weights) - 1))


def drawn_models(likely: Floats, power: float, rng: np.random.Generator) -> Ints:
    """A model for each deal, int64[n], drawn by a power of its likelihoods, whose logs are float64[n, models]."""
    shares = np.cumsum(np.exp(power * (likely - likely.max(axis=1, keepdims=True))), axis=1)
    return np.asarray((shares <= rng.random((len(shares), 1)) * shares[:, -1:]).sum(axis=1))
