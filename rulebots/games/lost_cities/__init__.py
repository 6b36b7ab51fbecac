"""Lost Cities, by Reiner Knizia: expeditions of rising cards, each of which costs 20 points.

Two players lay cards on expeditions, one for each of five suits. A suit has cards from 2 to 10 and three investments.

- First play a card or discard one. On an expedition each number must be higher than the one before it, and investments
  come before all numbers. A discard goes on the pile of its suit.
- Then draw a card: from the deck, or the top card of a pile, but not the card that you have just discarded.
- The game ends when the last card of the deck is drawn.

An expedition that you have begun costs 20 points. Its numbers are added up, and each investment on it multiplies the
result once more: by 2, 3 or 4, even below zero. Eight cards or more bring another 20 points. An expedition that you
have not begun counts nothing.

You see the piles and all expeditions, but neither your opponent's hand nor the deck.
"""

from rulebots.games.lost_cities.game import game
from rulebots.packages import GamePackage

package = GamePackage(
    __name__,
    game=game,
    rule_sets="rules:RULE_SETS",
    players="players:PLAYERS",
    references=("shelly", "sheppard", "risk", "dumb", "discard", "random"),
    # They do not try to win: a player that loses to them has given up the game.
    baselines=("discard", "random"),
    levels=("careless:player=shelly,share=0.5", "careless:player=shelly,share=0.2", "sheppard", "shelly", "champion"),
    # Lessons are cheap, because there are few moves at a time; and a win against Shelly says more about a player than
    # a win against a mutant of itself.
    # The games among the population count for a twentieth: one deal a pair is enough.
    breeding={
        "strategy": "memetic:self_play=0.6",
        "deals": 1,
        "opponents": ("hand-tuned",),
        "opponent_share": 0.95,
    },
    draw="diagram:draw",
    look_on="diagram:look_on",
    example=(
        "div n im n 2m n 3m n 4m n ij n 3d n ij n 5d n 5m n 7d n did n 8d n d4d n 4j n ij n 5j n dim n 8j n "
        "d2v n 9j n div n 6o n dio n d6d n d2o n d3o n d5o n"
    ),
    readers="ruby_files:READERS",
)
