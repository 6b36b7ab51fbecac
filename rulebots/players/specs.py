"""Names of players with settings: `minimax:depth=6,rules=champion.yaml`.

The settings are a dataclass, each number of it declared with its range by `number` or `optional_number`.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from types import MappingProxyType
from typing import Any, TypeVar, get_type_hints

from rulebots.errors import UsageError, demand, unknown
from rulebots.files import is_file
from rulebots.files.ranges import check_numbers, number, number_of, optional_number, whole_of

__all__ = ["check_numbers", "number", "optional_number"]  # handed on: settings declare their numbers with them

T = TypeVar("T")
#: An empty list of players.
NONE = "none"
#: Types of settings but texts: the expected form, and a parser, which returns None for anything else.
_KINDS: Mapping[Any, tuple[str, Callable[[str], object]]] = {
    bool: ("yes or no", {"yes": True, "no": False}.get),
    int: ("a whole number", whole_of),
    float: ("a number", number_of),
}


@dataclass(frozen=True)
class NoSettings:
    """The settings of a player or a strategy that has none."""


def split_list(text: str) -> list[str]:
    r"""The parts of a text between its commas, as they stand; `\,` separates nothing."""
    return re.split(r"(?<!\\),", text)


def quoted(part: str) -> str:
    r"""A part of such a list with `\,` for its commas; names of files may have any."""
    return part.replace(",", "\\,")


def _unquoted(part: str) -> str:
    return part.replace("\\,", ",")


def split_specs(text: str) -> list[str]:
    """The player names in a comma-separated list; `depth=6` after a comma belongs to the name before it."""
    specs: list[str] = []
    for part in split_list(text):
        if specs and ":" in specs[-1] and re.match(r"\s*[a-z_]+=", part):
            specs[-1] += "," + part
        else:
            specs.append(part.strip())
    return [_unquoted(spec) for spec in specs]


def specs_of(texts: Iterable[str] | None) -> list[str]:
    """The player names in several such lists; `none` alone is no player, and the name of a file is one name."""
    specs = [spec for text in texts or () for spec in ([text] if is_file(text) else split_specs(text))]
    return [] if specs == [NONE] else specs


def in_list(spec: str) -> str:
    """A player's name as `split_specs` gives it back: quoted where its commas would separate it."""
    return spec if split_specs(spec) == [spec] else quoted(spec)


def settings_of(
    spec: str, kind: type[T], defaults: Mapping[str, Any] = MappingProxyType({}), head: str | None = None
) -> T:
    """The settings after the colon of a player's name, as a dataclass whose fields are int, float, bool or str.

    `defaults` replace those of the dataclass. `head` is the part before the colon, for a name with further colons.

    Raises:
        UsageError: not `name=value,...`, an unknown or repeated name, a missing value, or a value of another type.
    """
    head = spec.partition(":")[0] if head is None else head
    text = spec.removeprefix(head).removeprefix(":")
    types = get_type_hints(kind)
    values: dict[str, Any] = {}
    for part in split_list(text) if text else ():
        name, equals, value = (_unquoted(word.strip()) for word in part.partition("="))
        demand(equals and value, f"'{spec}': expected NAME=VALUE after '{head}:', not '{part}'")
        if name not in types:
            raise UsageError(f"'{spec}': {unknown('setting', name, types, head)}")
        demand(name not in values, f"'{spec}': '{name}' is there twice")
        values[name] = _value(spec, name, value, types[name])
    values = {**defaults, **values}
    for field in fields(kind):  # type: ignore[arg-type]  # T is a dataclass: the type system has no word for it
        demand(
            field.name in values or (field.default, field.default_factory) != (MISSING, MISSING),
            f"'{spec}': expected a value for '{field.name}', such as '{head}:{field.name}=...'",
        )
    return kind(**values)


def _value(spec: str, name: str, text: str, kind: Any) -> Any:
    """A setting's text as a value of its type: bool, int, float or str, each perhaps optional."""
    for simple, (expected, read) in _KINDS.items():
        if kind in (simple, simple | None):
            value = read(text)
            demand(value is not None, f"'{spec}': expected {expected} for '{name}', not '{text}'")
            return value
    return text
