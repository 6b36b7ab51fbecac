"""What a game is: the contract between its law and everything else.

`contract` has `Game`, the law, and its parts; `text` how people read and write it; `seats` who plays and what a result
is worth; `position` the object that holds a game as it stands; `compiled` a law as machine code; `chance` what chance
decides; `checks` the checks of every call; `trial` random games under them.
"""

from rulebots.game.checks import CHANCE
from rulebots.game.contract import MOST_LUCK, MOST_MOVES, MOST_SEATS, UNKNOWN, Game, Kind, Moves, Option, State, View
from rulebots.game.dtypes import Bools, Floats, Ints
from rulebots.game.text import GameText

__all__ = [
    "CHANCE",
    "MOST_LUCK",
    "MOST_MOVES",
    "MOST_SEATS",
    "UNKNOWN",
    "Bools",
    "Floats",
    "Game",
    "GameText",
    "Ints",
    "Kind",
    "Moves",
    "Option",
    "State",
    "View",
]
