"""Rounds of rollouts: a world is drawn, and in it each candidate is made and the game played to its end.

The mover plays as its guide, the opponent as a player that it may be.
All candidates of a round share the world, the players' random states and the outcomes of chance: common random numbers,
which reduce the variance of the differences between them. None of it is that of the game itself.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rulebots.game import CHANCE, Game
from rulebots.game.chance import draw_kernel
from rulebots.game.compiled import view_kernel
from rulebots.game.dtypes import records
from rulebots.game.random_numbers import apart, next_luck
from rulebots.kernel import Kernel, kernel
from rulebots.players import Style, compiled_for
from rulebots.players.compiled import calling_back
from rulebots.search.rollout.replaying import advance_kernel, no_past, player_arrays, shuffle

#: Rows of `RolloutTally.sums`: rollouts, returns, games won, and how much more than the guide's move they returned.
COUNT, RETURN, WON, GAIN = range(4)
#: Rows of `RoundsWorkspace.states`: the game that is played, the world of the round, a blank one, and the
#: determinization.
GAME, WORLD, BLANK, ROOT = range(4)


class RolloutTally(NamedTuple):
    """What rollouts brought, by candidate and group of worlds."""

    #: float64[4, candidates, groups].
    sums: npt.NDArray[np.float64]
    #: float64[2]: the sums of the margins of the guide's move and of their squares.
    margins: npt.NDArray[np.float64]


class Worlds(NamedTuple):
    """Where rounds begin: int64[n, numbers] of deals, the first `read` of them read; none: the determinization.

    `groups`, int64[n], says to which group of a tally each belongs: worlds of one origin are in one group. Without
    deals it has an entry for each group, and rounds take them in turn. `players`, int64[n], says which of the players
    that the opponent may be plays there.
    """

    deals: npt.NDArray[np.int64]
    groups: npt.NDArray[np.int64]
    players: npt.NDArray[np.int64]
    read: int


def redealt_worlds(groups: int) -> Worlds:
    """Worlds that are the determinization, dealt again in each round, in `groups` groups; the first player is there."""
    return Worlds(np.zeros((0, 0), np.int64), np.arange(groups), np.zeros(groups, np.int64), 0)


class RoundsWorkspace(NamedTuple):
    """What the kernel of rounds writes to, besides the style's workspace."""

    #: State records[4].
    states: Any
    #: int64[move_count], and int64[numbers] for a deal.
    moves: npt.NDArray[np.int64]
    deal: npt.NDArray[np.int64]


def new_rounds_workspace(game: Game, numbers: int) -> RoundsWorkspace:
    """Zeroed arrays."""
    return RoundsWorkspace(records(game.state, 4), np.zeros(game.move_count, np.int64), np.zeros(numbers, np.int64))


def new_tally(candidates: int, groups: int) -> RolloutTally:
    """One without rollouts."""
    return RolloutTally(np.zeros((4, candidates, groups)), np.zeros(2))


@kernel
def unchanged(state: Any, luck: int) -> int:
    """The redeal of a game that hides nothing."""
    return luck


@functools.cache
def finish_kernel(style: Style, other: Style) -> Kernel[..., None]:
    """A kernel `(state, plies, seat, luck, moves, mine, theirs)` that plays a game to its end.

    The seat decides by the first style, with the weights and the workspace of the tuple `mine`, its opponent by the
    other one, with `theirs`. Their random states, and the outcomes of chance, come from `luck`.
    """
    game, draw = style.game, draw_kernel(style.game)
    moves_of, play, over, cap, chance = game.moves, game.play, game.over, game.ply_cap, game.chance
    decide = _alike(style) if other is style else _apart(style, other)

    @kernel
    def finish(state: Any, plies: int, seat: int, luck: int, moves: Any, mine: Any, theirs: Any) -> None:
        first_luck, second_luck, outcomes = luck, next_luck(luck), apart(luck)
        while plies < cap and not over(state):
            n, mover = moves_of(state, moves), state.mover
            if chance and mover == CHANCE:
                outcomes = next_luck(outcomes)
                play(state, draw(state, moves, n, outcomes))
            else:
                if mover == 0:
                    own_luck = first_luck = next_luck(first_luck)
                else:
                    own_luck = second_luck = next_luck(second_luck)
                play(state, decide(state, own_luck, seat, moves, n, mine, theirs))
            plies += 1

    return finish


def _alike(style: Style) -> Kernel[..., int]:
    """The decision where both seats differ in their weights only: one call, which makes the code half as large."""
    choose, look = style.choose, view_kernel(style.game)

    @kernel
    def decide(state: Any, luck: int, seat: int, moves: Any, n: int, mine: Any, theirs: Any) -> int:
        _, views, blended, scores = mine
        weights = mine[0] if state.mover == seat else theirs[0]
        look(state, views, luck)
        return choose(views[0], moves, n, weights, blended, scores)

    return decide


def _apart(style: Style, other: Style) -> Kernel[..., int]:
    choose, answer, look = style.choose, other.choose, view_kernel(style.game)

    @kernel
    def decide(state: Any, luck: int, seat: int, moves: Any, n: int, mine: Any, theirs: Any) -> int:
        if state.mover == seat:
            weights, views, blended, scores = mine
            look(state, views, luck)
            return choose(views[0], moves, n, weights, blended, scores)
        weights, views, blended, scores = theirs
        look(state, views, luck)
        return answer(views[0], moves, n, weights, blended, scores)

    return decide


def rounds_kernel(style: Style, other: Style) -> Kernel[..., int]:
    """A kernel that plays rounds and adds what they brought to a tally.

    `(places, candidates, who, seat, plies, scale, luck, worlds, past, tally, table, mine, theirs) -> luck`.
    `places`, int64[rounds], are the worlds in which the rounds begin; `candidates`, int64[n], are moves, and `who`,
    int64[k], those in play, the guide's, 0, first. `seat` is the mover's, and `plies` how many were played before;
    `mine` and `theirs` are as in `finish_kernel`. The return of a game is the logistic
    function of margin / scale, and 0 where it stalls.
    """
    game, finish, advance = style.game, finish_kernel(style, other), advance_kernel(style.game)
    play, over, points, redeal = game.play, game.over, game.points, game.redeal or unchanged

    @kernel
    def play_rounds(
        places: Any, candidates: Any, who: Any, seat: int, plies: int, scale: float, luck: int,
        worlds: Any, past: Any, tally: Any, table: Any, mine: Any, theirs: Any,
    ) -> int:  # fmt: skip
        states, moves, sums = table.states, table.moves, tally.sums
        state = states[GAME]
        for number in range(places.shape[0]):
            place = places[number]
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
                finish(state, plies + 1, seat, luck, moves, mine, theirs)
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


@functools.cache
def compiled_rounds(style: Style, other: Style) -> Callable[..., int]:
    """`rounds_kernel(style, other)`, compiled."""
    none = np.zeros(0, np.int64)
    worlds = Worlds(np.zeros((0, 0), np.int64), none, none, 0)
    arrays = (worlds, no_past(style.game), new_tally(1, 1), new_rounds_workspace(style.game, 0))
    examples = (none, none, none, 0, 0, 1.0, 1, *arrays, player_arrays(style), player_arrays(other))
    if other is style:
        return compiled_for(style, lambda one: rounds_kernel(one, one), *examples)
    if rounds_kernel(style, other).obstacle(*examples) is not None:
        other = calling_back(other)
    return compiled_for(style, lambda one: rounds_kernel(one, other), *examples)
