"""YAML as people write it: a text as a tree of nodes with their places, and plain data as text that reads back.

The tree is built from PyYAML's events, never by its constructors: nothing in a file is executed or expanded.
Directives, anchors, aliases, merge keys, tags, deep nesting, too many values and further documents are refused at once,
before anything grows, in time linear in the size of the text.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import yaml

from rulebots.errors import shown
from rulebots.files.ranges import number_of, whole_of
from rulebots.files.reading import InputError

#: How deep a file may nest; a population needs 6.
DEPTH = 16
#: The most keys, values, lists and maps in a file: two million bytes of a population have at most half as many.
MOST_NODES = 200_000
#: Larger whole numbers are written as text, because no reader takes them for whole numbers.
MOST_INTEGER = 10**100
#: YAML finds the end of a key within 1,024 characters, or needs a `?` in front of it.
LONGEST_KEY = 1000
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
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*")
#: Words that some YAML readers do not take for text.
_RESERVED = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}


@dataclass(slots=True, eq=False)
class _Placed:
    """The place of a value in the text, from 1, and its tag."""

    line: int
    column: int
    tag: str | None


@dataclass(slots=True, eq=False)
class Scalar(_Placed):
    """A word or number as it is written; `plain` means without quotes."""

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
        return self.text if number is None or math.isinf(number) else number

    def described(self) -> str:
        """How a message names it."""
        if self.empty:
            return "an empty value"
        return f"'{shown(self.text)}'" if self.plain else f"the text '{shown(self.text)}'"


@dataclass(slots=True, eq=False)
class Items(_Placed):
    """A list."""

    items: list[Node]

    def described(self) -> str:
        """How a message names it."""
        return f"a list of {len(self.items)}" if self.items else "an empty list"


@dataclass(slots=True, eq=False)
class Map(_Placed):
    """A map; its keys may be anything and may repeat."""

    entries: list[tuple[Node, Node]]

    def described(self) -> str:
        """How a message names it."""
        return "a map" if self.entries else "an empty map"


Node = Scalar | Items | Map


@functools.lru_cache(maxsize=2)  # a command asks a player's file several times: for its game and for each player
def parse(
    text: str, what: str = "population", source: str = "", *, tags: str = "", most_nodes: int = MOST_NODES
) -> Node:
    """The tree of the one YAML document in a text; the same text gives the same tree, so do not change it.

    Args:
        text: the text.
        what: what the file should be, without an article.
        source: the file's name, for messages.
        tags: tags that begin like this are kept in the tree as text; without it all tags are refused.
        most_nodes: the most keys and values.

    Raises:
        InputError: it is empty, not YAML, nests too deeply, has too many nodes, or has directives, anchors, aliases,
            merge keys, other tags or more documents.
    """
    return _YamlTree(text, source, tags, most_nodes).read(what)


class _YamlTree:
    """Builds the tree of a text from PyYAML's events."""

    def __init__(self, text: str, source: str, tags: str, most_nodes: int) -> None:
        self._text = text
        self._source = source
        self._tags = tags
        self._most = self._left = most_nodes
        self._events: Iterator[Any] = yaml.parse(text, Loader=_LOADER)

    def read(self, what: str) -> Node:
        for pattern, name, remedy in (
            (_BREAK, "the line break", ": end lines with a line feed, as editors do"),
            (_FORBIDDEN, "the character", " cannot stand in a YAML file: remove it"),
        ):
            if match := pattern.search(self._text):
                raise self._error_at(match.start(), f"{name} U+{ord(match[0]):04X}{remedy}")
        begin = _CONTENT.search(self._text)
        if begin is not None and self._text.startswith("%", begin.start()):
            raise self._error_at(begin.start(), "YAML directives are not supported: remove the `%` lines above `---`")
        try:
            root = self._document()
        except InputError:
            raise
        except yaml.MarkedYAMLError as error:
            raise self._syntax_error(error) from None
        except (yaml.YAMLError, ValueError, OverflowError) as error:  # PyYAML without C: "\UFFFFFFFF"
            raise InputError(self._source, f"not valid YAML: {' '.join(str(error).split())}", 1, 1) from None
        if root is None:
            raise InputError(self._source, f"the file is empty: expected a {what}", 1, 1)
        return root

    def _document(self) -> Node | None:
        """The root of the one document; None for an empty text."""
        next(self._events)  # the stream begins
        if isinstance(next(self._events), yaml.StreamEndEvent):
            return None
        root = self._node(next(self._events), 0)
        # What follows is not given to PyYAML, which takes its time over directives.
        end = _NOTHING.match(self._text, next(self._events).end_mark.index)
        if end is not None and end.end() < len(self._text):
            raise self._error_at(
                end.end(), "expected one document, not a second one: remove this line and what follows"
            )
        return root

    def _node(self, event: Any, depth: int) -> Node:
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            sign = "*" if isinstance(event, yaml.AliasEvent) else "&"
            raise self._error_at(
                event.start_mark.index,
                f"anchors and aliases ({sign}{shown(event.anchor)}) are not read: write the values out",
            )
        if depth > DEPTH:
            raise self._error_at(event.start_mark.index, f"nested deeper than {DEPTH} levels, which is the limit")
        self._left -= 1
        if self._left < 0:
            raise self._error_at(
                event.start_mark.index, f"more than {self._most:,} keys and values up to here, which is the limit"
            )
        place = (event.start_mark.line + 1, event.start_mark.column + 1, event.tag)
        if event.tag is not None and not (self._tags and event.tag.startswith(self._tags)):
            raise self._error_at(event.start_mark.index, refused_tag(event.tag))
        if isinstance(event, yaml.ScalarEvent):
            return Scalar(*place, event.value, not event.style)
        if isinstance(event, yaml.SequenceStartEvent):
            inner = itertools.takewhile(lambda one: not isinstance(one, yaml.SequenceEndEvent), self._events)
            return Items(*place, [self._node(one, depth + 1) for one in inner])
        entries = []
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = self._node(event, depth + 1)
            if isinstance(key, Scalar) and key.plain and key.text == "<<":
                raise self._error_at(event.start_mark.index, "merge keys (<<) are not read: write the values out")
            entries.append((key, self._node(next(self._events), depth + 1)))
        return Map(*place, entries)

    def _error_at(self, index: int, message: str) -> InputError:
        before = self._text[:index].split("\n")
        return InputError(self._source, message, len(before), len(before[-1]) + 1)

    def _syntax_error(self, error: yaml.MarkedYAMLError) -> InputError:
        """PyYAML's error, with clearer words for the commonest mistakes: tabs and files cut short."""
        lines = self._text.rstrip().split("\n")
        line = len(lines)
        column = len(lines[-1]) + 1
        reason = " ".join(part for part in (error.context, error.problem) if part)
        message = f"the file ends too early, perhaps it was cut short ({reason})"
        mark = error.problem_mark or error.context_mark
        if mark is not None and (mark.line + 1, mark.column + 1) < (line, column):
            line = mark.line + 1
            column = mark.column + 1
            message = f"not valid YAML: {reason}"
            if lines[mark.line][mark.column : mark.column + 1] == "\t":
                message = "a tab: YAML is indented with blanks only, write blanks instead"
        return InputError(self._source, message, line, column)


def refused_tag(tag: str) -> str:
    """What to say of a tag such as `!!python/object`, from which nothing is ever made."""
    what = "is a Ruby object, which" if tag.startswith("!ruby/") else "is a tag, which"
    return f"'{shown(tag)}' {what} is not read here: remove it and write plain names and numbers"


def flow(value: Any) -> str:
    """Plain data on one line, NumPy's included."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, Mapping):
        return "{" + ", ".join(_key(str(key)) + flow(part) for key, part in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow, value)) + "]"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Integral):
        whole = int(value)
        return str(whole) if abs(whole) < MOST_INTEGER else word(hex(whole))
    if isinstance(value, Real) and math.isfinite(value):
        return number_text(float(value))
    return word(str(value))


def _key(text: str) -> str:
    return f"? {word(text)} : " if is_long_key(text) else f"{word(text)}: "


def is_long_key(key: str) -> bool:
    """Whether YAML wants a `?` in front of a key."""
    return len(word(key)) > LONGEST_KEY


def number_text(number: float) -> str:
    """A float that every reader takes for a float: YAML 1.1 wants a point in front of an exponent."""
    text = repr(float(number) + 0.0).removesuffix(".0")  # without the sign of -0
    return text.replace("e", ".0e") if "e" in text and "." not in text else text


def word(text: str) -> str:
    r"""Text that is read back as it is: plain where it can be, else in double quotes.

    What is not text, such as the bytes of a file's name that are not UTF-8, is written as `\\udcff`.
    """
    if _PLAIN.fullmatch(text) and text.lower() not in _RESERVED:
        return text
    text = text.encode("utf-8", "backslashreplace").decode()
    return "".join(c if c.isprintable() else f"\\U{ord(c):08X}" for c in json.dumps(text, ensure_ascii=False))


def comment_text(text: str) -> str:
    """A text as it may stand in a comment, which ends with its line and has no control characters."""
    return "".join(c if c.isprintable() else " " for c in text)
