"""Hanabi, by Antoine Bauza: build five fireworks together. You see every hand but your own.

All players work together and score the same points. There are five colours, and a firework grows from 1 to 5 in one
colour. On your turn, do one of these:

- Hint: tell another player which of its cards are of one colour, or which are of one number. It costs a token.
- Discard a card. It brings a token back, up to eight.
- Play a card. If it is the next one of its colour, the firework grows, and a 5 brings a token back. If not, the card is
  gone, and you lose one of three lives.

After a discard or a play, draw a card. Each colour has three 1s, two 2s, 3s and 4s, and only one 5. When the deck has
run out, each player has one more turn. You score the cards played, 25 at most. If you lose the third life, you lose
all points.

Below each hand stands what its owner knows of it.

The players here read more into a hint than it names, and trust that you mean it. The page and the terminal say what a
hint means:

- A number told to the next player that touches the card it would discard next, where that could be the last of its
  kind, warns it: keep that card.
- Any other hint says that a card can be played: the newest of those it touches, of those that no hint touched before if
  there are any. If that card does not fit, the player loses a life by your hint.
- A hint that shows of a card for certain that it can be played says no more.
"""

from rulebots.games.hanabi.game import game
from rulebots.packages import GamePackage

package = GamePackage(
    __name__,
    game=game,
    rule_sets="rules:RULE_SETS",
    players="rules:PLAYERS",
    references=("standard", "holmes", "simple", "random"),
    # Partners, not opponents: one that slips too often costs the game.
    levels=("careless:player=standard,share=0.3", "careless:player=standard,share=0.1", "simple", "holmes", "champion"),
    # In a trial at five seats, lessons (`memetic`) made the team worse than it began.
    breeding={"strategy": "cma-es:sigma=0.3", "opponents": ("hand-tuned",), "opponent_deals": 250},
    draw="diagram:draw",
    look_on="diagram:look_on",
    example="h11 h15 d3 p5 d3 p2 h14 h1r p5 h1g p5 d4 h14 h14 d3 d1 d5 d4 h1g d5 h13 d5 h1w p5",
)
