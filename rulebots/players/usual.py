"""Who plays against a person, and who gives hints, where nobody is named."""

from __future__ import annotations

from rulebots.game import Game
from rulebots.players.names import shipped_files
from rulebots.registry import parts_of

#: The shipped player that is the strongest one made of rules.
CHAMPION = "champion"
#: The power of the search that plays by default.
POWER = 3


def usual_opponent(game: Game) -> str:
    """Who plays against a person: a search, or where something is hidden the player that gives hints."""
    return hinting(game) if game.hidden else f"mcts:power={POWER}"


def hinting(game: Game) -> str:
    """A player made of rules: the shipped champion, else the hand-tuned one."""
    return CHAMPION if CHAMPION in shipped_files(game) else parts_of(game).references[0]
