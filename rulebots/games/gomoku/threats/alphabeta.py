"""Alpha-beta over the moves that matter, valued by a player's rules, with the search for fours at its nodes.

Principal variation search as in rulebots/search/minimax, with what gomoku adds: what must be answered is answered
without loss of depth, only by moves that can help; a win by fours ends a line; else the moves near stones are tried in
the order of the rules' scores, the best so many of them.

The weights of the rules tell which move is better, not what a position is worth. So a move costs its side what it falls
short of the best score there, and a line is worth the costs of the other side less one's own: the search leaves the
best moves by the rules for what it sees coming, and makes the other side leave its own.

There is no recursion: its frames are rows of arrays, so that a search can pause after any node.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rulebots.games.gomoku.points import CELLS, LARGEST, WIDTH
from rulebots.games.gomoku.threats.board import (
    CANNOT_BE_STOPPED,
    THREATENS_FIVE,
    WINS,
    point_with,
    put,
    take,
)
from rulebots.games.gomoku.threats.fours import SEAT_KEYS, win_by_fours
from rulebots.games.gomoku.threats.threes import MOST_PLIES, answers_to, mark_fours
from rulebots.games.gomoku.threats.values import UNITS
from rulebots.grid import EMPTY
from rulebots.kernel import kernel
from rulebots.search.transposition import (
    EXACT,
    LOWER_BOUND,
    MISS,
    UPPER_BOUND,
    bound_of,
    depth_of,
    entry_of,
    move_of,
    new_table,
    probe,
    store,
    value_of,
)

#: A five on the board is worth so much, less one for each ply until then. A value from WINNING on is a win against all
#: moves that were tried.
FIVE_VALUE = 1 << 30
WINNING = FIVE_VALUE - 10_000
INFINITY = 1 << 31
#: Told from the keys of positions with the other side to move.
SEAT_KEY = int(SEAT_KEYS[1])
#: Plies on the path from the root at most.
MOST_PLY = 64
#: Moves tried in a position without threats, at the root and elsewhere.
ROOT_WIDTH, WIDTHS = 40, 16
#: Positions that a search for fours may visit, at a node of the search.
FOURS = 60
#: So many plies beyond the horizon threats are still answered.
BEYOND = 4
#: The columns of `frames`: the number of moves, the one being searched, the depth left, the window, the best value and
#: move, how the move is searched, and whether this is a position in which the mover has to answer a threat.
COUNT, INDEX, DEPTH, ALPHA, BETA, BEST, MOVE, SCOUT, ANSWERING = range(9)
COLUMNS = 9
FULL_WINDOW, NULL_WINDOW, RESEARCH = range(3)
#: The elements of `control`: the ply reached, whether the search is complete, whose move it is at the root, the last
#: move before the root, and whether only the moves in `held` are tried there.
PLY, DONE, SEAT, LAST, HELD = range(5)


class Frames(NamedTuple):
    """What the search writes to."""

    #: int64[MOST_PLY + 1, COLUMNS]
    frames: npt.NDArray[np.int64]
    #: int16[MOST_PLY + 1, points]
    moves: npt.NDArray[np.int16]
    #: int64[points]: scratch, the scores of moves.
    scores: npt.NDArray[np.int64]
    #: int64[MOST_PLY + 1, points]: what each move falls short of the best one, by the rules.
    costs: npt.NDArray[np.int64]
    #: int64[5]
    control: npt.NDArray[np.int64]
    #: The transposition table: see rulebots/search/transposition.py.
    table: npt.NDArray[np.int64]
    #: int64[MOST_PLY + 1, 2]: moves that caused cutoffs at a ply.
    killers: npt.NDArray[np.int64]
    #: int64[2, cells]: for each seat and move, the sum of depth ** 2 over its cutoffs.
    history: npt.NDArray[np.int64]
    #: int16[MOST_PLIES]: scratch, a win by fours.
    line: npt.NDArray[np.int16]
    #: bool[cells]: scratch.
    marked: npt.NDArray[np.bool_]
    #: bool[cells]: the only moves tried at the root, where `control` says so.
    held: npt.NDArray[np.bool_]


def new_frames(megabytes: float) -> Frames:
    """A workspace whose transposition table has about that size."""
    points = LARGEST * LARGEST
    return Frames(
        frames=np.zeros((MOST_PLY + 1, COLUMNS), np.int64),
        moves=np.zeros((MOST_PLY + 1, points), np.int16),
        scores=np.zeros(points, np.int64),
        costs=np.zeros((MOST_PLY + 1, points), np.int64),
        control=np.zeros(5, np.int64),
        table=new_table(megabytes),
        killers=np.zeros((MOST_PLY + 1, 2), np.int64),
        history=np.zeros((2, CELLS), np.int64),
        line=np.zeros(MOST_PLIES, np.int16),
        marked=np.zeros(CELLS, np.bool_),
        held=np.zeros(CELLS, np.bool_),
    )


@kernel
def score_of(board: Any, seat: int, point: int, last: int, values: Any) -> int:
    """What the rules score a stone on a point."""
    stones, mine, theirs = board.board, 0, 0
    for step in (1, WIDTH - 1, WIDTH, WIDTH + 1):
        for other in (stones[point + step], stones[point - step]):
            mine += other == seat + 1
            theirs += other == 2 - seat
    rows, columns = point // WIDTH - last // WIDTH, point % WIDTH - last % WIDTH
    near = max(4 - max(abs(rows), abs(columns)), 0) if last else 0
    return int(
        values.attack[board.patterns[seat, point]]
        + values.block[board.patterns[1 - seat, point]]
        + values.centre[point]
        + values.beside[0] * mine
        + values.beside[1] * theirs
        + values.beside[2] * near // 3
    )


@kernel(inlines=False)
def near_points(board: Any, out: Any) -> int:
    """Write the empty points near stones, all empty ones where there is none such; return how many."""
    stones, near, n = board.board, board.near, 0
    for i in range(board.side * board.side):
        point = board.inside[i]
        if stones[point] == EMPTY and near[point] > 0:
            out[n] = point
            n += 1
    if n == 0:
        for i in range(board.side * board.side):
            point = board.inside[i]
            if stones[point] == EMPTY:
                out[n] = point
                n += 1
    return n


@kernel(inlines=False)
def held_points(board: Any, held: Any, out: Any) -> int:
    """Write the points in `held`, return how many."""
    n = 0
    for i in range(board.side * board.side):
        if held[board.inside[i]]:
            out[n] = board.inside[i]
            n += 1
    return n


@kernel(inlines=False)
def arrange(board: Any, seat: int, last: int, first: int, ply: int, most: int, n: int, work: Any, values: Any) -> int:
    """Put the best `most` of the n moves of a ply in front, the best first, and return how many there are."""
    moves, costs, scores, killers = work.moves[ply], work.costs[ply], work.scores, work.killers[ply]
    best = -INFINITY
    for i in range(n):
        point = int(moves[i])
        score = score_of(board, seat, point, last, values)
        best = max(best, score)
        urgency = score + min(work.history[seat, point], UNITS)
        if point == first:
            urgency = INFINITY
        elif point in (killers[0], killers[1]):
            urgency += 2 * UNITS
        if i >= most and scores[most - 1] >= urgency:
            continue
        j = min(i, most - 1)
        while j > 0 and scores[j - 1] < urgency:
            scores[j], moves[j], costs[j] = scores[j - 1], moves[j - 1], costs[j - 1]
            j -= 1
        scores[j], moves[j], costs[j] = urgency, point, -score
    n = min(n, most)
    for i in range(n):
        costs[i] += best
    return n


@kernel(inlines=False)
def enter(board: Any, seat: int, ply: int, last: int, fours: Any, work: Any, values: Any) -> int:
    """Begin with a position: the number of moves to search, or 0 if its value, in BEST of its frame, is known."""
    frame, moves, threats, other = work.frames[ply], work.moves[ply], board.threats, 1 - seat
    frame[INDEX] = frame[ANSWERING] = 0
    frame[SCOUT] = FULL_WINDOW
    frame[MOVE] = 0
    if ply > 0 and threats[seat, WINS] > 0:
        frame[BEST] = FIVE_VALUE - ply - 1
        return 0
    if threats[other, WINS] > 0:
        if ply > 0 and threats[other, WINS] > 1:
            frame[BEST] = ply + 2 - FIVE_VALUE
            return 0
        frame[ANSWERING] = 1
        moves[0] = point_with(board, other, WINS)
        work.costs[ply, 0] = 0
        frame[BEST] = -INFINITY
        return 1
    if board.taken == board.side * board.side:
        frame[BEST] = 0
        return 0
    first = 0
    key = board.key ^ (SEAT_KEY * seat)
    entry = probe(work.table, key, work.table, 0, work.table)
    if entry != MISS:
        first = move_of(entry)
        if ply > 0 and depth_of(entry) - BEYOND >= frame[DEPTH] and frame[BETA] - frame[ALPHA] == 1:
            value, bound = value_of(entry), bound_of(entry)
            if value >= WINNING:
                value -= ply
            elif value <= -WINNING:
                value += ply
            if (
                bound == EXACT
                or (bound == LOWER_BOUND and value >= frame[BETA])
                or (bound == UPPER_BOUND and value <= frame[ALPHA])
            ):
                frame[BEST] = value
                return 0
    if ply > 0 and threats[seat, CANNOT_BE_STOPPED] > 0:
        frame[BEST] = FIVE_VALUE - ply - 3
        return 0
    if ply > 0 and threats[seat, THREATENS_FIVE] > 0:
        length = win_by_fours(board, seat, fours, FOURS, work.line)
        if length > 0:
            frame[BEST] = FIVE_VALUE - ply - length
            return 0
    threatened = 0
    if threats[other, CANNOT_BE_STOPPED] + threats[other, THREATENS_FIVE] > 0 and frame[DEPTH] > -BEYOND:
        threatened = max(win_by_fours(board, other, fours, FOURS, work.line), 0)
    if frame[DEPTH] <= 0 and (not threatened or frame[DEPTH] <= -BEYOND or ply >= MOST_PLY):
        frame[BEST] = 0
        return 0
    if ply == 0 and work.control[HELD] > 0:
        n = held_points(board, work.held, moves)
    elif threatened:
        n = answers_to(board, other, work.line, threatened, work.marked, moves)
        n = mark_fours(board, seat, work.marked, moves, n)
    else:
        n = near_points(board, moves)
    frame[BEST] = -INFINITY
    return arrange(board, seat, last, first, ply, WIDTHS if ply else ROOT_WIDTH, n, work, values)


@kernel(inlines=False)
def search(  # noqa: PLR0915 - one loop in place of a recursion
    board: Any, fours: Any, work: Any, values: Any, budget: int
) -> int:
    """Continue a search for at most `budget` nodes, and return how many it visited."""
    frames, moves, control = work.frames, work.moves, work.control
    ply, nodes = control[PLY], 0
    while nodes < budget:
        # The position of this ply is entered; its value comes back at once, or its moves are searched.
        nodes += 1
        seat = (control[SEAT] + ply) % 2
        last = moves[ply - 1, frames[ply - 1, INDEX]] if ply else control[LAST]
        frames[ply, COUNT] = enter(board, seat, ply, last, fours, work, values)
        while frames[ply, INDEX] >= frames[ply, COUNT] or frames[ply, BEST] >= frames[ply, BETA]:
            best = frames[ply, BEST]
            if frames[ply, COUNT] > 0 and frames[ply, ANSWERING] == 0:
                if best >= frames[ply, BETA]:
                    bound = LOWER_BOUND
                else:
                    bound = EXACT if best > frames[ply, ALPHA] else UPPER_BOUND
                stored = best
                if best >= WINNING:
                    stored += ply
                elif best <= -WINNING:
                    stored -= ply
                key = board.key ^ (SEAT_KEY * ((control[SEAT] + ply) % 2))
                entry = entry_of(stored, frames[ply, MOVE], frames[ply, DEPTH] + BEYOND, bound)
                store(work.table, key, work.table, 0, work.table, entry)
            if ply == 0:
                control[PLY], control[DONE] = 0, 1
                return nodes
            ply -= 1
            seat = (control[SEAT] + ply) % 2
            move = int(moves[ply, frames[ply, INDEX]])
            take(board, move)
            value = -best if abs(best) >= WINNING else -best - work.costs[ply, frames[ply, INDEX]]
            low, high = max(frames[ply, ALPHA], frames[ply, BEST]), frames[ply, BETA]
            if frames[ply, SCOUT] == NULL_WINDOW and low < value < high:
                frames[ply, SCOUT] = RESEARCH
                break
            frames[ply, SCOUT] = FULL_WINDOW
            frames[ply, INDEX] += 1
            if value > frames[ply, BEST]:
                frames[ply, BEST], frames[ply, MOVE] = value, move
                if value >= high and frames[ply, ANSWERING] == 0:
                    work.history[seat, move] += max(frames[ply, DEPTH], 1) ** 2
                    if work.killers[ply, 0] != move:
                        work.killers[ply, 1], work.killers[ply, 0] = work.killers[ply, 0], move
        low, high = max(frames[ply, ALPHA], frames[ply, BEST]), frames[ply, BETA]
        if frames[ply, INDEX] > 0 and frames[ply, SCOUT] != RESEARCH and high - low > 1:
            frames[ply, SCOUT] = NULL_WINDOW
            high = low + 1
        elif frames[ply, SCOUT] == RESEARCH:
            frames[ply, SCOUT] = FULL_WINDOW
        put(board, int(moves[ply, frames[ply, INDEX]]), (control[SEAT] + ply) % 2)
        cost = work.costs[ply, frames[ply, INDEX]]
        frames[ply + 1, ALPHA], frames[ply + 1, BETA] = -high - cost, -low - cost
        frames[ply + 1, DEPTH] = frames[ply, DEPTH] - (1 if frames[ply, ANSWERING] == 0 else 0)
        ply += 1
    control[PLY] = ply
    return nodes


search.title = "search for threats in Gomoku"
