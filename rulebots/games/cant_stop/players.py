"""The built-in players of Can't Stop: the hand-tuned one, two published ones, a cautious and a bold one."""

from collections.abc import Callable
from typing import Any

from rulebots.game import View
from rulebots.games.cant_stop.facts import BUST
from rulebots.games.cant_stop.game import game
from rulebots.games.cant_stop.moves import ADVANCE, HIGH, LOW, NO_COLUMN, ROLL, RUNNERS, STOP, columns_of, length_of
from rulebots.games.cant_stop.rule_of_28 import GLENN_ALOI, generalized
from rulebots.games.cant_stop.rules import standard
from rulebots.kernel import kernel
from rulebots.players import KernelPlayer, Player, RulePlayer


@kernel
def open_after(view: View, move: int) -> int:
    """The columns in which the next roll could advance after a move, one bit each."""
    climbing = others = placed = 0
    for column in range(columns_of(view.sides)):
        steps = int(column == LOW[move]) + int(column == HIGH[move])
        top = view.runner[column]
        if top or steps:
            placed += 1
            top = (top or view.mine[column]) + steps
            climbing |= int(top < length_of(view.sides, view.shortest, column)) << column
        else:
            others |= (1 - (view.closed >> column & 1)) << column
    return climbing | others if placed < RUNNERS else climbing


@kernel
def climbed_share(view: View, column: int) -> float:
    """How much of a column a space is; 0 for no column."""
    return 1.0 / length_of(view.sides, view.shortest, column) if column != NO_COLUMN else 0.0


@kernel
def choose_cautious(view: View, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
    """The advance after which a bust is least likely; it stops once all runners are placed or one is on top."""
    if moves[0] < ADVANCE:
        return STOP if view.free == 0 or view.topped > 0 else ROLL
    best = moves[0]
    least = 2.0
    for i in range(n):
        bust = BUST[view.sides, open_after(view, moves[i])]
        if bust < least or (bust == least and moves[i] < best):
            best = moves[i]
            least = bust
    return best


@kernel
def choose_bold(view: View, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
    """The advance that climbs the largest share of columns; it never stops before a runner has reached a top."""
    if moves[0] < ADVANCE:
        return STOP if view.topped > 0 else ROLL
    best = moves[0]
    most = -1.0
    for i in range(n):
        climbed = climbed_share(view, LOW[moves[i]]) + climbed_share(view, HIGH[moves[i]])
        if climbed > most or (climbed == most and moves[i] < best):
            best = moves[i]
            most = climbed
    return best


PLAYERS: dict[str, Callable[[], Player]] = {
    "standard": lambda: RulePlayer(standard, standard.hand_tuned(), "standard"),
    "glenn_aloi": lambda: RulePlayer(generalized, GLENN_ALOI, "glenn_aloi"),
    "rule_of_28": lambda: RulePlayer(generalized, generalized.hand_tuned(), "rule_of_28"),
    "bold": lambda: KernelPlayer(game, choose_bold, "bold"),
    "cautious": lambda: KernelPlayer(game, choose_cautious, "cautious"),
}
