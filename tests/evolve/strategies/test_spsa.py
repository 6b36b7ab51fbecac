"""Simultaneous perturbation: a centre, pairs of mirror images around it, and how far they are from it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from breeders import told
from numbers_game import takers

from evolve.perturbation import DECAY, DELAY, DIMENSIONS, STEP
from evolve.settings import Settings
from evolve.strategies import make_breeder
from evolve.strategies.spsa import (
    FASTEST,
    FOLLOW,
    LARGER,
    LEAD,
    SETTLE,
    SMALLER,
    PerturbingBreeder,
)


def breeder_of(population: int = 16, spec: str = "spsa:scaling=0") -> PerturbingBreeder:
    breeder = make_breeder(Settings.of(spec, seed=3, population=population), takers, [takers.hand_tuned()])
    assert isinstance(breeder, PerturbingBreeder)
    return breeder


def genes(breeder: PerturbingBreeder) -> np.ndarray:
    return np.array([breeder.genes(weights) for weights in breeder.ask()])


@pytest.mark.parametrize(("population", "middle"), [(2, 0), (3, 1), (4, 2), (15, 1), (16, 2)])
def test_the_population_is_the_centre_and_pairs_around_it(population: int, middle: int) -> None:
    breeder = breeder_of(population)
    asked = genes(breeder)
    assert (asked[:middle] == breeder.centre).all()
    first, second = asked[middle::2], asked[middle + 1 :: 2]
    assert first + second == pytest.approx(np.tile(2 * breeder.centre, (len(first), 1)))
    assert np.abs(first - breeder.centre) == pytest.approx(np.full(first.shape, 0.5))
    assert len(np.unique(first, axis=0)) > len(first) // 2


def test_the_result_so_far_plays_where_the_number_is_even() -> None:
    breeder = breeder_of(4)
    breeder.centre = breeder.centre + 1
    assert genes(breeder)[:2] == pytest.approx(np.array([breeder.centre, breeder.mean]))


def test_the_centre_follows_what_each_pair_says() -> None:
    breeder = breeder_of(6)
    start, moves = breeder.centre.copy(), breeder.moves()
    won = np.array([50.0, 50.0, 70.0, 30.0, 45.0, 55.0])  # of 100 games each
    breeder.tell(told(won))
    size, pairs, played = len(start), 2, 25
    step = min(STEP * size**-DIMENSIONS * played, FASTEST * size / (size + pairs - 1))
    assert breeder.centre == pytest.approx(start + step * (0.4 * moves[0] - 0.1 * moves[1]))
    assert breeder.pairs_played == pairs * played
    assert np.array(breeder.finalists()[1]).ravel() == pytest.approx(breeder.centre)


def test_steps_are_short_where_games_are_few_and_fall() -> None:
    moved = []
    for before in (0.0, 1000.0):
        breeder = breeder_of(3)
        breeder.pairs_played = before
        start, moves = breeder.centre.copy(), breeder.moves()
        tally = told(np.array([2.0, 3.0, 1.0]))
        breeder.tell(replace(tally, games=np.full(3, 4.0)))
        moved.append(float(((breeder.centre - start) / moves[0])[0]))
    size = len(start)
    assert moved[0] == pytest.approx(STEP * size**-DIMENSIONS * 0.5)
    assert moved[1] == pytest.approx(moved[0] * (1 + 1000 / (DELAY * size**1.5)) ** -DECAY)


def test_all_games_lost_or_won_or_none_played_move_nothing() -> None:
    breeder = breeder_of(6)
    start = breeder.centre.copy()
    for won in (0.0, 50.0, 100.0):
        breeder.tell(told(np.full(6, won)))
    breeder.tell(replace(told(np.zeros(6)), games=np.zeros(6)))
    assert (breeder.centre == start).all()


def test_where_points_count_their_scale_does_not_matter() -> None:
    ends = []
    for scale in (1.0, 1000.0):
        breeder = breeder_of(6)
        points = scale * np.array([0.0, 0.0, 9.0, 1.0, 4.0, 6.0])
        tally = replace(told(np.array([50.0, 50, 60, 40, 45, 55])), points=points, in_points=True)
        breeder.tell(tally)
        ends.append(breeder.centre)
    assert ends[0] == pytest.approx(ends[1])
    assert (ends[0] != breeder_of(6).centre).any()


def test_pairs_keep_as_far_away_as_lets_the_centre_win_seventy_of_a_hundred() -> None:
    def after(centre: float, others: float, times: int = 1) -> float:
        breeder = breeder_of(5)
        for _ in range(times):
            breeder.tell(told(np.array([centre, *[others] * 4])))
        return breeder.sigma

    assert after(66.0, 46.0) == pytest.approx(0.5, rel=0.01)
    assert after(50.0, 50.0) == pytest.approx(0.5 * np.exp(FOLLOW * LEAD / (1 + 1 / SETTLE)))
    assert after(90.0, 40.0) == pytest.approx(0.5 * np.exp(FOLLOW * (LEAD - 0.5) / (1 + 1 / SETTLE)))
    assert after(50.0, 50.0, 100) == 0.5 * LARGER
    assert after(100.0, 0.0, 100) == pytest.approx(0.5 / SMALLER)


def test_the_result_is_the_mean_of_the_centres_the_later_ones_counting_more() -> None:
    breeder = breeder_of(3)
    centres = []
    for _ in range(30):
        asked = genes(breeder)
        breeder.tell(told(asked.sum(axis=1) - asked.sum(axis=1).min() + 50))
        centres.append(breeder.centre)
    shares = np.array([np.prod([1, n + 1, n + 2, n + 3], dtype=float) for n in range(30)])
    assert breeder.mean == pytest.approx(shares @ np.array(centres) / shares.sum())
    assert np.array(breeder.finalists()[0]).ravel() == pytest.approx(breeder.mean)


def test_rules_that_differ_much_are_moved_little() -> None:
    breeder = breeder_of(4, "spsa")
    assert breeder.unscaled
    breeder.scale(np.array([1.0, 4.0, 2.0]))
    assert not breeder.unscaled
    assert np.abs(breeder.moves()[0]) == pytest.approx(np.tile([1.0, 0.25, 0.5], 2))


def test_before_a_generation_the_finalists_are_the_players_to_start_from() -> None:
    start = [takers.hand_tuned(), takers.hand_tuned() + 1]
    breeder = make_breeder(Settings.of("spsa", seed=1), takers, start)
    assert (np.array(breeder.finalists()) == start).all()
