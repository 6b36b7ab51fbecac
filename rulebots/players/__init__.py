"""Players: they choose a move, given what the mover may know.

`player` has what all players share, `compiled` and `rule_player` the players whose decision is a kernel, `bred` those
of population files, `names` all players by name, and `explaining` the reasons for a rule player's move.
"""

from rulebots.players.compiled import CompiledPlayer, KernelPlayer, RandomPlayer, Style, compiled_for, style_of
from rulebots.players.player import Needs, Player, named_apart
from rulebots.players.rule_player import RulePlayer

__all__ = [
    "CompiledPlayer",
    "KernelPlayer",
    "Needs",
    "Player",
    "RandomPlayer",
    "RulePlayer",
    "Style",
    "compiled_for",
    "named_apart",
    "style_of",
]
