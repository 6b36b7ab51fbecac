"""rulebots: players for turn-based games, made of named, human-readable rules.

from rulebots import BredPlayer, load_game, make_player, play_match

game = load_game("lost-cities")
result = play_match(make_player("champion", game), make_player("shelly", game), deals=1000)
print(result.win_rate, result.win_rate_95)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulebots.errors import UsageError
    from rulebots.game import Game
    from rulebots.game.position import Position
    from rulebots.play.match import Sprt, play_match, play_sprt
    from rulebots.play.results import MatchResult
    from rulebots.players import Needs, Observed, Player, PlayerFault, RandomPlayer, RulePlayer
    from rulebots.players.bred import BredPlayer
    from rulebots.players.custom import bring_player
    from rulebots.players.explaining import Explanation, explain
    from rulebots.players.names import make_player
    from rulebots.players.population import load_population
    from rulebots.registry import game_names, load_game, parts_of
    from rulebots.rules.rule import Rule, rule
    from rulebots.rules.rule_set import RuleSet, load_rules
    from rulebots.tournaments.playing import play_tournament, rerun

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
    "parts_of",
    "play_match",
    "play_sprt",
    "play_tournament",
    "rerun",
    "rule",
]

# Imported when first asked for: the command lines must not wait for what they do not need.
_HOME = {
    "BredPlayer": "rulebots.players.bred",
    "Explanation": "rulebots.players.explaining",
    "Game": "rulebots.game",
    "MatchResult": "rulebots.play.results",
    "Needs": "rulebots.players",
    "Observed": "rulebots.players",
    "Player": "rulebots.players",
    "PlayerFault": "rulebots.players",
    "Position": "rulebots.game.position",
    "RandomPlayer": "rulebots.players",
    "Rule": "rulebots.rules",
    "RulePlayer": "rulebots.players",
    "RuleSet": "rulebots.rules",
    "Sprt": "rulebots.play.match",
    "UsageError": "rulebots.errors",
    "bring_player": "rulebots.players.custom",
    "explain": "rulebots.players.explaining",
    "game_names": "rulebots.registry",
    "load_game": "rulebots.registry",
    "load_population": "rulebots.players.population",
    "load_rules": "rulebots.rules",
    "make_player": "rulebots.players.names",
    "parts_of": "rulebots.registry",
    "play_match": "rulebots.play.match",
    "play_sprt": "rulebots.play.match",
    "play_tournament": "rulebots.tournaments.playing",
    "rerun": "rulebots.tournaments.playing",
    "rule": "rulebots.rules",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
