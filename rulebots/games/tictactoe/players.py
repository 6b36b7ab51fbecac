"""Opponents at tic-tac-toe."""

from __future__ import annotations

from collections.abc import Callable

from rulebots.games.tictactoe.rules import newell_simon
from rulebots.players import Player, RulePlayer

PLAYERS: dict[str, Callable[[], Player]] = {
    "newell-simon": lambda: RulePlayer(newell_simon, newell_simon.hand_tuned(), "newell-simon"),
}
REFERENCES = ("newell-simon", "random")
