"""Principal variation search for any game: alpha-beta that can stop after any node and continue later.

Marsland and Campbell, Parallel Search of Strongly Ordered Game Trees, ACM Computing Surveys 14(4), 1982.
The first move of a position is searched with the full window. Each other move gets a null window (a scout
search), which only tells whether it is better; if it is, it is searched again with the full window. Values
are from the mover's side; a seat that moves again keeps side and window. There is no recursion: its
frames are rows of arrays, so that a search can pause and continue at no cost.

At a table of more than two, all others play against the searcher (the paranoid algorithm: Sturtevant and Korf, On
Pruning Techniques for Multi-Player Games, AAAI 2000); in a cooperative game, and alone, there is one side.

Where chance is to move, the value is the mean over the outcomes, by their odds, from seat 0's side (expectiminimax:
Michie, Game-Playing and Game-Learning Automata, 1966). A mean needs exact values: each outcome gets the full window.
The horizon never lies at a chance decision, whose outcomes are looked at too.
"""

import math
from typing import Any

from rulebots.game import CHANCE, Game
from rulebots.game.chance import equal_odds
from rulebots.kernel import Kernel, kernel
from rulebots.search.minimax.evaluation import side_kernel, standing_kernel
from rulebots.search.transposition import (
    EXACT,
    LOWER_BOUND,
    MISS,
    UNLIMITED_DEPTH,
    UPPER_BOUND,
    bound_of,
    depth_of,
    entry_of,
    key_of,
    move_of,
    probe,
    store,
    value_of,
)

#: Greater than every value.
INFINITY = 1 << 34
#: The columns of `frames`, int64[plies + 1, FRAME_COLUMNS], a row per position on the path from the root:
#: its number of moves, the index of the move being searched, the depth left in plies; the window; the best value and
#: move so far; whether a line below it met the horizon; its key; how the move is being searched, as below; and the
#: length of its best line.
COUNT, INDEX, DEPTH, ALPHA, BETA, BEST, MOVE, HORIZON, KEY, SCOUT, LENGTH = range(11)
FRAME_COLUMNS = 11
#: The values of SCOUT: with the window of the position, with a null window, or again after a null window.
FULL_WINDOW = 0
NULL_WINDOW = 1
RESEARCH = -1
#: The first elements of `control`, int64[4]: the ply that the search has reached, and whether it is complete. The other
#: ones are LUCK and SEARCHER of evaluation.py.
PLY, DONE = range(2)
#: The columns of `means`, float64[plies + 1, 2]: at a chance decision, the sum of odds times value, and of the odds.
WEIGHTED, ODDS = range(2)


def search_kernel(  # noqa: PLR0915 - it holds the kernels below
    game: Game, evaluate: Kernel[..., int], order: Kernel[..., None], *, paired: bool
) -> Kernel[..., int]:
    """A kernel `(arrays, budget)` that continues a search for at most `budget` nodes and returns how many it visited.

    The `SearchArrays` hold the state of the search. A node is a position reached by a move. For `evaluate` and `order`
    see evaluation.py; the move with the best score is tried first, after the move from the transposition table.
    """
    moves_of = game.moves
    play = game.play
    over = game.over
    standing = standing_kernel(game, paired=paired)
    side = side_kernel(game, paired=paired)
    chance = game.chance
    odds = game.odds or equal_odds

    @kernel
    def enter(state: Any, ply: int, first: int, arrays: Any) -> None:
        frames = arrays.frames
        means = arrays.means
        scores = arrays.scores
        row = arrays.moves[ply]
        n = moves_of(state, row)
        if chance and state.mover == CHANCE:
            means[ply, WEIGHTED] = 0.0
            means[ply, ODDS] = 0.0
        else:
            order(state, frames[ply, DEPTH], row, n, arrays)
            for i in range(n):
                move = row[i]
                score = scores[i] if move != first else 1e300
                j = i
                while j > 0 and scores[j - 1] < score:
                    scores[j] = scores[j - 1]
                    row[j] = row[j - 1]
                    j -= 1
                scores[j] = score
                row[j] = move
        frames[ply, COUNT] = n
        frames[ply, INDEX] = 0
        frames[ply, BEST] = -INFINITY
        frames[ply, MOVE] = row[0]
        frames[ply, HORIZON] = 0
        frames[ply, SCOUT] = FULL_WINDOW
        frames[ply, LENGTH] = 0

    @kernel
    def search(arrays: Any, budget: int) -> int:  # noqa: PLR0915 - one loop in place of a recursion
        states = arrays.states
        words = arrays.words
        position = arrays.position
        frames = arrays.frames
        means = arrays.means
        moves = arrays.moves
        lines = arrays.lines
        control = arrays.control
        table = arrays.table
        ply = control[PLY]
        nodes = 0
        has_table = table.shape[0] > 0
        while nodes < budget:
            seat = side(states[ply], control)
            i = frames[ply, INDEX]
            best = frames[ply, BEST]
            depth = frames[ply, DEPTH]
            if i >= frames[ply, COUNT] or best >= frames[ply, BETA]:
                # All moves are searched, or the rest is cut off: return the value to the parent.
                horizon = frames[ply, HORIZON]
                drawn = chance and states[ply].mover == CHANCE
                if drawn:
                    best = math.floor(means[ply, WEIGHTED] / means[ply, ODDS] + 0.5)
                if has_table:
                    if drawn:
                        bound = EXACT
                    elif best >= frames[ply, BETA]:
                        bound = LOWER_BOUND
                    else:
                        bound = EXACT if best > frames[ply, ALPHA] else UPPER_BOUND
                    entry = entry_of(best, frames[ply, MOVE], depth if horizon else UNLIMITED_DEPTH, bound)
                    store(table, frames[ply, KEY], words, ply, position, entry)
                if ply == 0:
                    control[DONE] = 1
                    break
                ply -= 1
                value = best if side(states[ply], control) == seat else -best
                seat = side(states[ply], control)
                depth = frames[ply, DEPTH]
                length = frames[ply + 1, LENGTH]
            else:
                for w in range(words.shape[1]):
                    words[ply + 1, w] = words[ply, w]
                child = states[ply + 1]
                play(child, moves[ply, i])
                nodes += 1
                horizon = length = 0
                drawn = chance and states[ply].mover == CHANCE
                drawn_next = chance and child.mover == CHANCE
                if over(child):
                    value = standing(child, seat, control)
                elif depth == 1 and not (drawn_next and ply + 2 < frames.shape[0]):
                    # Chance that goes on for longer than there is room counts the points as they are.
                    value = standing(child, seat, control) if drawn_next else evaluate(child, seat, arrays)
                    horizon = 1
                else:
                    low = max(frames[ply, ALPHA], best)
                    high = frames[ply, BETA]
                    if drawn:
                        low = -INFINITY
                        high = INFINITY
                    elif i > 0 and frames[ply, SCOUT] != RESEARCH and high - low > 1:
                        frames[ply, SCOUT] = NULL_WINDOW
                        high = low + 1
                    else:
                        frames[ply, SCOUT] = FULL_WINDOW
                    left = max(depth - 1, 1) if drawn_next else depth - 1
                    if side(child, control) != seat:
                        bound = -low
                        low = -high
                        high = bound
                    first = -1
                    key = 0
                    entry = MISS
                    if has_table:
                        key = key_of(words, ply + 1, position)
                        entry = probe(table, key, words, ply + 1, position)
                    known = False
                    if entry != MISS:
                        first = move_of(entry)
                        # A full window is there for the line of best play, which ends at the first chance decision.
                        if depth_of(entry) >= left and (high - low == 1 or chance):
                            bound = bound_of(entry)
                            value = value_of(entry)
                            known = (
                                bound == EXACT
                                or (bound == LOWER_BOUND and value >= high)
                                or (bound == UPPER_BOUND and value <= low)
                            )
                    if not known:
                        ply += 1
                        frames[ply, DEPTH] = left
                        frames[ply, ALPHA] = low
                        frames[ply, BETA] = high
                        frames[ply, KEY] = key
                        enter(child, ply, first, arrays)
                        continue
                    horizon = depth_of(entry) != UNLIMITED_DEPTH
                    value = value if side(child, control) == seat else -value
            if chance and states[ply].mover == CHANCE:
                share = odds(states[ply], moves[ply, frames[ply, INDEX]])
                means[ply, WEIGHTED] += share * value
                means[ply, ODDS] += share
                frames[ply, INDEX] += 1
                frames[ply, HORIZON] |= horizon
                continue
            best = frames[ply, BEST]
            low = frames[ply, ALPHA]
            high = frames[ply, BETA]
            frames[ply, HORIZON] |= horizon
            if frames[ply, SCOUT] == NULL_WINDOW and max(low, best) < value < high:
                # The move is better than the best one so far; how much better, only the full window tells.
                frames[ply, SCOUT] = RESEARCH
                continue
            frames[ply, SCOUT] = FULL_WINDOW
            move = moves[ply, frames[ply, INDEX]]
            frames[ply, INDEX] += 1
            if value > best:
                frames[ply, BEST] = value
                frames[ply, MOVE] = move
                if low < value < high:
                    lines[ply, 0] = move
                    for k in range(length):
                        lines[ply, k + 1] = lines[ply + 1, k]
                    frames[ply, LENGTH] = length + 1
                if value >= high:
                    arrays.history[states[ply].mover, move] += depth * depth
        control[PLY] = ply
        return nodes

    search.title = f"alpha-beta search of {game.title}"
    return search
