"""Tic-tac-toe: three stones in a row win. Larger boards too.

Two players take turns putting a stone on an empty point of a board of three rows and three columns.

- The first player with three stones in a row wins: across, down, or diagonally.
- If the board is full and nobody has three in a row, the game is a draw.
- Options make the board larger, up to 10 by 10, and change how many stones in a row win.

Look for a stone that threatens two rows at once, and stop the row that your opponent is about to complete. On three by
three points, neither player can win if the other makes no mistake.
"""

from rulebots.games.tictactoe.game import game
from rulebots.packages import GamePackage

package = GamePackage(
    __name__,
    game=game,
    rule_sets="rules:RULE_SETS",
    players="rules:PLAYERS",
    references=("standard", "newell-simon", "careful", "random"),
    # Hardly any player loses on nine points: the levels differ in what they overlook.
    levels=("careless:player=careful,share=0.5", "careless:player=careful,share=0.2", "careful", "standard", "perfect"),
    draw="diagram:draw",
    example="b2 a1 c3 c1 b1 b3",
)
