"""The contract of rules, checked at every call, as rulebots/game/checked.py does for the functions of a game."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from rulebots.game.checked import ROUNDING, CheckedKernel, breach, checked_game, keeping, number, run, shown
from rulebots.kernel import Kernel

if TYPE_CHECKING:
    from rulebots.rules.rule_set import RuleSet


def checked_rule(body: Kernel[..., Any]) -> CheckedKernel:
    """A rule that must give a finite number, and change nothing."""

    def checked(view: Any, item: int) -> float:
        result = keeping(body, "view", view, view, item)
        if not number(result):
            raise breach(body, f"gives {shown(result)}: expected a finite number, or a bool")
        return float(result)

    return CheckedKernel(body, checked)


def checked_progress(body: Kernel[..., Any]) -> CheckedKernel:
    """A `progress` that must be in 0..1."""

    def checked(view: Any) -> float:
        result = keeping(body, "view", view, view)
        if not number(result) or not -ROUNDING <= result <= 1 + ROUNDING:
            raise breach(
                body, f"gives {shown(result)}: expected a number from 0 to 1 (min(max(..., 0.0), 1.0) keeps it)"
            )
        return float(result)

    return CheckedKernel(body, checked)


def checked_facts(body: Kernel[..., Any], observed: np.dtype[Any]) -> CheckedKernel:
    """A `facts` or `consider` that may write the set's own fields, and nothing that was observed."""

    def checked(view: Any, *item: int) -> None:
        before = {name: np.copy(view[name]) for name in observed.names or ()}
        run(body, view, *item)
        for name, value in before.items():
            if not np.array_equal(view[name], value):
                raise breach(body, f"changes view.{name}, which was observed: write into `fields` of the rule set")

    return CheckedKernel(body, checked)


def checked_choice(body: Kernel[..., Any]) -> CheckedKernel:
    """A `choose` that must give one of the legal moves."""

    def checked(view: Any, moves: Any, n: int, *more: Any) -> int:
        legal = moves[:n].tolist()
        result = run(body, view, moves, n, *more)
        if isinstance(result, float | np.floating) or result not in legal:
            raise breach(body, f"chooses {shown(result)}, which is not a legal move: expected one of {legal}")
        return int(result)

    return CheckedKernel(body, checked)


def checked_parts(rules: RuleSet) -> dict[str, Any]:
    """The functions of a rule set beside its rules, each checked at every call."""
    view = rules.game.view
    progress, facts, consider = rules.progress, rules.facts, rules.consider
    return {
        "progress": checked_progress(progress) if _unchecked(progress) else progress,
        "facts": checked_facts(facts, view) if _unchecked(facts) else facts,
        "consider": checked_facts(consider, view) if _unchecked(consider) else consider,
    }


def _unchecked(body: Kernel[..., Any] | None) -> TypeGuard[Kernel[..., Any]]:
    return body is not None and not isinstance(body, CheckedKernel)


@functools.cache
def checked_rules(rules: RuleSet) -> RuleSet:
    """The same rule set, and its game, with every function checked."""
    if all(isinstance(r.kernel, CheckedKernel) for r in rules.rules):
        return rules
    bodies = tuple(replace(r, kernel=checked_rule(r.kernel)) for r in rules.rules)
    return replace(rules, game=checked_game(rules.game), rules=bodies, **checked_parts(rules))
