"""Pig, a game of chance outside the package: roll a die as often as you dare; a 1 takes what the turn has won."""

from pig.game import game
from rulebots.packages import GamePackage

package = GamePackage(
    __name__,
    game=game,
    rule_sets="rules:RULE_SETS",
    players="players:PLAYERS",
    references=("hand", "timid", "random"),
)
