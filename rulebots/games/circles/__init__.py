"""Circle elimination: take stones in lines from a triangle, in turn. The last stone wins.

Stones stand in a triangle: one in the first row, two in the second, and so on. Two players take turns.
The stone 5,4 is that of row 5 and column 4, counted from 0.

- Take one stone, or two or three that lie side by side on a straight line: along a row, down a column, or down the
  diagonal to the right.
- A gap ends a line: you cannot take stones from both sides of it in one move.
- The player who takes the last stone wins.

Choose a stone, then the other end of the line; for a single stone, choose it twice. When the board has fallen into
parts that no line joins, look for a move that leaves the parts in pairs, then answer each move with its twin.
"""

from rulebots.games.circles.game import game
from rulebots.packages import GamePackage

package = GamePackage(
    __name__,
    game=game,
    rule_sets="rules:RULE_SETS",
    players="rules:PLAYERS",
    references=("hand_tuned", "random"),
    # Random rollouts say next to nothing about who takes the last stone, and the rules know the end of every game.
    mcts={"guide": "hand_tuned"},
    # The hand-tuned player stands between the champion and one that slips in every tenth move: it is no level.
    levels=(
        "careless:player=champion,share=0.6",
        "careless:player=champion,share=0.3",
        "careless:player=champion,share=0.12",
        "champion",
        "mcts:power=1",
    ),
    draw="diagram:draw",
    example="4,2,4,3 3,2 3,1 2,1 4,1 1,0,1,1",
    solve="solver:solve",
    tablebase="solver:tablebase_of",
)
