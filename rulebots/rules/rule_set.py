"""Rules, each one function with a docstring and weights; and rule sets, named selections of a game's rules.

    score(move) = sum over rules  mix[kind(move), group(rule)] * w_rule(t) * rule(view, item(move))
    w_rule(t)   = (1 - t) * early + t * late,   t = progress(view)

This is a tapered evaluation. The names of a set's rules are the columns of a weight matrix; nothing else ties a
number to a rule.
"""

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import FunctionType
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from rulebots.errors import UsageError, check_known, demand, unknown
from rulebots.game import Floats, Game, Kind, View
from rulebots.game.checks import (
    CheckedKernel,
    check_kernel,
    checked_facts,
    checked_progress,
    checked_rule,
    without_checks,
)
from rulebots.game.contract import checked_game
from rulebots.game.dtypes import extended, fields_of, widened
from rulebots.game.live_loading import as_game
from rulebots.kernel import Kernel, PlainKernel, debugging, interpreted, kernel
from rulebots.kernel.user_code import place_of, place_of_caller
from rulebots.rules.live_rules import bound_parts
from rulebots.rules.rule import AFTER, MOST_WEIGHT, Rule, is_weight

#: float64[2, rules]: the early weights in row 0, the late ones in row 1.
Weights = Floats
EARLY = 0
LATE = 1


def weight_pair(value: Any) -> tuple[float, float]:
    """(early, late) from a weight written as one number or as two. Raises UsageError for anything else."""
    pair = value if isinstance(value, list | tuple) else (value, value)
    demand(
        len(pair) == 2 and all(map(is_weight, pair)),
        f"expected a weight or [early, late], from {-MOST_WEIGHT:g} to {MOST_WEIGHT:g}, not {value!r}",
    )
    return float(pair[0]), float(pair[1])


@dataclass(frozen=True, eq=False, repr=False)
class RuleSet:
    """A named selection of a game's rules, with its own idea of early and late.

    `progress(view)` is in 0..1; without it the set is *flat*: one weight per rule. `facts(view)` computes what several
    rules share, once per decision, `consider(view, item)` once per item. Both write into the set's own `fields`, listed
    as for NumPy: `[("near", np.int32), ...]` or a dtype. The rules see a `record` that holds the observation, followed
    by these fields; all of them are 0 before `facts`. `kinds` says how each kind of move mixes the groups; by
    default as the game does. `decide(rules)` makes the kernel that picks a move; by default that of the best score.

    `point` is (rule key, what a point adds to a score at weight 1 of that rule), for a set with a rule that counts the
    points of a move. Scores can then be read as points, and a search takes the best score as its estimate of the
    points still to come.

    Raises:
        UsageError: a rule that stands in it twice, an unknown group or `point`, or wrong fields.
    """

    name: str
    game: Game
    rules: tuple[Rule, ...]
    fields: npt.DTypeLike = ()  # type: ignore[assignment]  # an empty list of fields, which NumPy knows and its types do not
    progress: Kernel[..., float] | None = None
    facts: Kernel[..., None] | None = None
    consider: Kernel[..., None] | None = None
    kinds: tuple[Kind, ...] = ()
    decide: "Callable[[RuleSet], Kernel[..., int]] | None" = None
    meaning: str = ""
    point: tuple[str, float] | None = None
    columns: Mapping[str, int] = field(init=False, repr=False)
    record: np.dtype[Any] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "game", as_game(self.game) or self.game)
        if not isinstance(self.rules, Rule):
            object.__setattr__(self, "rules", tuple(self.rules))
        if self.game.live is not None and not self.kinds:
            groups = {r.group: 1.0 for r in self.rules if isinstance(r, Rule)}
            object.__setattr__(self, "kinds", (Kind("move", groups),))
        where = f"rule set '{self.name}'"
        for problem in self._problems():
            raise UsageError(f"{place_of_caller()}: {where} {problem}")
        if self.game.live is not None:
            progress = kernel(self.progress) if isinstance(self.progress, FunctionType) else self.progress
            check_kernel(f"{place_of_caller()}: {where}", "progress", progress, 1)
            for name, value in bound_parts(self.game.live, self.rules, progress).items():
                object.__setattr__(self, name, value)
        for name, count in (("progress", 1), ("facts", 1), ("consider", 2)):
            check_kernel(f"{place_of_caller()}: {where}", name, getattr(self, name), count)
        try:
            record = extended(self.game.view, self.fields)
        except UsageError as error:
            raise UsageError(f"{place_of_caller()}: {where}: {error}") from None
        object.__setattr__(self, "record", record)
        object.__setattr__(self, "columns", {r.key: i for i, r in enumerate(self.rules)})
        if debugging():
            for name, part in _checked_parts(self).items():
                object.__setattr__(self, name, part)

    def _problems(self) -> Iterator[str]:
        rules: Any = self.rules
        if isinstance(rules, Rule):
            yield f"needs a tuple of rules: ({rules.name},) with the comma"
            return
        if not rules:
            yield "has no rules: name at least one"
        keys = set[str]()
        for r in rules:
            if not isinstance(r, Rule):
                name = getattr(r, "__name__", repr(r))
                at = f", {place_of(r)}" if place_of(r) else ""
                yield f"has '{name}', which is not a rule: put @rule(GROUP) on {name}{at}"
                return
            if not isinstance(r.kernel, PlainKernel):
                yield from self._problems_of_signature(r)
            if r.key in keys:
                yield f"names the rule '{r.key}' twice"
            keys.add(r.key)
            if r.group not in self.groups:
                group = unknown("group", r.group, self.groups, f"the kinds of {self.game.name}")
                yield f"has the rule '{r.name}' ({place_of(r)}): {group}"
        if self.point is not None and self.point[0] not in keys:
            yield f"has a wrong point: {unknown('rule', self.point[0], keys, 'the set')}"

    def _problems_of_signature(self, r: Rule) -> Iterator[str]:
        """What a rule asks for that the game does not have."""
        names = [*inspect.signature(without_checks(r.kernel).function).parameters]
        live = self.game.live
        what = f"has the rule '{r.name}' ({place_of(r)}), which asks for `{AFTER}`, the position after a move"
        if AFTER in names[2:] and live is None:
            yield f"{what}: {self.game.name} has states, not objects"
        elif AFTER in names[2:] and live is not None and (live.source.hidden or not live.copies):
            lacks = "hides something, and a rule gets what `sees` gives" if live.source.hidden else "has no `copy`"
            yield f"{what}: {self.game.name} {lacks}"

    def __repr__(self) -> str:
        return f"<RuleSet '{self.name}' of {self.game.name}: {len(self.rules)} rules>"

    def identity(self) -> object:
        """What decides the play of its players besides their weights; the name does not."""
        rules = [(r.key, r.kernel) for r in self.rules]
        kinds = [(kind.name, dict(kind.mix)) for kind in self.mixes]
        whole = (self.progress, self.facts, self.consider, self.decide, self.point)
        return self.game, self.record, rules, kinds, whole, self.game.kind, self.game.item

    @property
    def mixes(self) -> tuple[Kind, ...]:
        """How each kind of move mixes the groups: the set's `kinds`, or the game's."""
        return self.kinds or self.game.kinds

    @property
    def groups(self) -> tuple[str, ...]:
        """The names of the groups that any kind of move mixes, in the order of the kinds."""
        return tuple(dict.fromkeys(group for kind in self.mixes for group in kind.mix))

    @property
    def flat(self) -> bool:
        """Whether each rule has a single weight, early and late alike."""
        return self.progress is None

    def seeing(self, view: View) -> Any:
        """The record that the rules see of a view: a copy, followed by the set's own fields, all 0."""
        return widened(view, self.record)

    def hand_tuned(self) -> Weights:
        """The weights written beside the rules: float64[2, rules], early and late."""
        return np.array([[r.early for r in self.rules], [r.late for r in self.rules]], np.float64).reshape(2, -1)

    def rows(self, weights: Weights) -> list[dict[str, Any]]:
        """A line for each rule in plain data: group, rule, early, late, meaning; `weights` is float64[2, rules]."""
        return [
            {"group": r.group, "rule": r.name, "early": float(early), "late": float(late), "meaning": r.meaning}
            for r, (early, late) in zip(self.rules, weights.T, strict=True)
        ]

    def weights(self, named: Mapping[str, Mapping[str, Any]]) -> Weights:
        """`{group: {rule: [early, late] or one number}}` as float64[2, rules]; rules that are not named weigh 0.

        Raises:
            UsageError: an unknown rule, a group without a map of rules, or a value that is not a weight.
        """
        matrix = np.zeros((2, len(self.rules)))
        of_group: Any
        for group, of_group in named.items():
            demand(
                isinstance(of_group, Mapping),
                f"expected {{rule: weight}} for the group '{group}' of {self.game.name}/{self.name}, not {of_group!r}",
            )
            for name, value in of_group.items():
                key = f"{group}.{name}"
                check_known("rule", key, self.columns, f"{self.game.name}/{self.name}")
                matrix[:, self.columns[key]] = weight_pair(value)
        return matrix

    def named(self, weights: Weights) -> dict[str, dict[str, list[float]]]:
        """Weights, float64[2, rules], as `{group: {rule: [early, late]}}`, which `weights` reads back."""
        named: dict[str, dict[str, list[float]]] = {group: {} for group in self.groups}
        for r, pair in zip(self.rules, np.asarray(weights).T.tolist(), strict=True):
            named[r.group][r.name] = pair
        return named

    def extended(
        self,
        name: str,
        rules: Iterable[Rule],
        fields: npt.DTypeLike = (),  # type: ignore[assignment]  # as above
        facts: Kernel[..., None] | None = None,
        consider: Kernel[..., None] | None = None,
    ) -> Self:
        """This set with more rules, under another name, because files name their rule set.

        The new rules may bring `fields` of their own; their `facts` and `consider` run after those of this set.

        Raises:
            UsageError: this set's own name, or a rule or field that it has already.
        """
        demand(name != self.name, f"a rule set with more rules than '{name}' needs another name")
        return replace(
            self,
            name=name,
            rules=(*self.rules, *rules),
            fields=[*fields_of(self.fields), *fields_of(fields)],
            facts=_both_facts(self.facts, facts),
            consider=_both_considered(self.consider, consider),
        )

    @property
    def kernels(self) -> list[Kernel[..., Any]]:
        """The functions of the rules and of the set."""
        return [*(r.kernel for r in self.rules), *(part for part, _ in self.parts(None))]

    def parts(self, view: Any) -> list[tuple[Kernel[..., Any], tuple[Any, ...]]]:
        """The set's functions beside its rules, each with arguments for a record of the set."""
        parts = ((self.progress, (view,)), (self.facts, (view,)), (self.consider, (view, 0)))
        return [(part, arguments) for part, arguments in parts if part is not None]

    def interpreting(self, reasons: Mapping[str, str]) -> Self:
        """This set with some rules called back in Python: {rule key: why Numba cannot compile it}."""
        rules = list(self.rules)
        for key, reason in reasons.items():
            r = self.rules[self.columns[key]]
            rules[self.columns[key]] = replace(r, kernel=interpreted(r.kernel.function, reason))
        return replace(self, rules=tuple(rules))


def _checked_parts(rules: RuleSet) -> dict[str, Any]:
    """The functions of a rule set beside its rules, each checked at every call."""
    view = rules.game.view
    return {
        "progress": checked_progress(rules.progress),
        "facts": checked_facts(rules.facts, view),
        "consider": checked_facts(rules.consider, view),
    }


@functools.cache
def checked_rules(rules: RuleSet) -> RuleSet:
    """The same rule set and game with every call checked; itself if it checks itself already, as of a live game."""
    if rules.game.live is not None or all(isinstance(r.kernel, CheckedKernel) for r in rules.rules):
        return rules
    bodies = tuple(replace(r, kernel=checked_rule(r.kernel)) for r in rules.rules)
    return replace(rules, game=checked_game(rules.game), rules=bodies, **_checked_parts(rules))


def _both_facts(first: Kernel[..., None] | None, second: Kernel[..., None] | None) -> Kernel[..., None] | None:
    if first is None or second is None:
        return second or first
    one = first
    other = second

    @kernel
    def facts(view: Any) -> None:
        one(view)
        other(view)

    return facts


def _both_considered(first: Kernel[..., None] | None, second: Kernel[..., None] | None) -> Kernel[..., None] | None:
    if first is None or second is None:
        return second or first
    one = first
    other = second

    @kernel
    def consider(view: Any, item: int) -> None:
        one(view, item)
        other(view, item)

    return consider
