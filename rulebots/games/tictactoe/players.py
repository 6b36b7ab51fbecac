"""The built-in players of tic-tac-toe."""

from __future__ import annotations

from collections.abc import Callable

from rulebots.games.tictactoe.rules import newell_simon, standard
from rulebots.players import Player, RulePlayer

PLAYERS: dict[str, Callable[[], Player]] = {
    "standard": lambda: RulePlayer(standard, standard.hand_tuned(), "standard"),
    "newell-simon": lambda: RulePlayer(newell_simon, newell_simon.hand_tuned(), "newell-simon"),
    "careful": lambda: RulePlayer(newell_simon, {"put": {"win": 2, "block": 1}}, "careful"),
}
