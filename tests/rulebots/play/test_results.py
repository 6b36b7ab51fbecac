"""What games add up to, from the side of a match's first player."""

from __future__ import annotations

import copy
import dataclasses
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from contenders import contender

from rulebots.cli.console import say_json, show
from rulebots.cli.tables import match_table
from rulebots.game import Game
from rulebots.kernel import kernel
from rulebots.packages import game_names, load_game
from rulebots.play.deals import OPENING_PLIES, DealStream, draw_deals
from rulebots.play.match import play_deals, sprt_result
from rulebots.play.results import Games, match_result, no_games
from rulebots.players import KernelPlayer, RandomPlayer
from rulebots.ratings import FEWEST_DEALS, Sprt

every_game = pytest.mark.parametrize("game", [load_game(name) for name in game_names()], ids=lambda g: g.name)


def games_of(points: list[tuple[int, int]], stalled: list[bool]) -> Games:
    games = no_games(load_game("lost-cities"), len(points))
    games.points[:] = points
    games.stalled[:] = stalled
    games.plies[:] = 50
    games.courses[:] = range(len(points))
    games.behaviour["investments"][:] = [(1, 2)] * len(points)
    return games


#: By seat; the second game of each deal has the seats changed. A win, a loss; a draw, a win; a stalled game, a win.
GAMES = games_of([(9, 5), (7, 3), (4, 4), (1, 2), (9, 0), (0, 1)], [False] * 4 + [True, False])


def test_a_match_is_counted_from_the_first_players_side() -> None:
    result = match_result(GAMES)
    assert (result.wins, result.draws, result.losses, result.stalled, result.games) == (3, 1, 1, 1, 6)
    assert result.win_rate == pytest.approx(3.5 / 6)
    assert result.pentanomial == (0, 0, 2, 1, 0)
    assert (result.points, result.opponent_points) == (pytest.approx(28 / 6), pytest.approx(17 / 6))
    assert result.margin == pytest.approx(11 / 6)
    assert result.plies == 50
    assert result.behaviour["investments"] == (1.5, 1.5)
    assert result.elo == pytest.approx(58.45, abs=0.01)
    assert result.elo_95[0] < result.elo < result.elo_95[1]


def test_a_stalled_game_is_worth_what_is_asked() -> None:
    assert match_result(GAMES).scores.tolist() == [0.5, 0.75, 0.5]


def test_json_has_null_where_a_figure_is_infinite(capsys: pytest.CaptureFixture[str]) -> None:
    result = match_result(games_of([(9, 5), (3, 7)], [False] * 2))
    assert result.elo == math.inf
    say_json(result.summary())
    assert '"elo": null' in capsys.readouterr().out


@pytest.mark.parametrize(("deals", "few"), [(FEWEST_DEALS - 1, True), (FEWEST_DEALS, False)])
def test_too_few_deals_allow_no_interval(deals: int, few: bool) -> None:
    result = match_result(games_of([(9, 5), (3, 7)] * deals, [False] * 2 * deals))
    assert (result.deals, result.distinct_deals, result.too_few) == (deals, deals, few)
    assert (result.win_rate_95 == (0, 1), result.elo_95 == (-math.inf, math.inf), result.superiority == 0.5) == (
        few,
    ) * 3
    figures = result.summary()
    unknown = [name for name, figure in figures.items() if figure is None]
    assert unknown == (["win_rate_95", "margin_95", "elo_95", "superiority"] if few else ["margin_95"])
    assert figures["win_rate"] == 1.0


@pytest.mark.parametrize("margins", [(9, 5), (5, 5)])
def test_deals_that_all_brought_the_same_make_no_margin_certain(
    margins: tuple[int, int], capsys: pytest.CaptureFixture[str]
) -> None:
    games = games_of([margins, margins[::-1]] * 300, [False] * 600)
    result = match_result(games)
    assert result.margin_95 == (-math.inf, math.inf)
    assert result.win_rate_95[1] - result.win_rate_95[0] > 0.01
    show(match_table(result))
    assert re.search(r"margin +[0-9.]+ +95 %: unknown", capsys.readouterr().out)


def test_games_that_all_stalled_do_not_say_who_is_stronger(capsys: pytest.CaptureFixture[str]) -> None:
    scores = [(9, 5), (3, 7), (1, 2)] * 40
    result = match_result(games_of(scores, [True] * 120))
    assert (result.win_rate, result.win_rate_95, result.superiority, result.silent) == (0, (0, 1), 0.5, True)
    assert math.isnan(result.elo)
    figures = result.summary()
    assert [name for name, figure in figures.items() if figure is None] == ["win_rate_95", "elo_95", "superiority"]
    show(match_table(result))
    table = capsys.readouterr().out
    assert "every game stalled: nothing can be said about who is stronger" in table
    assert re.search(r"Elo +unknown +95 %: unknown", table)
    assert "inf" not in table
    assert not match_result(games_of(scores, [True] * 119 + [False])).silent
    assert sprt_result(Sprt(0, 10), result).accepted == "undecided"


def test_copies_of_a_deal_make_nothing_surer() -> None:
    once = games_of([(9, 5), (3, 7), (4, 4), (1, 2), (9, 0), (1, 0)] * 6, [False] * 36)
    often = Games(
        *(
            np.tile(getattr(once, f.name), (50,) + (1,) * (getattr(once, f.name).ndim - 1))
            for f in dataclasses.fields(Games)
        )
    )
    few, many = match_result(once), match_result(often)
    assert (many.games, many.distinct_deals) == (50 * few.games, few.distinct_deals)
    for name in ("win_rate", "win_rate_95", "margin_95", "elo_95", "superiority", "effective_deals"):
        assert getattr(many, name) == pytest.approx(getattr(few, name))


@pytest.mark.slow
def test_a_game_that_is_played_again_and_again_is_one_deal() -> None:
    game = replace(load_game("tictactoe"), opening_plies=0)
    player, random = KernelPlayer(game, choose_first, "first"), RandomPlayer(game)
    result = match_result(play_deals(player, copy.copy(player), draw_deals(game, 40, 1)))
    assert (result.deals, result.distinct_deals, result.effective_deals, result.too_few) == (40, 1, 1.0, True)
    assert match_result(play_deals(player, random, draw_deals(game, 40, 1))).distinct_deals > 30


@kernel
def choose_first(view, moves, n, weights, blended, scores):
    return moves[0]


def test_a_game_that_deals_nothing_begins_with_random_moves_unless_its_author_says_otherwise() -> None:
    silent = {name: replace(load_game(name), opening_plies=None) for name in ("tictactoe", "lost-cities")}
    assert draw_deals(silent["tictactoe"], 1, 1).opening_plies == OPENING_PLIES
    assert draw_deals(silent["tictactoe"], 1, 1, opening_plies=0).opening_plies == 0
    assert draw_deals(silent["lost-cities"], 1, 1).opening_plies == 0
    assert draw_deals(replace(silent["tictactoe"], opening_plies=0), 1, 1).opening_plies == 0
    assert draw_deals(replace(silent["tictactoe"], ply_cap=3), 1, 1).opening_plies == 2


def test_shipped_games_keep_their_openings() -> None:
    plies = {name: draw_deals(load_game(name), 1, 1).opening_plies for name in ("circles", "gomoku", "kalah")}
    assert plies == {"circles": 3, "gomoku": 4, "kalah": 4}
    assert [draw_deals(load_game(name), 1, 1).opening_plies for name in ("tictactoe", "lost-cities")] == [2, 0]


@every_game
def test_deals_are_the_same_in_whatever_pieces_they_are_drawn(game: Game) -> None:
    whole, stream = draw_deals(game, 9, 3, 4), DealStream(game, 3, 4)
    pieces = [stream.take(count) for count in (1, 3, 5)]
    for name in ("cards", "luck", "openings"):
        assert np.concatenate([getattr(piece, name) for piece in pieces]).tolist() == getattr(whole, name).tolist()


@pytest.mark.slow
@every_game
def test_behaviour_is_finite_and_the_same_from_both_seats(game: Game) -> None:
    player = contender(game, "random")
    games = play_deals(player, player, draw_deals(game, 2, 5))
    for name in game.behaviour:
        assert np.isfinite(games.behaviour[name]).all()
    assert match_result(games).behaviour.keys() == game.behaviour.keys()


@pytest.mark.slow
def test_lost_cities_tells_of_expeditions_investments_and_draws(lost_cities: Game) -> None:
    discard, dumb, risk = (contender(lost_cities, who) for who in ("discard", "dumb", "risk"))
    idle = match_result(play_deals(discard, dumb, draw_deals(lost_cities, 5, 1))).behaviour
    assert idle["expeditions"] == (0, 5)
    assert idle["investments"][0] == idle["cards from discards"][0] == idle["cards from discards"][1] == 0
    assert idle["investments"][1] > 1
    assert (
        match_result(play_deals(risk, discard, draw_deals(lost_cities, 5, 1))).behaviour["cards from discards"][0] > 0
    )
