"""The built-in players of Kalah: the hand-tuned one, and Adam Shelly's of Ruby Quiz 58, as his Ruby code behaves.

His look-ahead knows one law, whatever the options say: a last stone in an empty pit is always won. It does not see
that the rest is swept at the end of the game. It counts a move from an empty pit as one that gains -100. And it counts
cells where it should count those that are sown (see `ends_in_store`).

APessimistic's functions call each other; here one loop does the same (see `look_ahead`), because recursive functions
cannot be cached on disk. Work that cannot change a decision is pruned, which takes an eighth of the time;
`choose_unpruned` does all of it, as his code does.

Boards are rows of `boards`, int64[rows, COLUMNS], the mover's side first.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from rulebots.game.random_numbers import next_luck
from rulebots.games.kalah.game import MAX_CELLS, MAX_PITS, game
from rulebots.games.kalah.rules import standard
from rulebots.kernel import Kernel, kernel
from rulebots.players import KernelPlayer, Player, RulePlayer

#: A row: a board, and the pit that DeepScore looks at next.
NEXT = MAX_CELLS
COLUMNS = NEXT + 1
FROM_AN_EMPTY_PIT = -100
#: Less than any score.
NO_SCORE = -1000
#: APessimistic's MaxDepth is 3: he weighs replies at levels 0 to 3, and plays DeepScore below them.
LEVELS = 4
#: Rows of a level: the board, the board turned round after one of its pits was sown, and a board to sow on.
BOARD, TURNED, SOWN, ROWS_OF_A_LEVEL = range(4)
#: The random states of a level's pits are numbered from 1 on, those of the pits' boards after the move from
#: 1 + NUMBERED on; on larger boards from 1 + the pits a side on.
NUMBERED = 8
#: Rows besides those of DeepScore's extra turns, each of which brings a stone into a store.
OTHER_ROWS = ROWS_OF_A_LEVEL * LEVELS + 2
#: The frame of a level, a row of int64[LEVELS, FRAME]: its random state; the board in question (BOARD or TURNED), the
#: pit whose gain is asked there, and the random states of that board and of its extra turns; then as bits the sets of
#: pits still to weigh, of replies still to look at, and of pits that share the best score; the pit being weighed, the
#: most that a reply gains, the gain beyond which replies do not matter, and what each pit gains.
LUCK, SIDE, ASKED, SIDE_LUCK, TURN_LUCK, UNWEIGHED, REPLIES, EQUALS, BEST, PIT, WORST, ENOUGH, GAINS = range(13)
FRAME = GAINS + MAX_PITS


@kernel
def branch(luck: int, number: int) -> int:
    """A random state for a numbered part of the look-ahead: no part depends on how many numbers others drew."""
    return next_luck(((luck + 0x9E3779B9 * number) & 0xFFFFFFFF) | 1)


@kernel
def ends_in_store(ring: Any, pits: int, pit: int) -> bool:
    """His slip: his lap is one cell too long, so he is wrong about pits of more than a lap of stones."""
    return (ring[pit] + pit) % (2 * pits + 2) == pits


@kernel
def simulate(ring: Any, pits: int, pit: int) -> None:
    """His own sowing, stone by stone: it is called in many places and has to be small."""
    cell = pit
    stones = ring[pit]
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
def copy(boards: Any, row: int, to: int, pits: int) -> None:
    """Copy the board of one row to another, cell by cell: an assignment of whole rows takes long to compile."""
    for cell in range(2 * pits + 2):
        boards[to, cell] = boards[row, cell]


@kernel
def deep_score(boards: Any, row: int, pits: int, pit: int) -> int:
    """DeepScore's score_for: what a pit and the best extra turns after it gain. Overwrites the following rows."""
    if boards[row, pit] < 1:
        return FROM_AN_EMPTY_PIT
    # His best_move and score_for call each other; together they find the best of all chains of extra turns.
    base = row
    best = 0
    before = boards[row, pits]
    boards[base, NEXT] = pit
    while row >= base:
        pit = boards[row, NEXT]
        boards[row, NEXT] = pits if row == base else pit + 1
        if pit == pits:
            row -= 1
        elif boards[row, pit] > 0:
            after = row + 1
            copy(boards, row, after, pits)
            again = ends_in_store(boards[row], pits, pit)
            simulate(boards[after], pits, pit)
            best = max(best, boards[after, pits] - before)
            if again:
                boards[after, NEXT] = 0
                row = after
    return best


@kernel
def highest(frame: Any, pits: int) -> int:
    """The pit with the highest gain among those still to weigh."""
    best = 0
    most = NO_SCORE
    for pit in range(pits):
        if frame[UNWEIGHED] >> pit & 1 and frame[GAINS + pit] > most:
            best = pit
            most = frame[GAINS + pit]
    return best


@kernel
def quickest(board: Any, pits: int, among: int) -> int:
    """A pit of the set that ends in no extra turn, whose gain is found quickly, if there is one."""
    best = 0
    quick = False
    for pit in range(pits):
        if among >> pit & 1 and not quick:
            best = pit
            quick = not ends_in_store(board, pits, pit)
    return best


@kernel
def opponents_choice(boards: Any, row: int, pits: int, pit: int) -> int:
    """Fill TURNED of the level at a row with the board after a pit is sown; returns the set of pits with stones."""
    copy(boards, row + BOARD, row + SOWN, pits)
    simulate(boards[row + SOWN], pits, pit)
    filled = 0
    for cell in range(pits + 1):
        boards[row + TURNED, cell] = boards[row + SOWN, cell + pits + 1]
        boards[row + TURNED, cell + pits + 1] = boards[row + SOWN, cell]
        filled |= (boards[row + TURNED, cell] > 0 and cell < pits) << cell
    return filled


@kernel
def random_of(pits: int, among: int, luck: int) -> int:
    """His random_index: any pit of a set."""
    count = 0
    for pit in range(pits):
        count += among >> pit & 1
    nth = (luck >> 8) % count
    pick = 0
    for pit in range(pits):
        if among >> pit & 1:
            pick = pit if nth == 0 else pick
            nth -= 1
    return pick


@kernel
def weigh(boards: Any, row: int, frame: Any, pits: int, gain: int, pruned: bool) -> int:
    """Take the gain that was asked for. Return the best pit, or -1 and say in `frame` which gain to ask for next.

    A pit's score is its gain less the most that the opponent can then gain. Pits are weighed in falling order of gain,
    until no gain left can be enough; replies until one is too much.
    """
    if frame[SIDE] == BOARD:
        frame[GAINS + frame[ASKED]] = gain
        frame[ASKED] += 1
        if frame[ASKED] < pits:
            return -1
        frame[UNWEIGHED] = (1 << pits) - 1
    else:
        frame[WORST] = max(frame[WORST], gain)
        frame[REPLIES] &= ~(1 << frame[ASKED])
    while frame[SIDE] == BOARD or frame[REPLIES] == 0 or frame[WORST] > frame[ENOUGH]:
        if frame[SIDE] == TURNED:
            score = frame[GAINS + frame[PIT]] - frame[WORST]
            if score > frame[BEST]:
                frame[BEST] = score
                frame[EQUALS] = 0
            if score == frame[BEST]:
                frame[EQUALS] |= 1 << frame[PIT]
        pit = highest(frame, pits)
        frame[ENOUGH] = frame[GAINS + pit] - frame[BEST] if pruned else -NO_SCORE
        if frame[UNWEIGHED] == 0 or frame[ENOUGH] < 0:
            return random_of(pits, frame[EQUALS], frame[LUCK])
        frame[UNWEIGHED] &= ~(1 << pit)
        frame[REPLIES] = opponents_choice(boards, row, pits, pit)
        frame[SIDE] = TURNED
        frame[PIT] = pit
        frame[WORST] = 0
        frame[SIDE_LUCK] = branch(frame[LUCK], 1 + max(NUMBERED, int(pits)) + pit)
    frame[ASKED] = quickest(boards[row + TURNED], pits, frame[REPLIES])
    return -1


@kernel
def look_ahead(boards: Any, pits: int, luck: int, pruned: bool) -> int:
    """APessimistic's best_move: the pit that he plays on the board in row 0.

    His best_move asks score_for what each pit gains; score_for asks best_move on the next level after an extra turn.
    `levels` is the stack of all calls of best_move that wait for an answer.
    """
    levels = np.zeros((LEVELS, FRAME), np.int64)
    level = pit = 0
    fresh = begins = True
    while True:
        frame = levels[level]
        row = ROWS_OF_A_LEVEL * level
        sown = row + SOWN
        asked_of = row + frame[SIDE]
        if begins:
            frame[LUCK] = luck
            frame[SIDE_LUCK] = luck
            frame[SIDE] = BOARD
            frame[ASKED] = 0
            frame[BEST] = NO_SCORE
            frame[EQUALS] = 0
            asked_of = row
            begins = False
        if fresh:
            pit = frame[ASKED]
            frame[TURN_LUCK] = branch(frame[SIDE_LUCK], 1 + pit)
            copy(boards, asked_of, sown, pits)
        if fresh and boards[sown, pit] < 1:
            gain = FROM_AN_EMPTY_PIT
        elif level == LEVELS - 1:
            gain = deep_score(boards, sown, pits, pit)
        else:
            again = ends_in_store(boards[sown], pits, pit)
            simulate(boards[sown], pits, pit)
            if again:
                frame[TURN_LUCK] = luck = branch(frame[TURN_LUCK], 0)
                level = level + 1
                fresh = begins = True
                copy(boards, sown, ROWS_OF_A_LEVEL * level, pits)
                continue
            gain = boards[sown, pits] - boards[asked_of, pits]
        pick = weigh(boards, row, frame, pits, gain, pruned)
        fresh = pick < 0
        if not fresh:
            if level == 0:
                return pick
            level = level - 1
            pit = pick


@kernel
def laid_out(view: Any) -> Any:
    """Rows for the look-ahead, with the view's board in the first."""
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
    best = -1
    pick = moves[0]
    for i in range(n):
        for cell in range(MAX_CELLS):
            ring[cell] = view.board[cell]
        simulate(ring, view.pits, moves[i])
        gain = ring[view.pits] - view.board[view.pits]
        if gain > best:
            best = gain
            pick = moves[i]
    return pick


@kernel
def choose_deep_score(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
    """DeepScoreKalahPlayer: the pit that gains most with the extra turns after it, the leftmost of equals."""
    boards = laid_out(view)
    best = -1
    pick = moves[0]
    for i in range(n):
        gain = deep_score(boards, 0, view.pits, moves[i])
        if gain > best:
            best = gain
            pick = moves[i]
    return pick


def pessimist(pruned: bool) -> Kernel[..., int]:
    """His best player, with or without leaving out what cannot matter."""

    @kernel
    def choose(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
        """APessimisticKalahPlayer: the best gain less the most that a reply can gain; a random one of equals."""
        pit = look_ahead(laid_out(view), view.pits, view.luck, pruned)
        # On boards with more than a hundred stones his -100 may be the best: he would move from an empty pit.
        return pit if view.board[pit] > 0 else moves[0]

    return choose


choose_apessimistic = pessimist(pruned=True)
choose_unpruned = pessimist(pruned=False)

_RUBY_QUIZ = {
    "apessimistic": choose_apessimistic,
    "deep-score": choose_deep_score,
    "score": choose_score,
    "remove-high": choose_high,
    "leftmost": choose_leftmost,
}
PLAYERS: dict[str, Callable[[], Player]] = {
    "standard": lambda: RulePlayer(standard, standard.hand_tuned(), "standard"),
    **{name: partial(KernelPlayer, game, choose, name) for name, choose in _RUBY_QUIZ.items()},
}
