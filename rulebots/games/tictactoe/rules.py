"""The rules of tic-tac-toe.

The first ones are the order of A. Newell and H. Simon, Human Problem Solving (1972), as their program plays 3 x 3:
win, block, fork, block a fork, centre, opposite corner, corner, side. Each weighs more than all that follow it
together, so that the sum decides as the order does. They mean the same on 3 x 3 and something sensible on any board.

The facts say what the lines of a board mean for its empty points. A line is `win` points in a row. It is open to a side
as long as the other has no stone on it. If a side has taken all but two of its points and these two are empty, a stone
on one of them is a *threat*, and the other is its *answer*. Threats with two different answers at once are a *fork*.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from rulebots.game.grid import EMPTY, MINE, THEIRS, place_of
from rulebots.games.tictactoe.game import CELLS, WIDTH, game
from rulebots.kernel import kernel
from rulebots.players import Player, RulePlayer
from rulebots.rules import RuleSet, rule

#: How a stone there threatens: not at all, with one answer, or with more than one.
QUIET = 0
THREAT = 1
FORK = 2
#: (rows down, columns across) from one point of a line to the next.
DIRECTIONS = ((0, 1), (1, -1), (1, 0), (1, 1))

#: The facts of every empty point, in addition to the view: for the mover, then for the opponent.
FIELDS = [
    ("lines", np.int16, (2, CELLS)),  # lines through it that are open to the side
    ("weight", np.int16, (2, CELLS)),  # the sum of the squares of the side's stones on each of them
    ("most", np.int8, (2, CELLS)),  # the most stones that the side has on one of them
    ("threat", np.int8, (2, CELLS)),  # QUIET, THREAT or FORK
    ("answer", np.int16, (2, CELLS)),  # the answer to its first threat
    ("forks", np.int64, 2),  # points where the side could fork
]


@kernel
def study_lines(view: Any) -> None:
    """Fill FIELDS, once per decision."""
    view.lines[:] = 0
    view.weight[:] = 0
    view.most[:] = 0
    view.threat[:] = QUIET
    view.forks[:] = 0
    side = view.side
    win = view.win
    for down, across in DIRECTIONS:
        first, last = (win - 1, side) if across < 0 else (0, side - (win - 1) * across)
        for row in range(side - (win - 1) * down):
            for column in range(first, last):
                study_line(view, (row + 1) * WIDTH + column + 1, down * WIDTH + across, win)


@kernel
def study_line(view: Any, start: int, step: int, win: int) -> None:
    """What the line of `win` points from `start` on says about its empty points."""
    board = view.board
    mine = theirs = one = other = 0
    for i in range(win):
        point = start + i * step
        if board[point] == MINE:
            mine += 1
        elif board[point] == THEIRS:
            theirs += 1
        else:
            other = one
            one = point
    if mine > 0 and theirs > 0:
        return
    if theirs == 0:
        count_line(view, 0, start, step, win, mine)
    if mine == 0:
        count_line(view, 1, start, step, win, theirs)
    if mine + theirs == win - 2:
        whose = 0 if theirs == 0 else 1
        note_threat(view, whose, one, other)
        note_threat(view, whose, other, one)


@kernel
def count_line(view: Any, whose: int, start: int, step: int, win: int, stones: int) -> None:
    """For each empty point of a line that is open to a side, count that line."""
    for i in range(win):
        point = start + i * step
        if view.board[point] == EMPTY:
            view.lines[whose, point] += 1
            view.weight[whose, point] += stones * stones
            view.most[whose, point] = max(view.most[whose, point], stones)


@kernel
def note_threat(view: Any, whose: int, point: int, answer: int) -> None:
    """Note that a stone of that side on `point` threatens to take `answer`."""
    if view.threat[whose, point] == QUIET:
        view.threat[whose, point] = THREAT
        view.answer[whose, point] = answer
    elif view.threat[whose, point] == THREAT and view.answer[whose, point] != answer:
        view.threat[whose, point] = FORK
        view.forks[whose] += 1


MOVER = 0
OPPONENT = 1


@kernel
def off_centre(view: Any, point: int) -> int:
    """Twice the distance from the middle of the board, in rows or in columns, whichever is more."""
    row, column = place_of(point, WIDTH)
    return max(abs(2 * row - view.side + 1), abs(2 * column - view.side + 1))


@kernel
def edges(view: Any, point: int) -> int:
    """How many edges of the board the point lies on: 2 for a corner."""
    row, column = place_of(point, WIDTH)
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


@rule("put", 256, says="complete(s) a line")
def win(view: Any, point: int) -> bool:
    """It completes a line of mine."""
    return view.most[MOVER, point] == view.win - 1


@rule("put", 128, says="stop(s) the opponent from completing a line")
def block(view: Any, point: int) -> bool:
    """It takes a point where the opponent would complete a line."""
    return view.most[OPPONENT, point] == view.win - 1


@rule("put", 64, says="threaten(s) to win in two places at once: only one can be blocked")
def fork(view: Any, point: int) -> bool:
    """It threatens to complete lines on two points at once."""
    return view.threat[MOVER, point] == FORK


@rule("put", 32, says="stop(s) the opponent from threatening to win in two places at once")
def block_fork(view: Any, point: int) -> bool:
    """It takes a point where the opponent could fork: the only one, or with a threat that no fork answers."""
    if view.threat[OPPONENT, point] != FORK:
        return False
    return view.forks[OPPONENT] == 1 or forces(view, point)


@rule("put", 16, says="force(s) an answer before the opponent can threaten to win in two places at once")
def forestall(view: Any, point: int) -> bool:
    """The opponent could fork, but has to answer this threat first, on a point where it does not fork."""
    return view.forks[OPPONENT] > 0 and forces(view, point)


@rule("put", 8, says="take(s) the middle, where most lines cross")
def centre(view: Any, point: int) -> bool:
    """It is the middle of the board, or one of the four in the middle."""
    return off_centre(view, point) <= 1


@rule("put", 4, says="take(s) the corner across from the opponent's")
def opposite_corner(view: Any, point: int) -> bool:
    """It is a corner, and the opponent has the corner across the board."""
    across = (view.side + 1) * (WIDTH + 1) - point
    return edges(view, point) == 2 and view.board[across] == THEIRS


@rule("put", 2, says="take(s) a corner")
def corner(view: Any, point: int) -> bool:
    """It is a corner of the board."""
    return edges(view, point) == 2


@rule("put", 1, says="take(s) a square on the edge")
def side(view: Any, point: int) -> bool:
    """It is on an edge of the board, but not a corner."""
    return edges(view, point) == 1


@rule("put", 0.1, says="threaten(s) to complete a line, which forces an answer")
def threat(view: Any, point: int) -> bool:
    """It threatens to complete a line on one point."""
    return view.threat[MOVER, point] == THREAT


@rule("put", 0.1, says="take(s) a square from which the opponent would threaten a line")
def prevents_threat(view: Any, point: int) -> bool:
    """A stone of the opponent's there would threaten to complete a line."""
    return view.threat[OPPONENT, point] != QUIET


@rule("put", -0.5, says="let(s) the opponent threaten to win in two places at once")
def invites_fork(view: Any, point: int) -> bool:
    """The opponent can answer its threat with a fork."""
    return view.threat[MOVER, point] == THREAT and not forces(view, point)


@rule("put", 0.1, 0.05, says="build(s) on [more|fewer|] open lines")
def open_lines(view: Any, point: int) -> float:
    """How many lines through it are open to me, as a share of the most that a point can have."""
    return view.lines[MOVER, point] / most_lines(view)


@rule("put", 0.1, 0.05, says="close(s) [more|fewer|] of the opponent's lines")
def closes_lines(view: Any, point: int) -> float:
    """How many lines through it are open to the opponent, as a share of the most that a point can have."""
    return view.lines[OPPONENT, point] / most_lines(view)


@rule("put", 0.05, 0.1, says="build(s) a [longer|shorter|] line")
def builds(view: Any, point: int) -> float:
    """How many stones I have on the best of its lines open to me, as a share of what a win needs."""
    return view.most[MOVER, point] / (view.win - 1)


@rule("put", 0.05, 0.1, says="block(s) a [longer|shorter|] line of the opponent's")
def hinders(view: Any, point: int) -> float:
    """How many stones the opponent has on the best of its lines open to it, as a share of what a win needs."""
    return view.most[OPPONENT, point] / (view.win - 1)


@rule("put", 0.2, says="strengthen(s) my lines [more|less|]")
def strengthens(view: Any, point: int) -> float:
    """The sum of the squares of my stones on each of its lines open to me, as a share of the largest possible."""
    return view.weight[MOVER, point] / (most_lines(view) * (view.win - 1) ** 2)


@rule("put", 0.2, says="weaken(s) the opponent's lines [more|less|]")
def weakens(view: Any, point: int) -> float:
    """The sum of the squares of the opponent's stones on each of its open lines, as a share of the largest possible."""
    return view.weight[OPPONENT, point] / (most_lines(view) * (view.win - 1) ** 2)


@rule("put", 0.1, says="play(s) [nearer to|farther from|near] the middle")
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
PLAYERS: dict[str, Callable[[], Player]] = {
    "standard": lambda: RulePlayer(standard, standard.hand_tuned(), "standard"),
    "newell-simon": lambda: RulePlayer(newell_simon, newell_simon.hand_tuned(), "newell-simon"),
    "careful": lambda: RulePlayer(newell_simon, {"put": {"win": 2, "block": 1}}, "careful"),
}
