"""Principal variation search over any game's law: alpha-beta that can stop after any node and go on later.

Marsland and Campbell, Parallel Search of Strongly Ordered Game Trees, ACM Computing Surveys 14(4), 1982.
The first move of a position gets the whole window, each other one a window of no width that only
asks whether it is better, and the whole one if it is. Values are from the mover's side; a mover who
moves again keeps side and window. The recursion is written out over arrays, so that a search goes on
from where it stopped, and one more slice of nodes costs nothing.
"""

from __future__ import annotations

from typing import Any

from rulebots.game import Game
from rulebots.kernel import Kernel, kernel
from rulebots.search.minimax.evaluation import margin_of
from rulebots.search.transposition import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    MISSING,
    SETTLED,
    bound_of,
    depth_of,
    entry_of,
    keep,
    key_of,
    look_up,
    move_of,
    value_of,
)

#: Beyond every value.
INFINITE = 1 << 34
#: Columns of `frames`, which says of each position on the way from the root: how many moves it has, which is
#: next, plies to the horizon, the window, best value and move so far, whether the horizon was met below it, its
#: key, whether the move that is being searched only gets a window of no width, and the moves in its best line.
COUNT, NEXT, DEPTH, ALPHA, BETA, BEST, MOVE, OPEN, KEY, NARROW, LENGTH = range(11)
FRAME = 11
#: Elements of `control`: how far from the root the search is, and whether it is finished.
PLY, DONE = range(2)


def searching(  # noqa: PLR0915 - it holds the kernels below
    game: Game, evaluate: Kernel[..., int], order: Kernel[..., None]
) -> Kernel[..., int]:
    """A kernel that searches on from where the arrays of a `Search` say, and returns how many nodes it made.

    A node is a position reached by a move. `order(state, depth, views, moves, n, weights, blended,
    scores, history)` writes scores[:n], the best of which is tried first after the table's move.
    """
    moves_of, play, over = game.moves, game.play, game.over
    margin = margin_of(game)

    @kernel
    def enter(
        state: Any,
        ply: int,
        frames: Any,
        moves: Any,
        history: Any,
        views: Any,
        weights: Any,
        blended: Any,
        scores: Any,
        first: int,
    ) -> None:
        row = moves[ply]
        n = moves_of(state, row)
        order(state, frames[ply, DEPTH], views, row, n, weights, blended, scores, history)
        for i in range(n):
            move = row[i]
            score = scores[i] if move != first else 1e300
            j = i
            while j > 0 and scores[j - 1] < score:
                scores[j], row[j] = scores[j - 1], row[j - 1]
                j -= 1
            scores[j], row[j] = score, move
        frames[ply, COUNT] = n
        frames[ply, NEXT] = 0
        frames[ply, BEST] = -INFINITE
        frames[ply, MOVE] = row[0]
        frames[ply, OPEN] = 0
        frames[ply, NARROW] = 0
        frames[ply, LENGTH] = 0

    @kernel
    def search(  # noqa: PLR0915 - one loop in place of a recursion
        states: Any,
        words: Any,
        frames: Any,
        moves: Any,
        lines: Any,
        control: Any,
        table: Any,
        history: Any,
        views: Any,
        scratch: Any,
        weights: Any,
        blended: Any,
        scores: Any,
        budget: int,
    ) -> int:
        ply, nodes = control[PLY], 0
        remembering = table.shape[0] > 0
        while nodes < budget:
            seat = states[ply].mover
            i, best, depth = frames[ply, NEXT], frames[ply, BEST], frames[ply, DEPTH]
            if i >= frames[ply, COUNT] or best >= frames[ply, BETA]:
                # This position is done: its value goes to the one before it.
                opened = frames[ply, OPEN]
                if remembering:
                    bound = AT_LEAST if best >= frames[ply, BETA] else EXACT if best > frames[ply, ALPHA] else AT_MOST
                    entry = entry_of(best, frames[ply, MOVE], depth if opened else SETTLED, bound)
                    keep(table, frames[ply, KEY], words, ply, entry)
                if ply == 0:
                    control[DONE] = 1
                    break
                ply -= 1
                value = best if states[ply].mover == seat else -best
                seat = states[ply].mover
                depth = frames[ply, DEPTH]
                length = frames[ply + 1, LENGTH]
            else:
                for w in range(words.shape[1]):
                    words[ply + 1, w] = words[ply, w]
                child = states[ply + 1]
                play(child, moves[ply, i])
                nodes += 1
                opened = length = 0
                if over(child):
                    value = margin(child, seat)
                elif depth == 1:
                    value = evaluate(child, seat, views, scratch, weights, blended, scores)
                    opened = 1
                else:
                    low, high = max(frames[ply, ALPHA], best), frames[ply, BETA]
                    narrow = i > 0 and frames[ply, NARROW] >= 0 and high - low > 1
                    frames[ply, NARROW] = narrow
                    high = low + 1 if narrow else high
                    if child.mover != seat:
                        low, high = -high, -low
                    first = -1
                    key, entry = 0, MISSING
                    if remembering:
                        key = key_of(words, ply + 1)
                        entry = look_up(table, key, words, ply + 1)
                    known = False
                    if entry != MISSING:
                        first = move_of(entry)
                        if depth_of(entry) >= depth - 1 and high - low == 1:
                            bound, value = bound_of(entry), value_of(entry)
                            known = (
                                bound == EXACT
                                or (bound == AT_LEAST and value >= high)
                                or (bound == AT_MOST and value <= low)
                            )
                    if not known:
                        ply += 1
                        frames[ply, DEPTH], frames[ply, ALPHA], frames[ply, BETA] = depth - 1, low, high
                        frames[ply, KEY] = key
                        enter(child, ply, frames, moves, history, views, weights, blended, scores, first)
                        continue
                    opened = depth_of(entry) != SETTLED
                    value = value if child.mover == seat else -value
            best, low, high = frames[ply, BEST], frames[ply, ALPHA], frames[ply, BETA]
            frames[ply, OPEN] |= opened
            if frames[ply, NARROW] > 0 and max(low, best) < value < high:
                # It is better, and by how much a whole window has to say.
                frames[ply, NARROW] = -1
                continue
            frames[ply, NARROW] = 0
            move = moves[ply, frames[ply, NEXT]]
            frames[ply, NEXT] += 1
            if value > best:
                frames[ply, BEST], frames[ply, MOVE] = value, move
                if low < value < high:
                    lines[ply, 0] = move
                    for k in range(length):
                        lines[ply, k + 1] = lines[ply + 1, k]
                    frames[ply, LENGTH] = length + 1
                if value >= high:
                    history[seat, move] += depth * depth
        control[PLY] = ply
        return nodes

    return search
