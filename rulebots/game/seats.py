"""Seats: how many a game has, who comes after whom, and what a result is worth to each."""

import functools
from typing import Any

from rulebots.game.contract import Game
from rulebots.kernel import Kernel, kernel


@kernel
def seat_after(seat: int, steps: int, seats: int) -> int:
    """The seat that is so many steps further in the order of play: that of the next one for 1, `seat` itself for 0."""
    return (seat + steps) % seats


@functools.cache
def seats_kernel(game: Game) -> Kernel[..., int]:
    """A kernel `seats(state) -> int`: how many seats the game in this state has."""
    if isinstance(game.seats, int):
        fixed = game.seats

        @kernel
        def always(state: Any) -> int:
            return fixed

        return always

    @kernel
    def of_state(state: Any) -> int:
        return state.seats

    return of_state


@functools.cache
def worth_kernel(game: Game) -> Kernel[..., None]:
    """A kernel `value(points, seats, out)` that writes what a finished game is worth to each seat into out[:seats].

    `points` are those of the seats, `out` is float64. By `Game.counts`: "wins", 1 for the winner, shared by those who
    tie for the first place, and 0 for the others; "places", the share of the others that a seat is ahead of, a tie
    counting half; "points", the points. In a game for all together, and alone, it is the points.
    """
    of_places = game.counts == "places"
    of_points = game.counts == "points"
    together = game.aim == "together"

    @kernel
    def value(points: Any, seats: int, out: Any) -> None:
        for seat in range(seats):
            if of_points or together or seats == 1:
                out[seat] = points[seat]
                continue
            ahead = 0
            level = 0
            for other in range(seats):
                ahead += points[seat] > points[other]
                level += points[seat] == points[other]
            if of_places:
                out[seat] = (ahead + (level - 1) / 2) / (seats - 1)
            else:
                out[seat] = 1 / level if ahead + level == seats else 0.0

    return value
