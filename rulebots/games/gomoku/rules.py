"""The rules of gomoku: they judge the shapes that a stone makes of the four lines through its point.

Each shape counts twice: as the shape that my stone makes, and as the shape that the opponent's stone would make
there, which mine prevents. See shapes.py for what a shape is.
"""

from __future__ import annotations

from typing import Any

from rulebots.game.grid import MINE, THEIRS
from rulebots.games.gomoku.game import WIDTH, game
from rulebots.games.gomoku.shapes import (
    DEAD,
    FIELDS,
    FOUR,
    MADE_FIVE,
    OPEN_FOUR,
    OPEN_THREE,
    OPEN_TWO,
    THREE,
    TWO,
    consider_point,
    study_lines,
)
from rulebots.kernel import kernel
from rulebots.rules import RuleSet, rule, rules_of

#: Stones per row of the board from which on the late weights hold: most games between good players are over by then.
LATE = 4
#: From how many points away a point is no longer near the last move.
NEAR = 4


@rule("attack", 250)
def five(view: Any, point: int) -> bool:
    """It makes a five, which wins."""
    return view.mine[MADE_FIVE] > 0


@rule("attack", 50)
def open_four(view: Any, point: int) -> bool:
    """It makes a line of mine with two points where a five can be made."""
    return view.mine[OPEN_FOUR] > 0


@rule("attack", 45)
def double_four(view: Any, point: int) -> bool:
    """It makes fours in two directions at once."""
    return view.mine[FOUR] > 1


@rule("attack", 40)
def four_three(view: Any, point: int) -> bool:
    """It makes a four in one direction and an open three in another."""
    return view.mine[FOUR] > 0 and view.mine[OPEN_THREE] > 0


@rule("attack", 10)
def double_three(view: Any, point: int) -> bool:
    """It makes open threes in two directions at once."""
    return view.mine[OPEN_THREE] > 1


@rule("attack", 1.5)
def four(view: Any, point: int) -> int:
    """In how many directions it makes a four, which the opponent has to block on its one point."""
    return view.mine[FOUR]


@rule("attack", 3)
def open_three(view: Any, point: int) -> int:
    """In how many directions it makes an open three, from which one more stone makes an open four."""
    return view.mine[OPEN_THREE]


@rule("attack", 0.5)
def three(view: Any, point: int) -> int:
    """In how many directions it makes a three that is not open."""
    return view.mine[THREE]


@rule("attack", 1)
def open_two(view: Any, point: int) -> int:
    """In how many directions it makes an open two, from which one more stone makes an open three."""
    return view.mine[OPEN_TWO]


@rule("attack", 0.25)
def two(view: Any, point: int) -> int:
    """In how many directions it makes a two that is not open."""
    return view.mine[TWO]


@rule("attack", 0.05)
def room(view: Any, point: int) -> int:
    """In how many directions I could still make a five through it."""
    return 4 - view.mine[DEAD]


@rule("attack", 0.5)
def crossing(view: Any, point: int) -> bool:
    """It makes twos or better in at least two directions."""
    return view.mine[OPEN_TWO] + view.mine[THREE] + view.mine[OPEN_THREE] + view.mine[FOUR] > 1


@rule("defence", 125)
def block_five(view: Any, point: int) -> bool:
    """The opponent would make a five there."""
    return view.theirs[MADE_FIVE] > 0


@rule("defence", 22)
def block_open_four(view: Any, point: int) -> bool:
    """The opponent would make an open four there: beside or inside one of its open threes."""
    return view.theirs[OPEN_FOUR] > 0


@rule("defence", 20)
def block_double_four(view: Any, point: int) -> bool:
    """The opponent would make fours in two directions there at once."""
    return view.theirs[FOUR] > 1


@rule("defence", 18)
def block_four_three(view: Any, point: int) -> bool:
    """There the opponent would make a four in one direction and an open three in another."""
    return view.theirs[FOUR] > 0 and view.theirs[OPEN_THREE] > 0


@rule("defence", 5)
def block_double_three(view: Any, point: int) -> bool:
    """The opponent would make open threes in two directions there at once."""
    return view.theirs[OPEN_THREE] > 1


@rule("defence", 0.75)
def block_four(view: Any, point: int) -> int:
    """In how many directions the opponent would make a four there."""
    return view.theirs[FOUR]


@rule("defence", 1.5)
def block_open_three(view: Any, point: int) -> int:
    """In how many directions the opponent would make an open three there."""
    return view.theirs[OPEN_THREE]


@rule("defence", 0.25)
def block_three(view: Any, point: int) -> int:
    """In how many directions the opponent would make a three there that is not open."""
    return view.theirs[THREE]


@rule("defence", 0.6)
def block_open_two(view: Any, point: int) -> int:
    """In how many directions the opponent would make an open two there."""
    return view.theirs[OPEN_TWO]


@rule("defence", 0.1)
def block_two(view: Any, point: int) -> int:
    """In how many directions the opponent would make a two there that is not open."""
    return view.theirs[TWO]


@rule("defence", 0.25)
def block_crossing(view: Any, point: int) -> bool:
    """The opponent would make twos or better in at least two directions there."""
    return view.theirs[OPEN_TWO] + view.theirs[THREE] + view.theirs[OPEN_THREE] + view.theirs[FOUR] > 1


@rule("place", 0.25, 0.05)
def centre(view: Any, point: int) -> float:
    """How near the middle of the board it is: 1 in the middle, 0 at the edge."""
    row = point // WIDTH - 1
    column = point % WIDTH - 1
    last = view.side - 1
    return 1.0 - max(abs(2 * row - last), abs(2 * column - last)) / last


@rule("place", 0.1)
def near_last_move(view: Any, point: int) -> float:
    """How near the opponent's last move it is: 1 beside it, less with every point farther, 0 from four points away."""
    if view.last == 0:
        return 0.0
    rows = point // WIDTH - view.last // WIDTH
    columns = point % WIDTH - view.last % WIDTH
    return max(NEAR - max(abs(rows), abs(columns)), 0) / (NEAR - 1)


@rule("place", 0.08)
def beside_mine(view: Any, point: int) -> int:
    """How many of the eight points around it hold a stone of mine."""
    return stones_around(view.board, point, MINE)


@rule("place", 0.08)
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
    tuple(rules_of(globals())),
    fields=FIELDS,
    progress=progress,
    facts=study_lines,
    consider=consider_point,
    meaning="shapes made and shapes prevented, and where on the board",
)
RULE_SETS = (patterns,)
BREEDING = {"population": 40, "deals": 1, "opponent_deals": 50}
