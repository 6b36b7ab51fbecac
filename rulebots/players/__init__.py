"""Who plays.

`player` has what all players share, `compiled` and `rule_player` those that are kernels, `bred` those of
population files, `names` every player by its name, `explaining` why a rule player moves as it does.
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
