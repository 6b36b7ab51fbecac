"""Players made of a policy, as reinforcement learners train them: a function of an observation and an action mask."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.game import Game, Moves, View
from rulebots.players.player import Player

#: What a seat observes: an array for each field of the game's view, by name.
Observation = dict[str, npt.NDArray[Any]]
#: Which moves are legal: int8[move_count], 1 for each that is and 0 for the others.
ActionMask = npt.NDArray[np.int8]
Policy = Callable[[Observation, ActionMask], int]
#: The field of every view that is not part of the observation: the random state of the decision.
LUCK = "luck"


class PolicyPlayer(Player):
    """Plays what `policy(observation, action_mask) -> action` chooses; an action is the number of a move.

    Observation and mask are those of the environments of rulebots/bridges/pettingzoo.py, which is not needed to play.
    The same observation and mask must give the same action.
    """

    def __init__(self, game: Game, name: str, policy: Policy) -> None:
        super().__init__(game, name)
        self.policy = policy

    def choose(self, view: View, moves: Moves) -> int:
        """The policy's action."""
        return self.policy(observation_of(view), mask_of(self.game, moves))


def observation_of(view: View) -> Observation:
    """The fields of a view but its `luck`, each as an array of its own; a single number is an array of one."""
    return {name: np.array(view[name], ndmin=1) for name in view.dtype.names if name != LUCK}


def mask_of(game: Game, moves: Moves) -> ActionMask:
    """The mask of legal moves, int64[n]."""
    mask = np.zeros(game.move_count, np.int8)
    mask[moves] = 1
    return mask
