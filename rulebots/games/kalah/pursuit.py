"""The solver's search: can the mover win so much? Alpha-beta with a window of no width, to the end of the game.

Before a child is searched, everything that is known of all of them is asked for a cut-off (enhanced
transposition cut-offs; Schaeffer and Plaat, New Advances in Alpha-Beta Searching, ACM Conference on
Computer Science 1996). As all stones are won by somebody, a value is as even as the stones on the board.
"""

from __future__ import annotations

from typing import Any

from rulebots.games.kalah.endgame import rank_of
from rulebots.games.kalah.packed import GAIN, OTHER, OVER, OWN, SAME, WORD, crowded, make
from rulebots.kernel import kernel

#: Further columns of a child: the pit, and its place in the order.
PIT, SCORE = 6, 7
CHILD = 8
#: Columns of `frames`: children that wait, the next of them, the value asked for, the best value (or bound) so
#: far, the pit it comes from, and how many nodes there were before.
COUNT, NEXT, BETA, BEST, BEST_PIT, BEFORE = range(6)
FRAME = 6
#: Elements of `control`; the search is done, or cannot go on because a pit is too full for its bits.
PLY, DONE, NODES, CROWDED = range(4)
_MASK = 0x7FFFFFFFFFFFFFFF
_LEAST = -1000


@kernel
def slot_of(table: Any, word: int) -> int:
    """The first row of a position's bucket."""
    mixed = (int(word) * 0x1E3779B97F4A7C15) & _MASK
    mixed = ((mixed ^ (mixed >> 32)) * 0x3F58476D1CE4E5B9) & _MASK
    return ((mixed >> 20) << 1) & (table.shape[0] - 1)


@kernel
def known_of(table: Any, word: int) -> int:
    """What is known of a position: work << 20 | pit << 16 | (lower + 128) << 8 | upper + 128; 0 for nothing."""
    slot = slot_of(table, word)
    if table[slot, 0] == word:
        return table[slot, 1]
    if table[slot + 1, 0] == word:
        return table[slot + 1, 1]
    return 0


@kernel
def remember(table: Any, word: int, known: int) -> None:
    """Keep it: in the row of the most work, else in the row of the latest."""
    slot = slot_of(table, word)
    if table[slot, 0] != word and table[slot, 1] >> 20 > known >> 20:
        slot += 1
    elif table[slot, 0] != word:
        table[slot + 1, 0], table[slot + 1, 1] = table[slot, 0], table[slot, 1]
    table[slot, 0], table[slot, 1] = word, known


@kernel
def expand(
    here: Any,
    frame: Any,
    children: Any,
    table: Any,
    values: Any,
    binomials: Any,
    sown: Any,
    pits: int,
    few: int,
    empty_capture: int,
) -> int:
    """Make all moves of position `here`; those that what is known does not answer wait as children, in order."""
    word, own, other, beta = here[WORD], here[OWN], here[OTHER], frame[BETA]
    bits = 60 // (2 * pits)
    most = (1 << bits) - 1
    best, n, made = _LEAST, 0, 0
    frame[BEST_PIT] = 0
    first = (known_of(table, word) >> 16) & 15
    for i in range(pits):
        pit = pits - 1 - i
        if (word >> bits * pit) & most == 0:
            continue
        child = children[n]
        make(word, pit, own, other, pits, empty_capture, sown, child)
        made += 1
        gain, stones, same = child[GAIN], child[OWN] + child[OTHER], child[SAME]
        score = 4 * gain + 60 * same
        if child[OVER]:
            low = high = gain
        elif stones <= few:
            later = values[rank_of(child[WORD], bits, binomials)]
            low = high = gain + (later if same else -later)
        else:
            known = known_of(table, child[WORD])
            lower, upper = -stones, stones
            if known:
                lower, upper = ((known >> 8) & 255) - 128, (known & 255) - 128
                score += 2 * (lower + upper) if same else -2 * (lower + upper)
            low, high = (gain + lower, gain + upper) if same else (gain - upper, gain - lower)
        if low >= beta:
            frame[BEST], frame[BEST_PIT], frame[COUNT], frame[NEXT] = low, pit, 0, 0
            return made
        if high < beta:
            best = max(best, high)
            continue
        child[PIT] = pit
        child[SCORE] = score + (1000 if pit == first else 0)
        j = n
        while j > 0 and children[j - 1, SCORE] < children[j, SCORE]:
            for c in range(8):
                children[j - 1, c], children[j, c] = children[j, c], children[j - 1, c]
            j -= 1
        n += 1
    frame[BEST], frame[COUNT], frame[NEXT] = best, n, 0
    return made


@kernel
def pursue(
    here: Any,
    frames: Any,
    children: Any,
    control: Any,
    table: Any,
    values: Any,
    binomials: Any,
    sown: Any,
    pits: int,
    few: int,
    empty_capture: int,
    budget: int,
) -> None:
    """Search on until done, or so many nodes more: is the value of here[0], int64[plies, 8], at least frames[0, BETA]?

    If so, frames[0, BEST] is a lower bound of the value, else an upper one. A node is a move made.
    """
    ply, nodes = control[PLY], control[NODES]
    end, most = nodes + budget, (1 << 60 // (2 * pits)) - 1
    while nodes < end:
        frame = frames[ply]
        if frame[COUNT] < 0:
            if here[ply, OWN] + here[ply, OTHER] > most and crowded(here[ply, WORD], pits):
                control[DONE] = control[CROWDED] = 1
                break
            frame[BEFORE] = nodes
            nodes += expand(here[ply], frame, children[ply], table, values, binomials, sown, pits, few, empty_capture)
        best, beta = frame[BEST], frame[BETA]
        if best < beta and frame[NEXT] < frame[COUNT]:
            child = children[ply, frame[NEXT]]
            ply += 1
            for c in range(8):
                here[ply, c] = child[c]
            wanted = beta - child[GAIN] if child[SAME] else child[GAIN] - beta + 1
            wanted += (wanted + child[OWN] + child[OTHER]) & 1
            frames[ply, BETA] = wanted
            frames[ply, COUNT] = -1
            continue
        word, stones = here[ply, WORD], here[ply, OWN] + here[ply, OTHER]
        lower, upper = -stones, stones
        known = known_of(table, word)
        if known:
            lower, upper = ((known >> 8) & 255) - 128, (known & 255) - 128
        if best >= beta:
            lower = max(lower, best)
        else:
            upper = min(upper, best)
        work = min((known >> 20) + nodes - frame[BEFORE] + 1, 1 << 40)
        remember(table, word, (work << 20) | (frame[BEST_PIT] << 16) | ((lower + 128) << 8) | (upper + 128))
        if ply == 0:
            control[DONE] = 1
            break
        gain, same = here[ply, GAIN], here[ply, SAME]
        pit = here[ply, PIT]
        ply -= 1
        value = gain + (best if same else -best)
        if value > frames[ply, BEST]:
            frames[ply, BEST], frames[ply, BEST_PIT] = value, pit
        frames[ply, NEXT] += 1
    control[PLY], control[NODES] = ply, nodes
