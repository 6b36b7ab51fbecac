"""The generalised Rule of 28: progress points decide when to stop, choice points how to pair the dice.

Michael Keller's Rule of 28 counts the points of a turn: each space is worth 1 in column 7, 2 in 6 and 8, up to 6 in 2
and 12, and each runner counts one space more. With all three runners placed, 2 are added if all are in odd columns and
subtracted if all are in even ones, and 4 are added if none is above 7 or none below it. From 28 on, it stops.

James Glenn and Christian Aloi ("A Generalized Heuristic for Can't Stop", FLAIRS 2009) made every number of it a
parameter, gave the choice of a pairing values of its own, and tuned all of them by a genetic algorithm for the fewest
turns alone on the board. docs/reference/games/cant-stop.md says what of this could be verified.
"""

from __future__ import annotations

from rulebots.game import View
from rulebots.games.cant_stop.game import game
from rulebots.games.cant_stop.turn import FIELDS, all_placed, place_runners
from rulebots.rules import RuleSet, rule, rules_of

# --- advance: choice points of the turn with this move


@rule("advance", early=6)
def choose_middle(view: View, move: int) -> int:
    """Spaces of the middle column climbed this turn, and 1 for its runner."""
    return view.marked[0]


@rule("advance", early=5)
def choose_one_off(view: View, move: int) -> int:
    """Likewise one column off the middle (6 and 8)."""
    return view.marked[1]


@rule("advance", early=4)
def choose_two_off(view: View, move: int) -> int:
    """Likewise two columns off the middle (5 and 9)."""
    return view.marked[2]


@rule("advance", early=3)
def choose_three_off(view: View, move: int) -> int:
    """Likewise three columns off the middle (4 and 10)."""
    return view.marked[3]


@rule("advance", early=2)
def choose_four_off(view: View, move: int) -> int:
    """Likewise four columns off the middle (3 and 11)."""
    return view.marked[4]


@rule("advance", early=1)
def choose_five_off(view: View, move: int) -> int:
    """Likewise five columns off the middle (2 and 12)."""
    return view.marked[5]


@rule("advance", early=-6)
def choose_runners(view: View, move: int) -> int:
    """Runners on the board then."""
    return view.placed


@rule("advance", early=-2)
def choose_all_odd(view: View, move: int) -> bool:
    """All three runners are placed then, all in odd columns."""
    return all_placed(view) and view.evens == 0


@rule("advance", early=2)
def choose_all_even(view: View, move: int) -> bool:
    """All three runners are placed then, all in even columns."""
    return all_placed(view) and view.evens == view.placed


@rule("advance", early=-4)
def choose_all_high(view: View, move: int) -> bool:
    """All three runners are placed then, none below the middle column."""
    return all_placed(view) and view.highs == view.placed


@rule("advance", early=-4)
def choose_all_low(view: View, move: int) -> bool:
    """All three runners are placed then, none above the middle column."""
    return all_placed(view) and view.lows == view.placed


# --- stop: progress points of the turn, less the threshold


@rule("stop", early=1)
def progress_middle(view: View, move: int) -> int:
    """Spaces of the middle column climbed this turn, and 1 for its runner."""
    return view.marked[0]


@rule("stop", early=2)
def progress_one_off(view: View, move: int) -> int:
    """Likewise one column off the middle (6 and 8)."""
    return view.marked[1]


@rule("stop", early=3)
def progress_two_off(view: View, move: int) -> int:
    """Likewise two columns off the middle (5 and 9)."""
    return view.marked[2]


@rule("stop", early=4)
def progress_three_off(view: View, move: int) -> int:
    """Likewise three columns off the middle (4 and 10)."""
    return view.marked[3]


@rule("stop", early=5)
def progress_four_off(view: View, move: int) -> int:
    """Likewise four columns off the middle (3 and 11)."""
    return view.marked[4]


@rule("stop", early=6)
def progress_five_off(view: View, move: int) -> int:
    """Likewise five columns off the middle (2 and 12)."""
    return view.marked[5]


@rule("stop", early=2)
def progress_all_odd(view: View, move: int) -> bool:
    """All three runners are placed, all in odd columns."""
    return all_placed(view) and view.evens == 0


@rule("stop", early=-2)
def progress_all_even(view: View, move: int) -> bool:
    """All three runners are placed, all in even columns."""
    return all_placed(view) and view.evens == view.placed


@rule("stop", early=4)
def progress_all_high(view: View, move: int) -> bool:
    """All three runners are placed, none below the middle column."""
    return all_placed(view) and view.highs == view.placed


@rule("stop", early=4)
def progress_all_low(view: View, move: int) -> bool:
    """All three runners are placed, none above the middle column."""
    return all_placed(view) and view.lows == view.placed


@rule("stop", early=-28)
def threshold(view: View, move: int) -> bool:
    """No runner is left, or no column that it could enter: the points from which it stops."""
    return not view.can_place


@rule("stop", early=-1000)
def runner_left(view: View, move: int) -> bool:
    """A runner is left, and a column that it could enter: it rolls again."""
    return view.can_place != 0


generalized = RuleSet(
    "generalized",
    game,
    tuple(rules_of(globals())),
    fields=FIELDS,
    consider=place_runners,
    meaning="the Rule of 28 with every number a weight, as Glenn and Aloi generalised it",
)

#: The weights that Glenn and Aloi's genetic algorithm found.
GLENN_ALOI = generalized.weights(
    {
        "advance": {
            "choose_middle": 3,
            "choose_one_off": 4,
            "choose_two_off": 0,
            "choose_three_off": 2,
            "choose_four_off": 0,
            "choose_five_off": 7,
            "choose_runners": -6,
            "choose_all_odd": -7,
            "choose_all_even": -1,
            "choose_all_high": -6,
            "choose_all_low": -5,
        },
        "stop": {
            "progress_middle": 1,
            "progress_one_off": 2,
            "progress_two_off": 2,
            "progress_three_off": 3,
            "progress_four_off": 7,
            "progress_five_off": 7,
            "progress_all_odd": 7,
            "progress_all_even": 1,
            "progress_all_high": 6,
            "progress_all_low": 5,
            "threshold": -29,
            "runner_left": -1000,
        },
    }
)
