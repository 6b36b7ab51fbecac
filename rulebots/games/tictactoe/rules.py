"""The rules of tic-tac-toe.

The first ones are the order of A. Newell and H. Simon, Human Problem Solving (1972), as their program plays 3 x 3:
win, block, fork, block a fork, centre, opposite corner, corner, side. Each weighs more than all that follow it
together, so that the sum decides as the order does. They mean the same on 3 x 3 and something sensible on any board.
"""

from __future__ import annotations

from typing import Any

from rulebots.game.grid import THEIRS
from rulebots.games.tictactoe.game import WIDTH, game
from rulebots.games.tictactoe.lines import FIELDS, FORK, QUIET, THREAT, study_lines
from rulebots.kernel import kernel
from rulebots.rules import RuleSet, rule

MOVER = 0
OPPONENT = 1


@kernel
def off_centre(view: Any, point: int) -> int:
    """Twice the distance from the middle of the board, in rows or in columns, whichever is more."""
    row = point // WIDTH - 1
    column = point % WIDTH - 1
    return max(abs(2 * row - view.side + 1), abs(2 * column - view.side + 1))


@kernel
def edges(view: Any, point: int) -> int:
    """How many edges of the board the point lies on: 2 for a corner."""
    row = point // WIDTH - 1
    column = point % WIDTH - 1
    last = view.side - 1
    return (row in (0, last)) + (column in (0, last))


@kernel
def most_lines(view: Any) -> int:
    """An upper bound of the lines that a point lies on."""
    return 4 * min(view.win, view.side - view.win + 1)


@kernel
def forces(view: Any, point: int) -> bool:
    """Whether the move is a threat whose answer does not give the opponent a fork."""
    if view.threat[MOVER, point] == QUIET:
        return False
    return view.threat[OPPONENT, view.answer[MOVER, point]] != FORK


@rule("put", 256)
def win(view: Any, point: int) -> bool:
    """It completes a line of mine."""
    return view.most[MOVER, point] == view.win - 1


@rule("put", 128)
def block(view: Any, point: int) -> bool:
    """It takes a point where the opponent would complete a line."""
    return view.most[OPPONENT, point] == view.win - 1


@rule("put", 64)
def fork(view: Any, point: int) -> bool:
    """It threatens to complete lines on two points at once."""
    return view.threat[MOVER, point] == FORK


@rule("put", 32)
def block_fork(view: Any, point: int) -> bool:
    """It takes a point where the opponent could fork: the only one, or with a threat that no fork answers."""
    if view.threat[OPPONENT, point] != FORK:
        return False
    return view.forks[OPPONENT] == 1 or forces(view, point)


@rule("put", 16)
def forestall(view: Any, point: int) -> bool:
    """The opponent could fork, but has to answer this threat first, on a point where it does not fork."""
    return view.forks[OPPONENT] > 0 and forces(view, point)


@rule("put", 8)
def centre(view: Any, point: int) -> bool:
    """It is the middle of the board, or one of the four in the middle."""
    return off_centre(view, point) <= 1


@rule("put", 4)
def opposite_corner(view: Any, point: int) -> bool:
    """It is a corner, and the opponent has the corner across the board."""
    across = (view.side + 1) * (WIDTH + 1) - point
    return edges(view, point) == 2 and view.board[across] == THEIRS


@rule("put", 2)
def corner(view: Any, point: int) -> bool:
    """It is a corner of the board."""
    return edges(view, point) == 2


@rule("put", 1)
def side(view: Any, point: int) -> bool:
    """It is on an edge of the board, but not a corner."""
    return edges(view, point) == 1


@rule("put", 0.1)
def threat(view: Any, point: int) -> bool:
    """It threatens to complete a line on one point."""
    return view.threat[MOVER, point] == THREAT


@rule("put", 0.1)
def prevents_threat(view: Any, point: int) -> bool:
    """There the opponent's stone would threaten to complete a line."""
    return view.threat[OPPONENT, point] != QUIET


@rule("put", -0.5)
def invites_fork(view: Any, point: int) -> bool:
    """The opponent can answer its threat with a fork."""
    return view.threat[MOVER, point] == THREAT and not forces(view, point)


@rule("put", 0.1, 0.05)
def open_lines(view: Any, point: int) -> float:
    """How many lines through it are open to me, as a share of the most that a point can have."""
    return view.lines[MOVER, point] / most_lines(view)


@rule("put", 0.1, 0.05)
def closes_lines(view: Any, point: int) -> float:
    """How many lines through it are open to the opponent, as a share of the most that a point can have."""
    return view.lines[OPPONENT, point] / most_lines(view)


@rule("put", 0.05, 0.1)
def builds(view: Any, point: int) -> float:
    """How many stones I have on the best of its lines open to me, as a share of what a win needs."""
    return view.most[MOVER, point] / (view.win - 1)


@rule("put", 0.05, 0.1)
def hinders(view: Any, point: int) -> float:
    """How many stones the opponent has on the best of its lines open to it, as a share of what a win needs."""
    return view.most[OPPONENT, point] / (view.win - 1)


@rule("put", 0.2)
def strengthens(view: Any, point: int) -> float:
    """The sum of the squares of my stones on each of its lines open to me, as a share of the largest possible."""
    return view.weight[MOVER, point] / (most_lines(view) * (view.win - 1) ** 2)


@rule("put", 0.2)
def weakens(view: Any, point: int) -> float:
    """The same sum for the opponent: its stones on each of the lines open to it, as a share of the largest possible."""
    return view.weight[OPPONENT, point] / (most_lines(view) * (view.win - 1) ** 2)


@rule("put", 0.1)
def central(view: Any, point: int) -> float:
    """How near the middle of the board it is: 1 in the middle, 0 at the edge."""
    return 1.0 - off_centre(view, point) / (view.side - 1)


@kernel
def progress(view: Any) -> float:
    """The share of the points that are taken."""
    return 1.0 - view.left / (view.side * view.side)


NEWELL_SIMON = (win, block, fork, block_fork, forestall, centre, opposite_corner, corner, side)
ON_LINES = (
    *(threat, prevents_threat, invites_fork, open_lines, closes_lines),
    *(builds, hinders, strengthens, weakens, central),
)

standard = RuleSet(
    "standard",
    game,
    (*NEWELL_SIMON, *ON_LINES),
    fields=FIELDS,
    progress=progress,
    facts=study_lines,
    meaning="Newell and Simon's order, and facts of lines that tell points of larger boards apart",
)
newell_simon = RuleSet(
    "newell-simon",
    game,
    NEWELL_SIMON,
    fields=FIELDS,
    facts=study_lines,
    meaning="Newell and Simon's order, one weight a rule",
)
RULE_SETS = (standard, newell_simon)
