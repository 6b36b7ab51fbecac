"""What matters in gomoku."""

from __future__ import annotations

from typing import Any

from rulebots.games.gomoku.game import game
from rulebots.games.gomoku.points import WIDTH
from rulebots.rules import RuleSet, rule


@rule("put", 0.5)
def centre(view: Any, point: int) -> float:
    """How near the middle of the board it is: 1 in the middle, 0 at the edge."""
    row, column = point // WIDTH - 1, point % WIDTH - 1
    last = view.side - 1
    return 1.0 - max(abs(2 * row - last), abs(2 * column - last)) / last


patterns = RuleSet("patterns", game, (centre,), meaning="")
RULE_SETS = (patterns,)
