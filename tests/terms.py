"""Terms of made-up rules, for tests of reasons."""

from __future__ import annotations

from rulebots.kernel import kernel
from rulebots.players.explaining import Term
from rulebots.rules import Rule

CORNER = "take(s) a corner and threaten(s)"


def a_term(says: str, shares: tuple[float, ...], values: tuple[float, ...], weight: float = 1.0) -> Term:
    """The term of a rule that says so."""
    meaning = "It is a corner, as I say, in fives. More of it."
    rule = Rule("put", "corner", meaning, weight, weight, kernel(lambda view, item: 0), says)
    amount = weight * (shares[0] * values[0] - shares[1] * values[1])
    return Term(rule, weight, weight, weight, shares, values, amount)
