"""Opponents at gomoku."""

from __future__ import annotations

from collections.abc import Callable

from rulebots.games.gomoku.rules import patterns
from rulebots.players import Player, RulePlayer

PLAYERS: dict[str, Callable[[], Player]] = {
    "patterns": lambda: RulePlayer(patterns, patterns.hand_tuned(), "patterns"),
}
REFERENCES = ("patterns", "random")
