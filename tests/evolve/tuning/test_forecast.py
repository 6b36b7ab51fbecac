"""The forecast of a gain, and the sizes of the first steps."""

from __future__ import annotations

import numpy as np
import pytest

from evolve.tuning.forecast import Forecast, forecast, steps

START = np.full(3, 0.5)
#: Each parameter has one good end, and one bad.
PROMISING = np.array([[0.7, 0.1]] * 3)
#: Both ends lose a little: the start is near the best.
TUNED = np.array([[0.4, 0.4]] * 3)
#: Both ends are nonsense: there the strength is flat, and says little of where the best is.
FLAT = np.array([[0.2, 0.2]] * 3)


def test_a_program_with_better_ends_is_expected_to_gain_more() -> None:
    promising, tuned = (forecast(START, ends, 50, 4_000) for ends in (PROMISING, TUNED))
    assert promising.low > tuned.high
    assert tuned.low < tuned.gain < tuned.high < 20


def test_a_start_far_from_the_best_between_flat_ends_may_gain_much_or_nothing() -> None:
    flat = forecast(START, FLAT, 50, 4_000)
    assert flat.low < 0
    assert flat.high > 200


def test_more_games_gain_more_and_a_forecast_is_the_same_every_time() -> None:
    few, many = (forecast(START, PROMISING, 50, games) for games in (200, 20_000))
    assert few.gain < many.gain
    assert many == forecast(START, PROMISING, 50, 20_000)


def test_no_end_says_more_than_its_games() -> None:
    few, many = (forecast(START, TUNED, pairs, 4_000) for pairs in (1, 100))
    assert few.high > 2 * many.high


def test_the_line_for_a_reader() -> None:
    assert str(Forecast(12_000, 25.4, 8.2, 44.0)) == "about 12,000 games for +25 Elo (+8 to +44)"


def test_steps_are_smaller_only_where_ends_are_nonsense() -> None:
    sizes = steps(np.array([[0.5, 0.45], [0.0, 0.0], [0.0, 0.9]]), 10)
    assert sizes[0] == 1
    assert sizes[1] == pytest.approx(0.305, abs=0.001)
    assert sizes[2] == 1
    assert steps(np.zeros((1, 2)), 1)[0] > sizes[1]
