"""The facts of the standard rules of Kalah: of the position, and of what a pit makes of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from rulebots.game import View
from rulebots.games.kalah.game import MAX_CELLS
from rulebots.games.kalah.sowing import ABROAD, COLUMNS, ROWS, best_turns, sow, stones_of
from rulebots.kernel import kernel

#: Turns that the standard rules look ahead, including the one that a pit begins.
TURNS_AHEAD = 4

#: The facts, in addition to the view.
FIELDS = [
    ("mine", np.int32),  # stones in my pits
    ("theirs", np.int32),
    ("lead", np.int32),  # stones in my store less those in the opponent's
    ("total", np.int32),  # stones in the game
    ("threat", np.int32),  # the most that the opponent could capture if it were to move
    # After the pit is sown:
    ("across", np.int32),  # my stones that went to the other side
    ("captured", np.int32),  # stones of the opponent's
    ("won", np.int32),  # all stones that came into my store
    ("again", np.int32),  # I move again
    ("ends", np.int32),  # the game is over
    ("rest", np.int32),  # if so: what is swept to me less what is swept to the opponent
    ("mine_after", np.int32),
    ("theirs_after", np.int32),
    ("my_extra", np.int32),  # my pits that would bring an extra turn
    ("their_extra", np.int32),
    ("my_capture", np.int32),  # the most stones that one of my pits could capture
    ("their_capture", np.int32),
    ("empty", np.int32),  # my empty pits
    ("right", np.int32),  # how far to the right my stones lie: the sum of their pits' numbers, from 1
    ("far", np.int32),  # my pits with enough stones to reach the other side
    ("ahead", np.int32, (TURNS_AHEAD,)),  # my margin after 1, 2.. turns of best play, the first begun by the pit
    ("exposed", np.int32),  # the sum of what each of the opponent's pits could capture
    ("moves_left", np.int32),  # moves that stay on my side, roughly
    ("largest", np.int32),  # stones in my fullest pit
    ("rings", np.int16, (ROWS, MAX_CELLS)),  # workspace of the search for best turns (see sowing.py)
    ("plan", np.int32, (ROWS, COLUMNS)),
]


@kernel
def last_cell(ring: Any, pits: int, first: int, pit: int) -> int:
    """Where a pit's last stone would fall: 0..pits - 1 on its own side, pits for its store, or ABROAD."""
    stones = ring[first + pit]
    if stones == 0:
        return ABROAD
    at = pit + stones
    lap = 2 * pits + 1
    while at >= lap:
        at -= lap
    return at if at <= pits else ABROAD


@kernel
def capture(ring: Any, pits: int, first: int, pit: int) -> int:
    """The number of the other side's stones that a pit would capture."""
    at = last_cell(ring, pits, first, pit)
    stones = ring[first + pit]
    lap = 2 * pits + 1
    if at < 0 or at == pits or stones > lap or (ring[first + at] > 0 and stones < lap):
        return 0
    passed = stones > pits - pit  # one of its stones fell into the opposite pit
    return ring[2 * pits - first - at] + passed


@kernel
def find_facts(view: View) -> None:
    """Facts of the position before the move."""
    pits = view.pits
    view.mine = stones_of(view.board, pits, 0)
    view.theirs = stones_of(view.board, pits, pits + 1)
    view.lead = view.board[pits] - view.board[2 * pits + 1]
    view.total = view.mine + view.theirs + view.board[pits] + view.board[2 * pits + 1]
    view.threat = 0
    for pit in range(pits):
        view.threat = max(view.threat, capture(view.board, pits, pits + 1, pit))


@kernel
def look_at(view: View, pit: int) -> None:
    """Facts of the position after a pit is sown."""
    pits = view.pits
    alone = view.empty_capture
    ring = view.rings[0]
    for cell in range(2 * pits + 2):
        ring[cell] = view.board[cell]
    last, stored, view.across, view.captured = sow(ring, pits, 0, pit, alone)
    view.mine_after = stones_of(ring, pits, 0)
    view.theirs_after = stones_of(ring, pits, pits + 1)
    view.ends = (view.mine_after == 0) | (view.theirs_after == 0)
    view.again = (last == pits) & (view.ends == 0)
    view.won = stored + view.captured
    view.rest = view.ends * (view.mine_after - view.theirs_after)
    find_shape(view)
    # Once the game is over no turn adds anything. Else the first turn is the rest of mine, or the opponent's.
    mine = 1 if view.again else 0
    margin = view.won + view.rest
    for turn in range(TURNS_AHEAD):
        view.ahead[turn] = margin
        if turn + mine > 0 and not view.ends:
            first = 0 if view.again else pits + 1
            brought = best_turns(view.rings, view.plan, pits, first, alone, turn + mine)
            view.ahead[turn] += brought if view.again else -brought


@kernel
def find_shape(view: View) -> None:
    """Fill the facts of the board after the move, one pit at a time."""
    pits = view.pits
    ring = view.rings[0]
    view.my_extra = view.their_extra = view.my_capture = view.their_capture = 0
    view.exposed = view.empty = view.right = view.far = view.moves_left = view.largest = 0
    for pit in range(pits):
        stones = ring[pit]
        view.my_extra += last_cell(ring, pits, 0, pit) == pits
        view.their_extra += last_cell(ring, pits, pits + 1, pit) == pits
        view.my_capture = max(view.my_capture, capture(ring, pits, 0, pit))
        taken = capture(ring, pits, pits + 1, pit)
        view.their_capture = max(view.their_capture, taken)
        view.exposed += taken
        view.empty += stones == 0
        view.right += stones * (pit + 1)
        view.far += stones > pits - pit  # its stones would reach the other side
        view.moves_left += (stones > 0) * (pits - pit) * (stones <= pits - pit)
        view.largest = max(view.largest, stones)


@kernel
def gone(view: View) -> float:
    """The share of the stones that are in the stores."""
    return 1.0 - (view.mine + view.theirs) / view.total
