"""Mistakes in a user's code, in one line with the place."""

from __future__ import annotations

import importlib
import linecache
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rulebots.game.dtypes import records
from rulebots.kernel import kernel
from rulebots.kernel.user_code import in_users_terms, is_users, place, place_of, place_of_caller

TYPO = """
import numpy as np
from rulebots.game.dtypes import records
from rulebots.kernel.user_code import in_users_terms

def play(state):
    state.heep += 1

try:
    play(records(np.dtype([("mover", np.int32), ("heap", np.int32)]), 1)[0])
except AttributeError as error:
    print(np.__file__, in_users_terms(error), sep="\\n")
"""
RECORD = np.dtype([("mover", np.int32), ("heap", np.int32)])


def unknown_name() -> Any:
    return palce(1)  # type: ignore[name-defined]  # noqa: F821 - the test's point


def unknown_field() -> Any:
    state = records(RECORD, 1)[0]
    state.heep = 3


def out_of_bounds() -> Any:
    return np.zeros(3)[5]


def by_zero() -> Any:
    with np.errstate(divide="raise"):
        return np.int32(1) / np.int32(0)


def too_narrow() -> Any:
    return np.int8(3) % 200


def too_early() -> Any:
    if place is None:
        n = 1
    return n


def any_other() -> Any:
    raise LookupError("no\nway")


@pytest.mark.parametrize(
    ("fails", "says"),
    [
        (unknown_name, "`unknown_name` uses the name 'palce', which is not defined; did you mean 'place'?"),
        (unknown_field, "`unknown_field` uses state.heep, which is not a field; did you mean 'state.heap'? the fields"),
        (
            out_of_bounds,
            "`out_of_bounds` reads or writes out of bounds: index 5 is out of bounds for axis 0 with size 3",
        ),
        (by_zero, "`by_zero` divides by zero"),
        (too_narrow, "`too_narrow` has no room for 200 in an int8 of NumPy's: write int(...) around the int8"),
        (too_early, "`too_early` uses a name before it has a value"),
        (any_other, "`any_other` raised LookupError: no way"),
    ],
)
def test_an_exception_is_told_with_its_line(fails: Callable[[], Any], says: str) -> None:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - of any kind
        fails()
    told = in_users_terms(caught.value)
    assert told is not None
    where, _, what = told.partition(": ")
    assert what.startswith(says)
    assert "\n" not in told
    code = fails.__code__
    assert where in [place(__file__, line) for line in range(code.co_firstlineno + 1, code.co_firstlineno + 6)]


def test_what_nobody_wrote_here_is_not_told() -> None:
    import json

    try:
        json.loads("{")
    except ValueError as error:
        inside = error.with_traceback(error.__traceback__.tb_next if error.__traceback__ else None)
        assert in_users_terms(inside) is None


def test_whose_code_it_is() -> None:
    import rulebots.kernel

    assert is_users(__file__)
    assert is_users(importlib.import_module("rulebots.games.kalah.game").__file__)
    assert not is_users(rulebots.kernel.__file__)
    assert not is_users(pytest.__file__)
    assert not is_users("<string>")


def test_libraries_on_a_path_of_their_own_are_not_a_users(tmp_path: Path) -> None:
    libraries = tmp_path / "libraries"
    libraries.mkdir()
    (libraries / "numpy").symlink_to(Path(np.__file__).parent)
    (tmp_path / "typo.py").write_text(TYPO)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(libraries), *sys.path])}
    done = subprocess.run(
        [sys.executable, "typo.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    where, told = done.stdout.splitlines()
    assert where.startswith(str(libraries))
    assert told.startswith("typo.py:7: `play` uses state.heep, which is not a field; did you mean 'state.heap'?")


@kernel
def of_a_kernel() -> None:
    pass


def test_the_place_of_a_function_is_its_def() -> None:
    file, _, line = place_of(of_a_kernel).rpartition(":")
    assert file.endswith("test_user_code.py")
    assert linecache.getline(__file__, int(line)).startswith("def of_a_kernel")
    assert place_of(len) == ""
    assert place_of_caller().startswith(file)
