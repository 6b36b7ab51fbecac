"""Verdicts: what distinct deals say of a champion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from evolve.evaluation.arena import Arena
from evolve.evaluation.final import BEGAN_FROM, SAME, TEST, Verdict, by_points, gains, is_behind, trend, verdict
from evolve.schedules import DealSource, Schedule
from evolve.settings import Settings
from evolve.workers import Workers
from rulebots.cli.tables import cells_of, matches_table
from rulebots.kernel import kernel
from rulebots.packages import load_game
from rulebots.play.match import sprt_result
from rulebots.play.results import Games, MatchResult, contests_of, match_result, no_games
from rulebots.players import KernelPlayer, Player, RandomPlayer
from rulebots.ratings import win_rate_interval
from rulebots.search.minimax.player import MinimaxPlayer
from rulebots.search.minimax.search import Limits

HEARTS = load_game("hearts")
VERDICT = Verdict("shelly", "better", 400, 0.625, 200, deals=200)


@kernel
def choose_first(view, moves, n, weights, blended, scores):
    return moves[0]


@pytest.mark.slow
def test_a_game_that_is_won_again_and_again_proves_nothing() -> None:
    game = load_game("tictactoe")
    arena = Arena(game, Settings("tictactoe", opening_plies=0), Workers(1))
    champion, former = MinimaxPlayer(game, Limits(depth=4)), KernelPlayer(game, choose_first, "first")
    found = verdict(arena, champion, former, 60)
    assert found.win_rate > 0.5
    assert (found.says, found.games, found.distinct_deals) == ("undecided", 120, 1)
    assert found.sentence.endswith(f"'first' ({100 * found.win_rate:.1f} % of 120 games; 1 of 60 deals different)")


@pytest.mark.parametrize("in_points", [False, True])
@pytest.mark.parametrize(
    ("mean", "says"), [(0.48, "not better"), (0.5, "undecided"), (0.45, "worse"), (0.55, "better")]
)
def test_an_interval_that_excludes_a_lead_is_no_better_in_games_as_in_points(
    monkeypatch: pytest.MonkeyPatch, mean: float, says: str, *, in_points: bool
) -> None:
    scores = mean + np.tile([-0.25, 0.25], 150)
    around = win_rate_interval(scores, 300.0, 2)
    result = replace(won_deals(0), scores=scores, win_rate=mean, win_rate_95=around)
    if in_points:
        result = replace(by_points(result, scores - 0.5), in_points=True)
    monkeypatch.setattr("evolve.evaluation.final._tested", lambda *_, **__: (result, "undecided"))
    game = load_game("tictactoe")
    one, other = (KernelPlayer(game, choose_first, name) for name in ("one", "other"))
    found = verdict(Arena(game, Settings("tictactoe"), Workers(1)), one, other, 300)
    assert found.says == says


def test_players_who_only_repeat_their_games_end_a_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.play.match.REPEATING", 20)
    game = load_game("tictactoe")
    arena = Arena(game, Settings("tictactoe", opening_plies=0), Workers(1))
    found = verdict(arena, KernelPlayer(game, choose_first, "first"), KernelPlayer(game, choose_first, "same"), 600)
    assert (found.deals, found.distinct_deals, found.says) == (20, 1, "undecided")


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (VERDICT, "the champion is better than the shipped player 'shelly' (62.5 % of 400 games)"),
        (
            replace(VERDICT, says="not better", win_rate_95=(0.457, 0.501)),
            "the champion is about even with the shipped player 'shelly' (62.5 % of 400 games; 95 %: 45.7 to 50.1)",
        ),
        (
            replace(VERDICT, says="not better", win_rate_95=(0.3, 0.51)),
            "the champion is no better than the shipped player 'shelly' (62.5 % of 400",
        ),
        (
            replace(VERDICT, says="not better", margin=-9.0),
            "the champion is no better than the shipped player 'shelly'",
        ),
        (replace(VERDICT, says="worse"), "the champion is worse than the shipped player 'shelly' (62.5 % of 400"),
        (
            replace(VERDICT, says="undecided", distinct_deals=9, who="the player"),
            "the champion is not shown to be better than the player 'shelly' (62.5 % of 400 games; 9 of ",
        ),
        (replace(VERDICT, former="hand-tuned"), "the champion is better than the rules' own weights (62.5 %"),
        (replace(VERDICT, former="champion"), "the champion is better than the shipped champion (62.5 %"),
        (
            replace(VERDICT, former="champion", who=BEGAN_FROM),
            "the champion is better than its start, the shipped champion (62.5 %",
        ),
        (
            replace(VERDICT, margin=-0.256),
            "the champion is better than the shipped player 'shelly' (in its place -0.26 points a game, in 400 games)",
        ),
        (
            replace(VERDICT, says="worse", margin=-0.5, margin_95=(-0.75, -0.25)),
            "the champion is worse than the shipped player 'shelly' (in its place -0.50 points a game, in 400 games; ",
        ),
        (replace(VERDICT, says=SAME, who="the player"), "the champion is the player 'shelly'"),
    ],
)
def test_the_sentence_says_what_was_found(found: Verdict, sentence: str) -> None:
    assert found.sentence.startswith(sentence)


def test_at_a_table_where_places_count_they_say_who_is_behind() -> None:
    """Only the second player has won a game alone, and it is behind."""
    won = [
        [1, 1, 0, 2],
        [2, 2, 0, 1],
        [2, 1, 2, 1],
        [2, 0, 1, 0],
        [3, 0, 0, 0],
        [2, 0, 3, 0],
        [3, 0, 0, 1],
        [3, 0, 2, 0],
    ]
    none = np.zeros(8, np.int64)
    games = Games(np.array(won), none, none > 0, np.zeros(8, []), none, none, none[:, None], np.full(8, None, object))
    result = match_result(games, replace(HEARTS, counts="places"))
    assert (result.wins, result.losses) == (0, 1)
    assert result.win_rate > 0.6
    assert not is_behind(result)
    games.points[4, 0] = 30
    assert not is_behind(match_result(games, replace(HEARTS, counts="places")))
    in_points = match_result(games, HEARTS)
    assert (in_points.win_rate, in_points.margin < 0) == (result.win_rate, True)
    assert is_behind(in_points)


def test_where_points_count_a_test_compares_them() -> None:
    """Of 40 deals the first player loses 30 by a point and wins 10 by 20."""
    games = no_games(HEARTS, 80)
    games.points[:] = [(0, 1), (1, 0)] * 30 + [(20, 0), (0, 20)] * 10
    games.courses[:] = np.arange(80)
    result = match_result(games, HEARTS)
    assert result.margins.tolist() == [-1] * 30 + [20] * 10
    assert sprt_result(TEST, result).llr < 0 < sprt_result(TEST, by_points(result, result.margins)).llr
    deviation = np.std([-1] * 30 + [20] * 10) * 2**0.5
    assert by_points(result, result.margins).scores[-1] == pytest.approx(0.5 + 10 / deviation)
    assert set(by_points(result, 0 * result.margins).scores) == {0.5}
    assert is_behind(by_points(result, result.margins - 5))


def test_a_player_gains_what_it_has_more_than_another_in_the_same_company() -> None:
    """Among copies of the second player the first has 3 points more than one of these, among its own 1 more."""
    games = no_games(HEARTS, 8, seats=4)
    games.points[:4] = np.where(np.eye(4), -5, -20)
    games.points[4:] = np.where(np.eye(4), -4, -2)
    copies = no_games(HEARTS, 2, seats=4)
    copies.points[:] = [[-3] * 4, [-8] * 4]
    assert gains(contests_of(games, HEARTS), copies).tolist() == [2]


class Commons(Arena):
    """Each seat of the first player gives everyone 2 points, and costs itself 1, beside luck."""

    def play(self, players: Sequence[Player], deals: DealSource, schedule: Schedule) -> Games:
        games = no_games(HEARTS, len(schedule), seats=4)
        first = schedule[:, 1:] == 0
        luck = np.random.default_rng(len(schedule)).integers(-5, 6, first.shape)
        games.points[:] = 2 * first.sum(axis=1, keepdims=True) - first + luck
        games.courses[:] = luck @ [1, 11, 121, 1331] + 10**6 * deals.identity[-1]
        return games


def test_a_verdict_is_on_points_where_they_count() -> None:
    """The first player has fewer points than the others at its table, but more than one of them in its place."""
    players = RandomPlayer(HEARTS), RandomPlayer(HEARTS)
    found = verdict(Commons(HEARTS, Settings("hearts"), Workers(1)), *players, 2000)
    assert (found.says, found.margin) == ("better", pytest.approx(1, abs=0.5))
    by_wins = verdict(Commons(replace(HEARTS, counts="wins"), Settings("hearts"), Workers(1)), *players, 2000)
    assert (by_wins.says, by_wins.margin) == ("worse", None)


def result_of(points: list[tuple[int, ...]], stalled: list[int] | None = None) -> MatchResult:
    games = no_games(HEARTS, len(points), seats=len(points[0]))
    games.points[:] = points
    games.stalled[stalled or []] = True
    return match_result(games)


@pytest.mark.parametrize(
    ("points", "stalled", "behind"),
    [
        ([(2, 1), (2, 1), (2, 1), (1, 2), (1, 2), (2, 1)], None, False),
        ([(2, 1), (2, 1), (1, 2), (1, 2)], [0], True),
        ([(2, 1), (2, 1), (1, 2), (1, 2)], [1], False),
        # Two games won, one lost, and the others stalled: a win rate of a third, and ahead all the same.
        ([(2, 1), (2, 1), (2, 1), (1, 2), (1, 2), (1, 2)], [0, 2, 4], False),
        ([(2, 1), (1, 2), (2, 1), (1, 2)], [0, 1, 2], False),
        ([(1, 2), (2, 1), (2, 1), (1, 2)], [1, 2, 3], True),
    ],
)
def test_a_stalled_game_is_nobodys(points: list[tuple[int, ...]], stalled: list[int] | None, behind: bool) -> None:
    """The first player has seat 0 in every other game."""
    assert is_behind(result_of(points, stalled)) == behind


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_rounding_puts_nobody_behind(seats: int) -> None:
    """All tie in most games, and the win rate is a mean of sums of thirds, fifths or sixths."""
    for deals in range(1, 30):
        points = [(1,) * seats] * (2 * seats * deals)
        assert not is_behind(result_of(points))


def test_each_step_of_a_test_is_on_further_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("tictactoe")
    arena = Arena(game, Settings("tictactoe"), Workers(1))
    sources: list[DealSource] = []

    def play(players: Sequence[Player], deals: DealSource, schedule: Schedule) -> Games:
        sources.append(deals)
        return Arena.play(arena, players, deals, schedule)

    monkeypatch.setattr(arena, "play", play)
    first, second = RandomPlayer(game, "first"), RandomPlayer(game, "second")
    assert verdict(arena, first, second, 10).deals == 10
    assert [source.count for source in sources] == [4, 4, 2]
    assert len({source.identity for source in sources}) == 3
    assert not (sources[0].draw(game).openings == sources[1].draw(game).openings).all()


@pytest.mark.parametrize(
    ("leads", "said"),
    [
        ({1: 60, 65: 40, 129: 40, 193: 0}, "still rising against its former champions: the champion scores 70.0 %"),
        ({1: 60, 65: 40, 129: 0, 193: 0}, "no gain shown since generation 129: the champion scores 50.0 %"),
        ({1: 0, 65: 0, 129: 0}, "no gain shown since generation 1: the champion scores 50.0 %"),
        ({65: 0, 129: 40, 193: 0}, "undecided whether it gained since generation 65: the champion scores 50.0 %"),
        ({129: 40, 161: 0, 193: 40}, "undecided whether it gained since generation 161: the champion scores 50.0 %"),
        ({193: 0}, ""),
        ({}, ""),
    ],
)
def test_former_champions_tell_whether_a_run_still_gained(leads: dict[int, int], said: str) -> None:
    """Of 100 deals so many are won from both seats, and the others from the first."""
    assert (trend({generation: won_deals(lead) for generation, lead in leads.items()}, 200) + " ").startswith(
        said or " "
    )


def test_a_short_run_or_few_games_are_not_called_flat() -> None:
    assert trend({1: won_deals(0)}, 3) == ""
    few = trend({129: won_deals(0, 12)}, 200)
    assert few.startswith("undecided whether it gained since generation 129: the champion scores 50.0 %")


def test_a_run_that_may_still_gain_is_not_called_flat() -> None:
    """Its interval reaches farther above even than below, or it was stopped before its end."""
    leans = trend({129: replace(won_deals(0), win_rate=0.51, win_rate_95=(0.49, 0.53))}, 200)
    assert leans.startswith("undecided whether it gained since generation 129: the champion scores 51.0 % (")
    assert leans.endswith("; twice as many generations should tell")
    points = replace(won_deals(0), in_points=True, margin=0.13, margin_95=(-0.01, 0.27))
    assert "+0.13 points a game (-0.01 to +0.27) against" in (said := trend({5: points}, 13))
    assert said.startswith("undecided whether it gained since generation 5: ")
    behind = replace(points, margin=-0.13, margin_95=(-0.27, 0.01))
    assert "more generations will hardly help" in trend({5: behind}, 13)
    stopped = trend({5: behind}, 13, left=37)
    assert stopped.startswith("undecided whether it gained since generation 5: ")
    assert stopped.endswith("; the other 37 generations should tell")


def test_a_champion_of_long_ago_is_not_still_rising() -> None:
    """However far it leads what was before it: later generations brought nothing better."""
    leads = {1: won_deals(60), 33: won_deals(40)}
    old = trend({**leads, 97: won_deals(40)}, 103, bred_in=65)
    assert old.startswith("no gain shown since generation 65: the champion scores 70.0 % (")
    assert old.endswith(
        ") against that of generation 97; more generations will hardly help; another seed, strategy or start may"
    )
    assert trend(leads, 103, bred_in=65).startswith("no gain shown since generation 65: ")
    assert trend(leads, 103, bred_in=97).startswith("still rising ")
    assert trend({97: won_deals(40)}, 103, bred_in=1).startswith("no gain shown since generation 1: ")
    assert trend(leads, 103, left=97, bred_in=65).startswith("no gain shown since generation 65: ")


def test_players_that_stay_alike_are_not_told_to_go_on() -> None:
    alike = replace(won_deals(0, 12), margins=np.zeros(12))
    said = (
        "no gain shown since generation 33: the champion scores 50.0 % (every deal even) against that of generation 33"
    )
    for others in ((33, 65), (33,)):
        found = trend({1: won_deals(40)} | dict.fromkeys(others, alike), 103, left=1337)
        assert found.startswith(f"{said}; more ")


@pytest.mark.parametrize("in_points", [False, True])
def test_where_every_deal_is_even_no_interval_speaks_of_chance(
    monkeypatch: pytest.MonkeyPatch, *, in_points: bool
) -> None:
    level = replace(won_deals(0), margins=np.zeros(300), in_points=in_points, margin=0.0)
    assert (
        str(cells_of(matches_table({"a": level, "b": replace(won_deals(40), in_points=in_points)}))).count(
            "every deal even"
        )
        == 1
    )
    monkeypatch.setattr("evolve.evaluation.final._tested", lambda *_, **__: (level, "H0"))
    game = load_game("tictactoe")
    one, other = (KernelPlayer(game, choose_first, name) for name in ("one", "other"))
    found = verdict(Arena(game, Settings("tictactoe"), Workers(1)), one, other, 300)
    even = "about even with the shipped player 'other' (50.0 % of " * (not in_points)
    assert found.sentence.startswith(f"the champion is {even}")
    assert found.sentence.endswith(" games; every deal even)")


def test_a_champion_that_a_former_one_beats_is_called_worse() -> None:
    points = replace(won_deals(0), in_points=True, margin=-0.36, margin_95=(-0.49, -0.23))
    assert trend({33: won_deals(0), 65: points}, 103) == (
        "worse than generation 65 of its run: the champion scores -0.36 points a game (-0.49 to -0.23) against that of "
        "generation 65; another seed or a larger --hall-of-fame may do better"
    )
    assert trend({33: won_deals(-40)}, 103).startswith(
        "worse than generation 33 of its run: the champion scores 30.0 %"
    )


def test_few_games_do_not_tell_that_a_former_champion_is_better() -> None:
    few = trend({33: won_deals(-40, 30)}, 103)
    assert few.startswith("undecided whether it is worse than generation 33 of its run: the champion scores 30.0 % (")
    assert few.endswith(" against that of generation 33; 60 games are too few to tell")


def won_deals(lead: int, deals: int = 300) -> MatchResult:
    won = deals * abs(lead) // 100
    games = no_games(HEARTS, 2 * deals, seats=2)
    games.points[:] = [(2, 1), (1, 2)] * won + [(2, 1)] * 2 * (deals - won)
    games.points[-4:] = [(2, 1), (1, 2), (1, 2), (2, 1)]  # one to each
    games.points[:] = games.points[:, :: 1 if lead >= 0 else -1]
    games.courses[:] = np.arange(2 * deals)
    return match_result(games)
