"""Players: they choose a move, given what the mover may know.

`player` has what all players share, `faults` what loses a game of theirs whatever its points,
`compiled` and `rule_player` the players whose decision is a kernel, `bred` those of population files, `names` all
players by name, and `explaining` the reasons for a rule player's move.
"""

from rulebots.players.compiled import CompiledPlayer, KernelPlayer, RandomPlayer, Style, compiled_for, style_of
from rulebots.players.faults import PlayerFault
from rulebots.players.player import Needs, Observed, Player, Shown, name_of, named_apart
from rulebots.players.rule_player import RulePlayer

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
    "name_of",
    "named_apart",
    "style_of",
]
