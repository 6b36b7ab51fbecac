"""Styles: the compiled ways of choosing that players of a rule set share."""

from __future__ import annotations

from typing import Any

import pytest
from numbers_game import game, high, number

from rulebots import RuleSet, load_game, rule
from rulebots.errors import UsageError
from rulebots.kernel import Kernel
from rulebots.kernel.fingerprint import fingerprint
from rulebots.players.compiled import calling_back, compiled_for, style_of
from rulebots.rules import Rule


def rules_of(value: int) -> RuleSet:
    @rule("shape")
    def constant(view: Any, pit: int) -> int:
        """A number."""
        return value

    return RuleSet("constant", load_game("kalah"), (constant,))


def test_a_style_is_known_by_what_its_rules_compute() -> None:
    one, same, other = (fingerprint(style_of(rules_of(value))) for value in (1, 1, 2))
    assert one == same != other


class Stubborn(Kernel[..., Any]):
    """A kernel that Numba cannot compile."""

    def obstacle(self, *examples: Any) -> str | None:
        return f"the test says so of {self.function.__qualname__}"

    def no_number(self, *examples: Any) -> str | None:
        return None


class Compiled(Stubborn):
    """One that it can."""

    def obstacle(self, *examples: Any) -> str | None:
        return None


class Wordy(Compiled):
    """One that gives a text."""

    def no_number(self, *examples: Any) -> str | None:
        return "unicode_type"


def one(view: Any, item: int) -> float:
    return 1.0


def numbered(name: str, kind: type[Kernel[..., Any]]) -> Rule:
    return Rule("name", name, "", 1.0, 1.0, kind(one))


@pytest.mark.interpreted
def test_rules_that_numba_cannot_compile_are_called_back() -> None:
    plain = style_of(RuleSet("plain", game, (numbered("one", Compiled), numbered("two", Compiled))))
    assert calling_back(plain) is plain
    assert calling_back(high().style) is high().style
    mixed = style_of(RuleSet("mixed", game, (numbered("one", Compiled), numbered("odd", Stubborn))))
    with pytest.warns(RuntimeWarning, match=r"one runs interpreted.*the test says so of one"):
        called = calling_back(mixed)
    assert called.rules is not None
    assert mixed.rules is not None
    assert [a is b for a, b in zip(called.rules.rules, mixed.rules.rules, strict=True)] == [True, False]
    with pytest.raises(UsageError, match=r"rule 'name.wordy' gives unicode_type: expected a number"):
        calling_back(style_of(RuleSet("wordy", game, (numbered("wordy", Wordy), number))))


@pytest.mark.interpreted
def test_what_cannot_be_compiled_of_a_style_is_made_of_its_rules_called_back() -> None:
    mixed = style_of(RuleSet("mixed", game, (numbered("odd", Stubborn),)))
    made: list[object] = []

    def make(style: Any) -> Kernel[..., Any]:
        made.append(style)
        return Stubborn(one) if style is mixed else Compiled(lambda: 7)

    assert compiled_for(mixed, make)() == 7
    assert [style is mixed for style in made] == [True, False]
    facts = Stubborn(lambda view: None)
    whole = style_of(RuleSet("whole", game, (numbered("one", Compiled),), facts=facts))
    body = Stubborn(lambda: 3)
    with pytest.warns(RuntimeWarning, match="runs interpreted"):
        assert compiled_for(whole, lambda _: body) is body.function
