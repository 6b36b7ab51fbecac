"""Games that exist already, as they are: OpenSpiel's, PettingZoo's, and any class of Python's.

    from rulebots.live import LiveGame, openspiel

    game = openspiel("backgammon")

Rules are then plain Python over the game's own objects (rulebots/rules/live_rules.py).
"""

from rulebots.game import CHANCE
from rulebots.game.live_game import LiveGame
from rulebots.live.openspiel import openspiel
from rulebots.live.pettingzoo import pettingzoo

__all__ = ["CHANCE", "LiveGame", "openspiel", "pettingzoo"]
