"""The generalised Rule of 28: progress points decide when to stop, choice points how to pair the dice.

Michael Keller's Rule of 28 counts the points of a turn: each space is worth 1 in column 7, 2 in 6 and 8, up to 6 in 2
and 12, and each runner counts one space more. With all three runners placed, 2 are added if all are in odd columns and
subtracted if all are in even ones, and 4 are added if none is above 7 or none below it. From 28 on, it stops.

James Glenn and Christian Aloi ("A Generalized Heuristic for Can't Stop", FLAIRS 2009) made every number of it a
parameter, gave the choice of a pairing values of its own, and tuned all of them by a genetic algorithm for the fewest
turns alone on the board. docs/reference/games/cant-stop.md says what of this could be verified.
"""

from collections.abc import Sequence
from typing import Any

from rulebots.game import View
from rulebots.games.cant_stop.facts import (
    DISTANCES,
    TURN_FIELDS,
    only_even,
    only_high,
    only_low,
    only_odd,
    place_runners,
)
from rulebots.games.cant_stop.game import game
from rulebots.kernel import Kernel, kernel
from rulebots.rules import Rule, RuleSet, rule


def marked(distance: int) -> Kernel[..., Any]:
    """A kernel that gives the spaces climbed this turn at a distance from the middle, and 1 for each runner there."""

    @kernel
    def marked_there(view: View, move: int) -> int:
        return view.marked[distance]

    return marked_there


def space_rules(group: str, prefix: str, verb: str, weights: Sequence[float]) -> list[Rule]:
    """A rule for each distance from the middle."""
    meanings = ["Spaces of the middle column climbed this turn, and 1 for its runner."]
    meanings += [f"Spaces climbed this turn {where}, and 1 for each runner there." for _, where, _ in DISTANCES[1:]]
    return [
        Rule(
            group, f"{prefix}_{DISTANCES[i][0]}", meanings[i], weight, weight, marked(i),
            f"{verb}(s) [more|less|] progress in {DISTANCES[i][2]}",
        )
        for i, weight in enumerate(weights)
    ]  # fmt: skip


def runner_rules(group: str, prefix: str, placed: str, verb: str, weights: Sequence[float]) -> list[Rule]:
    """A rule for each way in which three runners go well or badly together."""
    ways: tuple[tuple[str, str, Kernel[..., Any]], ...] = (
        ("all_odd", "all in odd columns", only_odd),
        ("all_even", "all in even columns", only_even),
        ("all_high", "none below the middle column", only_high),
        ("all_low", "none above the middle column", only_low),
    )
    return [
        Rule(
            group, f"{prefix}_{name}", f"All three runners are {placed}, {which}.", weight, weight, together,
            f"{verb}(s) all three runners, {which}",
        )
        for (name, which, together), weight in zip(ways, weights, strict=True)
    ]  # fmt: skip


@rule("advance", early=-6, says="use(s) up [more|fewer|more] runners")
def choose_runners(view: View, move: int) -> int:
    """Runners on the board then."""
    return view.placed


@rule("stop", early=-28, says="settle(s) for less than a turn should bring")
def threshold(view: View, move: int) -> bool:
    """No runner is left, or no column that it could enter: the points from which it stops."""
    return not view.can_place


@rule("stop", early=-1000, says="waste(s) a free runner, with which busts are unlikely")
def runner_left(view: View, move: int) -> bool:
    """A runner is left, and a column that it could enter: it rolls again."""
    return view.can_place != 0


generalized = RuleSet(
    "generalized",
    game,
    (
        # Choice points of the turn with this move.
        *space_rules("advance", "choose", "make", [6.0, 5.0, 4.0, 3.0, 2.0, 1.0]),
        choose_runners,
        *runner_rules("advance", "choose", "placed then", "place", [-2.0, 2.0, -4.0, -4.0]),
        # Progress points of the turn, less the threshold.
        *space_rules("stop", "progress", "secure", [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        *runner_rules("stop", "progress", "placed", "secure", [2.0, -2.0, 4.0, 4.0]),
        threshold,
        runner_left,
    ),
    fields=TURN_FIELDS,
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
