"""A game's law as machine code, and what the mover sees of a state: what match loops, searches and positions call."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from rulebots.game.chance import draw_kernel
from rulebots.game.contract import Game
from rulebots.game.trial import try_law
from rulebots.kernel import Kernel, kernel, runnable


class CompiledLaw:
    """A game's law as machine code: `moves`, `play`, `over`, `points`, `observe` and `redeal` as `Game` has them.

    `draw(state, outcomes, n, luck) -> outcome` (see rulebots/game/chance.py) and `step` (see `step_kernel`) come with
    them. Each is compiled, or loaded from the cache, when it is first needed.
    """

    def __init__(self, game: Game) -> None:
        self._game = game

    def __reduce__(self) -> tuple[Any, ...]:
        return law_of, (self._game,)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        game = self._game
        room = np.zeros(0, np.int64)
        state: Any = game.new_state()
        examples: dict[str, tuple[Any, ...]] = {
            "moves": (state, room),
            "play": (state, 0),
            "over": (state,),
            "points": (state, 0),
            "observe": (state, game.new_view()),
            "redeal": (state, 1),
            "draw": (state, room, 0, 1),
            "step": (np.asarray(state).reshape(1), 0, room),
        }
        makers = {"draw": draw_kernel, "step": step_kernel}
        body = makers[name](game) if name in makers else getattr(game, name)
        function = runnable(body, *examples[name])
        setattr(self, name, function)
        return function


def law_of(game: Game, options: Any = None) -> CompiledLaw:
    """The game's compiled law, one per process. Raises CodeError if its first games break the contract.

    `options` is a record of the game's options as they will be played, by default the game's defaults.
    """
    try_law(game, options)
    return _law_of(game)


@functools.cache
def _law_of(game: Game) -> CompiledLaw:
    return CompiledLaw(game)


@functools.cache
def step_kernel(game: Game) -> Kernel[..., int]:
    """A kernel `step(states, move, out) -> n` that makes a move in states[0], none if it is -1, and lists the next.

    It gives -1 where the game is over. A call from Python costs a fifth with an array of what it costs with a record.
    """
    play = game.play
    over = game.over
    moves = game.moves

    @kernel
    def step(states: Any, move: int, out: Any) -> int:
        state = states[0]
        if move >= 0:
            play(state, move)
        if over(state):
            return -1
        return moves(state, out)

    step.title = f"the moves of {game.title}"
    return step


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
