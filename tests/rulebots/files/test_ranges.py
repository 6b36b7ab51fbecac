from dataclasses import dataclass

import numpy as np
import pytest

from rulebots.errors import UsageError, is_whole
from rulebots.files.ranges import Range, check_numbers, flags_of, number, optional_number, ranges_of


@dataclass(frozen=True)
class Cooling:
    steps: int = number(100, 1, 10_000, "steps until it is cold")
    start: float = number(1.0, 0.0, 50.0, "the temperature of the first step")
    seconds: float | None = optional_number(float, 0.001, 3600.0, "stop after this time")
    batch: int | None = optional_number(int, 1, 8, "steps at once")
    name: str = "slow"


@pytest.mark.parametrize(
    "settings",
    [
        Cooling(),
        Cooling(steps=1, start=50.0),
        Cooling(steps=10_000, start=0),
        Cooling(seconds=3600, batch=8),
    ],
)
def test_numbers_in_their_ranges_pass(settings):
    assert check_numbers(settings) is None, "nothing is raised"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (Cooling(steps=0), "steps: expected a whole number from 1 to 10,000, not 0"),
        (Cooling(steps=10_001), "steps: expected a whole number from 1 to 10,000, not 10001"),
        (Cooling(steps=2.0), "steps: expected a whole number from 1 to 10,000, not 2.0"),
        (Cooling(steps=True), "steps: expected a whole number from 1 to 10,000, not True"),
        (Cooling(steps="7"), "steps: expected a whole number from 1 to 10,000, not '7'"),
        (Cooling(steps=None), "steps: expected a whole number from 1 to 10,000, not None"),
        (Cooling(start=-0.1), "start: expected a number from 0 to 50, not -0.1"),
        (Cooling(start=float("nan")), "start: expected a number from 0 to 50, not nan"),
        (Cooling(start=float("inf")), "start: expected a number from 0 to 50, not inf"),
        (Cooling(seconds=0.0), "seconds: expected a number from 0.001 to 3,600, not 0.0"),
        (Cooling(batch=1.5), "batch: expected a whole number from 1 to 8, not 1.5"),
    ],
)
def test_other_values_are_refused_with_the_range(settings, message):
    with pytest.raises(UsageError) as caught:
        check_numbers(settings)
    assert str(caught.value) == message


def test_the_owner_stands_before_the_name():
    with pytest.raises(UsageError, match=r"^cooling: steps: expected"):
        check_numbers(Cooling(steps=0), "cooling")


def test_a_dataclass_says_its_ranges():
    found = ranges_of(Cooling)
    assert list(found) == ["steps", "start", "seconds", "batch"]
    assert found["steps"].meaning == "steps until it is cold"
    assert (found["batch"].low, found["batch"].high, found["batch"].whole, found["batch"].optional) == (
        1,
        8,
        True,
        True,
    )


def test_whole_numbers_are_those_of_python_and_numpy_but_no_bool():
    assert all(map(is_whole, (0, -3, 10**30, np.int8(4), np.uint64(5))))
    assert not any(map(is_whole, (True, np.True_, np.array(True), 1.0, np.float64(1), "1", None)))


@pytest.mark.parametrize(
    ("allowed", "text", "value"),
    [
        (Range(0, 9, whole=True), "9", 9),
        (Range(0, 9, whole=True), "+0", 0),
        (Range(whole=True), "-12", -12),
        (Range(0, 9), "8.5e-1", 0.85),
        (Range(0, 9), "9", 9.0),
    ],
)
def test_a_text_is_read_as_a_number(allowed, text, value):
    assert allowed.read(text) == value
    assert type(allowed.read(text)) is type(value)


@pytest.mark.parametrize(
    ("allowed", "text", "expected"),
    [
        (Range(0, 9, whole=True), "10", "a whole number from 0 to 9"),
        (Range(0, 9, whole=True), "1.0", "a whole number from 0 to 9"),
        (Range(1, whole=True), "0", "a whole number of at least 1"),
        (Range(whole=True), "1" * 19, "a whole number"),
        (Range(0, 1), "nan", "a number from 0 to 1"),
        (Range(0, 1), "1_0", "a number from 0 to 1"),
        (Range(), "1e", "a number"),
    ],
)
def test_another_text_is_refused(allowed, text, expected):
    with pytest.raises(UsageError) as caught:
        allowed.read(text)
    assert str(caught.value) == f"expected {expected}, not '{text}'"


def test_a_setting_has_a_flag_unless_it_says_so():
    @dataclass(frozen=True)
    class Oven:
        top_heat: int = number(1, 0, 9, "heat from above")
        start: int = number(1, 0, 9, "the first minute", flag="--from")
        secret: int = number(1, 0, 9, "for files only", flag=None)

    assert flags_of(Oven) == {"top_heat": "--top-heat", "start": "--from"}
