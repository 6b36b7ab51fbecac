"""Can't Stop: roll four dice, climb, and stop before you go bust. For one to four.

The board has a column for each sum of two dice, from 2 to 12. The first player to win three columns wins the game.

- Roll four dice and pair them. In the columns of both sums your runners climb one space; the same sum twice climbs two
  spaces.
- You have three runners. A new one enters a space above what you have climbed in that column before. If both sums need
  a new runner and only one is left, choose.
- Then decide: stop and keep what your runners have climbed, or roll again and climb on.
- If no pair of a roll can advance a runner, you are bust: you lose all that this turn has climbed, and the next player
  rolls.
- Stop on the top of a column to win it. The column is then closed: nobody climbs it any more, and what others had
  climbed there is lost.

Sums near 7 come often, but their columns are long. The sums 2 and 12 are rare, and their columns have three spaces.
Alone, finish in as few turns as you can.
"""

from rulebots.games.cant_stop.game import game
from rulebots.packages import GamePackage

package = GamePackage(
    __name__,
    game=game,
    rule_sets="rules:RULE_SETS",
    players="rules:PLAYERS",
    references=("standard", "glenn_aloi", "rule_of_28", "bold", "cautious", "random"),
    # No search of its size beats the champion here. The fourth level is the hand-tuned player with a slip now and then.
    levels=(
        "careless:player=standard,share=0.5",
        "rule_of_28",
        "glenn_aloi",
        "careless:player=standard,share=0.1",
        "champion",
    ),
    # Random rollouts hardly ever stop in time, and 126 rolls spread a search thin: it follows the rules.
    mcts={"guide": "hand_tuned"},
    draw="diagram:draw",
    example=(
        "1-2-3-6 4+8 roll 1-3-4-5 6 roll 3-3-4-5 6 roll 1-3-4-6 4 roll 1-3-4-6 4 roll 1-1-3-6 4 roll 1-1-3-6 "
        "4 stop 1-2-4-4 5+6 roll 1-3-6-6 12 roll 3-4-5-6 1-5-5-5 6+10 roll 1-1-2-3 4 roll 2-4-5-6 6 roll "
        "1-2-2-4 4 stop 5-6-6-6 11+12 roll 1-4-5-5 6 roll 1-3-5-5 6 roll 2-5-6-6 12 roll 2-4-6-6 6+12 stop "
        "3-4-5-6 8+10 roll 1-4-5-6 6+10 roll 1-1-4-5 6 roll 3-4-4-6 10 roll 1-2-4-6 10 roll 2-2-4-4"
    ),
    tablebase="solver:tablebase_of",
)
