"""Monte Carlo tree search.

from rulebots.search.mcts import Search, SearchSettings

result = Search(game, SearchSettings(iterations=1000)).run(position)
print(result.move, result.value, result.line)
"""

from rulebots.search.mcts.evaluators import EvaluatorFunction
from rulebots.search.mcts.player import MctsPlayer, ParallelSearch
from rulebots.search.mcts.policies import temperature_of
from rulebots.search.mcts.search import MctsResult, Search
from rulebots.search.mcts.settings import SearchSettings

__all__ = [
    "EvaluatorFunction",
    "MctsPlayer",
    "MctsResult",
    "ParallelSearch",
    "Search",
    "SearchSettings",
    "temperature_of",
]
