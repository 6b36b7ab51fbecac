"""The rules of gomoku: they judge the shapes that a stone makes of the four lines through its point.

Each shape counts twice: as the shape that my stone makes, and as the shape that the opponent's stone would make
there, which mine prevents. See shapes.py for what a shape is.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from rulebots.game.grid import MINE, THEIRS, place_of
from rulebots.games.gomoku.game import WIDTH, game
from rulebots.games.gomoku.shapes import (
    DEAD,
    FIELDS,
    FOUR,
    MADE_FIVE,
    MY_STONE,
    OPEN_FOUR,
    OPEN_THREE,
    OPEN_TWO,
    THEIR_STONE,
    THREE,
    TWO,
    consider_point,
    study_lines,
)
from rulebots.kernel import Kernel, kernel
from rulebots.players import Player, RulePlayer
from rulebots.rules import Rule, RuleSet, rule

#: Stones per row of the board from which on the late weights hold: most games between good players are over by then.
LATE = 4
#: From how many points away a point is no longer near the last move.
NEAR = 4


def makes(shape: int, directions: int, whose: int) -> Kernel[..., bool]:
    """Whether that side's stone makes the shape in at least that many directions."""

    @kernel
    def feature(view: Any, point: int) -> bool:
        return view.shapes[whose, shape] >= directions

    return feature


def counts(shape: int, whose: int) -> Kernel[..., int]:
    """In how many directions that side's stone makes the shape."""

    @kernel
    def count(view: Any, point: int) -> int:
        return view.shapes[whose, shape]

    return count


def makes_four_and_three(whose: int) -> Kernel[..., bool]:
    """Whether that side's stone makes a four in one direction and an open three in another."""

    @kernel
    def feature(view: Any, point: int) -> bool:
        return view.shapes[whose, FOUR] > 0 and view.shapes[whose, OPEN_THREE] > 0

    return feature


def crosses(whose: int) -> Kernel[..., bool]:
    """Whether that side's stone makes twos or better, below an open four, in at least two directions."""

    @kernel
    def feature(view: Any, point: int) -> bool:
        shapes = view.shapes[whose]
        return shapes[OPEN_TWO] + shapes[THREE] + shapes[OPEN_THREE] + shapes[FOUR] > 1

    return feature


class ShapeRule(NamedTuple):
    """Two rules in one: what my stone makes, and what it prevents."""

    name: str
    what: str
    #: The kernel of the rule for stones of that side, MY_STONE or THEIR_STONE.
    kernel_of: Callable[[int], Kernel[..., Any]]
    attack: float
    makes: str
    defence: float
    prevents: str


SHAPE_RULES = (
    ShapeRule(
        "five", "five in a row", partial(makes, MADE_FIVE, 1),
        250.0, "It makes a five, which wins.",
        125.0, "It keeps the opponent from making a five there.",
    ),
    ShapeRule(
        "open_four", "an open four", partial(makes, OPEN_FOUR, 1),
        50.0, "It makes a line of mine with two points where a five can be made.",
        22.0, "It keeps the opponent from making an open four there: beside or inside one of its open threes.",
    ),
    ShapeRule(
        "double_four", "two fours at once", partial(makes, FOUR, 2),
        45.0, "It makes fours in two directions at once.",
        20.0, "It keeps the opponent from making fours in two directions there at once.",
    ),
    ShapeRule(
        "four_three", "a four and an open three at once", makes_four_and_three,
        40.0, "It makes a four in one direction and an open three in another.",
        18.0, "It keeps the opponent from making a four in one direction there and an open three in another.",
    ),
    ShapeRule(
        "double_three", "two open threes at once", partial(makes, OPEN_THREE, 2),
        10.0, "It makes open threes in two directions at once.",
        5.0, "It keeps the opponent from making open threes in two directions there at once.",
    ),
    ShapeRule(
        "four", "[more fours|fewer fours|a four]", partial(counts, FOUR),
        1.5, "Fours that it makes, each of which the opponent has to block on its one point.",
        0.75, "Fours that it keeps the opponent from making there.",
    ),
    ShapeRule(
        "open_three", "[more open threes|fewer open threes|an open three]", partial(counts, OPEN_THREE),
        3.0, "Open threes that it makes, from each of which one more stone makes an open four.",
        1.5, "Open threes that it keeps the opponent from making there.",
    ),
    ShapeRule(
        "three", "[more closed threes|fewer closed threes|a closed three]", partial(counts, THREE),
        0.5, "Threes that it makes that are not open.",
        0.25, "Threes, not open, that it keeps the opponent from making there.",
    ),
    ShapeRule(
        "open_two", "[more open twos|fewer open twos|an open two]", partial(counts, OPEN_TWO),
        1.0, "Open twos that it makes, from each of which one more stone makes an open three.",
        0.6, "Open twos that it keeps the opponent from making there.",
    ),
    ShapeRule(
        "two", "[more closed twos|fewer closed twos|a closed two]", partial(counts, TWO),
        0.25, "Twos that it makes that are not open.",
        0.1, "Twos, not open, that it keeps the opponent from making there.",
    ),
    ShapeRule(
        "crossing", "twos or better in two directions", crosses,
        0.5, "It makes twos or better in at least two directions.",
        0.25, "It keeps the opponent from making twos or better in at least two directions there.",
    ),
)  # fmt: skip


@rule("attack", 0.05, says="keep(s) room for a five in [more|fewer|some] directions")
def room(view: Any, point: int) -> int:
    """Directions in which I could still make a five through it."""
    return 4 - view.shapes[MY_STONE, DEAD]


ATTACK = [
    Rule("attack", r.name, r.makes, r.attack, r.attack, r.kernel_of(MY_STONE), f"make(s) {r.what}") for r in SHAPE_RULES
]
DEFENCE = [
    Rule(
        "defence", f"block_{r.name}", r.prevents, r.defence, r.defence, r.kernel_of(THEIR_STONE),
        f"prevent(s) {r.what}",
    )
    for r in SHAPE_RULES
]  # fmt: skip


@rule("place", 0.25, 0.05, says="play(s) [nearer to|farther from|near] the middle")
def centre(view: Any, point: int) -> float:
    """How near the middle of the board it is: 1 in the middle, 0 at the edge."""
    row, column = place_of(point, WIDTH)
    last = view.side - 1
    return 1.0 - max(abs(2 * row - last), abs(2 * column - last)) / last


@rule("place", 0.1, says="play(s) [nearer to|farther from|near] the opponent's last stone")
def near_last_move(view: Any, point: int) -> float:
    """How near the opponent's last move it is: 1 beside it, less with every point farther, 0 from four points away."""
    if view.last == 0:
        return 0.0
    rows = point // WIDTH - view.last // WIDTH
    columns = point % WIDTH - view.last % WIDTH
    return max(NEAR - max(abs(rows), abs(columns)), 0) / (NEAR - 1)


@rule("place", 0.08, says="play(s) beside [more|fewer|at least one] of my stones, to build on them")
def beside_mine(view: Any, point: int) -> int:
    """How many of the eight points around it hold a stone of mine."""
    return stones_around(view.board, point, MINE)


@rule("place", 0.08, says="play(s) beside [more|fewer|at least one] of the opponent's stones, to hem them in")
def beside_theirs(view: Any, point: int) -> int:
    """How many of the eight points around it hold a stone of the opponent's."""
    return stones_around(view.board, point, THEIRS)


@kernel
def stones_around(board: Any, point: int, whose: int) -> int:
    """How many of the eight neighbours of a point hold such a stone."""
    count = 0
    for step in (1, WIDTH - 1, WIDTH, WIDTH + 1):
        count += int(board[point + step] == whose) + int(board[point - step] == whose)
    return count


@kernel
def progress(view: Any) -> float:
    """From 0 on the empty board to 1 with four stones for each of its rows, and after that."""
    return min((view.side * view.side - view.left) / (LATE * view.side), 1.0)


patterns = RuleSet(
    "patterns",
    game,
    (*ATTACK[:-1], room, ATTACK[-1], *DEFENCE, centre, near_last_move, beside_mine, beside_theirs),
    fields=FIELDS,
    progress=progress,
    facts=study_lines,
    consider=consider_point,
    meaning="shapes made and shapes prevented, and where on the board",
)
RULE_SETS = (patterns,)
#: Makes a five, else blocks one, else puts its stone near others.
CAREFUL: dict[str, dict[str, float]] = {
    "attack": {"five": 2},
    "defence": {"block_five": 1},
    "place": {"beside_mine": 0.02, "beside_theirs": 0.01},
}

PLAYERS: dict[str, Callable[[], Player]] = {
    "patterns": lambda: RulePlayer(patterns, patterns.hand_tuned(), "patterns"),
    "careful": lambda: RulePlayer(patterns, CAREFUL, "careful"),
}
