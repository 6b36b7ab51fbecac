"""The rules of circle elimination: they judge the stones that a line leaves, as groups that no line can join again.

Groups are independent games; each turn plays in one of them. By the theorem of Sprague and Grundy (P. M. Grundy,
"Mathematics and games", Eureka 2, 1939) each group is worth a heap of Nim, its *nim-value*, and the player to move
loses exactly if the exclusive or of all of them is 0, provided that the last stone wins (normal play). If the last
stone loses (misère play), that is a good guess, and the rule for heaps of Nim says what to do when only values of 0
and 1 are left.
"""

from collections.abc import Callable

import numpy as np

from rulebots.game import View
from rulebots.games.circles.game import (
    CELLS,
    FIRST,
    FIRST_WORD,
    LENGTH,
    MASK,
    MIRRORED,
    NEXT,
    NOWHERE,
    STEPS,
    WITHIN,
    game,
)
from rulebots.kernel import kernel
from rulebots.players import Player, RulePlayer
from rulebots.rules import RuleSet, rule, rules_of

DIRECTIONS = len(STEPS)
AXES = 3
UNKNOWN = -1
#: The most stones of a group whose nim-value is computed, and of an endgame that is solved.
MOST_KNOWN = 6
MOST_SOLVED = 8
#: An upper bound of the lines of MOST_SOLVED stones: from each stone, in three directions, to each other at most.
MOST_LINES = 3 * MOST_SOLVED * MOST_SOLVED

#: The facts, in addition to the view.
FIELDS = [
    # What a line leaves:
    ("left", np.int32),  # stones
    ("lines", np.int32),  # moves
    ("groups", np.int32),
    ("of_size", np.int32, (CELLS + 1,)),  # groups of each size
    ("largest", np.int32),  # stones of the largest group
    ("unknown", np.int32),  # groups too large for their nim-value to be known
    ("nim_sum", np.int32),  # of the others
    ("highest", np.int32),  # nim-value among the others
    ("lost", np.int32),  # the player to move loses: 1 yes, 0 no, -1 unknown, with too many stones
    ("alike", np.float64),  # the share of stones that have a mirror image
    # Workspace:
    ("group", np.int32, (CELLS + 1,)),  # of a cell; 0 for an empty one
    ("root", np.int32, (CELLS + 1,)),  # of a group: the group that it turned out to be part of
    ("stones_of", np.int32, (CELLS + 1,)),  # of a group
    ("place", np.int32, (CELLS + 1,)),  # of a cell among the cells looked at, from 1; 0 elsewhere
    ("cells", np.int32, (CELLS,)),  # the cells looked at
    ("takes", np.int32, (MOST_LINES,)),  # which of them a line takes, one bit per place
    ("value", np.int32, (1 << MOST_SOLVED,)),  # of each subset of them
]


@kernel
def look_at(view: View, line: int) -> None:
    """Work out the facts of what is left after a line is taken; see FIELDS."""
    first = view.stones[0] & ~MASK[line, 0]
    second = view.stones[1] & ~MASK[line, 1]
    count_lines(view, first, second)
    labels = join_groups(view, first, second)
    judge_groups(view, labels)
    look_in_mirrors(view)
    view.lost = UNKNOWN
    if view.left <= MOST_SOLVED:
        view.lost = nim_value(view, 1, labels, 0 if view.last_wins else 1) == 0


@kernel
def count_lines(view: View, first: int, second: int) -> None:
    """How many moves there are."""
    n = 0
    for length in range(1, min(view.eliminate, view.rows) + 1):
        for line in range(FIRST[length], FIRST[length] + WITHIN[length, view.rows]):
            n += ((first & MASK[line, 0]) == MASK[line, 0]) & ((second & MASK[line, 1]) == MASK[line, 1])
    view.lines = n


@kernel
def join_groups(view: View, first: int, second: int) -> int:
    """Give neighbours the same group, row by row; returns the number of labels used."""
    labels = left = cell = 0
    view.root[0] = 0
    for row in range(view.rows):
        for col in range(row + 1):
            live = (first >> cell) & 1 if cell < FIRST_WORD else (second >> (cell - FIRST_WORD)) & 1
            group = 0
            if live:
                left += 1
                before = view.group[cell - 1] if col > 0 else 0
                slant = view.group[cell - row - 1] if col > 0 else 0
                above = view.group[cell - row] if col < row else 0
                group = max(before, slant, above)
                if group == 0:
                    labels += 1
                    group = labels
                    view.root[group] = group
                elif before > 0 and above > 0:
                    one = root_of(view, before)
                    other = root_of(view, above)
                    view.root[max(one, other)] = min(one, other)
            view.group[cell] = group
            cell += 1
    view.left = left
    return labels


@kernel
def root_of(view: View, group: int) -> int:
    """The group that a group has become part of."""
    while view.root[group] != group:
        group = view.root[group]
    return group


@kernel
def judge_groups(view: View, labels: int) -> None:
    """How many groups there are, how large they are, and the nim-values of the small ones."""
    for label in range(labels + 1):
        view.stones_of[label] = 0
    for cell in range(CELLS):
        view.group[cell] = root_of(view, view.group[cell])
        view.stones_of[view.group[cell]] += 1
    for size in range(CELLS + 1):
        view.of_size[size] = 0
    view.groups = view.largest = view.unknown = view.nim_sum = view.highest = 0
    for label in range(1, labels + 1):
        size = view.stones_of[label]
        if size == 0:
            continue
        view.groups += 1
        view.of_size[size] += 1
        view.largest = max(view.largest, size)
        if size > MOST_KNOWN:
            view.unknown += 1
            continue
        value = nim_value(view, label, label, 0)
        view.nim_sum ^= value
        view.highest = max(view.highest, value)


@kernel
def find_takes(view: View, n: int) -> int:
    """What each line takes of the first `n` of `view.cells`, as bits; returns the number of lines."""
    for i in range(n):
        view.place[view.cells[i]] = i + 1
    lines = 0
    for i in range(n):
        view.takes[lines] = 1 << i
        lines += 1
        for direction in range(DIRECTIONS):
            line = 1 << i
            length = 1
            cell = NEXT[direction, view.cells[i]]
            while length < view.eliminate and cell != NOWHERE and view.place[cell] > 0:
                line |= 1 << (view.place[cell] - 1)
                view.takes[lines] = line
                lines += 1
                length += 1
                cell = NEXT[direction, cell]
    for i in range(n):
        view.place[view.cells[i]] = 0
    return lines


@kernel
def nim_value(view: View, first: int, last: int, empty: int) -> int:
    """The nim-value of the groups `first` to `last`, all of them together: the least value that no move leads to.

    `empty` is the value of no stones: 0 in normal play. With 1 the value is 0 exactly where the player to move loses
    misère play.
    """
    n = 0
    for cell in range(CELLS):
        if first <= view.group[cell] <= last:
            view.cells[n] = cell
            n += 1
    lines = find_takes(view, n)
    view.value[0] = empty
    for stones in range(1, 1 << n):
        reached = value = 0
        for i in range(lines):
            if stones & view.takes[i] == view.takes[i]:
                reached |= 1 << view.value[stones ^ view.takes[i]]
        while reached >> value & 1:
            value += 1
        view.value[stones] = value
    return view.value[(1 << n) - 1]


@kernel
def look_in_mirrors(view: View) -> None:
    """The share of the stones that have a mirror image, on the best of the three axes."""
    best = 0
    for axis in range(AXES):
        n = 0
        for cell in range(view.rows * (view.rows + 1) // 2):
            n += (view.group[cell] > 0) & (view.group[MIRRORED[view.rows, axis, cell]] > 0)
        best = max(best, n)
    view.alike = best / max(view.left, 1)


#: Counts are divided by this, so that a rule's value is around 1 where it matters.
FEW = 5


@kernel
def cancels(view: View) -> bool:
    """Whether the player to move loses on the groups whose nim-values are known, if there are no others."""
    if view.last_wins or view.highest > 1:
        return view.nim_sum == 0
    return view.nim_sum == 1


# --- what is known


@rule("take", early=4.0, says="leave(s) a won game: small groups that cancel out, move for move")
def balanced(view: View, line: int) -> bool:
    """It leaves only groups of up to six stones, and their nim-values cancel out: the opponent loses."""
    return (view.unknown == 0) & cancels(view)


@rule("take", early=-4.0, says="leave(s) a lost game: small groups that do not cancel out")
def unbalanced(view: View, line: int) -> bool:
    """It leaves only groups of up to six stones, and their nim-values do not cancel out."""
    return (view.unknown == 0) & (not cancels(view))


@rule("take", early=8.0, says="leave(s) an endgame that the opponent loses")
def endgame_won(view: View, line: int) -> bool:
    """It leaves at most eight stones, and the opponent loses: worked out to the end."""
    return view.lost == 1


@rule("take", early=-8.0, says="leave(s) an endgame that the opponent wins")
def endgame_lost(view: View, line: int) -> bool:
    """It leaves at most eight stones, and the opponent wins: worked out to the end."""
    return view.lost == 0


@rule("take", early=-0.5, says="leave(s) the opponent one large group to decide the game with")
def rest_balanced(view: View, line: int) -> bool:
    """It leaves one group of more than six stones, and the nim-values of the others cancel out."""
    return (view.unknown == 1) & cancels(view)


@rule("take", early=-0.2, says="leave(s) a single group")
def one_group(view: View, line: int) -> bool:
    """It leaves a single group."""
    return view.groups == 1


# --- pairs


@rule("take", early=0.5, late=0.2, says="leave(s) an even number of stones, a mere rule of thumb")
def even_stones(view: View, line: int) -> bool:
    """It leaves an even number of stones."""
    return view.left % 2 == 0


@rule("take", early=0.2, late=0.3, says="leave(s) an even number of groups, a mere rule of thumb")
def even_groups(view: View, line: int) -> bool:
    """It leaves an even number of groups."""
    return view.groups % 2 == 0


@rule("take", early=0.2, says="leave(s) an even number of moves, a mere rule of thumb")
def even_lines(view: View, line: int) -> bool:
    """It leaves an even number of moves."""
    return view.lines % 2 == 0


@rule("take", early=0.1, late=0.3, says="avoid(s) a lone stone without a second one to take in answer")
def even_lone(view: View, line: int) -> bool:
    """It leaves an even number of stones that stand alone: two of them cancel out."""
    return view.of_size[1] % 2 == 0


@rule("take", early=0.1, late=0.3, says="avoid(s) a group of two without a twin to answer each move in by the same")
def even_twos(view: View, line: int) -> bool:
    """It leaves an even number of groups of two stones."""
    return view.of_size[2] % 2 == 0


@rule("take", early=0.1, late=0.3, says="avoid(s) a group of three without another one to answer moves in")
def even_threes(view: View, line: int) -> bool:
    """It leaves an even number of groups of three stones."""
    return view.of_size[3] % 2 == 0


@rule("take", early=-0.2, late=-0.3, says="leave(s) [more|fewer|some] groups without an equal one to answer moves in")
def unpaired(view: View, line: int) -> float:
    """How many sizes of groups it leaves in odd numbers, in fives."""
    odd = 0
    for size in range(1, view.largest + 1):
        odd += view.of_size[size] % 2
    return odd / FEW


@rule("take", early=0.3, says="leave(s) a symmetrical board, on which moves can be mirrored")
def mirrored(view: View, line: int) -> bool:
    """It leaves a board that is its own mirror image: every answer has a twin."""
    return view.alike == 1.0


@rule("take", early=0.2, late=0.1, says="leave(s) a board on which [more|less|more] can be mirrored")
def nearly_mirrored(view: View, line: int) -> float:
    """The share of the stones left that have a mirror image, across the best of the three axes."""
    return view.alike


# --- how much it leaves


@rule("take", early=0.3, late=0.0, says="take(s) [more|fewer|] stones")
def takes_many(view: View, line: int) -> float:
    """How many stones it takes, as a share of the most allowed."""
    return LENGTH[line] / min(view.eliminate, view.rows)


@rule("take", late=-0.2, says="leave(s) [more|fewer|] ways to take each stone that is left")
def lines_left(view: View, line: int) -> float:
    """Moves that it leaves per stone left, in threes."""
    return view.lines / max(view.left, 1) / 3


@rule("take", early=0.1, says="break(s) the stones into [more|fewer|] groups")
def many_groups(view: View, line: int) -> float:
    """Groups that it leaves, in fives."""
    return view.groups / FEW


@rule("take", early=0.2, says="leave(s) [more|fewer|some] of the stones on their own, good for one move each")
def lone(view: View, line: int) -> float:
    """The share of the stones left that stand alone."""
    return view.of_size[1] / max(view.left, 1)


@rule("take", early=-0.3, says="leave(s) [more|fewer|more] of the stones in one group")
def largest_group(view: View, line: int) -> float:
    """The share of the stones left that belong to the largest group."""
    return view.largest / max(view.left, 1)


@rule("take", early=-0.3, says="leave(s) [more|fewer|] groups that are too large to work out")
def unknown_groups(view: View, line: int) -> float:
    """Groups of more than six stones that it leaves."""
    return view.unknown


@kernel
def gone(view: View) -> float:
    """The share of the stones that have been taken."""
    stones = 0
    for word in range(2):
        rest = view.stones[word]
        while rest:
            rest &= rest - 1
            stones += 1
    return 1.0 - stones / (view.rows * (view.rows + 1) / 2)


standard = RuleSet(
    "standard",
    game,
    tuple(rules_of(globals())),
    fields=FIELDS,
    progress=gone,
    consider=look_at,
    meaning="what a line leaves: groups, their nim-values, and pairs of everything",
)
RULE_SETS = (standard,)
PLAYERS: dict[str, Callable[[], Player]] = {
    "hand_tuned": lambda: RulePlayer(standard, standard.hand_tuned(), "hand_tuned")
}
