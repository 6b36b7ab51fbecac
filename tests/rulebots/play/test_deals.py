"""Courses: equal numbers for equal games, and for no others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from contenders import contender
from hypothesis import given, strategies as st

from rulebots.game import Game
from rulebots.game.courses import BITS, course_after, courses_of
from rulebots.packages import game_names, load_game
from rulebots.play.deals import draw_deals
from rulebots.play.match import play_games

numbers = st.integers(0, BITS)


@pytest.mark.compiled
@given(numbers, st.integers(0, 10_000))
def test_a_course_is_the_same_interpreted_and_compiled(course: int, move: int) -> None:
    found = course_after(course, move)
    assert 0 <= found <= BITS
    with np.errstate(all="raise"):
        assert course_after(np.int64(course), np.int16(move)) == found
    assert course_after.compiled(course, move) == found


@given(st.lists(st.lists(st.integers(-5, 70), min_size=3, max_size=3), min_size=1, max_size=20))
def test_rows_have_equal_courses_where_they_are_equal(rows: list[list[int]]) -> None:
    courses = courses_of(np.array(rows, np.int64))
    assert len(set(courses.tolist())) == len({tuple(row) for row in rows})
    assert courses.min() >= 0


def test_the_order_and_the_number_of_moves_count() -> None:
    def course(*moves: int) -> int:
        found = int(courses_of(np.zeros((1, 1), np.int64))[0])
        for move in moves:
            found = course_after(found, move)
        return found

    assert len({course(), course(0), course(0, 0), course(1, 2), course(2, 1), course(1)}) == 6


@pytest.mark.slow
@pytest.mark.parametrize("game", [load_game(name) for name in game_names()], ids=lambda g: g.name)
def test_games_have_equal_courses_where_their_deals_and_their_moves_are_equal(game: Game) -> None:
    drawn = draw_deals(game, 3, 1)
    twice = np.array([0, 1, 2, 0, 1])
    deals = replace(drawn, **{name: getattr(drawn, name)[twice] for name in ("cards", "luck", "openings", "outcomes")})
    players = [contender(game, "random"), contender(game, "random")]
    schedule = deals.mirrored()
    games, of_deal = play_games(players, deals, schedule, keep_moves=True), len(schedule) // 5
    whole = [
        (*deals.cards[deal].tolist(), *games.moves[g, : games.plies[g]].tolist())
        for g, deal in enumerate(schedule[:, 0])
    ]
    assert [games.courses.tolist().index(course) for course in games.courses] == [whole.index(game) for game in whole]
    assert games.courses[: 2 * of_deal].tolist() == games.courses[3 * of_deal :].tolist()
