"""Messages of rulebots-player/1, the line protocol of this package: JSON objects, one per line.

docs/protocols/programs.md is its manual, and player_messages.json says what each message holds.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, NoReturn

from rulebots.protocols import ProtocolError, sent

PROTOCOL = "rulebots-player/1"
#: The most bytes of a message: an observation of a large board is some 10,000.
LONGEST = 1_000_000
#: Characters of a program's remark that are kept.
MOST_WORDS = 1000


def schema() -> dict[str, Any]:
    """The JSON Schema of all messages."""
    schema: dict[str, Any] = json.loads(Path(__file__).with_name("player_messages.json").read_text("utf-8"))
    return schema


def by() -> str:
    """Who speaks: this package, with its version."""
    return f"rulebots {metadata.version('rulebots')}"


def written(kind: str, **parts: Any) -> str:
    """A message as a line."""
    return json.dumps({"type": kind, **parts}, separators=(",", ":"), ensure_ascii=False)


def read(line: str) -> Mapping[str, Any]:
    """The message that a line is, with a `type`.

    Raises:
        ProtocolError: not a JSON object, or one without a type.
    """
    try:
        message = json.loads(line, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise sent(line, 'a JSON object on one line, such as {"type":"move","move":3}') from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise sent(line, 'a JSON object with a "type"')
    return message


def check_protocol(message: Mapping[str, Any]) -> None:
    """Raise ProtocolError unless a greeting names this protocol."""
    protocol = part(message, "protocol", str, f'"{PROTOCOL}"')
    if protocol != PROTOCOL:
        raise ProtocolError(f'speaks \'{protocol[:40]}\': expected "protocol":"{PROTOCOL}"')


def integral(value: Any) -> Any:
    """The same value, 5.0 as 5: JSON Schema knows no difference."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def part(message: Mapping[str, Any], name: str, kind: type, what: str) -> Any:
    """A part of a message. Raises ProtocolError if it is missing or of another type; a bool is not a number."""
    value = message.get(name)
    if kind is int:
        value = integral(value)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        came = "nothing" if name not in message else f"'{_short(value)}'"
        raise ProtocolError(f'sent {came} as "{name}" of "{message["type"]}": expected {what}')
    return value


def whole(message: Mapping[str, Any], name: str, low: int, high: int) -> int:
    """A part that is a whole number from `low` to `high`. Raises ProtocolError."""
    what = f"a whole number from {low} to {high}"
    value: int = part(message, name, int, what)
    if not low <= value <= high:
        raise ProtocolError(f'sent \'{_short(value)}\' as "{name}" of "{message["type"]}": expected {what}')
    return value


def optional_words(message: Mapping[str, Any], name: str) -> str:
    """A remark for people, on one line and cut to some length; empty if there is none. Raises ProtocolError."""
    if message.get(name) is None:
        return ""
    words: str = part(message, name, str, "a text")
    return "".join(c if c.isprintable() else " " for c in words[:MOST_WORDS])


def optional_number(message: Mapping[str, Any], name: str) -> float | None:
    """A finite number; None if there is none. Raises ProtocolError."""
    if message.get(name) is None:
        return None
    value = part(message, name, int | float, "a number")  # type: ignore[arg-type]  # isinstance takes unions
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ProtocolError(f'sent a number as "{name}" that is too large')
    return number


def _no_number(text: str) -> NoReturn:
    raise ValueError(text)


def _short(value: Any) -> str:
    text = repr(value) if not isinstance(value, int) or abs(value) < 10**30 else "a very large number"
    return text if len(text) <= 60 else f"{text[:57]}..."
