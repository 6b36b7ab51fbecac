"""New cards, for rulebots."""

from rulebots.packages import GamePackage

from .game import game

package = GamePackage(
    __name__,
    game=game,
    rule_sets="rules:RULE_SETS",
    players="players:PLAYERS",
    # Bred players are measured against these, the hand-tuned one first.
    references=("hand", "first", "random"),
)
