"""Styles: the compiled ways of choosing that players of a rule set share."""

from __future__ import annotations

from typing import Any

from rulebots import RuleSet, load_game, rule
from rulebots.kernel.fingerprint import fingerprint
from rulebots.players.compiled import style_of


def rules_of(value: int) -> RuleSet:
    @rule("shape")
    def constant(view: Any, pit: int) -> int:
        """A number."""
        return value

    return RuleSet("constant", load_game("kalah"), (constant,))


def test_a_style_is_known_by_what_its_rules_compute() -> None:
    one, same, other = (fingerprint(style_of(rules_of(value))) for value in (1, 1, 2))
    assert one == same != other
