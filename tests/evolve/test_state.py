"""A state that no run can have had is refused in one line, before anything goes on from it."""

from __future__ import annotations

import contextlib
import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from breeders import best_is_largest_sum, told

from evolve.run import Run
from evolve.settings import Settings
from evolve.start import restored
from evolve.state import StateError, check_run, check_shape, shape_of
from evolve.storage.folder import as_json, settings_of
from evolve.strategies import make_breeder
from rulebots.errors import UsageError

TINY = Settings(game="tictactoe", population=14, generations=3, lessons=0)


def state_of(strategy: str) -> dict[str, Any]:
    run = Run(Settings(game="tictactoe", strategy=strategy, population=14, generations=3))
    found: dict[str, Any] = json.loads(json.dumps(run.state()))
    return found


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every part of a state but the first of each list's further items."""
    inner = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    return [path] * bool(path) + [place for key, part in inner for place in places(part, (*path, key))]


def changed(state: dict[str, Any], path: tuple[Any, ...], junk: Any) -> dict[str, Any]:
    found = copy.deepcopy(state)
    part: Any = found
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = junk
    return found


@pytest.mark.parametrize("strategy", ["ga", "memetic", "cma-es", "sheppard"])
def test_junk_anywhere_in_a_state_is_one_line(strategy: str) -> None:
    state = state_of(strategy)
    settings = Settings(game="tictactoe", strategy=strategy, population=14, generations=3)
    game = Run(settings).game
    restored(settings, game, None, [], state, drop_missing=False)
    for path in places(state):
        for junk in ({"a": {}}, [["x"]], float("inf"), 10**400):
            with pytest.raises(StateError) as error:
                restored(settings, game, None, [], changed(state, path, junk), drop_missing=True)
            assert len(str(error.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: s["breeder"].update(generation=4), r"run\.breeder: expected at most 3 generations"),
        (
            lambda s: s["breeder"].update(generation=True),
            r"run\.breeder\.generation: no run of these settings writes that",
        ),
        (lambda s: s["breeder"].update(population=["00"] * 14), "'ga' cannot go on from it"),
        (lambda s: s["breeder"]["population"].pop(), "and 14 players with"),
        (lambda s: s["breeder"].update(means=[[1.0]]), "'ga' cannot go on from it"),
        (
            lambda s: s["breeder"].pop("means"),
            r"run\.breeder: no run of these settings writes that",
        ),
        (lambda s: s["hall"].update(members={"1": [[1.0]]}), r"run\.hall\.members\.1: no run"),
        (lambda s: s["hall"].update(stride=0), r"run\.hall\.stride: no run"),
        (lambda s: s.pop("games"), "run: no run"),
    ],
)
def test_what_is_wrong_is_named(change: Callable[[dict[str, Any]], object], message: str) -> None:
    state = state_of("ga")
    change(state)
    with pytest.raises(StateError, match=message):
        restored(TINY, Run(TINY).game, None, [], state, drop_missing=False)


def test_a_state_of_a_later_generation_is_like_the_first() -> None:
    shape = shape_of({"a": [], "b": None, "c": 1.5, "d": {}})
    check_shape({"a": [[1], "x"], "b": {}, "c": 2, "d": {"x": 1}}, shape, "state")
    check_run(state_of("ga"))
    breeder = make_breeder(TINY, Run(TINY).rules, [Run(TINY).rules.hand_tuned()])
    first = breeder.state()
    breeder.tell(told(best_is_largest_sum(breeder.ask())))
    later = breeder.state()
    assert later != first
    check_shape(later, shape_of(first), "state")


def test_junk_in_the_settings_of_a_checkpoint_is_one_line() -> None:
    settings = as_json(TINY)
    for name in settings:
        for junk in (10**400, "x", 1e308, [], {"a": 10**400}, None, True):
            with contextlib.suppress(UsageError):
                settings_of(Path("run"), {"settings": {**settings, name: junk}})
