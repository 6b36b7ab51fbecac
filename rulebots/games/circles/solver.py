"""Exact play of circle elimination: who wins, for every position of a board of up to seven rows, one bit per position.

Positions are numbered by their stones, one bit per cell, so a move always leads to a smaller number, and one pass
upwards solves them all. The 64 positions that differ only in the six cells of the first three rows form one word: a
line takes the same stones from all of them at once, by a shift.
"""

import functools
from typing import Any

import numpy as np

from rulebots.errors import demand
from rulebots.game.position import Position
from rulebots.games.circles.game import FIRST, MASK, WITHIN, game
from rulebots.kernel import kernel, runnable
from rulebots.search.exact.solving import Solution, solve_by_search, solve_by_table

#: 28 stones, 32 MB; one row more would be 8 GB.
MOST_ROWS = 7
#: Cells within a word, and positions in it.
LOW = 6
POSITIONS = 1 << LOW


def _word(positions: list[int]) -> int:
    """A word with these bits, as the int64 that it is kept in."""
    bits = sum(1 << position for position in positions)
    return bits - (1 << POSITIONS) if bits >> (POSITIONS - 1) else bits


#: int64[64]: the positions of a word that have all of these low stones.
HAVING = np.array([_word([p for p in range(POSITIONS) if p & low == low]) for low in range(POSITIONS)], np.int64)
#: int64[7]: the positions of a word with that many low stones.
WITH = np.array([_word([p for p in range(POSITIONS) if p.bit_count() == n]) for n in range(LOW + 1)], np.int64)


@kernel
def tabulate(won: Any, across: Any, within: Any, last_wins: int) -> None:
    """Fill `won`, int64[words]: bit p of word h says whether the mover wins position 64 * h + p.

    `across` are the lines with cells beyond the first three rows, `within` the others: int64[lines], one bit per cell.
    """
    for high in range(won.shape[0]):
        word = 1 if high == 0 and not last_wins else 0
        for i in range(across.shape[0]):
            taken, low = across[i] >> LOW, across[i] & (POSITIONS - 1)
            if high & taken == taken:
                word |= (~won[high ^ taken] << low) & HAVING[low]
        # A line within the word leads to fewer low stones, which are solved before.
        for stones in range(1, LOW + 1):
            lost = ~word
            for i in range(within.shape[0]):
                word |= (lost << within[i]) & HAVING[within[i]] & WITH[stones]
        won[high] = word


class CirclesTablebase:
    """All positions of one board, numbered by their stones.

    Raises:
        UsageError: more than seven rows.
    """

    def __init__(self, rows: int, eliminate: int, last_wins: int) -> None:
        demand(
            rows <= MOST_ROWS,
            f"perfect play at Circles needs a table of all positions, which ends at size {MOST_ROWS}, not {rows}",
        )
        self.board = rows, eliminate, last_wins
        self.cells = rows * (rows + 1) // 2
        lengths = range(1, min(eliminate, rows) + 1)
        lines = np.concatenate([MASK[FIRST[n] : FIRST[n] + WITHIN[n, rows], 0] for n in lengths])
        across, within = lines[lines >= POSITIONS], lines[lines < POSITIONS]
        self.won = np.zeros(max(1, 1 << self.cells >> LOW), np.int64)
        runnable(tabulate, self.won, across, within, last_wins)(self.won, across, within, last_wins)

    @property
    def positions(self) -> int:
        """The number of positions in which there is a move."""
        return (1 << self.cells) - 1

    @functools.cached_property
    def winning(self) -> int:
        """The number of them that the mover wins."""
        won = self.won if self.cells >= LOW else self.won & (1 << (1 << self.cells)) - 1
        return int(np.bitwise_count(won.view(np.uint64)).sum()) - (int(self.won[0]) & 1)  # without the empty board

    def position(self, number: int) -> Position:
        """A new position, by its number from 0; it is seat 0's turn."""
        state = game.new_state()
        state.rows, state.eliminate, state.last_wins = self.board
        state.stones[0] = number + 1
        return Position.of(game, state, compiled=True)

    def value(self, position: Position) -> int:
        """1 where the mover of a position of this board wins, -1 where it loses."""
        stones = int(position.state.stones[0])
        return 1 if int(self.won[stones >> LOW]) >> (stones & POSITIONS - 1) & 1 else -1


@functools.cache
def _tablebase(rows: int, eliminate: int, last_wins: int) -> CirclesTablebase:
    return CirclesTablebase(rows, eliminate, last_wins)


def tablebase_of(position: Position) -> CirclesTablebase:
    """The tablebase of the board that a position is on. Raises UsageError when the board is too large."""
    state = position.state
    return _tablebase(int(state.rows), min(int(state.eliminate), int(state.rows)), int(state.last_wins))


def solve(options: Any) -> Solution:
    """From the tablebase; a board that is too large for one is searched, which may take very long."""
    chosen = {name: int(options[name]) for name in game.options}
    if chosen["size"] > MOST_ROWS:
        return solve_by_search(game, chosen)
    return solve_by_table(Position(game, chosen, compiled=True))
