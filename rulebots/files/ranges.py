"""Numbers and their ranges: settings are declared once, with default, range and meaning.

@dataclass(frozen=True)
class CoolingSettings:
    steps: int = number(100, 1, 10_000, "steps until it is cold")
    start: float = number(1.0, 0.0, 50.0, "the temperature of the first step")
    seconds: float | None = optional_number(float, 0.001, 3600.0, "stop after this time")

    def __post_init__(self) -> None:
        check_numbers(self)

Values are checked by `check_numbers`; texts are read by `Range.read`; a file's layout (`layout.keys_of`) and the flags
of a command (`rulebots.cli.options`) follow from the fields.
"""

import math
import re
from dataclasses import dataclass, field, fields
from numbers import Real
from typing import Any, TypeVar

from rulebots.errors import UsageError, demand, is_whole, shown

N = TypeVar("N", int, float)

_KEY = "range"
_WHOLE = re.compile(r"[-+]?[0-9]{1,18}")
# YAML 1.1 and 1.2 disagree about 1e-3, 010, 1_000 and 1:30; numbers here are what a person means.
_NUMBER = re.compile(r"[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?")


def whole_of(text: str) -> int | None:
    """A text as a whole number; None for anything else, and for more than 18 digits."""
    return int(text) if _WHOLE.fullmatch(text) else None


def number_of(text: str) -> float | None:
    """A text as a number, perhaps infinite; None for anything that is not plainly one."""
    return float(text) if _NUMBER.fullmatch(text) else None


@dataclass(frozen=True)
class Range:
    """The values that a number may have: `low` to `high`, both included.

    With `whole` the value must be a whole number; with `optional` it may be None.
    """

    low: float = -math.inf
    high: float = math.inf
    whole: bool = False
    optional: bool = False
    meaning: str = ""

    def holds(self, value: object) -> bool:
        """Whether a value is in the range. NaN, True and False never are."""
        if value is None:
            return self.optional
        is_number = is_whole(value) or (not self.whole and isinstance(value, Real) and not isinstance(value, bool))
        return is_number and self.low <= value <= self.high  # type: ignore[operator]  # a number

    def check(self, what: str, value: object) -> None:
        """Raise UsageError, which names `what`, unless the value is in the range."""
        demand(self.holds(value), f"{what}: expected {self}, not {value!r}")

    def read(self, text: str) -> Any:
        """The number that a text stands for. Raises UsageError for anything else."""
        value = whole_of(text) if self.whole else number_of(text)
        if value is None or not self.holds(value):
            raise UsageError(f"expected {self}, not '{shown(text)}'")
        return value

    def __str__(self) -> str:
        kind = "a whole number" if self.whole else "a number"
        low, high = (f"{end:,}" if self.whole else f"{end:,.12g}" for end in (self.low, self.high))
        if math.isinf(self.low):
            return kind
        return f"{kind} of at least {low}" if math.isinf(self.high) else f"{kind} from {low} to {high}"


def number(default: N, low: N, high: N, meaning: str, **declared: Any) -> N:
    """A field of a dataclass: a number from `low` to `high`, whole where the default is an int."""
    allowed = Range(low, high, isinstance(default, int), meaning=meaning)
    return field(default=default, metadata={_KEY: allowed, **declared})


def optional_number(kind: type[N], low: N, high: N, meaning: str, **declared: Any) -> N | None:
    """A field of a dataclass: None by default, else an int or a float from `low` to `high`."""
    allowed = Range(low, high, kind is int, optional=True, meaning=meaning)
    return field(default=None, metadata={_KEY: allowed, **declared})


def ranges_of(settings: Any) -> dict[str, Range]:
    """The ranges that a dataclass, or an instance of one, declares, by the name of the field."""
    return {f.name: f.metadata[_KEY] for f in fields(settings) if _KEY in f.metadata}


def flags_of(settings: type) -> dict[str, str]:
    """The flag of each setting of a dataclass that has one: of those declared with `flag=None` there is none."""
    flags = {f.name: f.metadata.get("flag", f"--{f.name.replace('_', '-')}") for f in fields(settings)}
    return {name: flag for name, flag in flags.items() if flag is not None}


def check_numbers(settings: Any, owner: str = "") -> None:
    """Check every field that was declared by `number` or `optional_number`.

    Args:
        settings: an instance of a dataclass.
        owner: what has these settings, for the message: "mcts" gives "mcts: iterations: expected ...".

    Raises:
        UsageError: a value is not a number of its range; the message names the first one.
    """
    for name, allowed in ranges_of(settings).items():
        allowed.check(f"{owner}: {name}" if owner else name, getattr(settings, name))
