"""Gomoku: five stones in a row, on boards of 5 to 22 lines.

Two players take turns putting a stone on an empty point of the board. Stones never move and are never captured.

- The first player with five stones in an unbroken row wins: across, down, or diagonally.
- Six or more in a row win as well, unless you choose otherwise.
- If the board is full and nobody has five, the game is a draw.

Four in a row with a free end must be stopped at once, three in a row with two free ends one move earlier. To win, make
two such threats with one stone: your opponent can answer only one of them.
"""

from rulebots.games.gomoku.game import game
from rulebots.packages import GamePackage

package = GamePackage(
    __name__,
    game=game,
    rule_sets="rules:RULE_SETS",
    players="rules:PLAYERS",
    references=("patterns", "careful", "random"),
    # Random rollouts do not see that an open three has to be blocked.
    mcts={"guide": "champion"},
    draw="diagram:draw",
    example="h8 i9 g8 h7 i8 f8 e7 e6 k7 k8 l9 j6 j9 j11 g11 g10 d10 d8 d7 e11 e12 l6",
    forced_wins="forced_wins:FORCED_WINS",
)
