"""Parameters: how they are written, what they may be, and what lies between two whole numbers."""

from __future__ import annotations

import numpy as np
import pytest

from evolve.tuning.parameters import Parameter, chosen_parameters, read_parameter, start_of, values_at, written
from rulebots.errors import UsageError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("again=1.0:-5..5", Parameter("again", 1.0, -5, 5)),
        ("depth=3:1..8:int", Parameter("depth", 3, 1, 8, whole=True)),
        ("king=40", Parameter("king", 40.0, 0, 80)),
        ("zero=0", Parameter("zero", 0.0, -1, 1)),
        ("below=-4", Parameter("below", -4.0, -8, 0)),
        ("few=1:int", Parameter("few", 1, 0, 4, whole=True)),
        ("scale=1e3:log", Parameter("scale", 1000.0, 100, 10_000, log=True)),
        ("style=calm|wild|odd", Parameter("style", "calm", choices=("calm", "wild", "odd"))),
    ],
)
def test_a_parameter_is_read_with_its_range(text: str, expected: Parameter) -> None:
    found = read_parameter(text)
    assert found == expected
    assert type(found.start) is type(expected.start)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("speed", "expected NAME=START"),
        ("speed=fast", "expected a number to start at.*not 'fast'"),
        ("speed=9:0..5", "expected its start within its range, not 9 in 0..5"),
        ("speed=1:5..1", "expected its start within its range"),
        ("speed=1:0..", "expected a range LOW..HIGH"),
        ("speed=0:log", "a logarithmic scale needs numbers all above 0, or all below"),
        ("speed=-5:-10..10:log", "all below, not -5 in -10..10"),
        ("depth=2.5:0..5:int", "expected whole numbers, not 2.5"),
        ("depth=2:0..5:itn", "no kind of parameter 'itn'.*did you mean 'int'"),
        ("style=calm|calm", "two or more different words"),
        ("a{b=1", "expected a name"),
    ],
)
def test_a_slip_is_one_line(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_parameter(text)


def test_no_parameter_and_one_that_is_there_twice_are_refused() -> None:
    with pytest.raises(UsageError, match="no parameter to tune"):
        chosen_parameters([])
    with pytest.raises(UsageError, match="'a' is there twice"):
        chosen_parameters(["a=1", "a=2"])


def test_the_command_line_gives_a_number_of_a_file_its_range() -> None:
    filed = [Parameter("depth", 3, whole=True), Parameter("speed", 1.5)]
    depth, speed = chosen_parameters(["depth=:1..9", "speed=2"], filed)
    assert (depth.start, depth.low, depth.high, depth.whole) == (3, 1, 9, True)
    assert (speed.start, speed.high) == (2.0, 4.0)
    assert chosen_parameters(["speed=2"], filed) == [speed]
    assert chosen_parameters([], filed) == filed
    with pytest.raises(UsageError, match="no number 'sped' of the file; did you mean 'speed'"):
        chosen_parameters(["sped=2"], filed)


def test_coordinates_are_shares_of_the_range_or_of_its_logarithm() -> None:
    parameters = [
        Parameter("a", 1.0, -5, 5),
        Parameter("b", 10.0, 1, 1000, log=True),
        Parameter("c", "y", choices=("x", "y")),
    ]
    point = start_of(parameters)
    assert np.allclose(point, [0.6, 1 / 3, 0.75])
    assert values_at(parameters, point) == {"a": 1.0, "b": 10.0, "c": "y"}
    assert values_at(parameters, np.array([0.0, 1.0, 0.0])) == {"a": -5.0, "b": 1000.0, "c": "x"}


def test_fourteen_orders_of_magnitude_keep_six_digits() -> None:
    wide = Parameter("w", 1.0, 1, 3e14, log=True)
    assert wide.value(1.0) == 3e14
    assert wide.value(0.5) == 17320500.0


def test_a_logarithmic_scale_may_lie_below_zero() -> None:
    penalty = Parameter("p", -5.0, log=True)
    assert (penalty.low, penalty.high) == (-50.0, -0.5)
    small = Parameter("s", -0.1, -1, -0.0001, log=True)
    assert [small.value(at) for at in (0.0, 0.25, 0.5, 1.0)] == [-1.0, -0.1, -0.01, -0.0001]
    assert np.allclose(start_of([penalty, small]), [0.5, 0.25])


@pytest.mark.parametrize(
    "one", [Parameter("n", 3, 0, 10, whole=True), Parameter("w", "a", choices=tuple("abcdefghijk"))]
)
def test_between_two_steps_chance_decides_by_distance(one: Parameter) -> None:
    steps = [
        "abcdefghijk".index(str(v)) if one.choices else v for v in (one.value(0.333, d / 1000) for d in range(1000))
    ]
    exact = 0.333 * 11 - 0.5 if one.choices else 3.33
    assert len(set(steps)) == 2
    assert abs(np.mean(steps) - exact) < 0.002
    assert one.value(1.0, 0.999) == one.value(1.0, 0.0)


@pytest.mark.parametrize(
    ("value", "text"), [(3, "3"), (2.0, "2.0"), (1e22, "1.0e+22"), (1.5e-7, "1.5e-07"), ("wild", "wild")]
)
def test_a_real_number_has_a_point(value: float | str, text: str) -> None:
    assert written(value) == text
