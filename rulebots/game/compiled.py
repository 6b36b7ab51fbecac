"""A game's law as machine code, and what the mover sees of a state: what match loops, searches and positions call."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from rulebots.game.chance import draw_kernel
from rulebots.game.contract import Game
from rulebots.game.trial import try_law
from rulebots.kernel import Kernel, kernel, runnable


class CompiledLaw:
    """A game's law as machine code, function by function as `Game` has it.

    Each is compiled, or loaded from the cache, when it is first needed.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._state, self._view = game.new_state(), game.new_view()

    def __reduce__(self) -> tuple[Any, ...]:
        return law_of, (self._game,)

    @functools.cached_property
    def moves(self) -> Callable[..., int]:
        """`moves(state, out) -> n`."""
        return runnable(self._game.moves, self._state, np.zeros(0, np.int64))

    @functools.cached_property
    def play(self) -> Callable[..., None]:
        """`play(state, move)`."""
        return runnable(self._game.play, self._state, 0)

    @functools.cached_property
    def over(self) -> Callable[..., bool]:
        """`over(state) -> bool`."""
        return runnable(self._game.over, self._state)

    @functools.cached_property
    def points(self) -> Callable[..., int]:
        """`points(state, seat) -> int`."""
        return runnable(self._game.points, self._state, 0)

    @functools.cached_property
    def observe(self) -> Callable[..., None]:
        """`observe(state, view)`."""
        return runnable(self._game.observe, self._state, self._view)

    @functools.cached_property
    def redeal(self) -> Callable[..., int]:
        """`redeal(state, luck) -> luck` of a game that has it."""
        assert self._game.redeal is not None
        return runnable(self._game.redeal, self._state, 1)

    @functools.cached_property
    def draw(self) -> Callable[..., int]:
        """`draw(state, outcomes, n, luck) -> outcome` of a game with chance: see rulebots/game/chance.py."""
        return runnable(draw_kernel(self._game), self._state, np.zeros(0, np.int64), 0, 1)


def law_of(game: Game, options: Any = None) -> CompiledLaw:
    """The game's compiled law, one per process. Raises CodeError if its first games break the contract.

    `options` is a record of the game's options as they will be played, by default the game's defaults.
    """
    if options is not None:
        try_law(game, options)
    return _law_of(game)


@functools.cache
def _law_of(game: Game) -> CompiledLaw:
    try_law(game)
    return CompiledLaw(game)


@functools.cache
def view_kernel(game: Game) -> Kernel[..., None]:
    """A kernel `look(state, views, luck)` that fills views[0] with what the mover knows, its random state being `luck`.

    `views` holds two records that begin as the game's view does. The second one is blank and overwrites the first, so
    that nothing that a player or rule derived at one decision is left at the next, which may be the opponent's.
    """
    observe = game.observe

    @kernel
    def look(state: Any, views: Any, luck: int) -> None:
        views[0] = views[1]
        view = views[0]
        observe(state, view)
        view.luck = luck

    return look
