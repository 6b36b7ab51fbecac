"""Deals by what they are for: small enough to send anywhere, drawn alike wherever they are needed."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from rulebots.game import Game
from rulebots.play.deals import Deals, draw_deals

# What deals are for: part of their identity, so that no deal is ever used for two purposes.
TRAINING, SPARRING, WATCHING, RUNOFF, HELD_OUT, NULLS, VERDICT, LESSONS = range(1, 9)


@dataclass(frozen=True)
class Dealing:
    """`count` deals of an identity such as (seed, purpose, generation)."""

    count: int
    identity: tuple[int, ...]
    options: tuple[tuple[str, int], ...] = ()
    opening_plies: int | None = None

    def draw(self, game: Game) -> Deals:
        """The deals. Raises UsageError for a wrong option or number of plies."""
        return _drawn(game, self)


@functools.lru_cache(maxsize=4)
def _drawn(game: Game, dealing: Dealing) -> Deals:
    options, plies = dict(dealing.options), dealing.opening_plies
    return draw_deals(game, dealing.count, *dealing.identity, options=options, opening_plies=plies)
