"""rulebots: players for turn-based games, made of named, human-readable rules.

from rulebots import BredPlayer, load_game, make_player, play_match

game = load_game("lost-cities")
result = play_match(make_player("champion", game), make_player("shelly", game), deals=1000)
print(result.win_rate, result.win_rate_95)
"""

from __future__ import annotations

import importlib

# As type checkers know it, without `typing`: importing that takes most of what importing this package takes.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulebots.errors import UsageError
    from rulebots.game import Game
    from rulebots.game.position import Position
    from rulebots.packages import game_names, load_game, package_of
    from rulebots.packages.players import BredPlayer, bring_player, make_player
    from rulebots.packages.population import load_population
    from rulebots.packages.rule_sets import load_rules
    from rulebots.play.match import play_match, play_sprt, play_table
    from rulebots.play.results import MatchResult
    from rulebots.players import Needs, Observed, Player, PlayerFault, RandomPlayer, RulePlayer
    from rulebots.players.explaining import Explanation, explain
    from rulebots.ratings import Sprt
    from rulebots.rules import Rule, RuleSet, rule
    from rulebots.tournaments.ladder import rerun
    from rulebots.tournaments.tournament import play_tournament

__all__ = [
    "BredPlayer",
    "Explanation",
    "Game",
    "MatchResult",
    "Needs",
    "Observed",
    "Player",
    "PlayerFault",
    "Position",
    "RandomPlayer",
    "Rule",
    "RulePlayer",
    "RuleSet",
    "Sprt",
    "UsageError",
    "bring_player",
    "explain",
    "game_names",
    "load_game",
    "load_population",
    "load_rules",
    "make_player",
    "package_of",
    "play_match",
    "play_sprt",
    "play_table",
    "play_tournament",
    "rerun",
    "rule",
]

#: The version of this package, which brings both `rulebots` and `evolve`.
__version__: str

# Imported when first asked for: the command lines must not wait for what they do not need.
_NAMES = {
    "rulebots.errors": ("UsageError",),
    "rulebots.game": ("Game",),
    "rulebots.game.position": ("Position",),
    "rulebots.play.match": ("Sprt", "play_match", "play_sprt", "play_table"),
    "rulebots.play.results": ("MatchResult",),
    "rulebots.players": ("Needs", "Observed", "Player", "PlayerFault", "RandomPlayer", "RulePlayer"),
    "rulebots.players.explaining": ("Explanation", "explain"),
    "rulebots.packages.players": ("BredPlayer", "bring_player", "make_player"),
    "rulebots.packages.population": ("load_population",),
    "rulebots.packages": ("game_names", "load_game", "package_of"),
    "rulebots.packages.rule_sets": ("load_rules",),
    "rulebots.rules": ("Rule", "RuleSet", "rule"),
    "rulebots.tournaments.ladder": ("rerun",),
    "rulebots.tournaments.tournament": ("play_tournament",),
}
_HOME = {name: module for module, names in _NAMES.items() for name in names}

if not TYPE_CHECKING:  # a type checker would take any name for granted

    def __getattr__(name: str) -> Any:
        if name == "__version__":
            return importlib.import_module("importlib.metadata").version("rulebots")
        if name not in _HOME:
            raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
        return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
