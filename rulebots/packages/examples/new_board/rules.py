"""What matters in New board. A run starts from the weights beside the rules."""

from rulebots.game import View
from rulebots.game.grid import MINE, THEIRS, line_through
from rulebots.kernel import kernel
from rulebots.rules import RuleSet, rule

from .game import IN_A_ROW, SIZE, WIDTH, game


@rule("put", early=2.0)
def wins(view: View, point: int) -> float:
    """It wins."""
    return line_through(view.board, point, WIDTH, MINE) >= IN_A_ROW


@rule("put", early=1.0)
def stops_a_win(view: View, point: int) -> float:
    """It takes a point on which the opponent would win."""
    return line_through(view.board, point, WIDTH, THEIRS) >= IN_A_ROW


@rule("put", early=0.3)
def builds(view: View, point: int) -> float:
    """The length of the line that it makes, as a share of a whole one."""
    return line_through(view.board, point, WIDTH, MINE) / IN_A_ROW


@rule("put", early=0.2)
def gets_in_the_way(view: View, point: int) -> float:
    """The length of the line that the opponent would make there, likewise."""
    return line_through(view.board, point, WIDTH, THEIRS) / IN_A_ROW


@rule("put", early=0.2, late=0.0)
def is_central(view: View, point: int) -> float:
    """How close it is to the middle of the board."""
    row = point // WIDTH - 1
    column = point % WIDTH - 1
    middle = (SIZE - 1) / 2
    return 1.0 - (abs(row - middle) + abs(column - middle)) / SIZE


@kernel
def progress(view: View) -> float:
    """From 0 at the beginning of a game to 1 at its end."""
    return 1.0 - view.empty / (SIZE * SIZE)


simple = RuleSet(
    "simple",
    game,
    (wins, stops_a_win, builds, gets_in_the_way, is_central),
    progress=progress,
    meaning="five simple rules",
)
# Players are bred from the first one.
RULE_SETS = (simple,)
