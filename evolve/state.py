"""Checks a state from a file before a run goes on from it: keys, kinds of values, sizes."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from rulebots.errors import FileError, shown

#: What a part should be, in words, and whether a value is that.
Check = tuple[str, Callable[[Any], bool]]


class StateError(FileError):
    """A state that a run of these settings cannot have had."""


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _list_of(kind: Check) -> Check:
    return f"a list, each {kind[0]}", lambda value: isinstance(value, list) and all(map(kind[1], value))


def _map_of(kind: Check) -> Check:
    return f"a map, each {kind[0]}", lambda value: isinstance(value, dict) and all(map(kind[1], value.values()))


WHOLE: Check = ("a whole number", _is_whole)
NUMBER: Check = ("a finite number", _is_number)
TEXT: Check = ("a text", _is_text)
FLAG: Check = ("true or false", lambda value: isinstance(value, bool))
ANY_MAP: Check = ("a map", lambda value: isinstance(value, dict))
TEXTS = _list_of(TEXT)

RUN: Mapping[str, Check] = {
    "rules": ANY_MAP,
    "opponents": _map_of(TEXT),
    "games": WHOLE,
    "training": NUMBER,
    "warnings": TEXTS,
    "collapse": ANY_MAP,
    "starters": ANY_MAP,
    "hall": ANY_MAP,
    "breeder": ANY_MAP,
}
RULES: Mapping[str, Check] = {"set": TEXT, "flat": FLAG, "keys": TEXTS, "code": TEXT, "toolchain": TEXT}
COLLAPSE: Mapping[str, Check] = {"recent": _map_of(_list_of(NUMBER)), "best": _map_of(NUMBER)}
HALL: Mapping[str, Check] = {"stride": WHOLE, "members": ANY_MAP}


def check_map(found: Any, kinds: Mapping[str, Check], where: str) -> None:
    """Raise StateError unless a value is a map with exactly these keys, each of its kind."""
    if not isinstance(found, dict) or found.keys() != kinds.keys():
        raise StateError(f"{where}: expected a map with {', '.join(kinds)}")
    for name, (words, holds) in kinds.items():
        if not holds(found[name]):
            raise StateError(f"{where}.{name}: expected {words}, not {described(found[name])}")


def check_run(state: Any) -> None:
    """Raise StateError unless a value is what `Run.state` gives; the breeder's part is for the breeder."""
    check_map(state, RUN, "run")
    check_map(state["rules"], RULES, "run.rules")
    check_map(state["collapse"], COLLAPSE, "run.collapse")
    check_map(state["hall"], HALL, "run.hall")
    if state["hall"]["stride"] < 1:
        raise StateError("run.hall.stride: expected a whole number from 1")
    keys = state["rules"]["keys"]
    if len(set(keys)) != len(keys):
        raise StateError("run.rules.keys: expected each rule once")
    for generation, weights in state["hall"]["members"].items():
        if not re.fullmatch("[0-9]{1,9}", generation):
            raise StateError(f"run.hall.members: expected generations, not '{shown(generation)}'")
        _check_weights(weights, len(keys), f"run.hall.members.{generation}")
    for name, weights in state["starters"].items():
        _check_weights(weights, len(keys), f"run.starters.{shown(name)}")


def _check_weights(found: Any, rules: int, where: str) -> None:
    """Raise StateError unless a value is an early and a late weight of each rule."""
    check_like([[0.0] * rules] * 2, found, where)
    if len(found) != 2:
        raise StateError(f"{where}: expected early and late weights")


def check_like(example: Any, found: Any, where: str) -> None:
    """Raise StateError unless a value is laid out as an example.

    Maps have the same keys. A list of numbers has as many, a list of other things any number of them, each like the
    first of the example. Where the example has nothing, anything may be.
    """
    if isinstance(example, dict):
        if not isinstance(found, dict) or (example and found.keys() != example.keys()):
            raise StateError(f"{where}: expected a map with {', '.join(example)}, not {described(found)}")
        for name, inner in example.items():
            check_like(inner, found[name], f"{where}.{name}")
    elif isinstance(example, list):
        numbers = bool(example) and _is_number(example[0])
        if not isinstance(found, list) or (numbers and len(found) != len(example)):
            count = f"{len(example)} numbers" if numbers else "values"
            raise StateError(f"{where}: expected a list of {count}, not {described(found)}")
        for place, inner in enumerate(found if example else ()):
            check_like(example[0], inner, f"{where}[{place}]")
    elif example is not None:
        words, holds = _kind_of(example)
        if not holds(found):
            raise StateError(f"{where}: expected {words}, not {described(found)}")


def described(value: Any) -> str:
    """A value as a message names it."""
    if isinstance(value, dict | list):
        return f"a {'map' if isinstance(value, dict) else 'list'} of {len(value)}"
    return f"'{shown(value)}'" if isinstance(value, str) else shown(repr(value))


def _kind_of(example: Any) -> Check:
    if isinstance(example, bool):
        return FLAG
    if isinstance(example, int):
        return WHOLE
    return NUMBER if isinstance(example, float) else TEXT
