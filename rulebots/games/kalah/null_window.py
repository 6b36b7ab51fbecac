"""The solver's search: can the mover win at least this much? Alpha-beta with a null window, to the end of the game.

Before a child is searched, all children are probed in the transposition table for a cut-off (enhanced transposition
cut-offs; Schaeffer and Plaat, New Advances in Alpha-Beta Searching, ACM Conference on Computer Science 1996). Because
all stones are won by one side or the other, a value has the parity of the stones on the board.
"""

from __future__ import annotations

from typing import Any

from rulebots.games.kalah.endgame import GAIN, OTHER, OVER, OWN, SAME, WORD, crowded, make, rank_of
from rulebots.kernel import kernel

#: Further columns of a child: the pit, and the score by which children are ordered.
PIT, SCORE = 6, 7
CHILD = 8
#: Columns of `frames`: the number of children to search, the next of them, beta, the best value (or bound) so far, the
#: pit that it comes from, and the number of nodes before.
COUNT, NEXT, BETA, BEST, BEST_PIT, BEFORE = range(6)
FRAME = 6
#: Elements of `control`: the ply, whether the search is done, its nodes, and whether a pit got too full for its bits.
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
def probe(table: Any, word: int) -> int:
    """The entry of a position: work << 20 | pit << 16 | (lower bound + 128) << 8 | upper bound + 128; 0 for none."""
    slot = slot_of(table, word)
    if table[slot, 0] == word:
        return table[slot, 1]
    if table[slot + 1, 0] == word:
        return table[slot + 1, 1]
    return 0


@kernel
def store(table: Any, word: int, known: int) -> None:
    """Store an entry: in its bucket's row for the most work, else in the row for the latest."""
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
    """Make all moves of the position `here`; children that the table does not answer wait in `children`, best first.

    Returns the number of moves made. A child is int64[CHILD]; `frame` is int64[FRAME].
    """
    word, own, other, beta = here[WORD], here[OWN], here[OTHER], frame[BETA]
    bits = 60 // (2 * pits)
    most = (1 << bits) - 1
    best, n, made = _LEAST, 0, 0
    frame[BEST_PIT] = 0
    first = (probe(table, word) >> 16) & 15
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
            known = probe(table, child[WORD])
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
def search_null_window(
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
    """Search until done, or for `budget` more nodes: is the value of here[0], int64[plies, 8], at least its beta?

    Beta is frames[0, BETA]. If so, frames[0, BEST] is a lower bound of the value, else an upper bound. Nodes are moves.
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
        known = probe(table, word)
        if known:
            lower, upper = ((known >> 8) & 255) - 128, (known & 255) - 128
        if best >= beta:
            lower = max(lower, best)
        else:
            upper = min(upper, best)
        work = min((known >> 20) + nodes - frame[BEFORE] + 1, 1 << 40)
        store(table, word, (work << 20) | (frame[BEST_PIT] << 16) | ((lower + 128) << 8) | (upper + 128))
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
