"""The kernels of a search, compiled or loaded from the cache once per process."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from rulebots.game import Game
from rulebots.game.compiled import looking
from rulebots.game.dtypes import records
from rulebots.kernel import Kernel, kernel, runnable
from rulebots.players import Style, compiled_for
from rulebots.players.compiled import calling_back
from rulebots.rules.scoring import scorer
from rulebots.search.rollout.particles import imagine_kernel, vary_kernel
from rulebots.search.rollout.replaying import Past, new_scratch
from rulebots.search.rollout.rounds import Worlds, new_table, new_tally, rounds_kernel
from rulebots.search.rollout.unread import numbers_read_kernel, swaps_kernel


def no_past(game: Game) -> Past:
    """The past of a game that nobody knows."""
    return Past(np.zeros(0, np.int64), np.zeros(0, np.int64), game.option_values())


def rank_kernel(style: Style) -> Kernel[..., int]:
    """A kernel `(states, luck, moves, n, weights, ...) -> move`: the guide's move, and scores[:n] of moves[:n].

    `states` is state records[1].
    """
    assert style.rules is not None
    score, choose, look = scorer(style.rules), style.choose, looking(style.game)

    @kernel(inlines=False)
    def rank(
        states: Any, luck: int, moves: Any, n: int, weights: Any, views: Any, blended: Any, scores: Any
    ) -> int:  # fmt: skip
        look(states[0], views, luck)
        move = choose(views[0], moves, n, weights, blended, scores)
        look(states[0], views, luck)
        score(views[0], moves, n, weights, blended, scores)
        return move

    rank.title = f"scores of moves of {style.game.title}"
    return rank


@functools.cache
def compiled_rank(style: Style) -> Callable[..., int]:
    """`rank_kernel(style)`, compiled."""
    moves = np.zeros(0, np.int64)
    return compiled_for(style, rank_kernel, records(style.game.state, 1), 1, moves, 0, *_player(style))


@functools.cache
def compiled_rounds(style: Style, other: Style) -> Callable[..., int]:
    """`rounds_kernel(style, other)`, compiled."""
    none = np.zeros(0, np.int64)
    worlds = Worlds(np.zeros((0, 0), np.int64), none, none, 0)
    arrays = (worlds, no_past(style.game), new_tally(1, 1), new_table(style.game, 0))
    examples = (none, none, none, 0, 0, 1.0, 1, *arrays, _player(style), _player(other))
    if other is style:
        return compiled_for(style, lambda one: rounds_kernel(one, one), *examples)
    if rounds_kernel(style, other).obstacle(*examples) is not None:
        other = calling_back(other)
    return compiled_for(style, lambda one: rounds_kernel(one, other), *examples)


@functools.cache
def compiled_imagine(game: Game) -> Callable[..., int]:
    """`imagine_kernel(game)`, compiled."""
    deals = np.zeros((0, 0), np.int64)
    return runnable(imagine_kernel(game), deals, 1, no_past(game), new_scratch(game))


@functools.cache
def compiled_vary(style: Style) -> Callable[..., int]:
    """`vary_kernel(style)`, compiled."""
    deals, models, logs, row = np.zeros((0, 0), np.int64), np.zeros(0, np.int64), np.zeros((0, 0)), np.zeros(0)
    examples = (deals, models, logs, 0, 1.0, 0, models, row, 1, no_past(style.game), 0, row, new_scratch(style.game))
    return compiled_for(style, vary_kernel, *examples, *_player(style))


@functools.cache
def compiled_numbers_read(game: Game) -> Callable[..., int]:
    """`numbers_read_kernel(game)`, compiled."""
    deal, positions = np.zeros(0, np.int64), records(game.state, 2)
    return runnable(numbers_read_kernel(game), deal, deal, no_past(game), new_scratch(game), positions)


@functools.cache
def compiled_swaps(game: Game) -> Callable[..., int]:
    """`swaps_kernel(game)`, compiled."""
    none = np.zeros(0, np.int64)
    return runnable(swaps_kernel(game), np.zeros((0, 0), np.int64), 0, none, no_past(game), new_scratch(game), 1)


def _player(style: Style) -> tuple[Any, ...]:
    """The last arguments of every kernel: weights, and the style's workspace."""
    return np.zeros((2, style.columns)), *style.workspace()
