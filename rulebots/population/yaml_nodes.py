"""YAML as a tree of nodes that know their place; nothing in a file is executed or expanded.

The tree is built from PyYAML's events, so that anchors, aliases, deep nesting and further documents
are refused at once, before anything grows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

#: How deep a file may nest; a population needs 6.
DEPTH = 16
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # some systems build PyYAML without C
_NULLS = ("", "~", "null", "Null", "NULL")
# YAML 1.1 and 1.2 disagree about 1e-3, 010, 1_000 and 1:30; numbers here are what a person means.
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,99})")
_NUMBER = re.compile(r"[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?")
_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class YamlError(Exception):
    """Text that is not plain YAML: the message, with the line and column (from 1) of its place."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class Scalar:
    """A word or number as it is written; `plain` means without quotes."""

    line: int
    column: int
    tag: str | None
    text: str
    plain: bool

    @property
    def empty(self) -> bool:
        """Whether nothing is there, or `~` or `null`."""
        return self.plain and self.text in _NULLS

    def number(self) -> float | None:
        """The number, perhaps infinite, or None for anything that is not plainly one."""
        return float(self.text) if self.plain and _NUMBER.fullmatch(self.text) else None

    def value(self) -> str | int | float | bool | None:
        """Plain data: nothing, true or false, a finite number, else the text."""
        if self.empty:
            return None
        if self.plain and self.text in ("true", "false"):
            return self.text == "true"
        if self.plain and _INTEGER.fullmatch(self.text):
            return int(self.text)
        number = self.number()
        return self.text if number is None or abs(number) == float("inf") else number

    def described(self) -> str:
        """How a message names it."""
        if self.empty:
            return "an empty value"
        return f"'{shown(self.text)}'" if self.plain else f"the text '{shown(self.text)}'"


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    line: int
    column: int
    tag: str | None
    items: list[Node]

    def described(self) -> str:
        """How a message names it."""
        return f"a list of {len(self.items)}" if self.items else "an empty list"


@dataclass(frozen=True, slots=True)
class Map:
    """A map; its keys may be anything and may repeat."""

    line: int
    column: int
    tag: str | None
    entries: list[tuple[Node, Node]]

    def described(self) -> str:
        """How a message names it."""
        return "a map" if self.entries else "an empty map"


Node = Scalar | Items | Map


def shown(text: str) -> str:
    """Text from a file as it may stand in a one-line message: printable and not too long."""
    short = text if len(text) <= 60 else text[:57] + "..."
    return "".join(c if c.isprintable() else "?" for c in short)


def parse(text: str) -> Node:
    """The tree of the one YAML document in a text.

    Raises:
        YamlError: it is empty, not YAML, nests too deeply, or has anchors, aliases or more documents.
    """
    forbidden = _FORBIDDEN.search(text)
    if forbidden:
        message = f"the character U+{ord(forbidden.group()):04X} cannot stand in a YAML file: remove it"
        raise YamlError(*_place(text, forbidden.start()), message)
    try:
        return _document(yaml.parse(text, Loader=_LOADER))
    except yaml.MarkedYAMLError as error:
        raise _syntax_error(text, error) from None
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # PyYAML without C: "\UFFFFFFFF"
        raise YamlError(1, 1, f"not valid YAML: {' '.join(str(error).split())}") from None


def _document(events: Iterator[Any]) -> Node:
    root: Node | None = None
    for event in events:
        if not isinstance(event, yaml.DocumentStartEvent):
            continue
        if root is not None:
            raise _error(event, "expected one document, not a second one: remove this line and what follows")
        root = _node(next(events), events, 0)
    if root is None:
        raise YamlError(1, 1, "the file is empty: expected a population")
    return root


def _node(event: Any, events: Iterator[Any], depth: int) -> Node:
    if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
        sign = "*" if isinstance(event, yaml.AliasEvent) else "&"
        raise _error(event, f"anchors and aliases ({sign}{shown(event.anchor)}) are not read: write the values out")
    if depth > DEPTH:
        raise _error(event, f"nested deeper than {DEPTH} levels: no population is")
    line, column = event.start_mark.line + 1, event.start_mark.column + 1
    if isinstance(event, yaml.ScalarEvent):
        return Scalar(line, column, event.tag, event.value, plain=not event.style)
    if isinstance(event, yaml.SequenceStartEvent):
        tag, items = event.tag, []
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            items.append(_node(event, events, depth + 1))
        return Items(line, column, tag, items)
    tag, entries = event.tag, []
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        key = _node(event, events, depth + 1)
        entries.append((key, _node(next(events), events, depth + 1)))
    return Map(line, column, tag, entries)


def _error(event: Any, message: str) -> YamlError:
    return YamlError(event.start_mark.line + 1, event.start_mark.column + 1, message)


def _place(text: str, index: int) -> tuple[int, int]:
    """Line and column, from 1, of the character at an index."""
    start = text.rfind("\n", 0, index) + 1
    return text.count("\n", 0, index) + 1, index - start + 1


def _syntax_error(text: str, error: yaml.MarkedYAMLError) -> YamlError:
    """What PyYAML found, with our words for the commonest slips: tabs and files cut short."""
    mark = error.problem_mark or error.context_mark
    lines = text.rstrip().split("\n")
    end = (len(lines), len(lines[-1]) + 1)
    place = (mark.line + 1, mark.column + 1) if mark else end
    line = text.split("\n")[place[0] - 1] if place[0] <= text.count("\n") + 1 else ""
    if line[place[1] - 1 : place[1]] == "\t":
        return YamlError(*place, "a tab: YAML is indented with blanks only, write blanks instead")
    found = " ".join(part for part in (error.context, error.problem) if part)
    if place >= end:
        return YamlError(*end, f"the file ends too early, perhaps it was cut short ({found})")
    return YamlError(*place, f"not valid YAML: {found}")
