"""Lessons: the returns of rollouts after each candidate move."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evolve.lessons.rollouts import LessonSettings, lessons_of
from evolve.settings import no_lessons
from rulebots.game import Game
from rulebots.kernel import compiling
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.packages.rule_sets import load_rules
from rulebots.play.deals import draw_deals
from rulebots.play.match import play_games
from rulebots.players import Player, RulePlayer

ALL = LessonSettings(score_margin=np.inf, rollouts=1, margin=0.0, margin_cap=100)


def alternating(games: int) -> np.ndarray:
    """Everyone a deal of his own: the learner, player 0, begins every other game."""
    return np.array([(i, i % 2, 1 - i % 2) for i in range(games)])


def hand_tuned(game: Game) -> RulePlayer:
    rules = load_rules(game=game)
    return RulePlayer(rules, rules.hand_tuned(), "learner")


@pytest.mark.slow
def test_a_game_gives_one_lesson_however_the_schedule_is_cut(lost_cities: Game) -> None:
    learner = RulePlayer(load_rules(game=lost_cities), load_rules(game=lost_cities).hand_tuned(), "learner")
    others: list[Player] = [make_player("dumb", lost_cities)]
    games = 6 if compiling() else 2
    deals, schedule = draw_deals(lost_cities, games, 4), alternating(games)
    settings = replace(ALL, rollouts=2, margin=0.003)
    whole = lessons_of([learner, *others], deals, schedule, settings)
    pieces = [lessons_of([learner, *others], deals, schedule[i : i + 1], settings) for i in range(games)]
    assert len(whole) == games
    assert (whole.counts > 1).all()
    assert whole.features.shape == (whole.counts.sum(), len(learner.rules.rules))
    assert np.array_equal(whole.returns, np.concatenate([piece.returns for piece in pieces]))
    assert np.array_equal(whole.features, np.concatenate([piece.features for piece in pieces]))
    assert np.ptp(whole.returns) > 0


@pytest.mark.slow
def test_the_return_of_a_move_is_how_the_game_ends_after_it() -> None:
    game = load_game("tictactoe")
    learner, other = hand_tuned(game), make_player("perfect", game)
    deals, schedule = draw_deals(game, 20, 6, opening_plies=3), alternating(20)
    lessons = lessons_of([learner, other], deals, schedule, ALL)
    points = play_games([learner, other], deals, schedule).points
    mine = np.arange(20) % 2
    came_to = np.sign(points[np.arange(20), mine] - points[np.arange(20), 1 - mine]) / 2 + 0.5
    first, differs = np.cumsum(lessons.counts) - lessons.counts, 0.0
    # Nothing is hidden and nobody throws dice: the learner's own move is worth what its own game came to.
    for start, count, late, end in zip(first, lessons.counts, lessons.late, came_to, strict=True):
        rows = slice(start, start + count)
        scores = lessons.features[rows] @ ((1 - late) * learner.weights[0] + late * learner.weights[1])
        own = np.flatnonzero(scores > scores.max() - 1e-3)[0]
        assert lessons.returns[rows][own] == end
        differs += np.ptp(lessons.returns[rows])
    assert differs > 0


@pytest.mark.slow
def test_only_candidates_get_rollouts(lost_cities: Game) -> None:
    learner = hand_tuned(lost_cities)
    games = 12 if compiling() else 3
    deals, schedule = draw_deals(lost_cities, games, 4), alternating(games)
    lessons = lessons_of([learner, make_player("dumb", lost_cities)], deals, schedule, replace(ALL, score_margin=0.5))
    assert 0 < len(lessons) <= games
    assert (lessons.counts > 1).all()
    first = np.cumsum(lessons.counts) - lessons.counts
    for start, count, late in zip(first, lessons.counts, lessons.late, strict=True):
        scores = lessons.features[start : start + count] @ ((1 - late) * learner.weights[0] + late * learner.weights[1])
        assert np.ptp(scores) < 0.5 + 1e-5
    every = lessons_of([learner, make_player("dumb", lost_cities)], deals, schedule, ALL)
    assert every.counts.sum() > lessons.counts.sum()


def test_margins_count_up_to_their_cap_and_stalled_games_for_nothing() -> None:
    settings = replace(ALL, margin=0.01, margin_cap=20)
    points = np.array([[30, 0], [30, 0], [7, 7], [5, 0], [30, 0]])
    seats, stalled = np.array([0, 1, 0, 0, 0]), np.array([False, False, False, False, True])
    ends = settings.returns(load_game("kalah"), points, seats, stalled)
    assert ends == pytest.approx([1.2, -0.2, 0.5, 1.05, 0.0])


def test_who_does_not_take_the_best_score_takes_no_lessons(lost_cities: Game) -> None:
    assert no_lessons(load_rules("standard", lost_cities)) is None
    assert "'sheppard' do not simply take the best score" in str(no_lessons(load_rules("sheppard", lost_cities)))
    blind = replace(load_rules("standard", lost_cities), game=replace(lost_cities, redeal=None))
    assert no_lessons(blind) == "lost-cities hides something and has no function that redeals it"
