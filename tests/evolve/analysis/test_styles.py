"""Maps of styles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evolve.analysis.styles import MapSettings, MeasuredPlayer, StyleSearch, picture, statistics_of
from evolve.schedules import HELD_OUT, STYLES
from rulebots.errors import UsageError
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.packages.rule_sets import load_rules
from rulebots.play.deals import draw_deals, mirrored
from rulebots.play.match import play_deals, play_games
from rulebots.play.results import match_result
from rulebots.players import RulePlayer

TICTACTOE = load_game("tictactoe")
SMALL = MapSettings(cells=3, batch=4, deals=2, deciding_deals=3)


def search() -> StyleSearch:
    return StyleSearch(TICTACTOE, ["corners", "length"], replace(SMALL, opponent="careful"), seed=3)


def test_a_place_belongs_to_a_cell() -> None:
    found = search()
    found.limits = np.array([[0.0, 3.0], [5.0, 8.0]])
    assert found.cell_of((0.5, 7.5)) == (0, 2)
    assert found.cell_of((1.0, 5.0)) == (1, 0)
    assert found.cell_of((-9.0, 99.0)) == (0, 2)


def test_a_challenger_is_believed_only_after_more_games() -> None:
    found = search()
    found.limits = np.array([[0.0, 4.0], [5.0, 9.0]])
    hand = load_rules(game=TICTACTOE).hand_tuned()
    lucky = MeasuredPlayer(np.zeros_like(hand), 4, np.array([4.0, 8.0, 28.0]))  # it won each of its four games
    elite = MeasuredPlayer(hand, 400, np.array([200.0, 800.0, 2800.0]))
    assert found.cell_of(lucky.place) == found.cell_of(elite.place) == (1, 1)
    found.elites[1, 1] = elite
    found._contend([lucky])
    assert (lucky.games, elite.games) == (10, 406)
    holders = list(found.elites.values())
    assert any(holder is elite for holder in holders)
    for cell, holder in found.elites.items():
        assert found.cell_of(holder.place) == cell


@pytest.mark.slow
def test_a_map_holds_what_fresh_deals_say() -> None:
    maps = []
    for _ in range(2):
        made = search()
        counts = list(made.fill(games=400))
        assert counts == sorted(counts) or len(counts) > 1
        maps.append(made.measured(10))
    first, second = maps
    assert [style.name for style in first.styles] == [style.name for style in second.styles]
    assert len({style.cell for style in first.styles}) == len(first.styles) == len({s.name for s in first.styles})
    rates = [style.result.win_rate for style in first.styles]
    assert rates == sorted(rates, reverse=True)
    best = first.styles[0]
    deals = draw_deals(TICTACTOE, 10, 3, HELD_OUT)
    player = RulePlayer(first.rules, best.weights)
    assert best.result == match_result(play_deals(player, make_player("careful", TICTACTOE), deals))
    assert {made.cell_of(style.place) for style in first.styles} == {style.cell for style in first.styles}
    assert first.strengths[best.cell] == rates[0]
    assert np.isfinite(first.strengths).mean() == first.filled
    assert picture(first, "svg").startswith(b"<?xml")


@pytest.mark.slow
def test_together_a_style_is_as_strong_as_its_team() -> None:
    game = load_game("hanabi")
    made = StyleSearch(game, ["hints", "risk"], SMALL, seed=3, options={"seats": 3})
    list(made.fill(games=100))
    found = made.measured(10)
    assert found.together
    strengths = [style.strength for style in found.styles]
    assert strengths == sorted(strengths, reverse=True)
    best = found.styles[0]
    deals = draw_deals(game, 10, 3, HELD_OUT, options={"seats": 3})
    player = RulePlayer(found.rules, best.weights)
    games = play_games([player], deals, mirrored(10, 0, 0, seats=3, together=True))
    assert best.strength == games.points[:, 0].mean() == best.result.points
    # What a team does is the mean of what its seats do; the place is from other deals.
    placed = draw_deals(game, 20, 3, STYLES, made._batches - 1, options={"seats": 3})
    games = play_games([player], placed, mirrored(20, 0, 0, seats=3, together=True))
    assert best.place == pytest.approx([games.behaviour[name].mean() for name in ("hints", "risk")])
    assert best.believed == pytest.approx(games.points[:, 0].mean())


@pytest.mark.slow
def test_at_a_table_what_is_believed_is_on_the_scale_of_the_match() -> None:
    game = load_game("goofspiel:game")
    made = StyleSearch(game, (), replace(SMALL, opponent="matching"), seed=3, options={"seats": 3})
    made.elites[0, 0] = MeasuredPlayer(made.rules.hand_tuned())
    (style,) = made.measured(5).styles
    deals = draw_deals(game, 10, 3, STYLES, made._batches - 1, options={"seats": 3})
    teams = [RulePlayer(made.rules, style.weights), make_player("matching", game)]
    games = play_games(teams, deals, mirrored(10, seats=3))
    assert style.believed == pytest.approx(match_result(games, game).win_rate)


def test_statistics_are_those_of_the_game_and_two_of_every_game() -> None:
    assert statistics_of(TICTACTOE, ()) == ("longest line", "corners")
    assert statistics_of(load_game("kalah"), ()) == ("length", "points")
    assert statistics_of(TICTACTOE, ["points", "corners"]) == ("points", "corners")


@pytest.mark.parametrize(
    ("by", "message"),
    [
        (["corner", "length"], "no statistic 'corner' of tictactoe; did you mean 'corners'?"),
        (["corners"], "a map of styles needs two different statistics of longest line, corners, length, points"),
        (["corners", "corners"], "a map of styles needs two different statistics"),
    ],
)
def test_other_statistics_are_refused(by: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message.replace("?", r"\?")):
        statistics_of(TICTACTOE, by)


def test_a_budget_is_seconds_or_games() -> None:
    with pytest.raises(UsageError, match="expected a budget above 0"):
        next(search().fill())
