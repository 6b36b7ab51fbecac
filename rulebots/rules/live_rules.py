"""Rules over the objects of a live game (rulebots/game/live.py): plain Python, called with what the mover sees.

    rule(position, move) -> number
    rule(position, move, after) -> number     `after` is the position after the move, made once a move
    rule(position, moves) -> array            one number for each of the moves

`position` is the game's object; where the game hides something, what its `sees` gives.
"""

import contextlib
import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rulebots.game.checks import contract_error, described, expect, is_number
from rulebots.game.courses import course_after
from rulebots.game.live import LiveLaw
from rulebots.kernel import Kernel, PlainKernel
from rulebots.rules.rule import AFTER, ALL_MOVES, Rule

#: What rules nearly always give.
NUMBERS = frozenset((float, int, bool, np.float64, np.bool_))
#: Scores this near are equal, as in scoring.py.
ROUNDING = 1e-9


class LiveRules:
    """Rules of a game as plain functions of what a mover sees."""

    def __init__(self, law: LiveLaw, rules: Sequence[Rule], progress: Kernel[..., float] | None) -> None:
        self.law = law
        self.functions = [plain_function(rule.kernel) for rule in rules]
        self.progress = None if progress is None else plain_function(progress)
        #: For each rule `values(position, moves, after)`: what it says of each move; `after(i)` is the position after
        #: the i-th.
        self.values = [_values_of(function) for function in self.functions]

    def late(self, seen: Any) -> float:
        """The share of the late weights here."""
        if self.progress is None:
            return 0.0
        late = self.progress(seen)
        expect(self.progress, is_number(late) and 0 <= late <= 1, late, "expected a number from 0 to 1")
        return float(late)

    def scores(
        self, seen: Any, legal: Sequence[Any], weights: Sequence[float], after: Callable[[int], Any]
    ) -> list[float]:
        """The weighted sum of the rules for each move. A rule that weighs nothing is not asked."""
        scores = [0.0] * len(legal)
        for column, weight in enumerate(weights):
            if weight:
                values = self.values[column](seen, legal, after)
                if not NUMBERS.issuperset(map(type, values)):
                    values = [_number(self.functions[column], value) for value in values]
                scores = [score + weight * value for score, value in zip(scores, values, strict=True)]
        return scores

    def chosen(
        self,
        seen: Any,
        legal: Sequence[Any],
        numbers: Sequence[int],
        weights: Sequence[float],
        after: Callable[[int], Any],
    ) -> int:
        """The index of the best move: of equal ones, that of the lowest number; a NaN never wins."""
        scores = self.scores(seen, legal, weights, after)
        enough = max(scores) - ROUNDING
        if enough != enough:  # noqa: PLR0124 - NaN
            enough = max((score for score in scores if score == score), default=0.0) - ROUNDING  # noqa: PLR0124
        best = [i for i, score in enumerate(scores) if score >= enough]
        return best[0] if len(best) == 1 else min(best, key=numbers.__getitem__, default=0)


def _number(function: Callable[..., Any], value: Any) -> float:
    """What a rule gives, of whatever type, as a number."""
    with contextlib.suppress(TypeError, ValueError):
        return float(value + 0.0)  # text cannot be added
    raise contract_error(function, f"gives {described(value)}: expected a number or a bool")


def _values_of(function: Callable[..., Any]) -> Callable[[Any, Sequence[Any], Callable[[int], Any]], Sequence[float]]:
    """A rule as a function of all moves, however it was written."""
    names = [*inspect.signature(function).parameters]

    def at_once(seen: Any, legal: Sequence[Any], after: Callable[[int], Any]) -> Sequence[float]:
        values = function(seen, legal)
        with contextlib.suppress(ValueError):  # lists of several lengths
            if np.shape(values) == (len(legal),):
                listed: list[float] = np.asarray(values).tolist()
                return listed
        raise contract_error(
            function, f"gives {described(values)}: expected a number for each of the {len(legal)} moves"
        )

    def ahead(seen: Any, legal: Sequence[Any], after: Callable[[int], Any]) -> Sequence[float]:
        return [function(seen, move, after(i)) for i, move in enumerate(legal)]

    def each(seen: Any, legal: Sequence[Any], after: Callable[[int], Any]) -> Sequence[float]:
        return [function(seen, move) for move in legal]

    return at_once if names[1] == ALL_MOVES else ahead if AFTER in names[2:] else each


def blended(weights: Any, late: float) -> list[float]:
    """The weights of this moment, from float64[2, rules]."""
    blend: list[float] = ((1.0 - late) * weights[0] + late * weights[1]).tolist()
    return blend


def plain_function(kernel: Kernel[..., Any]) -> Any:
    """The function of a rule as its author wrote it."""
    return kernel.meaning if isinstance(kernel, PlainKernel) else kernel.function


def bound_parts(law: LiveLaw, rules: tuple[Rule, ...], progress: Kernel[..., float] | None) -> dict[str, Any]:
    """The parts of a rule set of a live game as kernels over its views; {} once they are."""
    if any(isinstance(rule.kernel, PlainKernel) for rule in rules):
        return {}
    plain = LiveRules(law, rules, progress)
    bound = tuple(replace(rule, kernel=_rule_kernel(plain, column)) for column, rule in enumerate(rules))
    if progress is not None:
        progress = PlainKernel(lambda view: plain.late(law.shown(view)[0]), plain.progress)
    return {"rules": bound, "progress": progress}


def _rule_kernel(plain: LiveRules, column: int) -> PlainKernel[..., float]:
    function = plain.functions[column]
    all_at_once = [*inspect.signature(function).parameters][1] == ALL_MOVES

    @functools.wraps(function)
    def judge(view: Any, item: int) -> float:
        seen, legal = plain.law.shown(view)
        index = plain.law.index(legal, int(item))
        if not all_at_once:
            legal = [legal[index]]
            index = 0
        after = _looking_after(plain.law, view, [int(item)], legal)
        return float(plain.values[column](seen, legal, after)[index])

    return PlainKernel(judge, function)


def _looking_after(law: LiveLaw, view: Any, numbers: Sequence[int], moves: Sequence[Any]) -> Callable[[int], Any]:
    """`after` of a view: each position is made where it is asked for, and once for all rules."""
    course = int(view.course)
    made = law.looked_at(course)

    def after(i: int) -> Any:
        number = numbers[i]
        if number not in made:
            with law.own_random():
                made[number] = law.after(law.at(view).g, moves[i], course_after.function(course, number))
        return made[number]

    return after


def choose_kernel(rules: Any) -> PlainKernel[..., int]:
    """The kernel that picks a move for a rule set of a live game, as `best_move` of scoring.py does."""
    law = rules.game.live
    plain = LiveRules(law, rules.rules, rules.progress)

    def choose(view: Any, moves: Any, n: int, weights: Any, blend: Any, scores: Any) -> int:
        seen, legal = law.shown(view)
        numbers = moves[:n].tolist()
        offered = [law.move_at(legal, number) for number in numbers]
        after = _looking_after(law, view, numbers, offered)
        now = blended(weights[:, : len(plain.functions)], plain.late(seen))
        return int(numbers[plain.chosen(seen, offered, numbers, now, after)])

    return PlainKernel(choose, [plain.functions, plain.progress])
