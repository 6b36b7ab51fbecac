"""The names that a function's code looks up, from its byte code."""

from __future__ import annotations

import dis
import functools
import itertools
import types
from typing import NamedTuple

_GLOBAL = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS")
_CLOSURE = ("LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_DEREF")
_ATTRIBUTE = ("LOAD_ATTR", "LOAD_METHOD")


class Lookups(NamedTuple):
    """What code, and the functions in it, look up: by name, the attributes that follow at once."""

    in_globals: dict[str, tuple[tuple[str, ...], ...]]
    in_closure: dict[str, tuple[tuple[str, ...], ...]]


@functools.lru_cache(maxsize=4096)
def lookups_of(code: types.CodeType) -> Lookups:
    """The names that code looks up; not those of attributes, which may be the same."""
    found: tuple[dict[str, list[tuple[str, ...]]], ...] = ({}, {})
    steps = [(i.opname, i.argval) for i in dis.get_instructions(code) if i.opname != "EXTENDED_ARG"]
    for place, (operation, name) in enumerate(steps):
        if operation in _GLOBAL or operation in _CLOSURE:
            after = itertools.takewhile(lambda step: step[0] in _ATTRIBUTE, steps[place + 1 :])
            found[operation in _CLOSURE].setdefault(name, []).append(tuple(attribute for _, attribute in after))
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            for names, inside in zip(found, lookups_of(constant), strict=True):
                for name, paths in inside.items():
                    names.setdefault(name, []).extend(paths)
    return Lookups(*({name: tuple(dict.fromkeys(paths)) for name, paths in names.items()} for names in found))


@functools.lru_cache(maxsize=4096)
def names_in(code: types.CodeType) -> tuple[str, ...]:
    """All names in code, and in the functions in it."""
    inside = (c for c in code.co_consts if isinstance(c, types.CodeType))
    return tuple(dict.fromkeys((*code.co_names, *(name for c in inside for name in names_in(c)))))


@functools.lru_cache(maxsize=4096)
def imports_in(code: types.CodeType) -> tuple[tuple[int, str], ...]:
    """The modules that code imports when it runs, and the functions in it: how many dots, and the name."""
    found: list[tuple[int, str]] = []
    steps = [i for i in dis.get_instructions(code) if i.opname != "EXTENDED_ARG"]
    for place, step in enumerate(steps):
        if step.opname == "IMPORT_NAME":
            # Two constants stand before it: the number of dots, and the names that are wanted.
            found.append((int(steps[place - 2].argval), step.argval))
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found.extend(imports_in(constant))
    return tuple(dict.fromkeys(found))
