"""Minimax search with alpha-beta pruning.

from rulebots.search.minimax import Limits, Minimax

result = Minimax(game).best(position, Limits(depth=8))
print(result.move, result.value, result.line)
"""

from rulebots.search.minimax.player import MinimaxPlayer
from rulebots.search.minimax.search import Limits, Minimax, MinimaxResult

__all__ = ["Limits", "Minimax", "MinimaxPlayer", "MinimaxResult"]
