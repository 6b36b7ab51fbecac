"""The numbers of the strategies: their settings, and what the same seed breeds."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from breeders import best_is_largest_sum, bred
from numbers_game import takers

from evolve.settings import Settings
from evolve.strategies import make_breeder
from evolve.strategies.base import NEW_WEIGHT, introductions
from rulebots.errors import UsageError

#: Strategy and setting, the default, the least and the most.
NUMBERS = [
    ("ga:winners", 0.25, 0.01, 1.0),
    ("ga:elites", 0.04, 0.0, 0.4),
    ("ga:immigrants", 0.04, 0.0, 0.4),
    ("ga:redrawn", 0.1, 0.0, 1.0),
    ("ga:redrawn_range", 1.0, 0.0, 10.0),
    ("ga:mutation", 0.5, 0.0, 10.0),
    ("ga:mutation_decay", 0.976, 0.5, 1.0),
    ("ga:mutation_floor", 0.05, 0.0, 10.0),
    ("ga:remembered", 10, 1, 1000),
    ("ga:finalists", 6, 1, 100),
    ("memetic:mutation", 0.05, 0.0, 10.0),
    ("memetic:mutation_floor", 0.01, 0.0, 10.0),
    ("memetic:winners", 0.25, 0.01, 1.0),
    ("cma-es:sigma", 0.4, 0.0001, 10.0),
    ("cma-es:winners", 0.5, 0.01, 1.0),
    ("spsa:sigma", 0.5, 0.0001, 10.0),
    ("spsa:scaling", 1.0, 0.0, 1.0),
]


def own(strategy: str) -> SimpleNamespace:
    settings = Settings(strategy=strategy, population=4)
    found: SimpleNamespace = make_breeder(settings, takers, [takers.hand_tuned()]).own
    return found


@pytest.mark.parametrize(("setting", "usual", "least", "most"), NUMBERS)
def test_a_setting_has_its_default_and_its_range(setting: str, usual: float, least: float, most: float) -> None:
    strategy, _, name = setting.partition(":")
    assert getattr(own(strategy), name) == usual
    for value in (least, most):
        assert getattr(own(f"{setting}={value}"), name) == value
    step = 1 if isinstance(usual, int) else 0.00005
    for value in (least - step, most + step):
        with pytest.raises(UsageError, match=f"{name}: expected a"):
            own(f"{setting}={value}")


def test_some_strategies_have_defaults_for_a_run() -> None:
    memetic, sheppard = Settings.of("memetic"), Settings.of("sheppard")
    assert (memetic.lessons, Settings.of("ga").lessons) == (2000, 0)
    assert (sheppard.population, sheppard.deals, sheppard.opponents) == (14, 5, ())
    with pytest.raises(UsageError, match="always breeds 14 players, not 13"):
        make_breeder(Settings.of("sheppard", population=13), takers, [takers.hand_tuned()])


@pytest.mark.parametrize(
    ("strategy", "generations", "total", "of_finalists"),
    [
        ("ga", 0, 31611.702213, 21.391799),
        ("ga", 3, 52015.891462, 40.435019),
        ("memetic", 3, 9094.838124, 19.876706),
        ("sheppard", 3, 850.920422, 19.764898),
        ("cma-es", 1, 39716.154808, 11.309403),
        ("spsa", 3, 93342.899417, 22.141385),
    ],
)
def test_the_same_seed_breeds_what_it_always_bred(
    strategy: str, generations: int, total: float, of_finalists: float
) -> None:
    # One generation of cma-es: later ones depend on the signs that LAPACK gives to the axes.
    population = {"sheppard": 14, "memetic": 40}.get(strategy, 80)
    breeder = bred(strategy, takers, generations, population=population)
    places = np.arange(1, len(breeder.ask()) + 1)
    found = places @ np.array(breeder.ask()).reshape(len(places), -1) @ np.arange(1, 7)
    assert (found, np.sum(breeder.finalists())) == pytest.approx((total, of_finalists))
    assert best_is_largest_sum(breeder.ask()).shape == places.shape


def test_two_players_introduce_a_new_rule() -> None:
    best = takers.hand_tuned()
    with_it, alone = introductions(best, 1)
    assert NEW_WEIGHT == 0.8
    assert with_it.tolist() == [[1, 0.8, -2], [3, 0.8, 0]]
    assert alone.tolist() == [[0, 0.8, 0], [0, 0.8, 0]]
    assert best[0, 1] == 0.5
