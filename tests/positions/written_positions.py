"""Written positions: what a rule must say of one item there. All games write them in this shape.

`tests/games/test_every_rule.py` finds every test marked with `on_written_positions` and fails where a rule has none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from rulebots.rules import RuleSet

#: The attribute of a test that says what it covers: (rule set, cases, keys of rules with one value everywhere).
COVERS = "covers"


class Case(NamedTuple):
    """A rule, what the position shows, the position, the item asked about and the value that the rule must give."""

    rule: str  # `group.name`
    what: str
    position: Mapping[str, Any]  # what the game's own helper makes a view of
    about: str  # the item as a player writes it
    value: float

    def __str__(self) -> str:
        return f"{self.rule}: {self.what}"


def on_written_positions(
    rules: RuleSet, cases: Sequence[Case], constant: Sequence[str] = ()
) -> Callable[[Callable[[Case], None]], Callable[[], None]]:
    """Make one test of all cases out of a test of one; `constant` names the rules that give one value everywhere."""

    def marked(test: Callable[[Case], None]) -> Callable[[], None]:
        def on_all() -> None:
            wrong = []
            for case in cases:
                try:
                    test(case)
                except AssertionError as error:
                    wrong.append(f"{case}\n{error}")
            assert wrong == [], "\n\n".join(wrong)

        on_all.__name__, on_all.__doc__ = test.__name__, test.__doc__
        setattr(on_all, COVERS, (rules, cases, constant))
        return on_all

    return marked


def facts_of(rules: RuleSet, view: Any, item: int) -> Any:
    """What the rules see of an item: the view with all facts of the position and of the item."""
    view = rules.seeing(view)
    if rules.facts is not None:
        rules.facts(view)
    if rules.consider is not None:
        rules.consider(view, item)
    return view


def value_of(rules: RuleSet, key: str, view: Any, item: int) -> float:
    """What a rule says of an item."""
    return rules.rules[rules.columns[key]](facts_of(rules, view, item), item)
