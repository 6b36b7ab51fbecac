"""Deals that the game may have begun with, drawn as likely as what was seen makes them.

First a deal is drawn for each of many redeals (`imagine`): with the moves taken back at random these are all possible
deals, equally likely. Weighted by how likely each makes the opponent's moves they would be the belief, but after some
moves nearly all weight lies on a few. So belief.py weights them by a power of the likelihood that rises to 1 in steps,
and draws them by these weights after each. In between they go on as Markov chains (`vary`): two numbers of a deal
change places, if the game can have gone so, by the rule of Metropolis et al., J. Chem. Phys. 21(6), 1953. That keeps
the weights right and makes different deals of equal ones. Del Moral, Doucet and Jasra, Sequential Monte Carlo
samplers, J. R. Stat. Soc. B 68(3), 2006.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rulebots.kernel import Kernel, kernel
from rulebots.players import Style
from rulebots.random_numbers import below, next_luck
from rulebots.search.rollout.replaying import ROOT, WORK, replay_kernel

#: One step in so many changes any two numbers. Odd, so that half of the others take an unread one.
ANY = 17


def imagine_kernel(style: Style) -> Kernel[..., int]:
    """A kernel that draws deals: all possible ones equally likely, with their log likelihoods.

    `(deals, logs, luck, past, seat, inverses, scratch, weights, views, blended, scores) -> luck`; `deals` is
    int64[n, numbers], and `logs`, float64[n, models + 2], gets what `replay_kernel` gives, -inf for all models where
    the game cannot have gone so.
    """
    game, replay = style.game, replay_kernel(style)
    redeal, undeal = game.redeal, game.undeal
    assert redeal is not None
    assert undeal is not None

    @kernel
    def imagine(
        deals: Any, logs: Any, luck: int, past: Any, seat: int, inverses: Any, scratch: Any,
        weights: Any, views: Any, blended: Any, scores: Any,
    ) -> int:  # fmt: skip
        state = scratch.states[WORK]
        for one in range(deals.shape[0]):
            scratch.states[WORK] = scratch.states[ROOT]
            luck = redeal(state, luck)
            luck = undeal(state, past.seats, past.moves, past.options, deals[one], luck)
            possible = replay(
                deals[one], past, seat, inverses, 0, -math.inf, logs[one], scratch, weights, views, blended, scores
            )
            if not possible:
                for k in range(inverses.shape[0]):
                    logs[one, k] = -np.inf
        return luck

    imagine.title = f"beliefs about {game.title}"
    return imagine


def vary_kernel(style: Style) -> Kernel[..., int]:
    """A kernel that lets each particle, a deal and a model of the opponent, take `steps` steps of its chain.

    `(deals, models, logs, steps, power, read, spots, row, luck, past, seat, inverses, scratch, ...) -> luck`. `models`
    is int64[n], and `logs`, float64[n, models + 2], what `replay_kernel` gives of each deal; `row` is such a row of
    scratch. The chains keep the deals as likely as likelihood ** power makes them. The first `read` numbers of a deal
    are those that the game has read so far. Most steps change one at a place in `spots`, int64[m], drawn at random,
    for an unread one or for one at another of them; the others any, so that no deal is out of reach.
    """
    replay = replay_kernel(style)

    @kernel
    def vary(
        deals: Any, models: Any, logs: Any, steps: int, power: float, read: int, spots: Any, row: Any, luck: int,
        past: Any, seat: int, inverses: Any, scratch: Any, weights: Any, views: Any, blended: Any, scores: Any,
    ) -> int:  # fmt: skip
        length, count, targeted = deals.shape[1], inverses.shape[0], spots.shape[0]
        for one in range(deals.shape[0]):
            deal, here, model = deals[one], logs[one], models[one]
            for _ in range(steps):
                luck = next_luck(luck)
                way = below(luck, ANY)
                luck = next_luck(luck)
                i = spots[below(luck, targeted)] if way > 0 and targeted > 0 else below(luck, read)
                luck = next_luck(luck)
                if way == 0 or targeted == 0:
                    j = below(luck, length)
                elif way % 2 == 0:
                    j = spots[below(luck, targeted)]
                else:
                    j = read + below(luck, length - read)
                if deal[i] == deal[j]:
                    continue
                deal[i], deal[j] = deal[j], deal[i]
                luck = next_luck(luck)
                least = here[model] + math.log(luck / 2.0**32) / power if power > 0.0 else -math.inf
                if replay(deal, past, seat, inverses, model, least, row, scratch, weights, views, blended, scores):
                    here[:] = row
                else:
                    deal[i], deal[j] = deal[j], deal[i]
            # The model likewise, given the deal: Gibbs sampling.
            best, total = here[0], 0.0
            for k in range(count):
                best = max(best, here[k])
            for k in range(count):
                total += math.exp(power * (here[k] - best))
            luck = next_luck(luck)
            left = luck / 2.0**32 * total
            for k in range(count):
                share = math.exp(power * (here[k] - best))
                if left >= 0.0 and share > 0.0:
                    models[one] = k
                left -= share
        return luck

    vary.title = f"chains of beliefs about {style.game.title}"
    return vary
