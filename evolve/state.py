"""Whether data from a file is what a run wrote: laid out as an example, before anything goes on from it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rulebots.errors import FileError, shown
from rulebots.files.ranges import Range

#: What a value should be, in words, and whether it is that.
Check = tuple[str, Callable[[Any], bool]]
#: Larger numbers are damage: sums and squares of them would overflow.
LARGEST = 1e100


class StateError(FileError):
    """A state that a run of these settings cannot have had."""


@dataclass(frozen=True)
class ListOf:
    """As an example: a list of any length, each value like this one."""

    each: Any


@dataclass(frozen=True)
class MapOf:
    """As an example: a map with any keys, each value like this one."""

    each: Any


@dataclass(frozen=True)
class Maybe:
    """As an example of a part: like this one, or not there."""

    part: Any


WHOLE: Check = ("a whole number", Range(0, 2**63 - 1, whole=True).holds)
NUMBER: Check = ("a finite number", Range(-LARGEST, LARGEST).holds)
SHARE: Check = ("a number from 0 to 1", Range(0, 1).holds)
TEXT: Check = ("a text", lambda value: isinstance(value, str))
FLAG: Check = ("true or false", lambda value: isinstance(value, bool))

#: What `Run.state` gives; the breeder's part is for the breeder.
RUN = {
    "rules": {"set": TEXT, "flat": FLAG, "keys": ListOf(TEXT), "code": TEXT, "toolchain": TEXT},
    "opponents": MapOf(TEXT),
    "games": WHOLE,
    "training": NUMBER,
    "warnings": ListOf(TEXT),
    "collapse": {"recent": MapOf(ListOf(NUMBER)), "best": MapOf(NUMBER)},
    "starters": MapOf(None),
    "hall": {"stride": ("a whole number from 1", Range(1, 2**63 - 1, whole=True).holds), "members": MapOf(None)},
    "breeder": {},
}


def check_run(state: Any) -> None:
    """Raise StateError unless a value is what `Run.state` gives; the breeder's part is for the breeder."""
    check_like(RUN, state, "run")
    keys = state["rules"]["keys"]
    if len(set(keys)) != len(keys):
        raise StateError("run.rules.keys: expected each rule once")
    for generation in state["hall"]["members"]:
        if not re.fullmatch("[0-9]{1,9}", generation):
            raise StateError(f"run.hall.members: expected generations, not '{shown(generation)}'")
    for where, players in (("hall.members", state["hall"]["members"]), ("starters", state["starters"])):
        for name, weights in players.items():
            check_weights(weights, len(keys), f"run.{where}.{shown(name)}")


def check_weights(found: Any, rules: int, where: str) -> None:
    """Raise StateError unless a value is an early and a late weight of each rule."""
    check_like([[0.0] * rules] * 2, found, where)
    if len(found) != 2:
        raise StateError(f"{where}: expected early and late weights")


def check_like(example: Any, found: Any, where: str, *, more: bool = False) -> None:
    """Raise StateError unless a value is laid out as an example, which may have `Check`, `ListOf`, `MapOf`, `Maybe`.

    Maps have the same keys, with `more` perhaps further ones. A list of numbers has as many, a list of other things any
    number of them, each like the first of the example. Where the example has nothing, anything may be.
    """
    if isinstance(example, MapOf | ListOf):
        words, kind = ("a map", dict) if isinstance(example, MapOf) else ("a list", list)
        if not isinstance(found, kind):
            raise StateError(f"{where}: expected {words}, not {described(found)}")
        places = found.items() if isinstance(found, dict) else enumerate(found)
        for name, inner in places:
            check_like(example.each, inner, f"{where}.{shown(str(name))}", more=more)
    elif isinstance(example, dict):
        needed = {name for name, inner in example.items() if not isinstance(inner, Maybe)}
        known = isinstance(found, dict) and found.keys() >= needed and (more or found.keys() <= example.keys())
        if not isinstance(found, dict) or (example and not known):
            raise StateError(f"{where}: expected a map with {', '.join(example)}, not {described(found)}")
        for name in example.keys() & found.keys():
            inner = example[name]
            check_like(inner.part if isinstance(inner, Maybe) else inner, found[name], f"{where}.{name}", more=more)
    elif isinstance(example, list):
        numbers = bool(example) and NUMBER[1](example[0])
        if not isinstance(found, list) or (numbers and len(found) != len(example)):
            count = f"{len(example)} numbers" if numbers else "values"
            raise StateError(f"{where}: expected a list of {count}, not {described(found)}")
        for place, inner in enumerate(found if example else ()):
            check_like(example[0], inner, f"{where}[{place}]", more=more)
    elif example is not None:
        words, holds = example if isinstance(example, tuple) else _kind_of(example)
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
