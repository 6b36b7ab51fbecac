"""Hearts: avoid hearts and the queen of spades, or take them all.

Four players, each against the others, with 13 cards each. Low scores are good.

- First pass three cards to another player, as the deal says: to the left, across, to the right, or not at all. Choose
  them before you see what you receive.
- The holder of the two of clubs leads it. The others follow suit if they can, and play any card if they cannot. The
  highest card of the suit led takes the trick, and its owner leads the next one.
- No heart and no queen of spades on the first trick, and no lead of hearts before one of them has fallen, unless you
  have nothing else.
- Each heart that you take costs 1 point, and the queen of spades costs 13.
- If you take all of them, you have shot the moon: you pay nothing, and each of the others pays 26.

A game here is one deal.
"""

from rulebots.games.hearts.game import game
from rulebots.packages import GamePackage

package = GamePackage(
    __name__,
    game=game,
    rule_sets="rules:RULE_SETS",
    players="players:PLAYERS",
    references=("standard", "duck", "random"),
    levels=(
        "careless:player=standard,share=0.7",
        "careless:player=standard,share=0.4",
        "duck",
        "standard",
        "champion",
    ),
    # Among ducks a player learns to shoot the moon, and the hand-tuned ones stop it.
    breeding={"strategy": "memetic", "opponents": ("hand-tuned", "duck")},
    draw="diagram:draw",
    look_on="diagram:look_on",
    example=(
        "pass:9D pass:JD pass:KS pass:KC pass:KD pass:AS pass:7C pass:9C pass:KH pass:QH pass:AD pass:QC 2C "
        "AC 9C QC KD QS QD JD AS JS 9S KS 10S 6S 8S 7S 5S 4S 2S 6H JH 10H 3H 2H"
    ),
)
