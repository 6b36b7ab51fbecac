"""The built-in players of gomoku."""

from __future__ import annotations

from collections.abc import Callable

from rulebots.games.gomoku.rules import patterns
from rulebots.players import Player, RulePlayer

#: Makes a five, else blocks one, else puts its stone near others.
CAREFUL: dict[str, dict[str, float]] = {
    "attack": {"five": 2},
    "defence": {"block_five": 1},
    "place": {"beside_mine": 0.02, "beside_theirs": 0.01},
}

PLAYERS: dict[str, Callable[[], Player]] = {
    "patterns": lambda: RulePlayer(patterns, patterns.hand_tuned(), "patterns"),
    "careful": lambda: RulePlayer(patterns, CAREFUL, "careful"),
}
