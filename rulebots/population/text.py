"""A population as text: YAML for people first, the same byte for byte whenever it is written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np

from rulebots.named_code import origin_of
from rulebots.population.model import Entry, Population, round_number
from rulebots.population.own_layout import FORMAT
from rulebots.registry import origin_of_game
from rulebots.rules import RuleSet, Weights

#: Further players are written without the meanings of the rules: a large population stays readable.
EXPLAINED = 20
#: Larger whole numbers are written as text: no reader takes them for whole numbers.
MOST_INTEGER = 10**100
#: YAML finds the end of a key within 1,024 characters, or needs a `?` in front of it.
LONGEST_KEY = 1000
#: What ends a line of a comment, in whatever way it was written.
_LINE_ENDS = re.compile("\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*")
#: Words that some YAML reader or other takes for something else than text.
_RESERVED = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}


def population_text(population: Population) -> str:
    """The YAML of a population: every rule on a line, with `[early, late]` and its meaning.

    Numbers are rounded to 4 significant decimals (see `rounded`).
    """
    return "".join(f"{line}\n" for line in _lines(population))


def _lines(population: Population) -> Iterator[str]:
    comment = [f"# {_printable(line)}".rstrip() for line in _LINE_ENDS.split(population.comment)]
    if comment != ["#"]:
        yield from comment
    yield f"format: {FORMAT}"
    yield f"game: {_text(population.game.name)}"
    yield f"rules: {_text(population.rules.name)}"
    if code := _code(population):
        yield f"code: {_flow(code)}"
    if population.bred is not None:
        yield f"bred: {_flow(population.bred)}"
    yield "players:" if population.players else "players: {}"
    for place, (name, entry) in enumerate(population.players.items()):
        yield from ("  ? " + _text(name), "  :") if _is_long(name) else (f"  {_text(name)}:",)
        yield from _player(entry, population.rules, explained=place < EXPLAINED)


def _code(population: Population) -> dict[str, str]:
    """By what names a person brought the game and the rule set, for those that are not installed."""
    named = origin_of(population.rules)
    found = {"game": origin_of_game(population.game.name), "rules": named.text if named else None}
    return {name: text for name, text in found.items() if text}


def _player(entry: Entry, rules: RuleSet, *, explained: bool) -> Iterator[str]:
    if entry.rating is not None:
        yield f"    rating: {_flow(entry.rating)}"
    if entry.note:
        yield f"    note: {_text(entry.note)}"
    named = [i for i in range(len(rules.rules)) if i not in entry.unnamed]
    written = {i: f"{_text(rules.rules[i].name)}: {_weight(entry.weights, i)}" for i in named}
    width = max(map(len, written.values()), default=0)
    yield "    weights:" if written else "    weights: {}"
    for group in rules.groups:
        members = [i for i in named if rules.rules[i].group == group]
        if members:
            yield f"      {_text(group)}:"
        for i in members:
            meaning = f"  # {_printable(rules.rules[i].meaning)}" if explained else ""
            yield f"        {written[i]:<{width}}{meaning}".rstrip()


def _weight(weights: Weights, column: int) -> str:
    """`0.1`, or `[0.61, 0.83]` where early and late differ."""
    early, late = (_number(round_number(number)) for number in weights[:, column])
    return early if early == late else f"[{early}, {late}]"


def _number(number: float) -> str:
    """A float that every reader takes for one: YAML 1.1 wants a point in front of an exponent."""
    text = repr(float(number) + 0.0).removesuffix(".0")  # there is no -0
    return text.replace("e", ".0e") if "e" in text and "." not in text else text


def _flow(value: Any) -> str:
    """Plain data on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(_key(str(key)) + _flow(part) for key, part in value.items()) + "}"
    if isinstance(value, list | tuple | np.ndarray):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if value is None:
        return "null"
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, Integral):
        whole = int(value)
        return str(whole) if abs(whole) < MOST_INTEGER else _text(hex(whole))
    if isinstance(value, Real) and np.isfinite(float(value)):
        return _number(float(value))
    return _text(str(value))


def _key(text: str) -> str:
    """A key of a map on one line, with its colon."""
    return f"? {_text(text)} : " if _is_long(text) else f"{_text(text)}: "


def _is_long(key: str) -> bool:
    return len(_text(key)) > LONGEST_KEY


def _text(text: str) -> str:
    r"""Text that is read back as it is: plain where it can be, else in double quotes.

    What is not text, such as the bytes of a file's name that are not UTF-8, is written as `\\udcff`.
    """
    if _PLAIN.fullmatch(text) and text.lower() not in _RESERVED:
        return text
    text = text.encode("utf-8", "backslashreplace").decode()
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(c if c.isprintable() else f"\\U{ord(c):08X}" for c in quoted)


def _printable(text: str) -> str:
    """A comment ends with its line, and YAML allows no control characters in it."""
    return "".join(c if c.isprintable() else " " for c in text)
