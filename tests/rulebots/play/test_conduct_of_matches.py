"""Who plays how many deals and what counts, on a game that takes no time: everyone names a number once."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from numbers_game import by_places, game, high, low, middle

from rulebots.game import Game
from rulebots.play.match import OpenMatch, next_block, play_deals, play_match, play_sprt, play_table, time_over
from rulebots.play.results import match_result
from rulebots.ratings import Sprt


def test_a_match_goes_on_until_enough_is_known() -> None:
    looked = []
    result = OpenMatch(high(), low()).play_until(lambda so_far: so_far.deals >= 9, watch=looked.append)
    assert [so_far.deals for so_far in looked] == [4, 8, 12]
    assert result == looked[-1]


def test_a_match_ends_with_the_most_deals_though_nothing_is_enough() -> None:
    assert OpenMatch(high(), low()).play_until(lambda _: False, most_deals=6).deals == 6


def test_a_watch_ends_a_match_by_false_alone() -> None:
    assert OpenMatch(high(), low()).play_until(lambda _: False, 40, lambda _: False).deals == next_block(0)
    assert OpenMatch(high(), low()).play_until(lambda _: False, 40, lambda _: None).deals == 40
    assert play_match(high(), low(), 40, watch=lambda _: 0).deals == 40
    assert play_match(high(), low(), 40, watch=lambda _: False).deals == next_block(0)


def test_time_runs_from_the_first_look(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([100.0, 101.9, 102.0])
    result = play_match(high(), low(), 1)
    monkeypatch.setattr("rulebots.play.match.time", SimpleNamespace(monotonic=lambda: next(times)))
    enough = time_over(2.0)
    assert [enough(result) for _ in range(3)] == [False, False, True]


def test_a_player_meets_itself_and_moves_are_kept_on_request_only() -> None:
    player = high()
    match = OpenMatch(player, player)
    deals = match.stream.take(5)
    assert play_deals(player, player, deals).moves.shape[1] == 0
    kept = play_deals(player, player, deals, keep_moves=True)
    assert kept.moves[:, :2].tolist() == [[2, 2]] * 10


@pytest.mark.parametrize("law", [game, by_places], ids=["wins", "places"])
def test_both_players_win_the_games_in_which_they_are_ahead(law: Game) -> None:
    first, second = play_match(high(law), low(law), 20), play_match(low(law), high(law), 20)
    assert (first.wins, first.win_rate, first.margin) == (40, 1.0, -second.margin)
    assert (second.losses, second.win_rate, first.plies) == (40, 0.0, 2.0)
    assert first.points > first.opponent_points == second.points


def test_at_a_table_of_three_a_place_is_half_of_what_counts() -> None:
    # 4, 2 or 0 more than a number of the deal, 0 or 1: the order is always high, middle, low.
    result = play_table([middle(by_places), high(by_places), low(by_places)], deals=10)
    assert result.table is not None
    assert (result.win_rate, result.opponent_rate) == (0.5, 0.5)


def test_at_a_table_of_three_only_the_first_place_wins() -> None:
    result = play_table([middle(), high(), low()], deals=10)
    assert result.table is not None
    assert result.table.shares == (0.0, 1.0, 0.0)
    assert result.table.places == (2.0, 1.0, 3.0)


def test_equals_share_a_win_by_the_deal() -> None:
    games = play_deals(low(), low(), OpenMatch(low(), low()).stream.take(60))
    result = match_result(games, game)
    assert result.win_rate == 0.5
    assert result.wins == result.losses
    assert result.draws == int((games.points[:, 0] == games.points[:, 1]).sum())
    assert 0 < result.draws < result.games == 120


def test_a_sequential_test_ends_with_a_verdict_or_undecided() -> None:
    better = play_sprt(high(), low(), Sprt(0, 50))
    assert (better.accepted, better.llr > better.test.bounds[1]) == ("H1", True)
    worse = play_sprt(low(), high(), Sprt(0, 50))
    assert (worse.accepted, worse.llr < worse.test.bounds[0]) == ("H0", True)
    assert play_sprt(low(), low(), Sprt(-1, 1), most_deals=4).accepted == "undecided"
