"""Plain data as YAML for people, which reads back as it was: the counterpart of yaml_reading.py."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np

#: Larger whole numbers are written as text, because no reader takes them for whole numbers.
MOST_INTEGER = 10**100
#: YAML finds the end of a key within 1,024 characters, or needs a `?` in front of it.
LONGEST_KEY = 1000
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*")
#: Words that some YAML readers do not take for text.
_RESERVED = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}


def number_text(number: float) -> str:
    """A float that every reader takes for a float: YAML 1.1 wants a point in front of an exponent."""
    text = repr(float(number) + 0.0).removesuffix(".0")  # without the sign of -0
    return text.replace("e", ".0e") if "e" in text and "." not in text else text


def flow(value: Any) -> str:
    """Plain data on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(_key(str(key)) + flow(part) for key, part in value.items()) + "}"
    if isinstance(value, list | tuple | np.ndarray):
        return "[" + ", ".join(map(flow, value)) + "]"
    if value is None:
        return "null"
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, Integral):
        whole = int(value)
        return str(whole) if abs(whole) < MOST_INTEGER else word(hex(whole))
    if isinstance(value, Real) and np.isfinite(float(value)):
        return number_text(float(value))
    return word(str(value))


def _key(text: str) -> str:
    """A key of a map on one line, with its colon."""
    return f"? {word(text)} : " if is_long_key(text) else f"{word(text)}: "


def is_long_key(key: str) -> bool:
    """Whether YAML wants a `?` in front of a key."""
    return len(word(key)) > LONGEST_KEY


def word(text: str) -> str:
    r"""Text that is read back as it is: plain where it can be, else in double quotes.

    What is not text, such as the bytes of a file's name that are not UTF-8, is written as `\\udcff`.
    """
    if _PLAIN.fullmatch(text) and text.lower() not in _RESERVED:
        return text
    text = text.encode("utf-8", "backslashreplace").decode()
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(c if c.isprintable() else f"\\U{ord(c):08X}" for c in quoted)


def printable(text: str) -> str:
    """A comment ends with its line, and YAML allows no control characters in it."""
    return "".join(c if c.isprintable() else " " for c in text)
