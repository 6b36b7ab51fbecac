"""Looks for mistakes in games, rule sets and players: random games interpreted with bounds, and what they show."""

from rulebots.checking.game import check_game
from rulebots.checking.player import check_player
from rulebots.checking.problem import Problem
from rulebots.checking.rules import check_rules

__all__ = ["Problem", "check_game", "check_player", "check_rules"]
