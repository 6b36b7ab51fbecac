"""A second, small rule set of Kalah, for searches: it looks at the board after the move, and no further.

Scoring a position takes about a microsecond, so a search can do it at every position at its horizon.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rulebots.game import View
from rulebots.games.kalah.facts import GLANCE, capture, find_facts, gone, last_cell
from rulebots.games.kalah.game import MAX_CELLS, MAX_PITS, game
from rulebots.games.kalah.sowing import sow
from rulebots.kernel import Kernel, kernel
from rulebots.rules import RuleSet, rule, rules_of
from rulebots.rules.scoring import scorer

FIVE = 5.0
#: Rows of `rings` that keep the board before the move, and the board after it.
BEFORE, AFTER = 1, 2

#: The facts, in addition to the view.
FIELDS = [
    *GLANCE,
    ("rings", np.int16, (3, MAX_CELLS)),  # the board after the pit is sown; rows BEFORE and AFTER
    ("filled", np.int32, (MAX_PITS,)),  # pits that hold stones
]


@kernel
def glance(view: View, pit: int) -> None:
    """Work out the facts of the position after a pit is sown, one pit at a time."""
    pits, ring = view.pits, view.rings[0]
    for cell in range(2 * pits + 2):
        ring[cell] = view.board[cell]
    last, view.stored, view.across, view.captured = sow(ring, pits, 0, pit, view.empty_capture)
    view.mine_after = view.mine - view.stored - view.across
    view.theirs_after = view.theirs + view.across - view.captured
    view.ends = (view.mine_after == 0) | (view.theirs_after == 0)
    view.again = (last == pits) & (view.ends == 0)
    view.won = view.stored + view.captured
    view.rest = view.ends * (view.mine_after - view.theirs_after)
    my_extra = their_extra = my_capture = their_capture = empty = far = right = 0
    for cell in range(pits):
        stones = ring[cell]
        my_extra += last_cell(ring, pits, 0, cell) == pits
        their_extra += last_cell(ring, pits, pits + 1, cell) == pits
        my_capture = max(my_capture, capture(ring, pits, 0, cell))
        their_capture = max(their_capture, capture(ring, pits, pits + 1, cell))
        empty += stones == 0
        far += stones > pits - cell
        right += stones * (cell + 1)
    view.my_extra, view.their_extra, view.my_capture, view.their_capture = (
        my_extra,
        their_extra,
        my_capture,
        their_capture,
    )
    view.empty, view.far, view.right = empty, far, right


# --- win: what the move brings; "then" is after it


@rule("win", early=1.0)
def stones_won(view: View, pit: int) -> float:
    """Stones that it brings into my store, in fives; if it ends the game, with the margin of the sweep."""
    return (view.won + view.rest) / FIVE


@rule("win", early=0.5)
def extra_turn(view: View, pit: int) -> bool:
    """Its last stone falls into my store, so that I move again."""
    return view.again != 0


@rule("win", early=0.1)
def next_extra_turns(view: View, pit: int) -> float:
    """How many of my pits would bring an extra turn then, in threes."""
    return view.my_extra / 3.0


@rule("win", early=0.3)
def next_capture(view: View, pit: int) -> float:
    """The most stones that one of my pits could capture then, in fives."""
    return view.my_capture / FIVE


# --- danger: what the opponent can do then


@rule("danger", early=-0.7)
def threatened(view: View, pit: int) -> float:
    """If it ends my turn: the most stones that one of the opponent's pits could capture then, in fives."""
    return (view.again == 0) * view.their_capture / FIVE


@rule("danger", early=-0.2)
def next_threat(view: View, pit: int) -> float:
    """If I move again: the most stones that one of the opponent's pits could capture after this move, in fives."""
    return view.again * view.their_capture / FIVE


@rule("danger", early=-0.3)
def opponents_extra_turns(view: View, pit: int) -> float:
    """How many of its pits would bring the opponent an extra turn then, in threes."""
    return view.their_extra / 3.0


# --- shape: how the stones lie then


@rule("shape", early=0.4)
def hoard(view: View, pit: int) -> float:
    """Stones in my pits less those in the opponent's, in tens; 0 if the game is over."""
    return (view.ends == 0) * (view.mine_after - view.theirs_after) / (2 * FIVE)


@rule("shape", early=0.1)
def to_the_right(view: View, pit: int) -> float:
    """How far to the right my stones lie: 1 if all lie beside my store."""
    return view.right / max(1, view.mine_after * view.pits)


@rule("shape")
def empty_pits(view: View, pit: int) -> float:
    """The share of my pits that are empty."""
    return view.empty / view.pits


@rule("shape")
def far_pits(view: View, pit: int) -> float:
    """The share of my pits with stones enough to reach the other side."""
    return view.far / view.pits


@rule("shape")
def from_the_right(view: View, pit: int) -> float:
    """How far to the right the pit that is sown lies: 1 beside my store."""
    return (pit + 1) / view.pits


# --- end: when stones become few


@rule("end", early=0.5)
def majority(view: View, pit: int) -> bool:
    """More than half of all stones are in my store then."""
    return 2 * (view.board[view.pits] + view.won) > view.total


@rule("end", early=0.5)
def ends_the_game(view: View, pit: int) -> float:
    """It ends the game: 1 if I win, -1 if I lose."""
    margin = view.lead + view.won + view.rest
    return view.ends * (1.0 * (margin > 0) - 1.0 * (margin < 0))


@kernel
def load(view: View, first: int, row: int) -> None:
    """Copy a row of `rings` to the view's board, seen from the side whose cells begin at `first`."""
    pits = view.pits
    for cell in range(pits + 1):
        view.board[cell] = view.rings[row, first + cell]
        view.board[pits + 1 + cell] = view.rings[row, pits + 1 - first + cell]


def one_ply_ahead(rules: RuleSet) -> Kernel[..., int]:
    """A kernel that picks the move whose position promises most, by the best score of the side that moves there.

    Weights bred in this way value positions, as a search needs it. An extra turn is played, not weighed.
    """
    score = scorer(rules)
    column = rules.columns["win.stones_won"]

    @kernel
    def choose(view: View, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
        pits = view.pits
        for cell in range(2 * pits + 2):
            view.rings[BEFORE, cell] = view.board[cell]
        best, chosen = -np.inf, moves[0]
        for i in range(n):
            load(view, 0, BEFORE)
            find_facts(view)
            glance(view, moves[i])
            value, again, ends = float(view.won + view.rest), view.again, view.ends
            if not ends:
                for cell in range(2 * pits + 2):
                    view.rings[AFTER, cell] = view.rings[0, cell]
                load(view, 0 if again else pits + 1, AFTER)
                open_pits = 0
                for pit in range(pits):
                    view.filled[open_pits] = pit
                    open_pits += view.board[pit] > 0
                score(view, view.filled, open_pits, weights, blended, scores)
                promised = -np.inf
                for k in range(open_pits):
                    promised = max(promised, scores[k])
                per_stone = blended[column] / FIVE
                if per_stone > 0.0:
                    value += promised / per_stone if again else -promised / per_stone
            if value > best:
                best, chosen = value, moves[i]
        load(view, 0, BEFORE)
        return chosen

    return choose


swift = RuleSet(
    "swift",
    game,
    tuple(rules_of(globals())),
    fields=FIELDS,
    progress=gone,
    facts=find_facts,
    consider=glance,
    decide=one_ply_ahead,
    point=("win.stones_won", 1 / FIVE),
    meaning="what a move wins and how the board lies after it, at a glance: for searches",
)
