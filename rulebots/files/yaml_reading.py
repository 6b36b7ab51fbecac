"""YAML as a tree of nodes that know their place; nothing in a file is executed or expanded.

The tree is built from PyYAML's events, never by its constructors. So directives, anchors, aliases, merge keys, tags,
deep nesting, too many values and further documents are refused at once, before anything grows, in time linear in the
size of the text.
"""

from __future__ import annotations

import functools
import gc
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from rulebots.errors import shown
from rulebots.files.ranges import number_of, whole_of

#: How deep a file may nest; a population needs 6.
DEPTH = 16
#: The most keys, values, lists and maps in a file: two million bytes of a population have at most half as many.
MOST_NODES = 200_000
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # some systems build PyYAML without C
_NULLS = ("", "~", "null", "Null", "NULL")
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,99})")
#: What ends a line in YAML 1.1 or in Python, but not in most editors: a person would see something else than is read.
_BREAK = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]|\r(?!\n)")
_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
#: The first line that is neither blank nor a comment.
_CONTENT = re.compile(r"^(?![ \t]*(?:#|\r?$))", re.MULTILINE)
#: What may follow a document.
_NOTHING = re.compile(r"(?:\s++|#[^\n]*+|\.\.\.(?=\s|\Z))*+")


class YamlError(Exception):
    """Text that is not plain YAML: the message, with the line and column (from 1) of its place."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


@dataclass(slots=True, eq=False)
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
        return number_of(self.text) if self.plain else None

    def whole(self) -> int | None:
        """The whole number, or None for anything that is not plainly one of at most 18 digits."""
        return whole_of(self.text) if self.plain else None

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


@dataclass(slots=True, eq=False)
class Items:
    """A list."""

    line: int
    column: int
    tag: str | None
    items: list[Node]

    def described(self) -> str:
        """How a message names it."""
        return f"a list of {len(self.items)}" if self.items else "an empty list"


@dataclass(slots=True, eq=False)
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


@functools.lru_cache(maxsize=2)  # a command asks a player's file several times: for its game and for each player
def parse(text: str, what: str = "population", *, tags: str = "", most_nodes: int = MOST_NODES) -> Node:
    """The tree of the one YAML document in a text; `what` is what the file should be, without an article.

    The tree is for reading only: the same text gives the same one.
    Tags that begin with `tags` are kept in the tree as text, for its reader to judge; without `tags` all are refused.

    Raises:
        YamlError: it is empty, not YAML, nests too deeply, has more than `most_nodes` nodes, or has directives,
            anchors, aliases, merge keys, other tags or more documents.
    """
    _refuse_characters(text)
    begin = _CONTENT.search(text)
    if begin is not None and text.startswith("%", begin.start()):
        message = "YAML directives are not supported: remove the `%` lines above `---`"
        raise YamlError(*_place(text, begin.start()), message)
    collecting = gc.isenabled()
    gc.disable()  # a tree that grows holds no garbage, and the search for it may take as long as reading
    try:
        root = _YamlTree(text, tags, most_nodes).document()
    except yaml.MarkedYAMLError as error:
        raise _syntax_error(text, error) from None
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # PyYAML without C: "\UFFFFFFFF"
        raise YamlError(1, 1, f"not valid YAML: {' '.join(str(error).split())}") from None
    finally:
        if collecting:
            gc.enable()
    if root is None:
        raise YamlError(1, 1, f"the file is empty: expected a {what}")
    return root


class _YamlTree:
    """Builds the tree of a text from PyYAML's events."""

    def __init__(self, text: str, tags: str, most_nodes: int) -> None:
        self._text = text
        self._tags = tags
        self._most = self._left = most_nodes
        self._events: Iterator[Any] = yaml.parse(text, Loader=_LOADER)

    def document(self) -> Node | None:
        """The root of the one document; None for an empty text."""
        next(self._events)  # the stream begins
        if isinstance(next(self._events), yaml.StreamEndEvent):
            return None
        root = self._node(next(self._events), 0)
        # What follows is not given to PyYAML, which takes its time over directives.
        end = _NOTHING.match(self._text, next(self._events).end_mark.index)
        if end is not None and end.end() < len(self._text):
            message = "expected one document, not a second one: remove this line and what follows"
            raise YamlError(*_place(self._text, end.end()), message)
        return root

    def _node(self, event: Any, depth: int) -> Node:
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            sign = "*" if isinstance(event, yaml.AliasEvent) else "&"
            raise _error(event, f"anchors and aliases ({sign}{shown(event.anchor)}) are not read: write the values out")
        if depth > DEPTH:
            raise _error(event, f"nested deeper than {DEPTH} levels, which is the limit")
        self._left -= 1
        if self._left < 0:
            raise _error(event, f"more than {self._most:,} keys and values up to here, which is the limit")
        line, column, tag = event.start_mark.line + 1, event.start_mark.column + 1, event.tag
        if tag is not None and not (self._tags and tag.startswith(self._tags)):
            raise _error(event, refused_tag(tag))
        if isinstance(event, yaml.ScalarEvent):
            return Scalar(line, column, tag, event.value, not event.style)
        if isinstance(event, yaml.SequenceStartEvent):
            items = []
            while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
                items.append(self._node(event, depth + 1))
            return Items(line, column, tag, items)
        entries = []
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = self._node(event, depth + 1)
            if isinstance(key, Scalar) and key.plain and key.text == "<<":
                raise _error(event, "merge keys (<<) are not read: write the values out")
            entries.append((key, self._node(next(self._events), depth + 1)))
        return Map(line, column, tag, entries)


def refused_tag(tag: str) -> str:
    """What to say of a tag such as `!!python/object`, from which nothing is ever made."""
    what = "is a Ruby object, which" if tag.startswith("!ruby/") else "is a tag, which"
    return f"'{shown(tag)}' {what} is not read here: remove it and write plain names and numbers"


def _refuse_characters(text: str) -> None:
    for pattern, what, remedy in (
        (_BREAK, "the line break", ": end lines with a line feed, as editors do"),
        (_FORBIDDEN, "the character", " cannot stand in a YAML file: remove it"),
    ):
        if match := pattern.search(text):
            raise YamlError(*_place(text, match.start()), f"{what} U+{ord(match[0]):04X}{remedy}")


def _error(event: Any, message: str) -> YamlError:
    return YamlError(event.start_mark.line + 1, event.start_mark.column + 1, message)


def _place(text: str, index: int) -> tuple[int, int]:
    """Line and column, from 1, of the character at an index."""
    start = text.rfind("\n", 0, index) + 1
    return text.count("\n", 0, index) + 1, index - start + 1


def _syntax_error(text: str, error: yaml.MarkedYAMLError) -> YamlError:
    """What PyYAML found, with clearer words for the commonest slips: tabs and files cut short."""
    mark = error.problem_mark or error.context_mark
    lines = text.rstrip().split("\n")
    end = (len(lines), len(lines[-1]) + 1)
    place = (mark.line + 1, mark.column + 1) if mark else end
    line = text.split("\n")[place[0] - 1] if place[0] <= text.count("\n") + 1 else ""
    if line[place[1] - 1 : place[1]] == "\t":
        return YamlError(*place, "a tab: YAML is indented with blanks only, write blanks instead")
    reason = " ".join(part for part in (error.context, error.problem) if part)
    if place >= end:
        return YamlError(*end, f"the file ends too early, perhaps it was cut short ({reason})")
    return YamlError(*place, f"not valid YAML: {reason}")
