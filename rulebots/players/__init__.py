"""Players: they choose a move, given what the mover may know.

`player` has what all players share, `compiled` those whose decision is a kernel, and
`explaining` the reasons for a rule player's move.
"""

from rulebots.players.compiled import (
    CompiledPlayer,
    KernelPlayer,
    RandomPlayer,
    RulePlayer,
    Style,
    compiled_for,
    decides_by_rules,
    style_of,
)
from rulebots.players.player import Needs, Observed, Player, PlayerFault, Shown, name_of, named_apart

__all__ = [
    "CompiledPlayer",
    "KernelPlayer",
    "Needs",
    "Observed",
    "Player",
    "PlayerFault",
    "RandomPlayer",
    "RulePlayer",
    "Shown",
    "Style",
    "compiled_for",
    "decides_by_rules",
    "name_of",
    "named_apart",
    "style_of",
]
