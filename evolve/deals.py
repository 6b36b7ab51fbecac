"""What a run plays: deals by identity, and schedules of games on them."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from rulebots.game import Game
from rulebots.play.deals import Deals, draw_deals

#: int64[games, 1 + seats]: the deal, and the player in each seat.
Schedule: TypeAlias = npt.NDArray[np.int64]

# What deals are for: part of their identity, so that no deal is ever used for two purposes.
TRAINING, SPARRING, WATCHING, RUNOFF, HELD_OUT, BASELINES, VERDICT, LESSONS, STYLES = range(1, 10)
SEATING = 11


@dataclass(frozen=True)
class DealSource:
    """`count` deals of an identity such as (seed, purpose, generation): a few numbers that any process can draw from.

    `options` are those of the game, by name. With `opening_plies` None, games begin with as many random
    moves as suit the game.
    """

    count: int
    identity: tuple[int, ...]
    options: tuple[tuple[str, int], ...] = ()
    opening_plies: int | None = None

    def draw(self, game: Game) -> Deals:
        """The deals. Raises UsageError for a wrong option or number of plies."""
        return _drawn(game, self)


@functools.lru_cache(maxsize=4)
def _drawn(game: Game, source: DealSource) -> Deals:
    options = dict(source.options)
    plies = source.opening_plies
    return draw_deals(game, source.count, *source.identity, options=options, opening_plies=plies)
