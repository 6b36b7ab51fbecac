"""Figures of matches, tables and teams, from a few games whose points are written here."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from chorus import game as chorus
from numbers_game import by_places, by_points, game, seat_number

from rulebots.game import Game
from rulebots.play.deals import mirrored, one_among, ordered, scheduled, sides_of_deal
from rulebots.play.results import (
    Games,
    contests_of,
    first_shares,
    game_scores,
    joined,
    match_result,
    no_games,
    places_of,
    shares_of,
    table_figures,
    worth_of,
)
from rulebots.ratings import FEWEST_DEALS


def games_of(points: list[tuple[int, ...]], law: Game = game, stalled: tuple[int, ...] = ()) -> Games:
    """Games of which each is another one, of as many plies as it has games before it, with each seat's number."""
    games = no_games(law, len(points), seats=len(points[0]))
    games.points[:] = points
    games.stalled[list(stalled)] = True
    games.plies[:] = games.courses[:] = range(len(points))
    for name in law.behaviour:
        games.behaviour[name][:] = range(len(points[0]))
    return games


#: A deal of three seats: the first player is in seat 0, 1, 2, and then everywhere but there.
THREE = [(5, 3, 3), (4, 4, 1), (2, 2, 2), (0, 6, 5), (7, 7, 7), (1, 2, 9)]


def test_where_wins_count_a_score_is_the_part_of_the_win() -> None:
    result = match_result(games_of(THREE), game)
    assert game_scores(games_of(THREE), 0.0, game) == pytest.approx([1, 1 / 2, 1 / 3, 1, 2 / 3, 0])
    assert (result.wins, result.draws, result.losses, result.stalled, result.games) == (2, 3, 1, 0, 6)
    assert (result.win_rate, result.opponent_rate) == (pytest.approx(3.5 / 6), pytest.approx(2.5 / 6))
    assert (result.points, result.opponent_points) == (pytest.approx(25 / 6), pytest.approx(23.5 / 6))
    assert result.margin == pytest.approx(1.5 / 6)
    assert (result.deals, result.plies, result.distinct_deals) == (1, 2.5, 1)
    assert result.scores.tolist() == [pytest.approx(3.5 / 6)]
    assert result.behaviour["seat"] == (pytest.approx(1.0), pytest.approx(1.0))


def test_where_places_count_a_score_is_the_share_of_the_others_behind() -> None:
    games = games_of(THREE, by_places)
    assert game_scores(games, 0.0, by_places).tolist() == [1, 0.75, 0.5, 1, 0.5, 0]
    assert match_result(games, by_places).scores == pytest.approx([3.75 / 6])
    assert match_result(games, by_places).wins == 2


def test_a_table_says_what_each_had_where_it_sat_alone() -> None:
    table = match_result(games_of(THREE), game).table
    assert table is not None
    assert (table.seats, table.together, table.even, table.perfect) == (3, False, 1 / 3, None)
    assert table.shares == (pytest.approx(11 / 18), pytest.approx(4 / 9))
    assert table.places == (1.5, 2.0)
    assert table.points == (pytest.approx(25 / 6), pytest.approx(23.5 / 6))
    assert table.share_95 == ((0.0, 1.0),) * 2
    assert table.points_95 == ((-math.inf, math.inf),) * 2


def test_nobody_wins_a_stalled_game() -> None:
    games = games_of(THREE, stalled=(0, 3))
    result = match_result(games, game)
    assert (result.wins, result.draws, result.losses, result.stalled) == (0, 3, 1, 2)
    assert (result.win_rate, result.opponent_rate) == (pytest.approx(1.5 / 6), pytest.approx(2.5 / 6))
    assert result.table is not None
    assert result.table.shares == (pytest.approx(5 / 18), pytest.approx(4 / 9))
    assert game_scores(games, 0.25, game) == pytest.approx([0.25, 1 / 2, 1 / 3, 0.25, 2 / 3, 0])
    assert shares_of(games)[:2].tolist() == [[0, 0, 0], [0.5, 0.5, 0]]


def test_enough_deals_give_each_player_of_a_table_its_intervals() -> None:
    games = games_of(THREE * FEWEST_DEALS)
    table = match_result(games, game).table
    assert table is not None
    for share, (low, high) in zip(table.shares, table.share_95, strict=True):
        assert 0 < low < share < high < 1
    assert table.points_95[0] == (-math.inf, math.inf)


def test_players_of_a_table_are_counted_one_by_one() -> None:
    schedule = ordered(1, 3)
    # Everyone's points are its number, but player 2 ties with player 1 in the last game.
    points = [tuple(row) for row in schedule[:, 1:].tolist()]
    points[-1] = tuple(min(one, 1) for one in points[-1])
    result = match_result(games_of(points), game, schedule)
    assert (result.win_rate, result.losses) == (0.0, 6)
    assert (result.points, result.opponent_points) == (
        0.0,
        pytest.approx((5 * 1.5 + 1) / 6),
    )
    table = result.table
    assert table is not None
    assert table.shares == (0.0, pytest.approx(1 / 12), pytest.approx(5.5 / 6))
    assert table.places == (3.0, pytest.approx((5 * 2 + 1.5) / 6), pytest.approx((5 * 1 + 1.5) / 6))
    contests = contests_of(games_of(points), game, schedule)
    assert contests.between(1, 2).scores().tolist() == [0, 0, 0, 0, 0, 0.5]
    assert contests.between(2, 0).scores().tolist() == [1] * 6
    assert contests.between(2, 1).behaviour["seat"][0].tolist() == [2, 1]
    assert table_figures(contests, [2]).shares == (pytest.approx(5.5 / 6),)
    places = contests_of(games_of(points), by_places, schedule)
    assert places.between(1, 2).counts == "wins"


TEAMS = replace(chorus, behaviour={"seat": seat_number})


def test_teams_of_copies_are_compared_deal_by_deal() -> None:
    points = [(3, 3), (2, 2), (2, 2), (2, 2), (0, 0), (8, 8)]
    games = games_of(points, TEAMS, stalled=(4,))
    games.behaviour["seat"][::2] = [4, 6]
    result = match_result(games, TEAMS)
    assert (result.wins, result.draws, result.losses, result.stalled, result.games) == (1, 1, 1, 1, 6)
    assert (result.win_rate, result.opponent_rate) == (0.5, 0.5)
    assert (result.points, result.opponent_points) == (pytest.approx(5 / 3), 4.0)
    assert result.together
    table = result.table
    assert table is not None
    assert (table.seats, table.even, table.together) == (2, 0.5, True)
    assert table.perfect == (0.0, pytest.approx(1 / 3))
    assert result.behaviour["seat"] == (5.0, 0.5)
    unknown = replace(TEAMS, most_points=None)
    assert match_result(games_of(points, unknown), unknown).table.perfect is None  # type: ignore[union-attr]


def test_alone_two_players_compare_what_each_makes_of_a_deal() -> None:
    result = match_result(games_of([(3,), (2,), (1,), (1,)], TEAMS))
    assert (result.wins, result.draws, result.deals, result.together) == (1, 1, 2, True)


#: Two deals for two seats: won from both sides, and drawn and lost.
PAIR = [(3, 1), (0, 4), (2, 2), (9, 0)]


def test_a_pair_has_no_table_and_its_scores_are_quarters() -> None:
    result = match_result(games_of(PAIR), game)
    assert (result.table, result.together, result.pentanomial) == (None, False, (0, 1, 0, 0, 1))
    assert (result.wins, result.draws, result.losses, result.margin) == (2, 1, 1, (2 + 4 + 0 - 9) / 4)
    scores, counts = result.score_counts
    assert (scores.tolist(), counts.tolist()) == ([0, 0.25, 0.5, 0.75, 1], [0, 1, 0, 0, 1])
    thirds, of_three = match_result(games_of(THREE * 2), game).score_counts
    assert (thirds, of_three.tolist()) == (pytest.approx([0, 0.5, 3.5 / 6, 1]), [0, 0, 2, 0])


def test_a_result_says_what_matters_in_a_line_and_in_a_page() -> None:
    few = match_result(games_of(PAIR), game)
    assert repr(few) == "<MatchResult: 4 games, win rate 62.5 % (too few different deals), margin -0.75>"
    many = match_result(games_of([(3, 1), (3, 1)] * 600), game)
    assert repr(many) == "<MatchResult: 1,200 games, win rate 50.0 % (95 %: 46.0 to 54.0), margin +0.00>"
    page = many._repr_html_()
    assert "<td>wins</td><td>600</td>" in page
    assert "<td>games</td><td>1,200</td>" in page
    assert "<td>Elo</td><td>+0</td>" in page
    assert "<td>margin</td><td>+0.00</td>" in page


def test_a_summary_has_the_figures_that_are_known() -> None:
    pair, table = match_result(games_of(PAIR), game), match_result(games_of(THREE), game)
    assert not {"deals", "opponent_rate", "scores", "table"} & pair.summary().keys()
    assert pair.summary()["win_rate_95"] is pair.summary()["superiority"] is None
    assert table.summary()["table"]["seats"] == 3
    figures = table.table_summary()
    assert list(figures)[:6] == ["games", "deals", "distinct_deals", "stalled", "plies", "seats"]
    assert (figures["games"], figures["plies"], figures["even"]) == (6, 2.5, 1 / 3)


def test_games_are_cut_and_joined() -> None:
    games = games_of(PAIR, stalled=(2,))
    parts = [games[:1], games[np.array([1])], games[2:]]
    assert [len(part) for part in parts] == [1, 1, 2]
    again = joined(parts)
    assert again.points.tolist() == games.points.tolist()
    assert again.stalled.tolist() == [False, False, True, False]
    assert again.behaviour["seat"].tolist() == [[0, 1]] * 4
    empty = no_games(game, 3)
    assert (empty.points.shape, empty.moves.shape, empty.faults.tolist()) == ((3, 2), (3, 0), [None] * 3)
    assert no_games(game, 3, 4, 3).moves.shape == (3, 4)


def test_places_and_first_places_are_shared() -> None:
    points = np.array([[3, 1, 2], [5, 5, 0], [4, 4, 4], [0, 1, 1]])
    assert places_of(points).tolist() == [[1, 3, 2], [1.5, 1.5, 3], [2, 2, 2], [3, 1.5, 1.5]]
    assert first_shares(points) == pytest.approx(np.array([[1, 0, 0], [0.5, 0.5, 0], [1 / 3] * 3, [0, 0.5, 0.5]]))


def test_games_are_worth_what_counts() -> None:
    points = np.array([[3, 1, 2], [5, 5, 0]])
    assert worth_of(points).tolist() == worth_of(points, game).tolist() == [[1, 0, 0], [0.5, 0.5, 0]]
    assert worth_of(points, by_places).tolist() == [[1, 0, 0.5], [0.75, 0.75, 0]]
    assert worth_of(points, by_points).tolist() == worth_of(points, chorus).tolist() == points.tolist()
    result = match_result(games_of(THREE, by_points), by_points)
    assert (result.in_points, match_result(games_of(THREE)).in_points) == (True, False)
    assert (result.margins.tolist(), "margins" in result.summary()) == ([result.margin], False)


def rows(schedule: npt.NDArray[np.int64]) -> list[list[int]]:
    return schedule.tolist()


def test_two_players_play_each_deal_from_both_sides() -> None:
    assert rows(mirrored(2)) == [[0, 0, 1], [0, 1, 0], [1, 0, 1], [1, 1, 0]]
    assert rows(mirrored(1, 5, 3)) == [[0, 5, 3], [0, 3, 5]]
    assert rows(mirrored(1, seats=3))[1:4] == [[0, 1, 0, 1], [0, 1, 1, 0], [0, 1, 0, 0]]
    assert rows(mirrored(2, seats=3, together=True)) == [[0, 0, 0, 0], [0, 1, 1, 1], [1, 0, 0, 0], [1, 1, 1, 1]]
    assert rows(one_among(1, seats=3)) == [[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    assert rows(scheduled(2, np.array([[[7, 8]], [[8, 7]]]))) == [[0, 7, 8], [1, 8, 7]]
    with pytest.raises(ValueError, match="read-only"):
        sides_of_deal(2)[0, 0] = False


def test_up_to_four_players_play_in_every_order_and_more_in_every_rotation_of_one() -> None:
    assert rows(ordered(1, 3))[:2] == [[0, 0, 1, 2], [0, 0, 2, 1]]
    assert (len(ordered(2, 3)), len(ordered(1, 4)), len(ordered(3, 5))) == (12, 24, 15)
    deals = math.factorial(4)
    schedule = ordered(deals, 5).reshape(deals, 5, 6)
    followers = np.zeros((5, 5), int)
    for games in schedule[:, :, 1:]:
        assert all(sorted(seat) == list(range(5)) for seat in games.T.tolist())
        np.add.at(followers, (games[0], np.roll(games[0], -1)), 1)
    assert followers.tolist() == (deals // 4 * (1 - np.eye(5))).tolist()
    ten = ordered(2, 10)
    assert ten[0, 1:].tolist() == list(range(10)), "no list of ten players' 3,628,800 orders is made for two deals"
    assert len({tuple(order) for order in ordered(200, 10)[::10, 1:].tolist()}) == 200
