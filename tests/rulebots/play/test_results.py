"""What games add up to, from the side of a match's first player."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from contenders import contender

from rulebots.cli.console import say_json
from rulebots.game import Game, load_game
from rulebots.play.deals import DealStream, draw_deals
from rulebots.play.match import play_deals
from rulebots.play.results import Games, deal_scores, match_result, no_games
from rulebots.registry import game_names

every_game = pytest.mark.parametrize("game", [load_game(name) for name in game_names()], ids=lambda g: g.name)


def games_of(points: list[tuple[int, int]], stalled: list[bool]) -> Games:
    games = no_games(load_game("lost-cities"), len(points))
    games.points[:] = points
    games.stalled[:] = stalled
    games.plies[:] = 50
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
    assert deal_scores(GAMES, stalled=0).tolist() == [0.5, 0.75, 0.5]
    assert deal_scores(GAMES, stalled=0.5).tolist() == [0.5, 0.75, 0.75]


def test_json_has_null_where_a_figure_is_infinite(capsys: pytest.CaptureFixture[str]) -> None:
    result = match_result(games_of([(9, 5), (3, 7)], [False] * 2))
    assert result.elo == math.inf
    say_json(dataclasses.asdict(result))
    text = capsys.readouterr().out
    assert '"elo": null' in text
    assert '"margin_95": [null, null]' in text


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
