"""Cases of Can't Stop: a rule, a position with its dice, a move, and the value that the rule must give."""

from __future__ import annotations

from typing import Any

import pytest
from cant_stop_positions import position
from written_positions import Case, value_of

#: 2+12 or 7+7.
ENDS = "1-1-6-6"
#: 4+8 or 5+7.
MIXED = "1-3-4-4"
#: 5+11, 6+10 or 7+9.
THREE = "1-4-5-6"
#: 4+7 or 5+6.
LOW = "1-3-3-4"


def case(rule: str, what: str, about: str, value: float, **where: Any) -> Case:
    return Case(rule, what, where, about, value)


def assert_value(rules: Any, of: Case) -> None:
    here = position(**of.position)
    move = here.read(of.about)
    assert move in here.legal_moves
    assert value_of(rules, of.rule, here.view(), move) == pytest.approx(of.value)
