"""The rules of circle elimination. They judge the stones that a line leaves by groups and nim-values: see facts.py."""

from __future__ import annotations

from rulebots.game import View
from rulebots.games.circles.facts import FIELDS, look_at
from rulebots.games.circles.game import game
from rulebots.games.circles.lines import LENGTH
from rulebots.kernel import kernel
from rulebots.rules import RuleSet, rule, rules_of

#: Counts are divided by this, so that a rule's value is around 1 where it matters.
FEW = 5


@kernel
def cancels(view: View) -> bool:
    """Whether the player to move loses on the groups whose nim-values are known, if there are no others."""
    if view.last_wins or view.highest > 1:
        return view.nim_sum == 0
    return view.nim_sum == 1


# --- what is known


@rule("take", early=4.0)
def balanced(view: View, line: int) -> bool:
    """It leaves only groups of up to six stones, and their nim-values cancel out: the opponent loses."""
    return (view.unknown == 0) & cancels(view)


@rule("take", early=-4.0)
def unbalanced(view: View, line: int) -> bool:
    """It leaves only groups of up to six stones, and their nim-values do not cancel out."""
    return (view.unknown == 0) & (not cancels(view))


@rule("take", early=8.0)
def endgame_won(view: View, line: int) -> bool:
    """It leaves at most eight stones, and the opponent loses: worked out to the end."""
    return view.lost == 1


@rule("take", early=-8.0)
def endgame_lost(view: View, line: int) -> bool:
    """It leaves at most eight stones, and the opponent wins: worked out to the end."""
    return view.lost == 0


@rule("take", early=-0.5)
def rest_balanced(view: View, line: int) -> bool:
    """It leaves one group of more than six stones, and the nim-values of the others cancel out."""
    return (view.unknown == 1) & cancels(view)


@rule("take", early=-0.2)
def one_group(view: View, line: int) -> bool:
    """It leaves a single group."""
    return view.groups == 1


# --- pairs


@rule("take", early=0.5, late=0.2)
def even_stones(view: View, line: int) -> bool:
    """It leaves an even number of stones."""
    return view.left % 2 == 0


@rule("take", early=0.2, late=0.3)
def even_groups(view: View, line: int) -> bool:
    """It leaves an even number of groups."""
    return view.groups % 2 == 0


@rule("take", early=0.2, late=0.2)
def even_lines(view: View, line: int) -> bool:
    """It leaves an even number of moves."""
    return view.lines % 2 == 0


@rule("take", early=0.1, late=0.3)
def even_lone(view: View, line: int) -> bool:
    """It leaves an even number of stones that stand alone: two of them cancel out."""
    return view.of_size[1] % 2 == 0


@rule("take", early=0.1, late=0.3)
def even_twos(view: View, line: int) -> bool:
    """It leaves an even number of groups of two stones."""
    return view.of_size[2] % 2 == 0


@rule("take", early=0.1, late=0.3)
def even_threes(view: View, line: int) -> bool:
    """It leaves an even number of groups of three stones."""
    return view.of_size[3] % 2 == 0


@rule("take", early=-0.2, late=-0.3)
def unpaired(view: View, line: int) -> float:
    """Of how many sizes it leaves an odd number of groups, in fives."""
    odd = 0
    for size in range(1, view.largest + 1):
        odd += view.of_size[size] % 2
    return odd / FEW


@rule("take", early=0.3, late=0.3)
def mirrored(view: View, line: int) -> bool:
    """It leaves a board that is its own mirror image: every answer has a twin."""
    return view.alike == 1.0


@rule("take", early=0.2, late=0.1)
def nearly_mirrored(view: View, line: int) -> float:
    """The share of the stones left that have a mirror image, across the best of the three axes."""
    return view.alike


# --- how much it leaves


@rule("take", early=0.3, late=0.0)
def takes_many(view: View, line: int) -> float:
    """How many stones it takes, as a share of the most allowed."""
    return LENGTH[line] / min(view.eliminate, view.rows)


@rule("take", early=0.0, late=-0.2)
def lines_left(view: View, line: int) -> float:
    """Moves that it leaves per stone left, in threes."""
    return view.lines / max(view.left, 1) / 3


@rule("take", early=0.1, late=0.1)
def many_groups(view: View, line: int) -> float:
    """Groups that it leaves, in fives."""
    return view.groups / FEW


@rule("take", early=0.2, late=0.2)
def lone(view: View, line: int) -> float:
    """The share of the stones left that stand alone."""
    return view.of_size[1] / max(view.left, 1)


@rule("take", early=-0.3, late=-0.3)
def largest_group(view: View, line: int) -> float:
    """The share of the stones left that belong to the largest group."""
    return view.largest / max(view.left, 1)


@rule("take", early=-0.3, late=-0.3)
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
