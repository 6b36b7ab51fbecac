"""File formats in YAML, each declared once: the reader, its messages, the JSON Schema and the table of keys follow.

    SHOP = Keys("a shop file", {
        "format": Key(exactly("shop/1"), "`shop/1`", "format: shop/1"),
        "prices": Key(named(in_range(Range(0, 100)), "a map of prices by name"), "what things cost"),
    })

    shop, problems = read_file("shop.yaml", "shop file", SHOP.read)

A key with an example is required. Every problem has its place in the file, and reading goes on after it.
"""

import itertools
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from rulebots.errors import UsageError, nearest, shown, unknown
from rulebots.files.plain_yaml import MOST_NODES, Items, Map, Node, Scalar, parse, refused_tag
from rulebots.files.ranges import Range
from rulebots.files.reading import MOST_BYTES, InputError, read_text

#: At most this many problems of a file are reported.
MOST = 20
#: What a kind reads where there is something else; the problem is noted.
WRONG: Any = object()
T = TypeVar("T")


class Problems:
    """Collects everything that is wrong with one file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._noted: list[InputError] = []

    def add(self, node: Node, message: str) -> None:
        """Note a problem at a node. Raises InputError when there are too many to go on."""
        self._noted.append(InputError(self.file, message, node.line, node.column))
        if len(self._noted) == MOST:
            raise self.stop(node, f"{MOST} problems up to here; correct these first")

    def expected(self, what: str, node: Node) -> Any:
        """Note that something else came where `what` was expected. Returns WRONG."""
        self.add(node, f"expected {what}, not {node.described()}")
        return WRONG

    def stop(self, node: Node, message: str) -> InputError:
        """The error to raise where reading cannot go on."""
        return InputError(self.file, message, node.line, node.column)

    def attempt(self, node: Node, make: Callable[[], T]) -> T | None:
        """What a function makes of a node's value; None, with a problem noted, where it raises UsageError."""
        try:
            return make()
        except UsageError as error:
            self.add(node, str(error))
            return None

    def in_order(self) -> list[InputError]:
        """The problems in the order of the file; a cause stands before what follows from it."""
        return sorted(self._noted, key=lambda problem: (problem.line, problem.column))

    def entries(
        self, node: Node, what: str, name_of: Callable[[str], str] = lambda text: text
    ) -> dict[str, tuple[Scalar, Node]]:
        """The entries of a map by name, each with its key's node; empty for anything but a map.

        `name_of` gives the name that a key stands for, where there are several spellings of one.

        Notes a problem for anything but a map (`what` says what it should hold), for keys that are not names,
        and for names that are there twice, of which the first counts that is not empty.
        """
        if not isinstance(node, Map):
            self.expected(what, node)
            return {}
        entries: dict[str, tuple[Scalar, Node]] = {}
        for key, value in node.entries:
            name = name_of(key.text) if isinstance(key, Scalar) else ""
            if not isinstance(key, Scalar) or not name:
                self.expected("a name", key)
                continue
            first, former = entries.get(name, (None, None))
            if first is not None:
                self.add(key, f"'{shown(name)}' is there twice, first on line {first.line}; remove one of them")
            if first is None or (isinstance(former, Scalar) and former.empty):
                entries[name] = (key, value)
        return entries

    def refuse_tags(self, node: Node) -> None:
        """Note every tag in a tree."""
        if node.tag:
            self.add(node, refused_tag(node.tag))
        entries = node.entries if isinstance(node, Map) else []
        items = node.items if isinstance(node, Items) else []
        for child in [*itertools.chain.from_iterable(entries), *items]:
            self.refuse_tags(child)


def read_file(
    path: str | Path, what: str, read: Callable[[Node, Problems], T], *, most_bytes: int = MOST_BYTES, **limits: Any
) -> tuple[T | None, list[InputError]]:
    """What `read` makes of a YAML file, None where that is impossible, and everything that is wrong with the file.

    `what` is what the file should be, without an article; `limits` are those of `read_yaml`.
    """
    try:
        text = read_text(path, what, most_bytes)
    except InputError as error:
        return None, [error]
    return read_yaml(text, what, read, Problems(str(path)), **limits)


def read_yaml(
    text: str,
    what: str,
    read: Callable[[Node, Problems], T],
    problems: Problems,
    *,
    most_nodes: int = MOST_NODES,
    tags: str = "",
) -> tuple[T | None, list[InputError]]:
    """What `read` makes of a text in YAML, and everything that is wrong with it; see `read_file` and `parse`."""
    try:
        return read(parse(text, what, problems.file, tags=tags, most_nodes=most_nodes), problems), problems.in_order()
    except InputError as error:
        return None, [*problems.in_order(), error]


@dataclass(frozen=True)
class ValueKind:
    """What a value of a file may be.

    `read(node, problems, key)` gives the value; WRONG, with a problem noted, where it is of another kind. In the words
    of an expectation `{name}` is the value's key. `schema` is the JSON Schema (draft 2020-12) of such a value.
    """

    read: Callable[[Node, Problems, str], Any]
    schema: Mapping[str, Any]


def _scalar(expected: str, value_of: Callable[[Scalar], Any], schema: Mapping[str, Any]) -> ValueKind:
    """A value that is neither a list nor a map; `value_of` gives WRONG for one of another kind."""

    def read(node: Node, problems: Problems, name: str) -> Any:
        value = value_of(node) if isinstance(node, Scalar) else WRONG
        return problems.expected(expected.replace("{name}", shown(name)), node) if value is WRONG else value

    return ValueKind(read, schema)


def exactly(text: str) -> ValueKind:
    """One text: the name and version of the format."""
    return _scalar(f"the {{name}} '{text}'", lambda node: text if node.text == text else WRONG, {"const": text})


def any_text(expected: str, *, empty: bool = False) -> ValueKind:
    """A word or text; "" where it may be empty."""
    schema = {"type": ["string", "null"]} if empty else {"type": "string", "minLength": 1}
    missing = "" if empty else WRONG
    return _scalar(expected, lambda node: missing if node.empty else node.text, schema)


def choice(what: str, names: Collection[str]) -> ValueKind:
    """One of some names; `what` they are."""

    def read(node: Node, problems: Problems, _: str) -> Any:
        if not isinstance(node, Scalar) or node.empty:
            return problems.expected(f"the name of a {what}", node)
        if node.text in names:
            return node.text
        problems.add(node, unknown(what, shown(node.text), names))
        return WRONG

    return ValueKind(read, {"enum": list(names)})


def in_range(allowed: Range, expected: str = "") -> ValueKind:
    """A number in a range, int or float; where that is optional there may be nothing, which is None."""

    def value_of(node: Scalar) -> Any:
        number = node.whole() if allowed.whole else node.number()
        return number if (number is not None or node.empty) and allowed.holds(number) else WRONG

    kind = "integer" if allowed.whole else "number"
    limits = {"minimum": allowed.low, "maximum": allowed.high}
    finite = {name: limit for name, limit in limits.items() if math.isfinite(limit)}
    return _scalar(expected or str(allowed), value_of, {"type": [kind, "null"] if allowed.optional else kind, **finite})


def flag() -> ValueKind:
    """True or false."""
    return _scalar(
        "true or false",
        lambda node: node.value() if isinstance(node.value(), bool) else WRONG,
        {"type": "boolean"},
    )


def listed(kind: ValueKind, expected: str) -> ValueKind:
    """A list of values of one kind."""

    def read(node: Node, problems: Problems, name: str) -> Any:
        if not isinstance(node, Items):
            return problems.expected(expected, node)
        return [value for item in node.items if (value := kind.read(item, problems, name)) is not WRONG]

    return ValueKind(read, {"type": "array", "items": kind.schema})


def row(kinds: Sequence[ValueKind], expected: str) -> ValueKind:
    """A list with a value of each kind."""

    def read(node: Node, problems: Problems, name: str) -> Any:
        if not isinstance(node, Items) or len(node.items) != len(kinds):
            return problems.expected(expected, node)
        values = [kind.read(item, problems, name) for kind, item in zip(kinds, node.items, strict=True)]
        return WRONG if any(value is WRONG for value in values) else values

    return ValueKind(
        read, {"type": "array", "prefixItems": [kind.schema for kind in kinds], "items": False, "minItems": len(kinds)}
    )


def named(kind: "ValueKind | Keys", expected: str, least: int = 0) -> ValueKind:
    """A map from names to at least `least` values of one kind."""

    def read(node: Node, problems: Problems, _: str) -> Any:
        entries = problems.entries(node, expected)
        if isinstance(node, Map) and len(node.entries) < least:
            return problems.expected(expected, node)
        return {
            key: value for key, (_, node) in entries.items() if (value := kind.read(node, problems, key)) is not WRONG
        }

    inner = {"additionalProperties": kind.schema, "propertyNames": {"minLength": 1}}
    return ValueKind(read, {"type": "object", **inner, **({"minProperties": least} if least else {})})


def notes() -> ValueKind:
    """Plain data for people, by name: dicts, lists, text, numbers, true, false, None."""

    def read(node: Node, problems: Problems, _: str) -> Any:
        return {key: _data(value, problems) for key, (_, value) in problems.entries(node, "a map of notes").items()}

    return ValueKind(read, {"type": "object"})


def _data(node: Node, problems: Problems) -> Any:
    if isinstance(node, Map):
        return notes().read(node, problems, "")
    return node.value() if isinstance(node, Scalar) else [_data(item, problems) for item in node.items]


@dataclass(frozen=True)
class Key:
    """A key of a map: its value's kind, its meaning, an example of it where it is required, and the flag for it."""

    kind: "ValueKind | Keys"
    meaning: str
    example: str = ""
    flag: str = ""


@dataclass(frozen=True)
class Keys:
    """A map with these keys and no others, a kind as well; `where` is what it is, for messages."""

    where: str
    keys: Mapping[str, Key]
    expected: str = ""

    def read(self, node: Node, problems: Problems, name: str = "") -> dict[str, Any]:
        """The values that are of their kinds, by key."""
        return self.values(self.nodes(node, problems, name), problems)

    def nodes(self, node: Node, problems: Problems, name: str = "") -> dict[str, Node]:
        """The known keys that are there; notes the others, and the required ones that are missing.

        A missing key is not reported where another seems to be a misspelling of it.
        """
        entries = problems.entries(node, (self.expected or self.where).replace("{name}", shown(name)))
        strange = {other: key for other, (key, _) in entries.items() if other not in self.keys}
        there = {*entries, *(nearest(shown(other), self.keys) for other in [*strange][:MOST])}
        for key, declared in self.keys.items() if isinstance(node, Map) else ():
            if declared.example and key not in there:
                problems.add(
                    node, f"expected the key '{key}', which is missing; write for example '{declared.example}'"
                )
        of_flags = {declared.flag.lstrip("-"): key for key, declared in self.keys.items()}
        for other, key_node in strange.items():
            named = of_flags.get(other)
            called = f"no key '{shown(other)}' of {self.where}; here it is called '{named}'"
            problems.add(key_node, called if named else unknown("key", shown(other), self.keys, self.where))
        return {key: entries[key][1] for key in self.keys if key in entries}

    def values(self, nodes: Mapping[str, Node], problems: Problems) -> dict[str, Any]:
        """The values of keys that are of their kinds."""
        return {
            key: value
            for key, node in nodes.items()
            if (value := self.keys[key].kind.read(node, problems, key)) is not WRONG
        }

    @property
    def schema(self) -> dict[str, Any]:
        """An object with the meaning of each key."""
        return {
            "type": "object",
            "required": [name for name, key in self.keys.items() if key.example],
            "additionalProperties": False,
            "properties": {name: {**key.kind.schema, "description": key.meaning} for name, key in self.keys.items()},
        }

    def table(self) -> list[tuple[str, str]]:
        """Each key with its meaning, as the reference has them."""
        return [(f"`{name}`", key.meaning) for name, key in self.keys.items()]


def declared(default: Any, kind: ValueKind, meaning: str, value: str, **more: Any) -> Any:
    """A field of a dataclass of settings that is not a number; `ranges.number` is for those.

    Args:
        default: its default, or a function that makes one.
        kind: what a file may hold.
        meaning: what the setting decides.
        value: how the help of a command names the value.
        more: `flag`, where that is not called like the field; `usual` is what an empty default means, in words;
            `complete` lists what a shell completes, from what is typed so far.
    """
    metadata = {"kind": kind, "meaning": meaning, "value": value, **more}
    default = {"default_factory" if callable(default) else "default": default}
    return field(**default, metadata=metadata)


def keys_of(settings: type) -> dict[str, Key]:
    """The keys of a file with the settings of a dataclass, whose fields `declared` and `number` made."""
    keys = {}
    for f in fields(settings):
        allowed = f.metadata.get("range")
        kind, meaning = (in_range(allowed), allowed.meaning) if allowed else (f.metadata["kind"], f.metadata["meaning"])
        usual = f.metadata.get("usual")
        keys[f.name] = Key(
            kind, f"{meaning}; by default {usual}" if usual else meaning, flag=f.metadata.get("flag") or ""
        )
    return keys
