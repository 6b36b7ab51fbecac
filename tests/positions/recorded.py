"""Random games, played at native speed and kept ply by ply: what the tests of every law look at."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from rulebots.game import CHANCE, Game
from rulebots.game.dtypes import records
from rulebots.game.position import Position
from rulebots.game.random_numbers import next_luck
from rulebots.kernel import Kernel, kernel
from rulebots.play.deals import Deals


@dataclass(frozen=True)
class Record:
    """One game: `states` before each of its `plies` moves and one at the end; `legal[ply]` are the moves.

    Where chance is to move, nobody observes: the view is blank.
    """

    game: Game
    states: Any
    views: Any
    legal: list[list[int]]
    chosen: list[int]

    @property
    def plies(self) -> int:
        return len(self.chosen)

    @property
    def decisions(self) -> list[int]:
        """The plies of players: those that are not outcomes of chance."""
        return [ply for ply in range(self.plies) if self.states[ply].mover != CHANCE]

    def position(self, ply: int) -> Position:
        """The position after so many moves."""
        return Position.of(self.game, self.states[ply].copy(), plies=ply)


@functools.cache
def _recorder(game: Game) -> Kernel[..., int]:
    moves_of, play, over, observe = game.moves, game.play, game.over, game.observe

    @kernel
    def record(states: Any, views: Any, legal: Any, counts: Any, chosen: Any, luck: int) -> int:
        cap = chosen.shape[0]
        ply = 0
        while not over(states[ply]) and ply < cap:
            n = moves_of(states[ply], legal[ply])
            if states[ply].mover != CHANCE:
                observe(states[ply], views[ply])
            counts[ply] = n
            luck = next_luck(luck)
            # Half of the time the first move, so that games come to their end.
            chosen[ply] = legal[ply, luck // 2 % n] if luck % 2 else legal[ply, 0]
            states[ply + 1] = states[ply]
            play(states[ply + 1], chosen[ply])
            ply += 1
        return ply

    return record


def recorded(deals: Deals, number: int) -> Record:
    """The random game of a deal."""
    game = deals.game
    cap = game.ply_cap
    states, views = records(game.state, cap + 1), records(game.view, cap)
    legal = np.full((cap, game.move_count), -1, np.int64)
    counts, chosen = np.zeros(cap, np.int64), np.zeros(cap, np.int64)
    game.setup(states[0], deals.cards[number], deals.options)
    luck = int(deals.luck[number, 0])
    plies = _recorder(game).compiled(states, views, legal, counts, chosen, luck)
    return Record(
        game,
        states[: plies + 1],
        views[:plies],
        [legal[p, : counts[p]].tolist() for p in range(plies)],
        chosen[:plies].tolist(),
    )
