"""Search where cards are hidden or dice are thrown: rollouts of the moves that a guide scores highest.

from rulebots.search.rollout import RolloutSearch, RolloutSettings

result = RolloutSearch(champion, RolloutSettings(seconds=1)).run(position)
print(result.move, result.rows())
"""

from rulebots.search.rollout.player import RolloutPlayer
from rulebots.search.rollout.search import RolloutResult, RolloutSearch, RolloutSettings

__all__ = ["RolloutPlayer", "RolloutResult", "RolloutSearch", "RolloutSettings"]
