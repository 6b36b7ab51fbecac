"""The rule sets of Kalah; players are bred from the first by default."""

from __future__ import annotations

from rulebots.game import View
from rulebots.games.kalah.game import game
from rulebots.rules import RuleSet, rule


@rule("sow", early=1.0, late=1.0)
def extra_turn(view: View, pit: int) -> bool:
    """Its last stone comes into my store, so that I move again."""
    return view.board[pit] % (2 * view.pits + 1) == view.pits - pit


standard = RuleSet("standard", game, (extra_turn,))
RULE_SETS = (standard,)
