"""One weight in a file: a number, or `[early, late]`."""

from __future__ import annotations

import math

from rulebots.errors import shown
from rulebots.files.yaml_reading import Items, Node, Scalar
from rulebots.players.population.problems import Problems
from rulebots.rules import MOST_WEIGHT


def read_weight(node: Node, name: str, problems: Problems, *, flat: bool) -> tuple[float, float] | None:
    """(early, late) of the rule of that name, or None with a problem noted.

    In a `flat` rule set the two have to be the same.
    """
    whose = f"as weight of '{shown(name)}'"
    if isinstance(node, Items) and len(node.items) != 2:
        problems.expected(f"one number or [early, late] {whose}", node)
        return None
    parts = node.items if isinstance(node, Items) else [node]
    numbers = [read_number(part, whose, problems) for part in parts]
    early, late = numbers[0], numbers[-1]
    if early is None or late is None:
        return None
    if flat and early != late:
        problems.add(
            node, f"expected one number {whose}, early and late alike in this rule set, not [{early:g}, {late:g}]"
        )
        return None
    return early, late


def read_number(node: Node, whose: str, problems: Problems) -> float | None:
    """A finite number that is not absurdly large, or None with a problem noted."""
    number = node.number() if isinstance(node, Scalar) else None
    if number is None or not math.isfinite(number):
        problems.expected(f"a finite number such as 0.5 or -1e-3 {whose}", node)
        return None
    if abs(number) > MOST_WEIGHT:
        problems.expected(f"a number from {-MOST_WEIGHT:g} to {MOST_WEIGHT:g} {whose}", node)
        return None
    return number
