"""The rules of Can't Stop.

"In 28s" means points as the Rule of 28 counts them, divided by 28, which is about what a turn brings.
"""

from collections.abc import Callable
from typing import Any

from rulebots.game import View
from rulebots.games.cant_stop.facts import (
    DISTANCES,
    FIELDS,
    GAIN,
    VALUE,
    gone,
    look,
    only_even,
    only_high,
    only_low,
    only_odd,
    weigh,
)
from rulebots.games.cant_stop.game import game
from rulebots.games.cant_stop.moves import HIGH, LOW, MOST_SIDES, NO_COLUMN, OTHER, length_of
from rulebots.games.cant_stop.rule_of_28 import GLENN_ALOI, generalized
from rulebots.kernel import Kernel, kernel
from rulebots.players import Player, RulePlayer
from rulebots.rules import Rule, RuleSet, rule, rules_of

TURN = 28.0
#: Points of a single roll, so that they are around 1.
SEVEN = 7.0


#: Weights of the spaces that a move climbs, early and late, by the distance from the middle.
CLIMBED = ((0.3, 0.2), (0.2, 0.4), (-0.8, -0.8), (-0.2, 0.2), (0.5, -0.5), (0.5, 0.0))


@kernel
def share(view: View, heights: Any, column: int) -> float:
    """How much of a column a side has climbed: 1 at its top; 0 for no column."""
    if column == NO_COLUMN:
        return 0.0
    return heights[column] / length_of(view.sides, view.shortest, column)


def climbed(distance: int) -> Kernel[..., Any]:
    """A kernel that gives the spaces that a move climbs at a distance from the middle."""

    @kernel
    def climbed_there(view: View, move: int) -> int:
        points = VALUE[view.sides]
        return int(points[LOW[move]] == distance + 1) + int(points[HIGH[move]] == distance + 1)

    return climbed_there


# --- advance: which columns


SPACES = [
    Rule(
        "advance", name, f"Spaces that it climbs {where}.", *CLIMBED[i], climbed(i),
        f"climb(s) [farther|less far|] in {column}",
    )
    for i, (name, where, column) in enumerate(DISTANCES)
]  # fmt: skip


@rule("advance", late=-1, says="put(s) [more|less|more] at risk")
def gained(view: View, move: int) -> float:
    """Points that it climbs, in sevens."""
    return (VALUE[view.sides, LOW[move]] + VALUE[view.sides, HIGH[move]]) / SEVEN


@rule("advance", early=1, late=0.5, says="climb(s) [more|fewer|] columns already begun")
def begun(view: View, move: int) -> int:
    """In how many of its columns I had climbed before this turn."""
    low = LOW[move]
    other = OTHER[move]
    return int(low != NO_COLUMN and view.mine[low] > 0) + int(other != NO_COLUMN and view.mine[other] > 0)


@rule("advance", late=3, says="get(s) [nearer to|less near to|nearer to] the top of a column")
def height(view: View, move: int) -> float:
    """How high it brings me in its columns: 1 for each top."""
    return share(view, view.top, LOW[move]) + share(view, view.top, OTHER[move])


@rule("advance", early=1, says="race(s) an opponent who has climbed [higher|less high|] in the same column")
def contested(view: View, move: int) -> float:
    """How high the highest opponent stands in its columns: 1 for each top."""
    return share(view, view.theirs, LOW[move]) + share(view, view.theirs, OTHER[move])


@rule("advance", early=6, late=4, says="get(s) [closer|less close|closer] to winning")
def closer(view: View, move: int) -> float:
    """By how many points this turn has then shortened my way to the columns that I still need, in 28s."""
    return (view.my_distance - view.distance_left) / TURN


@rule("advance", early=1.5, says="bring(s) [more|fewer|] runners to the top")
def tops(view: View, move: int) -> int:
    """Columns whose top my runners have reached then."""
    return view.tops


@rule("advance", early=10, says="win(s) the game")
def wins(view: View, move: int) -> bool:
    """It wins the game."""
    return view.wins != 0


# --- advance: what the turn can still become


@rule("advance", early=-2.5, late=-2, says="use(s) up [more|fewer|more] runners")
def runners(view: View, move: int) -> int:
    """Runners on the board then."""
    return view.placed


@rule("advance", early=-2, late=-0.5, says="use(s) up the last runner, so that busts are likelier")
def last_runner(view: View, move: int) -> bool:
    """No runner is left then, or no column that it could enter."""
    return view.can_place == 0


@rule("advance", early=-10, late=-5, says="run(s) a [higher|lower|] risk of a bust")
def bust(view: View, move: int) -> float:
    """How likely the next roll is a bust."""
    return view.bust


all_even = rule(
    "advance", early=0.5, name="all_even", says="place(s) all runners in even columns, which go well together"
)(only_even)


all_odd = rule(
    "advance", early=-2, late=-0.5, name="all_odd", says="place(s) all runners in odd columns, which go badly together"
)(only_odd)


@rule("advance", early=-1, late=0, says="leave(s) one side of the middle without a runner, which makes busts likelier")
def one_sided(view: View, move: int) -> bool:
    """All three runners are placed then, none above the middle column or none below it."""
    return only_high(view, move) or only_low(view, move)


@rule("advance", early=2, says="get(s) a [better|worse|] chance to reach a top with the next roll")
def reaches_top(view: View, move: int) -> float:
    """How likely the next roll brings a runner to the top of its column."""
    return view.reach_top


@rule("advance", early=15, says="get(s) a [better|worse|] chance to win next turn")
def next_turn(view: View, move: int) -> float:
    """Roughly how likely I win with my next turn, if I stop then."""
    return view.my_chance


@rule("advance", early=-4, late=-6, says="leave(s) an opponent a [better|worse|] chance to win")
def their_turn(view: View, move: int) -> float:
    """Roughly how likely an opponent wins with its next turn, if I stop then."""
    return view.their_chance


# --- stop: 0 is the score of rolling again


@rule("stop", early=2, late=1, says="[bank(s) more|settle(s) for less] than the 28 points of a good turn")
def over_28(view: View, move: int) -> float:
    """By how much the turn exceeds 28 points, counted by the Rule of 28, in 28s."""
    counted = 2 * (int(only_odd(view, move)) - int(only_even(view, move)))
    counted += 4 * (int(only_high(view, move)) + int(only_low(view, move)))
    for distance in range(view.sides):
        counted += view.marked[distance] * (distance + 1)
    return (counted - TURN) / TURN


@rule("stop", late=-1, says="settle(s) for the spaces climbed this turn")
def at_stake(view: View, move: int) -> float:
    """Points that a bust would take, in 28s."""
    return view.stake / TURN


fewer = rule("stop", early=1, late=0, name="fewer", says="keep(s) the progress of this turn")(closer.kernel)


risk = rule("stop", late=2, name="risk", says="avoid(s) the risk of a bust")(bust.kernel)


@rule("stop", early=2, says="save(s) <7 points> that the next roll would cost on average, by the Rule of 28")
def expected_loss(view: View, move: int) -> float:
    """Points that the next roll takes on average, in sevens: those at stake times how likely it is a bust."""
    return view.stake * view.bust / SEVEN


@rule("stop", early=2, late=1, says="spare(s) the progress of this turn the risk of a bust")
def expected_delay(view: View, move: int) -> float:
    """Points that the next roll takes from my way to the columns that I still need, on average, in sevens."""
    return (view.my_distance - view.distance_left) * view.bust / SEVEN


@rule("stop", early=-2, says="give(s) up the average gain of another roll, <7 points> by the Rule of 28")
def expected_gain(view: View, move: int) -> float:
    """Points that the next roll brings on average, in sevens."""
    return GAIN[view.sides, view.open] / SEVEN


@rule("stop", early=-10, says="waste(s) a free runner, with which busts are unlikely")
def runner_left(view: View, move: int) -> bool:
    """A runner is left, and a column that it could enter."""
    return view.can_place != 0


on_top = rule("stop", early=2.5, late=1.5, name="on_top", says="secure(s) the top of a column")(tops.kernel)


top_near = rule("stop", early=-2, late=-4, name="top_near", says="give(s) up a chance to reach a top")(
    reaches_top.kernel
)


@rule("stop", early=3, late=5, says="close(s) a column that an opponent needs")
def shuts_out(view: View, move: int) -> float:
    """By how many points it lengthens the nearest opponent's way, because columns are won and closed, in 28s."""
    return (view.distance_them - view.their_distance) / TURN


@rule("stop", late=-0.5, says="[keep(s) a lead|stay(s) behind] in the race")
def ahead(view: View, move: int) -> float:
    """How much shorter my way is than the nearest opponent's then, in 28s."""
    return (view.distance_them - view.distance_left) / TURN


danger = rule("stop", early=-1.5, late=-2, name="danger", says="leave(s) an opponent a chance to win")(
    their_turn.kernel
)


promise = rule("stop", early=2, late=0, name="promise", says="keep(s) a good chance to win next turn")(next_turn.kernel)


@rule("stop", early=-1.5, late=-2, says="let(s) an opponent try to win while another roll may go well")
def last_stand(view: View, move: int) -> float:
    """How likely an opponent wins with its next turn, times how likely the next roll is not a bust."""
    return view.their_chance * (1.0 - view.bust)


standard = RuleSet(
    "standard",
    game,
    (*SPACES, *rules_of(globals())),
    fields=FIELDS,
    progress=gone,
    facts=look,
    consider=weigh,
    meaning="points, risk and gain of the next roll, and how far both sides have to go",
)
RULE_SETS = (standard, generalized)

#: The advance after which a bust is least likely; it stops once no runner can be placed or one is on top.
CAUTIOUS: dict[str, dict[str, float]] = {"advance": {"bust": -1}, "stop": {"runner_left": -1, "on_top": 2}}
#: The advance that climbs the largest share of columns, as long as those of six-sided dice; it never stops before a
#: runner has reached a top.
BOLD: dict[str, dict[str, float]] = {
    "advance": {name: 1 / length_of(MOST_SIDES, 3, MOST_SIDES - 1 + i) for i, (name, *_) in enumerate(DISTANCES)},
    "stop": {"runner_left": -1, "risk": -1, "on_top": 4},
}
PLAYERS: dict[str, Callable[[], Player]] = {
    "standard": lambda: RulePlayer(standard, standard.hand_tuned(), "standard"),
    "glenn_aloi": lambda: RulePlayer(generalized, GLENN_ALOI, "glenn_aloi"),
    "rule_of_28": lambda: RulePlayer(generalized, generalized.hand_tuned(), "rule_of_28"),
    "bold": lambda: RulePlayer(standard, BOLD, "bold"),
    "cautious": lambda: RulePlayer(standard, CAUTIOUS, "cautious"),
}
