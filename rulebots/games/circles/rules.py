"""What matters in circle elimination: how a line leaves the board."""

from __future__ import annotations

from rulebots.game import View
from rulebots.games.circles.game import game
from rulebots.games.circles.lines import LENGTH
from rulebots.rules import RuleSet, rule


@rule("take", early=0.3, late=0.3)
def takes_many(view: View, line: int) -> float:
    """How many stones it takes, of the most that may be taken."""
    return LENGTH[line] / view.eliminate


standard = RuleSet("standard", game, (takes_many,), meaning="what a line leaves")
RULE_SETS = (standard,)
