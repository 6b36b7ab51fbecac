"""The parameters of a program: start, range, whole numbers, logarithmic scale, choices of words.

A search knows coordinates, shares of each parameter's range: 0 is its lower end, 1 its upper end. A program gets
values: whole numbers, words, or real numbers of six digits.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rulebots.errors import check_known, demand, shown
from rulebots.files.ranges import number_of
from rulebots.game import Floats

Value = int | float | str
Values = Mapping[str, Value]

#: What may follow a range, after a colon.
KINDS = ("int", "real", "log")
#: A default range of whole numbers reaches at least that far above the start.
LEAST_REACH = 3
#: How far a default range on a logarithmic scale reaches, as a factor.
FACTOR = 10.0
#: Digits of a real number.
DIGITS = 6
_NAME = re.compile(r"[^\s={}:][^={}:]*")
_EXAMPLE = "such as depth=3:1..8:int, speed=0.5, scale=10:0.1..1000:log or style=calm|wild"


@dataclass(frozen=True)
class Parameter:
    """A parameter: where the search starts, and what it may be.

    `low` and `high` are by default 0 and twice the start (a tenth and ten times the start with `log`). With `choices`
    the start is one of them. `whole` numbers stay whole; with `log` steps are factors.

    Raises:
        UsageError: the start is outside the range, or the range is empty, or not for a logarithmic scale.
    """

    name: str
    start: Value
    low: float = math.nan
    high: float = math.nan
    whole: bool = False
    log: bool = False
    choices: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        demand(_NAME.fullmatch(self.name), f"parameter '{shown(self.name)}': expected a name, {_EXAMPLE}")
        if self.choices:
            demand(
                len(set(self.choices)) == len(self.choices) > 1 and self.start in self.choices,
                f"parameter '{self.name}': expected two or more different words, one of them the start, {_EXAMPLE}",
            )
            # Their numbers: NaN would make equal parameters unequal.
            object.__setattr__(self, "low", 0.0)
            object.__setattr__(self, "high", len(self.choices) - 1.0)
            return
        start = float(self.start)
        low, high = self._usual_range(start)
        # Frozen, and yet to be completed.
        object.__setattr__(self, "low", low if math.isnan(self.low) else self.low)
        object.__setattr__(self, "high", high if math.isnan(self.high) else self.high)
        reach = f"{self.low:g}..{self.high:g}"
        demand(
            not self.log or min(self.low, start) > 0 or max(self.high, start) < 0,
            f"parameter '{self.name}': a logarithmic scale needs numbers all above 0, or all below, not {start:g} in "
            f"{reach}",
        )
        demand(
            self.low <= start <= self.high and self.low < self.high and math.isfinite(self.high - self.low),
            f"parameter '{self.name}': expected its start within its range, not {start:g} in {reach}",
        )
        demand(
            not self.whole or all(end == round(end) for end in (start, self.low, self.high)),
            f"parameter '{self.name}': expected whole numbers, not {start:g} in {reach}",
        )
        object.__setattr__(self, "start", round(start) if self.whole else start)

    def _usual_range(self, start: float) -> tuple[float, float]:
        if self.log:
            return min(start / FACTOR, start * FACTOR), max(start / FACTOR, start * FACTOR)
        reach = max(abs(start), LEAST_REACH) if self.whole else abs(start) or 1.0
        return 0.0 if start > 0 else start - reach, 0.0 if start < 0 else start + reach

    def value(self, coordinate: float, dither: float = 0.5) -> Value:
        """The value at a coordinate, 0..1.

        Between two whole numbers or words, `dither` decides, 0..1: over all of them each comes as often as it is near.
        """
        if self.choices:
            return self.choices[_stepped(coordinate * len(self.choices) - 0.5, dither, 0, len(self.choices) - 1)]
        low, high = self._scaled(self.low), self._scaled(self.high)
        at = low + coordinate * (high - low)
        number = min(max(math.copysign(math.exp(at), self.low) if self.log else at, self.low), self.high)
        if self.whole:
            return _stepped(number, dither, round(self.low), round(self.high))
        return float(f"{number:.{DIGITS}g}")

    def coordinate(self, value: Value) -> float:
        """The coordinate of a value, 0..1."""
        if self.choices:
            return (self.choices.index(str(value)) + 0.5) / len(self.choices)
        at, low, high = map(self._scaled, (float(value), self.low, self.high))
        return (at - low) / (high - low)

    def _scaled(self, number: float) -> float:
        """A number of the range on its scale; of a range below 0 the logarithm of the size."""
        return math.log(abs(number)) if self.log else number


def _stepped(number: float, dither: float, low: int, high: int) -> int:
    return min(max(math.floor(number + dither), low), high)


def written(value: Value) -> str:
    """A value as text: a real number has a point, which tells readers of JSON and YAML that it is one."""
    if not isinstance(value, float):
        return str(value)
    mantissa, e, exponent = repr(value).partition("e")
    return mantissa + ("" if "." in mantissa else ".0") + e + exponent


def values_at(parameters: Sequence[Parameter], point: Floats, dither: Floats | None = None) -> dict[str, Value]:
    """The values at a point, float64[d] in 0..1; see `Parameter.value` for `dither`, float64[d]."""
    between = np.full(len(point), 0.5) if dither is None else dither
    places = zip(parameters, point.tolist(), between.tolist(), strict=True)
    return {one.name: one.value(at, luck) for one, at, luck in places}


def start_of(parameters: Sequence[Parameter]) -> Floats:
    """The point where the search starts, float64[d] in 0..1."""
    return np.array([one.coordinate(one.start) for one in parameters])


def read_parameter(text: str, filed: Mapping[str, Parameter] | None = None) -> Parameter:
    """`NAME=START`, `NAME=START:LOW..HIGH`, with `:int`, `:real` or `:log` at the end, or `NAME=WORD|WORD`.

    Of a parameter that is `filed`, which a file of numbers has, START may be left out.

    Raises:
        UsageError: anything else, or a name that is not in the file; the message says what came.
    """
    name, equals, rest = text.partition("=")
    demand(equals and name, f"expected NAME=START, {_EXAMPLE}, not '{shown(text)}'")
    if "|" in rest:
        words = tuple(rest.split("|"))
        return Parameter(name, words[0], choices=words)
    begin, *more = rest.split(":")
    if filed is not None:
        check_known("number", name, filed, "the file")
    known = (filed or {}).get(name)
    start = known.start if known and not begin else number_of(begin)
    demand(
        start is not None, f"parameter '{shown(name)}': expected a number to start at, {_EXAMPLE}, not '{shown(begin)}'"
    )
    ends = [part.partition("..") for part in more if ".." in part]
    kinds = {part for part in more if ".." not in part}
    for kind in kinds:
        check_known("kind of parameter", kind, KINDS, f"'{shown(text)}'")
    numbers = [number_of(end) for low, _, high in ends for end in (low, high)]
    demand(len(ends) <= 1 and None not in numbers, f"parameter '{shown(name)}': expected a range LOW..HIGH, {_EXAMPLE}")
    low, high = numbers or (math.nan, math.nan)
    whole = "int" in kinds or bool(known and known.whole and "real" not in kinds)
    return Parameter(name, start, low, high, whole, "log" in kinds)  # type: ignore[arg-type]  # no None


def chosen_parameters(texts: Sequence[str], filed: Sequence[Parameter] | None = None) -> list[Parameter]:
    """The parameters that a command line names: of a file of numbers those, or all where it names none.

    Raises:
        UsageError: as `read_parameter` does; a name that comes twice, or is not in the file; no parameter at all.
    """
    known = None if filed is None else {one.name: one for one in filed}
    parameters = [read_parameter(text, known) for text in texts] or list(filed or ())
    names = [one.name for one in parameters]
    twice = next((name for name in names if names.count(name) > 1), None)
    demand(twice is None, f"parameter '{twice}' is there twice: give it once")
    demand(parameters, f"no parameter to tune: give --param NAME=START:LOW..HIGH, {_EXAMPLE}, or --params FILE")
    return parameters
