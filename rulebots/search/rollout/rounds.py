"""Rounds of rollouts: a world is drawn, and in it each candidate is made and the game played to its end by the guide.

All candidates of a round share the world, the players' random states and the outcomes of chance: common random numbers,
which reduce the variance of the differences between them. None of it is that of the game itself.
"""

from __future__ import annotations

import functools
import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rulebots.chance import drawing
from rulebots.dtypes import records
from rulebots.game import CHANCE, Game
from rulebots.kernel import Kernel, kernel
from rulebots.law import looking
from rulebots.players import Style
from rulebots.random_numbers import apart, next_luck
from rulebots.search.rollout.unread import advance_kernel, shuffle

#: Rows of `Tally.sums`: rollouts, returns, games won, and how much more than the guide's move they returned.
COUNT, RETURN, WON, GAIN = range(4)
#: Rows of `Table.states`: the game that is played, the world of the round, a blank one, and the determinization.
GAME, WORLD, BLANK, ROOT = range(4)


class Tally(NamedTuple):
    """What rollouts brought, by candidate and group of worlds."""

    #: float64[4, candidates, groups].
    sums: npt.NDArray[np.float64]
    #: float64[2]: the sums of the margins of the guide's move and of their squares.
    margins: npt.NDArray[np.float64]


class Worlds(NamedTuple):
    """Where rounds begin: int64[n, numbers] of deals, the first `read` of them read; none: the determinization.

    `groups`, int64[n], says to which group of a tally each belongs: worlds of one origin are in one group. Without
    deals it has an entry for each group, and rounds take them in turn.
    """

    deals: npt.NDArray[np.int64]
    groups: npt.NDArray[np.int64]
    read: int


class Table(NamedTuple):
    """What the kernel of rounds writes to, besides the style's workspace."""

    #: State records[4].
    states: Any
    #: int64[move_count], and int64[numbers] for a deal.
    moves: npt.NDArray[np.int64]
    deal: npt.NDArray[np.int64]


def new_table(game: Game, numbers: int) -> Table:
    """Zeroed arrays."""
    return Table(records(game.state, 4), np.zeros(game.move_count, np.int64), np.zeros(numbers, np.int64))


def new_tally(candidates: int, groups: int) -> Tally:
    """One without rollouts."""
    return Tally(np.zeros((4, candidates, groups)), np.zeros(2))


@kernel
def unchanged(state: Any, luck: int) -> int:
    """The redeal of a game that hides nothing."""
    return luck


@functools.cache
def finish_kernel(style: Style) -> Kernel[..., None]:
    """A kernel `(state, plies, luck, moves, weights, views, blended, scores)` that plays a game to its end.

    Both seats decide as the style does. Their random states, and the outcomes of chance, come from `luck`.
    """
    game, choose, look, draw = style.game, style.choose, looking(style.game), drawing(style.game)
    moves_of, play, over, cap, chance = game.moves, game.play, game.over, game.ply_cap, game.chance

    @kernel
    def finish(
        state: Any, plies: int, luck: int, moves: Any, weights: Any, views: Any, blended: Any, scores: Any
    ) -> None:
        first_luck, second_luck, outcomes = luck, next_luck(luck), apart(luck)
        while plies < cap and not over(state):
            n, mover = moves_of(state, moves), state.mover
            if chance and mover == CHANCE:
                outcomes = next_luck(outcomes)
                play(state, draw(state, moves, n, outcomes))
            else:
                if mover == 0:
                    first_luck = next_luck(first_luck)
                    look(state, views, first_luck)
                else:
                    second_luck = next_luck(second_luck)
                    look(state, views, second_luck)
                play(state, choose(views[0], moves, n, weights, blended, scores))
            plies += 1

    return finish


def rounds_kernel(style: Style) -> Kernel[..., int]:
    """A kernel that plays rounds and adds what they brought to a tally.

    `(first, rounds, candidates, who, seat, plies, scale, luck, worlds, past, tally, table, weights, ...) -> luck`.
    `first` is the number of the first round; `candidates`, int64[n], are moves, and `who`, int64[k], those in play, the
    guide's, 0, first. `seat` is the mover's, and `plies` how many were played before. The return of a game with so many
    points of margin is the logistic function of margin / scale, and 0 where it stalls.
    """
    game, finish, advance = style.game, finish_kernel(style), advance_kernel(style.game)
    play, over, points, redeal = game.play, game.over, game.points, game.redeal or unchanged

    @kernel
    def play_rounds(
        first: int, rounds: int, candidates: Any, who: Any, seat: int, plies: int, scale: float, luck: int,
        worlds: Any, past: Any, tally: Any, table: Any, weights: Any, views: Any, blended: Any, scores: Any,
    ) -> int:  # fmt: skip
        states, moves, sums = table.states, table.moves, tally.sums
        state = states[GAME]
        for number in range(first, first + rounds):
            place = number % worlds.groups.shape[0]
            group = worlds.groups[place]
            luck = next_luck(luck)
            if worlds.deals.shape[0] > 0:
                states[WORLD] = states[BLANK]
                for i in range(table.deal.shape[0]):
                    table.deal[i] = worlds.deals[place, i]
                luck = shuffle(table.deal, worlds.read, luck)
                advance(states[WORLD], table.deal, past, moves)
            else:
                states[WORLD] = states[ROOT]
                luck = redeal(states[WORLD], luck)
            luck = next_luck(luck)
            guides = 0.0
            for k in range(who.shape[0]):
                one = who[k]
                states[GAME] = states[WORLD]
                play(state, candidates[one])
                finish(state, plies + 1, luck, moves, weights, views, blended, scores)
                margin = points(state, seat) - points(state, 1 - seat)
                returned, won = 0.0, 0.0
                if over(state):
                    returned = 1.0 / (1.0 + math.exp(min(max(-margin / scale, -500.0), 500.0)))
                    won = (margin > 0) + (margin == 0) / 2.0
                if k == 0:
                    guides = returned
                    tally.margins[0] += margin
                    tally.margins[1] += float(margin) * float(margin)
                sums[COUNT, one, group] += 1.0
                sums[RETURN, one, group] += returned
                sums[WON, one, group] += won
                sums[GAIN, one, group] += returned - guides
        return luck

    play_rounds.title = f"rollouts of {game.title}"
    return play_rounds
