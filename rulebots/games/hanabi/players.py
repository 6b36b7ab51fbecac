"""The built-in players of Hanabi."""

from __future__ import annotations

from rulebots.games.hanabi.rules import standard
from rulebots.players import RulePlayer

PLAYERS = {"standard": lambda: RulePlayer(standard, standard.hand_tuned(), "standard")}
REFERENCES = ("standard", "random")
