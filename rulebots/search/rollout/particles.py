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

import functools
import math
from typing import Any

from rulebots.game import Game
from rulebots.game.random_numbers import below, next_luck
from rulebots.kernel import Kernel, kernel
from rulebots.players import Style
from rulebots.search.rollout.replaying import ROOT, WORK, replay_kernel

#: One step in so many changes any two numbers. Odd, so that half of the others take an unread one.
ANY = 17


@functools.cache
def imagine_kernel(game: Game) -> Kernel[..., int]:
    """A kernel that draws deals: all possible ones equally likely.

    `(deals, luck, past, scratch) -> luck`; `deals` is int64[n, numbers]. With some of them the game cannot have gone
    so, which `vary_kernel` finds.
    """
    redeal, undeal = game.redeal, game.undeal
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


def vary_kernel(style: Style) -> Kernel[..., int]:
    """A kernel that lets each particle, a deal and a model of the opponent, take `steps` steps of its chain.

    `(deals, models, logs, steps, power, read, spots, row, luck, past, seat, inverses, scratch, ...) -> luck`. `models`
    is int64[n], the temperatures in this style, and `logs`, float64[n, models + 2], what `replay_kernel` gives of each
    deal; `row` is such a row of scratch. The chains keep the deals as likely as likelihood ** power makes them. The
    first `read` numbers of a deal are those that the game has read so far. Most steps change one at a place in
    `spots`, int64[m], drawn at random, for an unread one or for one at another of them; the others any, so that no deal
    is out of reach.

    With 0 steps the deals stay, and their logs are worked out, -inf for all models where the game cannot have gone so.
    """
    replay = replay_kernel(style)

    @kernel
    def vary(
        deals: Any, models: Any, logs: Any, steps: int, power: float, read: int, spots: Any, row: Any, luck: int,
        past: Any, seat: int, inverses: Any, scratch: Any, weights: Any, views: Any, blended: Any, scores: Any,
    ) -> int:  # fmt: skip
        length, targeted = deals.shape[1], spots.shape[0]
        for one in range(deals.shape[0]):
            deal, here, model, i, j, least = deals[one], logs[one], models[one], 0, 0, -math.inf
            # One call of `replay` for both uses: each is compiled anew.
            for _ in range(max(steps, 1)):
                if steps > 0:
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
                    luck = next_luck(luck)
                    least = here[model] + math.log(luck / 2.0**32) / power if power > 0.0 else -math.inf
                deal[i], deal[j] = deal[j], deal[i]
                if replay(deal, past, seat, inverses, model, least, row, scratch, weights, views, blended, scores):
                    here[:] = row
                elif steps > 0:
                    deal[i], deal[j] = deal[j], deal[i]
                else:
                    here[:-2] = -math.inf
        return luck

    vary.title = f"beliefs about {style.game.title}"
    return vary
