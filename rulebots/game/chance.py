"""Chance decisions: the outcome that a random state brings, and how likely each one is."""

import functools
from collections.abc import Callable
from typing import Any

from rulebots.game.contract import Game, State
from rulebots.game.random_numbers import below
from rulebots.kernel import Kernel, kernel


@kernel
def equal_odds(state: State, outcome: int) -> float:
    """The odds of a game without `odds`: all outcomes are equally likely."""
    return 1.0


@functools.cache
def draw_kernel(game: Game) -> Kernel[..., int]:
    """A kernel `draw(state, outcomes, n, luck) -> outcome`: one of outcomes[:n], by the game's odds.

    The same random state, in 1..2**32-1, brings the same outcome.
    """
    return draw_by(game.odds)


def draw_by(odds: Callable[[Any, int], float] | None) -> Kernel[..., int]:
    """The kernel of `draw_kernel` by `odds(state, outcome)`; None: all outcomes are equally likely."""
    if odds is None:

        @kernel
        def draw_one(state: Any, outcomes: Any, n: int, luck: int) -> int:
            return outcomes[below(luck, n)]

        return draw_one

    @kernel
    def draw(state: Any, outcomes: Any, n: int, luck: int) -> int:
        total = 0.0
        for i in range(n):
            total += odds(state, outcomes[i])
        left = luck / 2.0**32 * total
        drawn = outcomes[0]
        for i in range(n):
            share = odds(state, outcomes[i])
            # Where rounding leaves a rest after all outcomes, the last possible one takes it.
            if share > 0.0:
                drawn = outcomes[i]
                if left < share:
                    break
                left -= share
        return drawn

    return draw


@functools.cache
def probability_kernel(game: Game) -> Kernel[..., None]:
    """A kernel `spread(state, outcomes, n, probabilities)` that writes how likely each of outcomes[:n] is."""
    odds = game.odds or equal_odds

    @kernel
    def spread(state: Any, outcomes: Any, n: int, probabilities: Any) -> None:
        total = 0.0
        for i in range(n):
            probabilities[i] = odds(state, outcomes[i])
            total += probabilities[i]
        for i in range(n):
            probabilities[i] /= total

    return spread
