"""Programs: short, typed, the same from the same seed, and able to find what is there."""

from __future__ import annotations

import numpy as np

from evolve.analysis.discovery import programs
from evolve.analysis.discovery.expressions import Expression, Operand
from evolve.analysis.discovery.programs import OPERANDS, Amount, Breeding, Truth
from rulebots.registry import load_game, parts_of

RULES = parts_of(load_game("tictactoe")).rule_set()
FIELDS = [Operand(name, name, text=f"view.{name}") for name in ("left", "side", "win")]
RNG = np.random.default_rng(1)
VALUES = {r.key: RNG.integers(0, 2, 300).astype(np.float32) for r in RULES.rules}
VALUES |= {"view.left": RNG.integers(0, 40, 300).astype(np.float32), "view.side": RNG.random(300).astype(np.float32)}
#: What is to be found: a rule, where a field is large. Nothing is known of the third field.
TARGET = VALUES["put.fork"] * (VALUES["view.left"] >= 19.5)


def judge(chosen: list[Expression]) -> np.ndarray:
    return np.array([-float(np.square(expression.of(VALUES) - TARGET).sum()) for expression in chosen])


def test_it_finds_what_is_there_and_is_the_same_from_the_same_seed() -> None:
    breeding = Breeding(RULES, FIELDS, VALUES)
    found = breeding.bred(judge, 3)
    assert found == Breeding(RULES, FIELDS, VALUES).bred(judge, 3)
    best = breeding.expression(found[0])
    assert np.array_equal(best.of(VALUES), TARGET), best.name
    assert best.group == "put"
    for expression in map(breeding.expression, found):
        assert len(expression.operands) <= OPERANDS
        assert "win" not in {operand.text for operand in expression.operands}


def test_a_set_of_types_has_the_same_order_in_every_process() -> None:
    assert [hash(Amount), hash(Truth)] == [6, 5]


def test_without_numbers_there_are_truths(monkeypatch) -> None:
    monkeypatch.setattr(programs, "GENERATIONS", 1)
    truths = {key: value for key, value in VALUES.items() if key.startswith("put.")}
    breeding = Breeding(RULES, [], truths)
    assert all(breeding.expression(text).node.truth for text in breeding.bred(judge, 3))
    nothing = {key: np.zeros(300, np.float32) for key in truths}
    assert Breeding(RULES, [], nothing).bred(judge, 3) == []
