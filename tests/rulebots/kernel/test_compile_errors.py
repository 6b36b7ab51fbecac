"""Numba's messages in the terms of the function's author."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from rulebots.game.dtypes import records
from rulebots.kernel import compiling, kernel, runnable
from rulebots.kernel.compile_errors import mistakes, obstacles
from rulebots.kernel.user_code import CodeError, place, place_of

needs_numba = pytest.mark.compiled
RECORD = np.dtype([("luck", np.int64), ("heap", np.int32)])
MEMORY = np.random.default_rng(1)


def plain(n: int) -> int:
    return n + 1


@kernel
def calls_plain(view: Any, n: int) -> int:
    return plain(n)


@kernel
def formats(view: Any, n: int) -> int:
    return len(f"{n}")


@kernel
def loses(view: Any, n: int) -> int:
    if n > 1000:
        return view.haep
    return n


@kernel
def through_another(view: Any, n: int) -> int:
    return loses(view, n) + 1


@kernel
def of_two_kinds(view: Any, n: int) -> Any:
    if n > 3:
        return "three"
    return n


@kernel
def thinks_of_a_method(view: Any, n: int) -> Any:
    return n.bit_count_of(3)


@kernel
def throws(view: Any, n: int) -> float:
    return MEMORY.random() + np.random.rand()  # noqa: NPY002 - the test's point


def obstacle(body: Any) -> str | None:
    return body.obstacle(records(RECORD, 1)[0], 0)


def line(body: Any, down: int) -> str:
    return place(__file__, body.function.__code__.co_firstlineno + down)


@pytest.mark.parametrize(
    ("body", "down", "says"),
    [
        (calls_plain, 2, f"`calls_plain` calls plain, which is not a kernel: put @kernel on plain, {place_of(plain)}"),
        (formats, 2, "`formats` uses an f-string; a kernel may use numbers, arrays and records only"),
    ],
)
def test_obstacles_are_seen_in_the_text(body: Any, down: int, says: str) -> None:
    assert next(obstacles(body.whole.functions)) == f"{line(body, down)}: {says}"
    if compiling():
        found = obstacle(body)
        assert found is None or found == f"{line(body, down)}: {says}"


@needs_numba
def test_a_field_that_is_lost_in_a_rare_branch_is_a_mistake() -> None:
    for body in (loses, through_another):
        with pytest.raises(CodeError) as caught:
            obstacle(body)
        said = (
            f"{line(loses, 3)}: `loses` uses view.haep, which is not a field; did you mean 'view.heap'? the fields are"
        )
        assert str(caught.value) == f"{said} luck, heap"


@needs_numba
def test_the_rest_is_numbas_own_with_the_place() -> None:
    assert "of_two_kinds" not in str(obstacle(of_two_kinds))
    assert "by turns: give the same at every `return`" in str(obstacle(of_two_kinds))
    assert (
        str(obstacle(thinks_of_a_method))
        == f"{line(thinks_of_a_method, 2)}: Numba does not know 'bit_count_of' of an int"
    )


@kernel
def divides(n: int) -> int:
    return 10 // n


def test_what_compiled_code_raises_later_is_told_with_its_line() -> None:
    ready = runnable(divides, 1)
    assert ready(5) == 2
    with pytest.raises(CodeError if compiling() else ZeroDivisionError) as caught:
        ready(0)
    if compiling():
        assert str(caught.value).startswith(f"{line(divides, 2)}: `divides` divides by zero")


def test_outside_randomness_is_a_mistake() -> None:
    found = list(mistakes([throws.function]))
    assert [said.split("`")[2].split(",")[0] for said in found] == [" uses MEMORY", " uses np.random.rand"]
    assert all(said.startswith(line(throws, 2)) for said in found)


def printing(state: Any) -> None:
    print("here", state.mover)  # noqa: T201 - the mistake


def test_what_prints_is_told() -> None:
    (told,) = obstacles([printing])
    assert "`printing` uses `print`, at every call: leave it out" in told


@kernel
def holds_a_class(view: Any, n: int) -> int:
    class Sum:
        pass

    return n + (Sum is None)


@kernel
def shuffles_alike(view: Any, n: int) -> int:
    return n + np.random.default_rng(7).integers(3)


@kernel
def shuffles(view: Any, n: int) -> int:
    return n + np.random.default_rng().integers(3)


def test_a_class_in_a_function_is_told_with_its_line() -> None:
    (line,) = obstacles([holds_a_class.function])
    assert re.search(r"test_compile_errors.py:\d+: `holds_a_class` uses a class; a kernel may use numbers", line)


def test_numbers_drawn_from_a_seed_stop_compiling_only() -> None:
    assert list(mistakes([shuffles_alike.function])) == []
    (line,) = obstacles([shuffles_alike.function])
    assert "`shuffles_alike` uses np.random.default_rng, which Numba does not know: draw the numbers once" in line
    (line,) = mistakes([shuffles.function])
    assert "`shuffles` uses np.random.default_rng, so that no game can be repeated" in line
    assert list(obstacles([shuffles.function])) == []
