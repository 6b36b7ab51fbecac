"""The shapes of plain data from a file: whether it is what a run wrote, before anything goes on from it.

A shape is a range of numbers, a type, a list with the shape of each item, a tuple with those of all items, a map with
the shape of each part, or `{str: shape}`, a map with any keys. A name with "?" at its end may be missing.
"""

from typing import Any

from rulebots.errors import FileError, demand, shown
from rulebots.files.ranges import Range

WHOLE = Range(0, 2**63 - 1, whole=True)
#: Larger numbers are damage: sums and squares of them would overflow.
NUMBER = Range(-1e100, 1e100)
SHARE = Range(0, 1)
#: What `Run.state` gives; the players and the breeder depend on the run.
RUN = {
    "rules": {"set": str, "flat": bool, "keys": [str], "code": str, "toolchain": str},
    "opponents": {str: str},
    "games": WHOLE,
    "training": NUMBER,
    "warnings": [str],
    "collapse": {"recent": {str: [NUMBER]}, "best": {str: NUMBER}},
    "recent?": [{"scores": [SHARE], "margins": [NUMBER], "different": NUMBER, "mean": SHARE}],
    "starters": {str: object},
    "hall": {"stride": Range(1, 2**63 - 1, whole=True), "members": {str: object}},
    "breeder": {"generation": WHOLE},
}


class StateError(FileError):
    """A state that a run of these settings cannot have had."""


def check_run(state: Any) -> None:
    """Raise StateError unless a value has the shape of what `Run.state` gives."""
    check_shape(state, RUN, "run")
    keys = state["rules"]["keys"]
    weights = ((NUMBER,) * len(keys),) * 2
    members = state["hall"]["members"]
    check_shape(members, {str: weights}, "run.hall.members")
    check_shape(state["starters"], {str: weights}, "run.starters")
    demand(
        len(set(keys)) == len(keys) and all(name.isdecimal() and len(name) < 10 for name in members),
        "run: expected each rule once, and a hall of fame by generation",
        StateError,
    )


def check_shape(value: Any, shape: Any, where: str) -> None:
    """Raise StateError, which names the place, unless a value has a shape."""
    if place := misfit(value, shape, where):
        raise StateError(f"{place}: no run of these settings writes that")


def misfit(value: Any, shape: Any, where: str) -> str | None:
    """The first place in a value where it does not have a shape; None where it has it."""
    if isinstance(shape, Range):
        return None if shape.holds(value) else where
    if isinstance(shape, type):
        return None if isinstance(value, shape) else where
    if not isinstance(value, dict if isinstance(shape, dict) else list):
        return where
    parts: dict[Any, Any] = value if isinstance(value, dict) else dict(enumerate(value))
    if isinstance(shape, list):
        inner = dict.fromkeys(parts, shape[0])
    elif isinstance(shape, tuple):
        inner = dict(enumerate(shape))
        if len(parts) != len(inner):
            return where
    elif str in shape:
        inner = dict.fromkeys(parts, shape[str])
    else:
        inner = {name.rstrip("?"): part for name, part in shape.items() if name[-1] != "?" or name[:-1] in parts}
        if not parts.keys() >= inner.keys():
            return where
    misfits = ((name, misfit(parts[name], part, "")) for name, part in inner.items())
    return next((f"{where}.{shown(name)}{place}" for name, place in misfits if place is not None), None)


def shape_of(example: Any) -> Any:
    """The shape of an example: as many numbers in a list, any number of other things like its first one.

    Where the example has None, or an empty list or map, anything may be.
    """
    if isinstance(example, dict) and example:
        return {name: shape_of(part) for name, part in example.items()}
    if isinstance(example, list) and example:
        return (NUMBER,) * len(example) if NUMBER.holds(example[0]) else [shape_of(example[0])]
    if isinstance(example, bool | str):
        return type(example)
    return WHOLE if isinstance(example, int) else NUMBER if isinstance(example, float) else object
