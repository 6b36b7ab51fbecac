"""Nim with one heap: take 1, 2 or 3 counters; the player who takes the last one wins."""

from nim.game import game

from rulebots.packages import GamePackage

package = GamePackage(
    __name__,
    game=game,
    rule_sets="rules:RULE_SETS",
    players="players:PLAYERS",
    references=("hand", "shy", "random"),
)
