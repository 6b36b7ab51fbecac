"""A game played again from another deal: whether its moves and what was seen can be, and how likely a model makes them.

A *model* of the opponent draws its moves by a softmax of a player's scores, and any legal move once in a while. It has
a temperature: how far it strays from that player's own choice.
"""

from __future__ import annotations

import functools
import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rulebots.game import Game
from rulebots.game.compiled import looking
from rulebots.game.dtypes import records
from rulebots.kernel import Kernel, kernel
from rulebots.players import Style
from rulebots.rules.scoring import scorer

#: How often a model plays any legal move, all equally likely.
BLUNDERS = 0.02
#: Rows of `Scratch.states` and of `Scratch.seen`.
WORK, BLANK, ROOT = 0, 1, 2


class Past(NamedTuple):
    """A game so far as one seat was told of it."""

    #: int64[plies]: who made the moves, seats or CHANCE, and the moves.
    seats: npt.NDArray[np.int64]
    moves: npt.NDArray[np.int64]
    #: A record of the options' values.
    options: Any


class Scratch(NamedTuple):
    """What the kernels of a belief write to, besides the style's workspace."""

    #: State records[3]: one to work in, a blank one, and the determinization that the search was given.
    states: Any
    #: View records[3]: one to work in, a blank one, and what the mover sees; and int64[3, words], their memory.
    seen: Any
    words: npt.NDArray[np.int64]
    #: int64[move_count]: legal moves.
    moves: npt.NDArray[np.int64]


def new_scratch(game: Game) -> Scratch:
    """Zeroed arrays."""
    words = np.zeros((3, -(-game.view.itemsize // 8)), np.int64)
    return Scratch(
        states=records(game.state, 3),
        seen=np.ndarray(3, np.dtype((np.record, game.view)), words, strides=(words.strides[0],)),
        words=words,
        moves=np.zeros(game.move_count, np.int64),
    )


@functools.cache
def replay_kernel(style: Style) -> Kernel[..., bool]:
    """A kernel that plays a game again from a deal, and says whether it can have gone so.

    `(deal, past, seat, inverses, model, least, logs, scratch, weights, blended, views, scores) -> possible`. It leaves
    the last state in the first one of the scratch. `inverses` is float64[models], one over the temperature of each. Of
    the moves of the other seat `logs`, float64[models + 2], gets the log likelihood by each model; then the sum of how
    far the best score lies above the mean of all legal moves, and over how many decisions. It stops, as if the game
    could not have gone so, as soon as the log likelihood by the model of that number is below `least`.
    """
    assert style.rules is not None
    game, score, look = style.game, scorer(style.rules), looking(style.game)
    setup, moves_of, play, over, observe = game.setup, game.moves, game.play, game.over, game.observe

    @kernel
    def replay(
        deal: Any, past: Any, seat: int, inverses: Any, model: int, least: float, logs: Any, scratch: Any,
        weights: Any, views: Any, blended: Any, scores: Any,
    ) -> bool:  # fmt: skip
        scratch.states[WORK] = scratch.states[BLANK]
        state, moves, models = scratch.states[WORK], scratch.moves, inverses.shape[0]
        logs[:] = 0.0
        setup(state, deal, past.options)
        for ply in range(past.moves.shape[0]):
            if over(state) or state.mover != past.seats[ply]:
                return False
            n, made = moves_of(state, moves), -1
            for i in range(n):
                if moves[i] == past.moves[ply]:
                    made = i
            if made < 0:
                return False
            if state.mover == 1 - seat and n > 1:
                look(state, views, 1)
                score(views[0], moves, n, weights, blended, scores)
                best, mean = -np.inf, 0.0
                for i in range(n):
                    best = scores[i] if scores[i] > best else best  # noqa: FURB136 - max() may let a NaN win
                if best > -np.inf:
                    for i in range(n):
                        mean += (scores[i] if scores[i] > -np.inf else best) / n
                    logs[models] += best - mean
                    logs[models + 1] += 1.0
                    for k in range(models):
                        total = 0.0
                        for i in range(n):
                            if scores[i] > -np.inf:
                                total += math.exp((scores[i] - best) * inverses[k])
                        share = math.exp((scores[made] - best) * inverses[k]) if scores[made] > -np.inf else 0.0
                        logs[k] += math.log((1.0 - BLUNDERS) * share / total + BLUNDERS / n)
                    if logs[model] < least:
                        return False
            play(state, past.moves[ply])
        if state.mover != seat:
            return False
        scratch.seen[WORK] = scratch.seen[BLANK]
        observe(state, scratch.seen[WORK])
        same = True
        for word in range(scratch.words.shape[1]):
            same &= scratch.words[WORK, word] == scratch.words[ROOT, word]
        return same

    return replay
