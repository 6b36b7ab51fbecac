"""Hanabi, by Antoine Bauza: build five fireworks together. You see every hand but your own.

All players score the same points. A firework grows from 1 to 5 in one of five colours. On your turn:

- Hint: tell a player which of its cards are of one colour or one number. It costs a token.
- Discard a card. It brings a token back, up to eight.
- Play a card. If it is the next one of its colour, the firework grows, and a 5 brings a token back. If not, you lose
  the card and one of three lives.

After a discard or a play, draw a card. Each colour has three 1s, two 2s, 3s and 4s, and one 5. When the deck has
run out, each player has one more turn. You score the cards played, 25 at most, and nothing once the third life is lost.

Below each hand stands what its owner knows of it. A hint means more than it names. A number that touches the
next player's oldest card without a hint, which it would discard, means: keep that card. Most others mean: play the
newest card named. The log tells which.
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
