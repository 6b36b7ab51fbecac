"""Numbers with limits in a dataclass of settings: said once, beside the default and what it means."""

from __future__ import annotations

from dataclasses import field, fields
from typing import Any, TypeVar

from rulebots.errors import UsageError

N = TypeVar("N", int, float)


def number(default: N, low: float, high: float, meaning: str) -> N:
    """A field of a dataclass that `check_numbers` holds to its limits; a whole number where the default is one."""
    limits: Any = field(default=default, metadata={"low": low, "high": high, "meaning": meaning})
    return limits


def check_numbers(settings: Any) -> None:
    """Raise UsageError for the first field made by `number` that is none, or outside its limits."""
    for f in fields(settings):
        if "low" not in f.metadata:
            continue
        value, low, high, whole = getattr(settings, f.name), f.metadata["low"], f.metadata["high"], type(f.default)
        kinds = (int,) if whole is int else (int, float)
        if not isinstance(value, kinds) or isinstance(value, bool):
            expected = f"a whole number of at least {low}" if whole is int else f"a number from {low} to {high}"
        elif low <= value <= high:
            continue
        elif whole is int:
            expected = f"a whole number of at least {low}" if value < low else f"at most {high:,}"
        else:
            expected = f"a number from {low} to {high}"
        raise UsageError(f"{f.name}: expected {expected}, not {value!r}")
