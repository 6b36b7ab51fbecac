"""The built-in players of circle elimination."""

from __future__ import annotations

from collections.abc import Callable

from rulebots.games.circles.rules import standard
from rulebots.players import Player, RulePlayer

PLAYERS: dict[str, Callable[[], Player]] = {
    "hand_tuned": lambda: RulePlayer(standard, standard.hand_tuned(), "hand_tuned")
}
