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
from rulebots.rules.scoring import scorer
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
    #: View records[2], one to work in and a blank one; and int64[2, words], their memory.
    seen: Any
    words: npt.NDArray[np.int64]
    #: The tree: int64[nodes] of hashes of what the mover sees, 0 where there is none; int64[nodes, ARMS] of moves, and
    #: float64[2, nodes, ARMS] of visits and returns; int64[2, depth] of the nodes and arms of a rollout; the mover's
    #: next so many decisions are the tree's.
    keys: npt.NDArray[np.int64]
    arms: npt.NDArray[np.int64]
    stats: npt.NDArray[np.float64]
    path: npt.NDArray[np.int64]


#: Moves of a node, the guide's first; the guide's prior, the others sharing the rest; the constant of PUCT; nodes.
ARMS, PRIOR, EXPLORATION, NODES = 6, 0.5, 0.5, 1 << 14


def new_table(game: Game, numbers: int, depth: int = 0) -> Table:
    """Zeroed arrays."""
    words = np.zeros((2, -(-game.view.itemsize // 8)), np.int64)
    seen = np.ndarray(2, np.dtype((np.record, game.view)), words, strides=(words.strides[0],))
    nodes = NODES if depth else 1
    return Table(
        records(game.state, 4), np.zeros(game.move_count, np.int64), np.zeros(numbers, np.int64), seen, words,
        np.zeros(nodes, np.int64), np.full((nodes, ARMS), -1, np.int64), np.zeros((2, nodes, ARMS)),
        np.zeros((2, depth), np.int64),
    )  # fmt: skip


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
    observe, score = game.observe, scorer(style.rules)

    @kernel
    def finish(
        state: Any, plies: int, luck: int, moves: Any, weights: Any, views: Any, blended: Any, scores: Any,
        seat: int, table: Any,
    ) -> int:
        depth, length = table.path.shape[1], 0
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
                if length < depth and mover == seat and n > 1:
                    table.seen[0] = table.seen[1]
                    observe(state, table.seen[0])
                    key = 1469598103
                    for word in range(table.words.shape[1]):
                        part = table.words[0, word]
                        key = ((key ^ (part & 0xFFFFFFFF)) * 0x5BD1E995) & 0x7FFFFFFFFF
                        key ^= key >> 15
                        key = ((key ^ ((part >> 32) & 0xFFFFFFFF)) * 0x5BD1E995) & 0x7FFFFFFFFF
                        key ^= key >> 17
                    node, known = key & (table.keys.shape[0] - 1), False
                    for _ in range(8):
                        if table.keys[node] == key or table.keys[node] == 0:
                            break
                        node = (node + 1) & (table.keys.shape[0] - 1)
                    known = table.keys[node] == key
                    if known:
                        total, returns, k = 0.0, 0.0, 0
                        while k < ARMS and table.arms[node, k] >= 0:
                            total += table.stats[0, node, k]
                            returns += table.stats[1, node, k]
                            k += 1
                        best, arm = -1.0, 0
                        for a in range(k):
                            visits = table.stats[0, node, a]
                            value = table.stats[1, node, a] / visits if visits > 0 else returns / total
                            prior = PRIOR if a == 0 else (1.0 - PRIOR) / (k - 1)
                            value += EXPLORATION * prior * math.sqrt(total) / (1.0 + visits)
                            if value > best:
                                best, arm = value, a
                        table.path[0, length], table.path[1, length] = node, arm
                        length += 1
                        play(state, table.arms[node, arm])
                    else:
                        move = choose(views[0], moves, n, weights, blended, scores)
                        if table.keys[node] == 0:
                            look(state, views, first_luck if mover == 0 else second_luck)
                            score(views[0], moves, n, weights, blended, scores)
                            table.keys[node], table.arms[node, 0] = key, move
                            for k in range(1, min(ARMS, n)):
                                best, arm = -np.inf, -1
                                for i in range(n):
                                    fresh = True
                                    for a in range(k):
                                        fresh &= table.arms[node, a] != moves[i]
                                    if fresh and scores[i] > best:
                                        best, arm = scores[i], moves[i]
                                table.arms[node, k] = arm
                            table.path[0, length], table.path[1, length] = node, 0
                            length += 1
                        depth = 0
                        play(state, move)
                else:
                    play(state, choose(views[0], moves, n, weights, blended, scores))
            plies += 1
        return length

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
                length = finish(state, plies + 1, luck, moves, weights, views, blended, scores, seat, table)
                margin = points(state, seat) - points(state, 1 - seat)
                returned, won = 0.0, 0.0
                if over(state):
                    returned = 1.0 / (1.0 + math.exp(min(max(-margin / scale, -500.0), 500.0)))
                    won = (margin > 0) + (margin == 0) / 2.0
                for step in range(length):
                    table.stats[0, table.path[0, step], table.path[1, step]] += 1.0
                    table.stats[1, table.path[0, step], table.path[1, step]] += returned
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
