"""Alpha-beta at any number of seats: all others play against the one who searches, or everybody with it."""

from __future__ import annotations

import numpy as np
import pytest
from payoffs import POINTS, THROWN, TOGETHER, WINS, backed_up, clear, dealt

from rulebots import RandomPlayer, play_match
from rulebots.game.position import Position
from rulebots.search.minimax.player import MinimaxPlayer
from rulebots.search.minimax.search import Limits, Minimax

FAR = Limits(depth=9)


def ahead(position: Position, seat: int) -> float:
    """What plain recursion says that a seat can be sure of: its points, or how far it is ahead of the best other."""
    if position.over:
        own, others = position.points[seat], [*position.points[:seat], *position.points[seat + 1 :]]
        return own if position.game is not WINS or not others else own - max(others)
    after = []
    for move in position.legal_moves.tolist():
        child = position.copy()
        child.play(move)
        after.append(ahead(child, seat))
    if position.chance_to_move:
        return sum(after) / 2
    together = position.game.together(position.seats)
    return max(after) if together or position.mover == seat else min(after)


@pytest.mark.parametrize("game", [POINTS, WINS, TOGETHER, THROWN], ids=lambda game: game.name)
@pytest.mark.parametrize("seats", [1, 3, 4])
@pytest.mark.parametrize("driver", ["pvs", pytest.param("mtdf", marks=pytest.mark.slow)])
def test_it_is_the_value_of_plain_recursion(game, seats: int, driver: str) -> None:
    search = Minimax(game, driver=driver)
    for deal in range(6):
        position = clear(game, seats, deal)
        while not position.over:
            result = search.best(position, FAR)
            assert result.value == pytest.approx(ahead(position, position.mover), abs=0.01)
            assert result.exact
            position.play(result.move)
            if position.chance_to_move:
                position.play(deal % 2)


def test_alone_and_together_the_best_end_is_found() -> None:
    for game, seats in ((POINTS, 1), (WINS, 1), *((TOGETHER, seats) for seats in (1, 2, 3, 4))):
        position = clear(game, seats, 7)
        assert Minimax(game).best(position, FAR).value == backed_up(position)[0] == position.state.payoff[:, 0].max()


def test_two_seats_of_a_game_for_more_play_for_the_difference() -> None:
    """As two seats always do, also where points count."""
    for game in (WINS, POINTS):
        ends = np.zeros((16, 2), int)
        ends[:8], ends[8:] = (9, 8), (3, 1)
        result = Minimax(game).best(dealt(game, 2, ends), FAR)
        assert (result.move, result.value) == (1, 2.0)


def test_one_search_looks_for_any_seat_and_table() -> None:
    search = Minimax(POINTS)
    for seats in (3, 2, 4, 3):
        position = clear(POINTS, seats, 3)
        for _ in range(3):
            assert search.best(position, FAR).value == Minimax(POINTS, megabytes=0).best(position, FAR).value
            position.play(1)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_plays_matches_at_every_table(seats: int) -> None:
    players = MinimaxPlayer(WINS, Limits(depth=4)), RandomPlayer(WINS)
    assert play_match(*players, deals=6, options={"seats": seats}).win_rate > 0.5
