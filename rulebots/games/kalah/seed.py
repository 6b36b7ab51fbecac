"""Adam Shelly's players of Ruby Quiz 58, as his Ruby behaves.

His look-ahead knows one law, whatever the options say: a last stone in an empty pit is always won. It
does not see the end of the game, in which the rest is swept. It takes a move from an empty pit as one
that gains -100. And it counts cells where it should count those that are sown (see `ends_in_store`).

What cannot change a decision is not worked out, which takes a hundredth of the time. Boards lie in the
rows of `boards`, int64[rows, COLUMNS], the mover's side first: a function looks at one row and
overwrites those after it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rulebots.games.kalah.game import MAX_CELLS, MAX_PITS
from rulebots.kernel import Kernel, kernel
from rulebots.luck import next_luck

#: A row of the look-ahead: a board, what each of its pits gains, and the pit that a search looks at next.
GAINS = MAX_CELLS
NEXT = MAX_CELLS + MAX_PITS
COLUMNS = NEXT + 1
FROM_AN_EMPTY_PIT = -100
#: Less than any score.
NO_SCORE = -1000
#: Rows that the look-ahead takes besides those of extra turns, of which each brings a stone into a store.
OTHER_ROWS = 16


@kernel
def branch(luck: int, number: int) -> int:
    """Luck for a numbered part of the look-ahead, so that no part's luck depends on what others threw."""
    return next_luck(((luck + 0x9E3779B9 * number) & 0xFFFFFFFF) | 1)


@kernel
def ends_in_store(ring: Any, pits: int, pit: int) -> bool:
    """His slip: a lap is one cell shorter than the ring, so he is wrong about more than a lap of stones."""
    return (ring[pit] + pit) % (2 * pits + 2) == pits


@kernel
def simulate(ring: Any, pits: int, pit: int) -> None:
    """His own sowing, stone by stone: what is called in many places has to be small."""
    cell, stones = pit, ring[pit]
    ring[pit] = 0
    while stones > 0:
        cell = cell + 1 if cell < 2 * pits else 0
        ring[cell] += 1
        stones -= 1
    if cell < pits and ring[cell] == 1:
        ring[pits] += 1 + ring[2 * pits - cell]
        ring[cell] = 0
        ring[2 * pits - cell] = 0


@kernel
def deep_score(boards: Any, row: int, pits: int, pit: int, luck: int) -> int:
    """DeepScore's score_for: what a pit and the best extra turns after it gain."""
    if boards[row, pit] < 1:
        return FROM_AN_EMPTY_PIT
    # His best_move and score_for call each other; together they find the best of all chains of extra turns.
    base, best, before = row, 0, boards[row, pits]
    boards[base, NEXT] = pit
    while row >= base:
        pit = boards[row, NEXT]
        boards[row, NEXT] = pits if row == base else pit + 1
        if pit == pits:
            row -= 1
        elif boards[row, pit] > 0:
            after = row + 1
            boards[after] = boards[row]
            again = ends_in_store(boards[row], pits, pit)
            simulate(boards[after], pits, pit)
            best = max(best, boards[after, pits] - before)
            if again:
                boards[after, NEXT] = 0
                row = after
    return best


def scoring(best_move: Kernel[..., int]) -> Kernel[..., int]:
    """APessimistic's score_for, at the level of a `best_move(boards, row, pits, luck)`."""

    @kernel
    def score_for(boards: Any, row: int, pits: int, pit: int, luck: int) -> int:
        if boards[row, pit] < 1:
            return FROM_AN_EMPTY_PIT
        after = row + 1
        boards[after] = boards[row]
        again = True
        while again:
            again = ends_in_store(boards[after], pits, pit)
            simulate(boards[after], pits, pit)
            if again:
                luck = branch(luck, 0)
                pit = best_move(boards, after, pits, luck)
        return boards[after, pits] - boards[row, pits]

    return score_for


@kernel
def highest(boards: Any, row: int, pits: int, among: int) -> int:
    """The pit of the set that gains most."""
    found, most = 0, NO_SCORE
    for pit in range(pits):
        if among >> pit & 1 and boards[row, GAINS + pit] > most:
            found, most = pit, boards[row, GAINS + pit]
    return found


@kernel
def quickest(boards: Any, row: int, pits: int, among: int) -> int:
    """A pit of the set without extra turns, whose gain is soon known, if there is one."""
    found, quick = 0, False
    for pit in range(pits):
        if among >> pit & 1 and not quick:
            found, quick = pit, not ends_in_store(boards[row], pits, pit)
    return found


@kernel
def opponents_choice(boards: Any, row: int, pits: int, pit: int) -> int:
    """Put the board after a pit, turned round, two rows further; return the set of the pits with stones."""
    after, turned = row + 1, row + 2
    boards[after] = boards[row]
    simulate(boards[after], pits, pit)
    filled = 0
    for cell in range(pits + 1):
        boards[turned, cell] = boards[after, cell + pits + 1]
        boards[turned, cell + pits + 1] = boards[after, cell]
        filled |= (boards[turned, cell] > 0 and cell < pits) << cell
    return filled


@kernel
def random_of(pits: int, among: int, luck: int) -> int:
    """His random_index: any pit of a set."""
    count = 0
    for pit in range(pits):
        count += among >> pit & 1
    nth = (luck >> 8) % count
    chosen = 0
    for pit in range(pits):
        if among >> pit & 1:
            chosen = pit if nth == 0 else chosen
            nth -= 1
    return chosen


def weighing(score_for: Kernel[..., int]) -> Kernel[..., int]:
    """APessimistic's best_move, by the `score_for` of the next level.

    A pit's score is what it gains less the most that the opponent can gain then. Pits are weighed in
    falling order of gain until no gain left can be enough; the replies until they are too much.
    """

    @kernel
    def best_move(boards: Any, row: int, pits: int, luck: int) -> int:
        turned, everywhere = row + 2, (1 << pits) - 1
        pit, pit_luck, worst, enough = 0, luck, 0, 0
        unweighed, replies, best, equals = 0, 0, NO_SCORE, 0
        source, asked = row, 0
        while True:
            # The only call, because what is called is copied into its place.
            value = score_for(boards, source, pits, asked, branch(pit_luck, 1 + asked))
            if source == row:
                boards[row, GAINS + asked] = value
                asked += 1
                if asked < pits:
                    continue
                unweighed = everywhere
            else:
                worst = max(worst, value)
                replies &= ~(1 << asked)
            while source == row or replies == 0 or worst > enough:
                if source == turned:
                    score = boards[row, GAINS + pit] - worst
                    if score > best:
                        best, equals = score, 0
                    if score == best:
                        equals |= 1 << pit
                pit = highest(boards, row, pits, unweighed)
                enough = boards[row, GAINS + pit] - best
                if unweighed == 0 or enough < 0:
                    return random_of(pits, equals, luck)
                unweighed &= ~(1 << pit)
                replies = opponents_choice(boards, row, pits, pit)
                source, worst, pit_luck = turned, 0, branch(luck, 1 + MAX_PITS + pit)
            asked = quickest(boards, turned, pits, replies)

    return best_move


#: APessimistic's MaxDepth is 3: he weighs replies at the levels 0 to 3, and below them plays DeepScore.
level_3 = weighing(deep_score)
level_2 = weighing(scoring(level_3))
level_1 = weighing(scoring(level_2))
level_0 = weighing(scoring(level_1))


@kernel
def laid_out(view: Any) -> Any:
    """Rows for the look-ahead, the view's board in the first."""
    cells = 2 * view.pits + 2
    stones = 0
    for cell in range(cells):
        stones += view.board[cell]
    boards = np.zeros((stones + OTHER_ROWS, COLUMNS), np.int64)
    for cell in range(cells):
        boards[0, cell] = view.board[cell]
    return boards


@kernel
def choose_leftmost(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
    """Player: the first pit that holds stones."""
    return moves[0]


@kernel
def choose_high(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
    """RemoveHighKalahPlayer: the fullest pit, the leftmost of equals."""
    best = moves[0]
    for i in range(1, n):
        if view.board[moves[i]] > view.board[best]:
            best = moves[i]
    return best


@kernel
def choose_score(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
    """ScoreKalahPlayer: the pit that gains most at once, the leftmost of equals."""
    ring = np.zeros(MAX_CELLS, np.int64)
    best, chosen = -1, moves[0]
    for i in range(n):
        for cell in range(MAX_CELLS):
            ring[cell] = view.board[cell]
        simulate(ring, view.pits, moves[i])
        gain = ring[view.pits] - view.board[view.pits]
        if gain > best:
            best, chosen = gain, moves[i]
    return chosen


@kernel
def choose_deep_score(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
    """DeepScoreKalahPlayer: the pit that gains most with the extra turns after it, the leftmost of equals."""
    boards, best, chosen = laid_out(view), -1, moves[0]
    for i in range(n):
        gain = deep_score(boards, 0, view.pits, moves[i], 0)
        if gain > best:
            best, chosen = gain, moves[i]
    return chosen


@kernel
def choose_apessimistic(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
    """APessimisticKalahPlayer: likewise, less the most that a reply can gain; a random one of equals."""
    pit = level_0(laid_out(view), 0, view.pits, view.luck)
    # On boards of more than a hundred stones his -100 may win: then he would move from an empty pit.
    return pit if view.board[pit] > 0 else moves[0]
