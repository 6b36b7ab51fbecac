"""Bridges to other libraries: PettingZoo and OpenSpiel."""

from collections.abc import Sequence

import numpy as np

from rulebots.game import Game
from rulebots.game.seats import worth_kernel


def zero_sum(game: Game, seats: int) -> bool:
    """Whether one seat wins what the other loses."""
    return seats == 2 and game.counts == "wins" and not game.together(seats)


def worth_to_seats(game: Game, points: Sequence[int]) -> list[float]:
    """What a finished game is worth to each seat: 1, -1 or 0 where it is zero-sum, else what `worth_kernel` says."""
    if zero_sum(game, len(points)):
        return [float(sign) for sign in np.sign(np.subtract(points, points[::-1]))]
    worth = np.zeros(len(points))
    worth_kernel(game).function(np.array(points), len(points), worth)
    return [float(own) for own in worth]
