"""Tallies of a few games whose points are written here, and generations of a game that takes no time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from chorus import game as chorus, good, wild
from numbers_game import by_places, by_points, game, high, low, middle, namer

from evolve.evaluation.arena import Arena, Generation, play_generation
from evolve.evaluation.fitness import Tally, tally, team_tally
from evolve.schedules import SPARRING, TRAINING, DealSource, Schedule
from evolve.settings import Settings
from evolve.workers import Workers
from rulebots.game import Game
from rulebots.play.results import Games, no_games
from rulebots.players import Player


def games_of(points: list[tuple[int, ...]], stalled: tuple[int, ...] = ()) -> Games:
    games = no_games(game, len(points), seats=len(points[0]))
    games.points[:] = points
    games.stalled[list(stalled)] = True
    return games


#: Player 0 wins, draws, loses, and has a game that stalls; player 2 is an opponent.
SCHEDULE = np.array([[0, 0, 1], [0, 1, 0], [1, 0, 2], [1, 2, 0]])
PLAYED = games_of([(3, 1), (2, 2), (0, 9), (5, 0)], stalled=(3,))


def columns(result: Tally) -> list[list[float]]:
    """Games, wins, draws, stalled games, points and margin of each player."""
    parts = (result.games, result.wins, result.draws, result.stalled, result.points, result.margin)
    return np.stack(parts, axis=1).tolist()


def test_each_player_is_credited_with_what_it_did_in_its_games() -> None:
    both = tally(SCHEDULE, PLAYED, 2)
    assert columns(both) == [[4, 1, 1, 1, 5, -7], [2, 0, 1, 0, 3, -2]]
    assert columns(tally(SCHEDULE, PLAYED, 2, 5.0, game))[0][-1] == 2 - 5
    assert columns(tally(SCHEDULE, PLAYED, 2, 1.0, by_places)) == [[4, 1, 1, 1, 5, 0], [2, 0, 1, 0, 3, -1]]
    assert both.win_rate.tolist() == [0.375, 0.25]
    assert both.strength(0.1) == pytest.approx([0.375 - 0.7 / 4, 0.25 - 0.2 / 2])
    resting = tally(SCHEDULE, PLAYED, 4)
    assert columns(resting)[3] == [0] * 6
    assert resting.win_rate[3] == resting.strength(0.5)[3] == 0
    assert columns(tally(SCHEDULE[:0], PLAYED[:0], 1)) == [[0] * 6]


def test_of_three_each_has_its_part_of_the_win_or_those_it_is_ahead_of() -> None:
    schedule, games = np.array([[0, 0, 1, 2], [0, 2, 0, 1]]), games_of([(4, 4, 1), (0, 7, 7)])
    assert columns(tally(schedule, games, 3)) == [[2, 1, 0, 0, 11, 5], [2, 1, 0, 0, 11, 5], [2, 0, 0, 0, 1, -10]]
    of_places = tally(schedule, games, 3, game=by_places)
    assert of_places.wins.tolist() == [1.5, 1.5, 0]
    assert of_places.draws.tolist() == [0, 0, 0]


def test_where_points_count_nothing_else_does() -> None:
    schedule, games = np.array([[0, 0, 1, 2], [0, 2, 0, 1]]), games_of([(4, 4, 1), (-30, 70, 5)])
    found = tally(schedule, games, 3, 13.0, by_points)
    assert found.strength(0.5).tolist() == [74 / 2, 9 / 2, -29 / 2]
    assert found.win_rate.tolist() == [1.5 / 2, 0.5 / 2, 0]
    assert (found + found).strength(0.5).tolist() == found.strength(0.0).tolist()
    assert found.blended(tally(schedule[:1], games[:1], 3, 13.0, by_points), 0.5).strength(1.0)[0] == (37 + 4) / 2
    population: list[Player] = [high(by_points), low(by_points), low(by_points)]
    generation, arena = generation_of(population, [low(by_points)], by_points, seats=3, margin_cap=1)
    assert (generation.tally.in_points, arena.in_points) == (True, True)
    assert generation.tally.strength(0.003)[0] == pytest.approx(generation.tally.points[0] / generation.tally.games[0])


def test_two_tallies_are_one() -> None:
    both = tally(SCHEDULE, PLAYED, 2)
    assert columns(both + both) == [[2 * value for value in row] for row in columns(both)]
    blended = both.blended(both + both, 0.5)
    assert columns(blended) == [[2 * value for value in row] for row in columns(both)]
    assert blended.win_rate.tolist() == both.win_rate.tolist()
    assert both.blended(both, 0.75).games.tolist() == [16, 8]
    assert both.blended(Tally.of_no_games(2), 0.75).games.tolist() == [4, 2]


def test_a_single_game_is_a_game() -> None:
    once = tally(SCHEDULE[:1], PLAYED[:1], 2)
    assert once.win_rate.tolist() == [1, 0]
    assert once.strength(0.25).tolist() == [1.5, -0.5]
    assert once.blended(once, 0.5).games.tolist() == [2, 2]


#: Two deals of three teams, deal by deal.
TEAMS = np.array([[0, 0, 0], [0, 1, 1], [0, 2, 2], [1, 0, 0], [1, 1, 1], [1, 2, 2]])


def test_a_team_wins_a_deal_against_what_the_others_make_of_it() -> None:
    games = games_of([(5, 5), (3, 3), (4, 4), (2, 2), (2, 2), (2, 2)], stalled=(0,))
    assert columns(team_tally(TEAMS, games, 2)) == [[2, 1, 1, 1, 7, 0], [2, 0, 1, 0, 5, 0]]
    assert columns(team_tally(TEAMS, games, 1)) == [[2, 1, 1, 1, 7, 0]]
    assert team_tally(TEAMS, games, 2).strength(0.5).tolist() == [7 / 2, 5 / 2]
    among = team_tally(TEAMS, games, 3)
    assert among.wins == pytest.approx([2 / 3, 0, 1 / 3])
    assert among.draws == pytest.approx([1 / 3 + 1] * 3)


@pytest.mark.parametrize(("count", "players"), [(1, 2), (5, 5), (4, 7), (7, 9)])
def test_sorted_others_say_the_same_as_all_pairs(count: int, players: int) -> None:
    points = np.random.default_rng(players).integers(-9, 9, (11, players))
    games = no_games(game, points.size, seats=2)
    games.points[:] = points.reshape(-1, 1)
    margin = points[:, :count, None] - (points[:, None, count:] if players > count else points[:, None, :])
    found = team_tally(np.repeat(np.arange(11), players)[:, None] * [1, 0, 0], games, count)
    assert found.wins == pytest.approx((margin > 0).mean(axis=2).sum(axis=0), abs=1e-12)
    assert found.draws == pytest.approx((margin == 0).mean(axis=2).sum(axis=0), abs=1e-12)


class Noting(Arena):
    """Notes what it plays."""

    def __init__(self, law: Game, settings: Settings) -> None:
        super().__init__(law, settings, Workers())
        self.played: list[tuple[int, DealSource, npt.NDArray[np.int64]]] = []

    def play(self, players: list[Player], deals: DealSource, schedule: Schedule) -> Games:  # type: ignore[override]
        self.played.append((len(players), deals, schedule))
        return super().play(players, deals, schedule)


def generation_of(
    population: list[Player], opponents: list[Player], law: Game = game, seats: int = 2, **settings: object
) -> tuple[Generation, Noting]:
    chosen = {"deals": 2, "opponents": ("random",), "opponent_deals": 3, "schedule": "round-robin", **settings}
    arena = Noting(law, Settings(options={"seats": seats}, **chosen))  # type: ignore[arg-type]
    return play_generation(arena, population, opponents, 7), arena


POPULATION: list[Player] = [namer(1), namer(-1), namer(0, 1)]


def test_everyone_meets_everyone_and_then_the_opponents_on_other_deals() -> None:
    alone, arena = generation_of(POPULATION, [])
    assert (alone.tally.wins.tolist(), alone.games, alone.sparring is alone.tally) == ([8, 0, 4], 12, True)
    assert [deals.identity for _, deals, _ in arena.played] == [(1, TRAINING, 7)]
    both, arena = generation_of(POPULATION, [middle(), low()], opponent_share=0.75)
    assert both.games == 12 + 3 * 2 * 3 * 2
    assert both.sparring.games.tolist() == [12] * 3
    assert both.sparring.win_rate[0] == 1.0
    assert 0 < both.sparring.win_rate[1] < 0.5 < both.sparring.win_rate[2] < 1
    assert both.tally.games.tolist() == [32] * 3
    assert both.tally.win_rate == pytest.approx(0.25 * alone.tally.win_rate + 0.75 * both.sparring.win_rate)
    assert [(count, deals.count, deals.identity) for count, deals, _ in arena.played] == [
        (3, 2, (1, TRAINING, 7)),
        (5, 3, (1, SPARRING, 7)),
    ]


@pytest.mark.parametrize("seats", [2, 3])
def test_results_are_added_up_in_pieces(seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    population = [*POPULATION, namer(2), namer(-2)]
    whole, _ = generation_of(population, [low()], seats=seats)
    monkeypatch.setattr("evolve.evaluation.arena.AT_ONCE", 7)
    found, arena = generation_of(population, [low()], seats=seats)
    assert found.games == whole.games == sum(len(schedule) for _, _, schedule in arena.played)
    assert max(len(schedule) for _, _, schedule in arena.played) <= 7
    assert np.array(columns(found.tally)) == pytest.approx(np.array(columns(whole.tally)))


def test_in_a_gauntlet_the_opponents_are_all() -> None:
    alone, arena = generation_of(POPULATION, [low()], schedule="gauntlet")
    assert (alone.tally is alone.sparring, alone.games, len(arena.played)) == (True, 18, 1)


def test_swiss_rounds_follow_the_standings() -> None:
    four = [*POPULATION, namer(2)]
    result, arena = generation_of(four, [], schedule="swiss:rounds=2")
    assert (len(arena.played), result.games) == (2, 16)
    second = {tuple(sorted(row)) for row in arena.played[1][2][:, 1:].tolist()}
    winners = np.flatnonzero(Arena.measure(arena, four, 4, *arena.played[0][1:]).wins == 4).tolist()
    assert tuple(winners) in second


def test_larger_tables_are_drawn_for_all_rounds_at_once() -> None:
    result, arena = generation_of(POPULATION, [low()], seats=3, schedule="swiss:rounds=2")
    assert len(arena.played) == 2
    assert result.games == 2 * 2 * 3 + 3 * 3 * 3
    assert result.sparring.games.tolist() == [9.0] * 3
    gauntlet, arena = generation_of(POPULATION, [low()], seats=3, schedule="gauntlet")
    assert (gauntlet.games, len(arena.played)) == (27, 1)


def test_together_all_play_each_deal_in_a_team_of_copies() -> None:
    result, arena = generation_of([good(), wild()], [wild("other")], chorus, seats=2)
    assert (result.games, len(arena.played), result.tally is result.sparring) == (9, 1, True)
    assert result.tally.games.tolist() == [3, 3]
    assert result.tally.points[0] == 3 * (3 * 2 - 2)
    alone, arena = generation_of([good(), wild()], [], chorus, seats=2)
    assert (alone.games, alone.tally.wins[0] + alone.tally.draws[0] / 2) == (6, pytest.approx(2.25))


@pytest.mark.parametrize(
    ("law", "seats", "even"), [(game, 2, 0.5), (game, 4, 0.25), (by_places, 4, 0.5), (chorus, 4, 0.5), (chorus, 1, 0.5)]
)
def test_equals_have_an_even_share(law: Game, seats: int, even: float) -> None:
    arena = Arena(law, Settings(options={"seats": seats}), Workers())
    assert (arena.even, arena.together, arena.seats) == (even, law is chorus, seats)


def test_an_arena_plays_on_the_deals_of_its_run() -> None:
    arena = Arena(game, Settings(seed=5, options={"seats": 3}, opening_plies=1), Workers())
    assert arena.deals(4, 8, 2) == DealSource(4, (5, 8, 2), (("seats", 3),), 1)
    match = arena.match(high(), low(), arena.deals(2, 1))
    assert (match.games, match.deals) == (12, 2)
    assert len(arena.mirrored(2)) == 12
    assert arena.mirrored(1, 4, 6)[0].tolist() == [0, 4, 6, 6]
    assert (len(arena.against(3, 2, 1)), len(arena.everyone(3, 2, 1))) == (3 * 2 * 3, 3 * 2 * 3 + 3 * 6)
    together = Arena(chorus, Settings(options={"seats": 3}), Workers())
    assert (len(together.against(3, 2, 4)), len(together.everyone(3, 2, 4))) == (20, 20)
    assert together.mirrored(1).tolist() == [[0, 0, 0, 0], [0, 1, 1, 1]]


def test_partners_take_their_share_of_the_deals() -> None:
    arena = Arena(chorus, Settings(options={"seats": 2}, partner_share=0.5), Workers())
    arena.partners = [wild("partner")]
    assert [row[1:] for row in arena.teams(1, 4).tolist()] == [[0, 0], [0, 1], [0, 0], [1, 0]]
    beside = Arena(chorus, Settings(options={"seats": 2}), Workers()).with_partner(good(), wild(), arena.deals(8, 1))
    assert (beside.deals, beside.games) == (8, 16)
    assert beside.points > beside.opponent_points
