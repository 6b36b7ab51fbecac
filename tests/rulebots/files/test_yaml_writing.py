"""Plain data as YAML: whatever it is, the package's reader and PyYAML read it back as it was."""

from __future__ import annotations

import math

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from rulebots.files import yaml_reading
from rulebots.files.yaml_writing import flow, is_long_key, number_text, printable, word

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | NUMBERS
    | st.text(st.characters(codec="utf-8"), max_size=20),
    lambda inside: (
        st.lists(inside, max_size=3)
        | st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=9), inside, max_size=3)
    ),
    max_leaves=6,
)


@given(PLAIN)
def test_plain_data_on_one_line_reads_back(value: object) -> None:
    text = flow(value)
    assert "\n" not in text
    assert yaml.safe_load(text) == value
    yaml_reading.parse(f"value: {text}")


@given(NUMBERS)
def test_a_float_is_a_float_to_every_reader(number: float) -> None:
    read = yaml.safe_load(number_text(number))
    assert isinstance(read, int | float)
    assert math.isclose(read, number, rel_tol=0, abs_tol=0)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e-7, "1.0e-07"), (-0.0, "0"), (2.0, "2"), (np.float64(0.5), "0.5"), (np.int64(3), "3"), (None, "null"),
        (np.bool_(True), "true"), (np.array([1, 2]), "[1, 2]"), ("no", '"no"'), ("Yes", '"Yes"'), ("3", '"3"'),
        ("a b", '"a b"'), ({"a": [1.5, "x"]}, "{a: [1.5, x]}"), (float("inf"), "inf"),
        ("\udcff", '"\\\\udcff"'), ("a\tb\u2028", '"a\\tb\\U00002028"'),
    ],
    ids=repr,
)  # fmt: skip
def test_how_it_is_written(value: object, text: str) -> None:
    assert flow(value) == text


def test_a_key_that_yaml_would_not_find_the_end_of_is_marked() -> None:
    key = "k" * 1001
    assert is_long_key(key)
    assert not is_long_key(key[1:])
    assert yaml.safe_load(flow({key: 1})) == {key: 1}


def test_a_comment_stays_on_its_line() -> None:
    assert printable("a\nb\x07c\u2028d") == "a b c d"
    assert word("a\nb") == '"a\\nb"'
