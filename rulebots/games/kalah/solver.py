"""Exact values of Kalah: the margin of the first player on each size, and a line of best play.

After Irving, Donkers and Uiterwijk, Solving Kalah, ICGA Journal 23(3), 2000: MTD(f) (Plaat, Schaeffer, Pijls and
de Bruin, Artificial Intelligence 87, 1996), which finds a value by null windows alone. Their table of endgames is
left out: it took half of the memory and saved little time.

A null window asks: can the mover win at least this much? It is alpha-beta to the end of the game. Before a child is
searched, all children are probed in the transposition table for a cut-off (enhanced transposition cut-offs; Schaeffer
and Plaat, New Advances in Alpha-Beta Searching, ACM Conference on Computer Science 1996). Because all stones are won by
one side or the other, a value has the parity of the stones on the board.

A position is one word: the pits of both sides as bit fields in 60 bits, the mover's first, without the stores. Stones
that are won already do not change what is best, so they are left out: a position's value is what the mover will still
win in excess of the opponent. A move is then an addition: `sowing(pits)` holds what each pit with each number of stones
adds. Tests compare this with the law in game.py.
"""

import time
from typing import Any, NamedTuple

import numpy as np

from rulebots.game import Ints
from rulebots.game.position import Position
from rulebots.games.kalah.game import game
from rulebots.kernel import kernel
from rulebots.search.exact.solving import Solution, SolvingProgress, Watch, refuse_hopeless, solve_position

WORD_BITS = 60
#: The most stones in a pit that `sowing` covers.
MOST_STONES = 127
#: Columns of `sowing`: what is added to the word, stones that come into the store, stones that go to the other side,
#: and the slot of the last stone on the ring of one's pits, store and the other pits.
ADDED, STORED, ACROSS, LAST = range(4)
#: Columns of the position after a move, which `make` writes: the word from its mover's side, what the move wins,
#: whether the same side moves again, stones on its mover's and on the other side, and whether the game is over.
WORD, GAIN, SAME, OWN, OTHER, OVER = range(6)
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


def bits_of(pits: int) -> int:
    """Bits per pit: 5 for six pits a side."""
    return WORD_BITS // (2 * pits)


def sowing(pits: int) -> Ints:
    """int64[pits, MOST_STONES + 1, 4]: what sowing a pit does, before captures."""
    bits, ring = bits_of(pits), 2 * pits + 1
    table = np.zeros((pits, MOST_STONES + 1, 4), np.int64)
    for pit in range(pits):
        added = stored = across = 0
        for stones in range(1, MOST_STONES + 1):
            slot = (pit + stones) % ring
            if slot == pits:
                stored += 1
            else:
                added += 1 << bits * (slot - (slot > pits))
                across += slot > pits
            # Sums that overflow are never used: no pit holds that many stones.
            table[pit, stones] = added & 0x7FFFFFFFFFFFFFFF, stored, across, slot
    return table


@kernel
def make(word: int, pit: int, own: int, other: int, pits: int, empty_capture: int, sown: Any, child: Any) -> None:
    """Write the position after a move into child, int64[6]; `own` and `other` are the stones on either side."""
    bits = 60 // (2 * pits)
    most, half = (1 << bits) - 1, bits * pits
    stones = (word >> bits * pit) & most
    stored, across, last = sown[pit, stones, STORED], sown[pit, stones, ACROSS], sown[pit, stones, LAST]
    word = word - (stones << bits * pit) + sown[pit, stones, ADDED]
    gain = stored
    own -= stored + across
    other += across
    if last < pits and (word >> bits * last) & most == 1:
        opposite = 2 * pits - 1 - last
        captured = (word >> bits * opposite) & most
        if captured > 0 or empty_capture:
            word -= (1 << bits * last) + (captured << bits * opposite)
            gain += captured + 1
            own -= 1
            other -= captured
    same = last == pits
    child[GAIN], child[SAME], child[OVER] = gain, same, 0
    if own == 0 or other == 0:
        child[WORD], child[GAIN], child[OWN], child[OTHER], child[OVER] = 0, gain + own - other, 0, 0, 1
    elif same:
        child[WORD], child[OWN], child[OTHER] = word, own, other
    else:
        child[WORD] = (word >> half) | ((word & ((1 << half) - 1)) << half)
        child[OWN], child[OTHER] = other, own


@kernel
def crowded(word: int, pits: int) -> bool:
    """Whether a pit may hold more stones after the next move than its bits can count."""
    bits = 60 // (2 * pits)
    most, fullest = (1 << bits) - 1, 0
    for c in range(2 * pits):
        fullest = max(fullest, (word >> bits * c) & most)
    return fullest + fullest // (2 * pits + 1) + 1 > most


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
def store(table: Any, word: int, entry: int) -> None:
    """Store an entry: in its bucket's row for the most work, else in the row for the latest."""
    slot = slot_of(table, word)
    if table[slot, 0] != word and table[slot, 1] >> 20 > entry >> 20:
        slot += 1
    elif table[slot, 0] != word:
        table[slot + 1] = table[slot]
    table[slot, 0] = word
    table[slot, 1] = entry


class Size(NamedTuple):
    """What a search of one size reads, and the transposition table that it fills."""

    pits: int
    empty_capture: int
    #: See `sowing`.
    sown: Ints
    #: int64[rows, 2]: words and entries, see `probe`.
    table: Ints


@kernel
def expand(here: Any, frame: Any, children: Any, size: Any) -> int:
    """Make all moves of the position `here`; children that the table does not answer wait in `children`, best first.

    Returns the number of moves made. A position is int64[CHILD]; `frame` is int64[FRAME]; `size` is a `Size`.
    """
    word = here[WORD]
    beta = frame[BETA]
    bits = 60 // (2 * size.pits)
    most = (1 << bits) - 1
    best = _LEAST
    waiting = moves = 0
    frame[BEST_PIT] = frame[COUNT] = frame[NEXT] = 0
    first = (probe(size.table, word) >> 16) & 15
    for i in range(size.pits):
        pit = size.pits - 1 - i
        if (word >> bits * pit) & most == 0:
            continue
        child = children[waiting]
        make(word, pit, here[OWN], here[OTHER], size.pits, size.empty_capture, size.sown, child)
        moves += 1
        stones = child[OWN] + child[OTHER]
        lower = -stones
        upper = stones
        score = 4 * child[GAIN] + 60 * child[SAME] + 1000 * (pit == first)
        if not child[OVER]:
            entry = probe(size.table, child[WORD])
            if entry:
                lower = ((entry >> 8) & 255) - 128
                upper = (entry & 255) - 128
                score += 2 * (lower + upper) if child[SAME] else -2 * (lower + upper)
        low = child[GAIN] + (lower if child[SAME] else -upper)
        high = child[GAIN] + (upper if child[SAME] else -lower)
        if low >= beta:
            frame[BEST] = low
            frame[BEST_PIT] = pit
            return moves
        if high < beta:
            best = max(best, high)
            continue
        child[PIT] = pit
        child[SCORE] = score
        j = waiting
        while j > 0 and children[j - 1, SCORE] < children[j, SCORE]:
            for c in range(CHILD):
                children[j - 1, c], children[j, c] = children[j, c], children[j - 1, c]
            j -= 1
        waiting += 1
    frame[BEST] = best
    frame[COUNT] = waiting
    return moves


@kernel
def search_null_window(children: Any, frames: Any, control: Any, size: Any, budget: int) -> None:
    """Search until done, or for `budget` more nodes: is the value of children[0, 0] at least its beta?

    Beta is frames[1, BETA]. If so, frames[1, BEST] is a lower bound of the value, else an upper bound. Nodes are moves.
    `children` is int64[plies, pits, CHILD]: the position at a ply is the child that the ply before it looks at.
    """
    ply = control[PLY]
    nodes = control[NODES]
    end = nodes + budget
    most = (1 << 60 // (2 * size.pits)) - 1
    while nodes < end:
        frame = frames[ply]
        here = children[ply - 1, frames[ply - 1, NEXT]]
        stones = here[OWN] + here[OTHER]
        if frame[COUNT] < 0:
            if stones > most and crowded(here[WORD], size.pits):
                control[DONE] = control[CROWDED] = 1
                break
            frame[BEFORE] = nodes
            nodes += expand(here, frame, children[ply], size)
        best = frame[BEST]
        beta = frame[BETA]
        if best < beta and frame[NEXT] < frame[COUNT]:
            child = children[ply, frame[NEXT]]
            ply += 1
            target = beta - child[GAIN] if child[SAME] else child[GAIN] - beta + 1
            frames[ply, BETA] = target + ((target + child[OWN] + child[OTHER]) & 1)
            frames[ply, COUNT] = -1
            continue
        lower = -stones
        upper = stones
        entry = probe(size.table, here[WORD])
        if entry:
            lower = ((entry >> 8) & 255) - 128
            upper = (entry & 255) - 128
        if best >= beta:
            lower = max(lower, best)
        else:
            upper = min(upper, best)
        work = min((entry >> 20) + nodes - frame[BEFORE] + 1, 1 << 40)
        entry = (work << 20) | (frame[BEST_PIT] << 16) | ((lower + 128) << 8) | (upper + 128)
        store(size.table, here[WORD], entry)
        if ply == 1:
            control[DONE] = 1
            break
        ply -= 1
        value = here[GAIN] + (best if here[SAME] else -best)
        if value > frames[ply, BEST]:
            frames[ply, BEST] = value
            frames[ply, BEST_PIT] = here[PIT]
        frames[ply, NEXT] += 1
    control[PLY] = ply
    control[NODES] = nodes


#: More moves than any game has: see PLY_CAP.
PLIES = 1000
#: Nodes between two checks for Ctrl-C.
SLICE = 1 << 22
#: Rows of the transposition table, 16 bytes each: 2 GB.
MOST_ROWS = 1 << 27
#: With at most this many stones on the board every size is tried: six pits with four stones take minutes.
SURE = 48


class Crowded(Exception):
    """A pit holds more stones than its bits can count."""


class Solver:
    """Values of positions of one size; what was found is kept in tables.

    A position is its word, and the stones on its mover's and on the other side (see above).

    Raises:
        Crowded: a pit gets too full.
    """

    def __init__(self, pits: int, stones: int, empty_capture: int, watch: Watch | None = None) -> None:
        self.bits = bits_of(pits)
        total = 2 * pits * stones
        table = np.zeros((min(MOST_ROWS, 1 << max(10, 3 * total // 4)), 2), np.int64)
        self.size = Size(pits, empty_capture, sowing(pits), table)
        self.control = np.zeros(4, np.int64)
        self.frames = np.zeros((PLIES, FRAME), np.int64)
        self.children = np.zeros((PLIES, pits, CHILD), np.int64)
        self.began = time.perf_counter()
        self.bounds = (-total, total)
        self.watch = watch

    @property
    def nodes(self) -> int:
        """The number of moves made so far."""
        return int(self.control[NODES])

    def bound(self, word: int, own: int, other: int, beta: int) -> int:
        """A lower bound of the position's value if it is at least beta, else an upper bound less than beta."""
        self.children[0, 0, [WORD, OWN, OTHER]] = word, own, other
        self.frames[1, [BETA, COUNT]] = beta + (beta + own + other) % 2, -1
        self.control[[PLY, DONE]] = 1, 0
        while not self.control[DONE]:
            search_null_window.compiled(self.children, self.frames, self.control, self.size, SLICE)
            if self.watch is not None:
                self.watch(SolvingProgress(self.nodes, time.perf_counter() - self.began, bounds=self.bounds))
        if self.control[CROWDED]:
            raise Crowded
        return int(self.frames[1, BEST])

    def value(self, word: int, own: int, other: int, guess: int = 0) -> int:
        """The exact value of a position, from the mover's side."""
        low, high = -own - other, own + other
        while low < high:
            self.bounds = low, high
            beta = max(guess, low + 1)
            guess = self.bound(word, own, other, beta)
            if guess >= beta:
                low = guess
            else:
                high = guess
        self.bounds = low, low
        return low

    def line(self, word: int, own: int, other: int, value: int) -> list[int]:
        """Best moves from a position of that value to the end of the game."""
        moves: list[int] = []
        child = np.zeros(CHILD, np.int64)
        while not child[OVER]:
            for pit in range(self.size.pits):
                if word >> self.bits * pit & (1 << self.bits) - 1:
                    make(word, pit, own, other, self.size.pits, self.size.empty_capture, self.size.sown, child)
                    if self._keeps(child, value):
                        break
            moves.append(pit)
            value = (value - int(child[GAIN])) * (1 if child[SAME] else -1)
            word, own, other = child[[WORD, OWN, OTHER]].tolist()
        return moves

    def _keeps(self, child: Any, value: int) -> bool:
        """Whether the move to that child reaches the value, which no move exceeds."""
        rest = value - int(child[GAIN])
        if child[OVER]:
            return rest == 0
        word, own, other = child[[WORD, OWN, OTHER]].tolist()
        if child[SAME]:
            return self.bound(word, own, other, rest) >= rest
        return self.bound(word, own, other, 1 - rest) <= -rest


def first_position(pits: int, stones: int) -> tuple[int, int, int]:
    """The first position of a size: its word, and the stones of either side."""
    return sum(stones << bits_of(pits) * cell for cell in range(2 * pits)), pits * stones, pits * stones


def check_size(pits: int, stones: int, empty_capture: int) -> None:
    """Raise UsageError, with an estimate, for a size that is not solved in anybody's time.

    The moves that a solution takes grow by a factor with each stone in the pits; it is that from one stone to two.

    Raises:
        Crowded: a pit gets too full even so.
    """
    moves: list[int] = []
    for few in (1, 2):
        solver = Solver(pits, few, empty_capture)
        began = time.perf_counter()
        solver.value(*first_position(pits, few))
        seconds = time.perf_counter() - began
        moves.append(max(int(solver.control[NODES]), 1))
    expected = moves[1] * (moves[1] / moves[0]) ** (stones - 2)
    refuse_hopeless(expected, moves[1] / max(seconds, 1e-6), game.title)


def solve(options: Any, watch: Watch | None = None, *, anyway: bool = True) -> Solution:
    """The value of the first position with these options; by the general search if pits get too full.

    `watch` is told now and then how far it has come. The seconds do not include compiling.

    Raises:
        UsageError: a hopeless size, unless `anyway`.
    """
    pits, stones, empty_capture = (int(options[name]) for name in ("pits", "stones", "empty_capture"))
    word, own, other = first_position(pits, stones)
    try:
        Solver(1, 1, 1).value(*first_position(1, 1))  # compiles
        began = time.perf_counter()
        if crowded(word, pits):
            raise Crowded  # noqa: TRY301 - the same as later on
        if not anyway and 2 * own > SURE:
            check_size(pits, stones, empty_capture)
        solver = Solver(pits, stones, empty_capture, watch)
        value = solver.value(word, own, other)
        line = solver.line(word, own, other, value)
    except Crowded:
        options = {"pits": pits, "stones": stones, "empty_capture": empty_capture}
        return solve_position(Position(game, options), watch, anyway=anyway)
    written = tuple(game.text.write(move) for move in line)
    return Solution(value, written, solver.nodes, time.perf_counter() - began)
