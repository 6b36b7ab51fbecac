"""Who plays against a person, and who gives hints, where nobody is named."""

from __future__ import annotations

from rulebots.game import Game
from rulebots.players.names import shipped_files

#: The power of the search that plays by default.
POWER = 3


def usual_opponent(game: Game) -> str:
    """Who plays against a person: a search, or where something is hidden the player that gives hints."""
    return hinting(game) if game.hidden else f"mcts:power={POWER}"


def hinting(game: Game) -> str:
    """A player made of rules: the shipped champion, else the hand-tuned one."""
    return "champion" if "champion" in shipped_files(game) else game.references[0]
