"""The small language between the Python of kernels and the languages of exports: typed expressions and statements.

Numbers have one of three kinds, as compiled kernels compute with them: "int" is 64 bits wide and wraps around, "float"
a float64, "bool" a truth value. Arrays and fields hold narrower numbers, and what does not fit is cut off there.

Forms of expressions, with their `parts`, and what `name` is:

    const                     a number, `value`
    local                     a variable or parameter, `name`
    table                     a constant array, `value`, by `name`
    field     record          the field `name` of a record
    item      array, index    an element, or a row of an array with more dimensions
    binary    left, right     the operation `name`; `wraps` where 64 bits may not hold the result
    unary     value           -, ~ or not
    compare   left, right     ==, !=, <, <=, >, >=
    logic     left, right     and, or: the left value where it decides, else the right one
    choice    test, yes, no   `yes if test else no`
    call      arguments       of the function `value`
    builtin   arguments       min, max, abs, exp, log, sqrt, floor, isnan; or int, float, bool, the number as that kind
    zeros     lengths         a new array of zeros

Forms of statements:

    assign    targets[0] = values[0]
    unpack    targets = values[0], a call with several results; a target is None where one is not needed
    fill      every element of the array targets[0] becomes values[0]
    do        the call values[0]
    if, while `body` (and `other`) by the test values[0]
    for       `name`, which nothing else sees, goes from values[0] to before values[1] by `step`; targets[0], if any,
              is the variable that takes each value
    each      the variables `targets` take the values of each of `rows` in turn, the `name`th of them
    return    values
    leave     `name`: break or continue
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from rulebots.export.ranges import BIT, EXACT, INT64, Range, of_bits

BOOL, INT, FLOAT = "bool", "int", "float"
#: Wider kinds hold what narrower ones do.
KINDS = (BOOL, INT, FLOAT)


@dataclass(frozen=True)
class ArrayKind:
    """An array of numbers of a NumPy type; a length of None is known at run time only."""

    element: str
    shape: tuple[int | None, ...]


@dataclass(frozen=True)
class RecordKind:
    """A record of a state or a view, by the name of its type in the export."""

    name: str
    dtype: np.dtype[Any]


#: A tuple is what a function with several results gives.
Kind: TypeAlias = "str | ArrayKind | RecordKind | tuple[Kind, ...] | None"


#: A range that has grown this often is widened.
PATIENCE = 3


class Place:
    """Where numbers stand: a variable, a parameter, a field, the elements of an array, or what a function gives.

    `readers` are the functions to be read again when its kind or range grows. Two places that turn out to hold the same
    array become one.
    """

    def __init__(self, kind: Kind = None, limits: Range | None = None, most: Range = INT64) -> None:
        self.kind = kind
        self.range = limits
        self.limit = most
        self.readers: dict[Any, None] = {}
        self.elements: Place | None = None
        self.grown = 0
        self.same: Place | None = None

    def found(self) -> Place:
        """The place that this one has become."""
        return self if self.same is None else self.same.found()

    def join(self, added: Range, waiting: dict[Any, None]) -> None:
        """Numbers of that range may stand here as well; `waiting` gets the readers where that is news."""
        here = self.found()
        added = added if added.within(here.limit) else here.limit
        whole = added if here.range is None else here.range | added
        if whole == here.range:
            return
        here.grown += 1
        if here.range is not None and here.grown > PATIENCE:
            whole = whole.widened(here.range) & here.limit
        if whole != here.range:
            here.range = whole
            waiting |= here.readers

    def unite(self, other: Place, waiting: dict[Any, None]) -> None:
        """This place and the other hold the same array."""
        one = self.found()
        two = other.found()
        if one is not two:
            two.same = one
            one.readers |= two.readers
            one.limit &= two.limit
            one.join(two.range or one.range or Range(0, 0), waiting)
            if one.range != two.range:
                waiting |= two.readers

    def read(self, reader: Any) -> Range:
        """Its range, for a function that is to be read again when it grows."""
        here = self.found()
        here.readers[reader] = None
        return here.range or Range(0, 0)


@dataclass
class Expr:
    """An expression: its form, its `Kind`, the range of a whole number, and the `Place` of an array's numbers."""

    form: str
    kind: Any = None
    range: Range = INT64
    place: Any = None
    name: str = ""
    parts: tuple[Expr, ...] = ()
    value: Any = None
    wraps: bool = False

    @property
    def limit(self) -> Range | None:
        """The whole numbers that a field or element can hold; None for what holds 64 bits or a float."""
        held = self.form in ("field", "item") and self.kind != FLOAT and self.place is not None
        return self.place.found().limit if held else None

    def is_number(self) -> bool:
        """Whether it is a number, and not an array or a record."""
        return self.kind in KINDS


@dataclass
class Statement:
    """A statement: its form and what belongs to it."""

    form: str
    targets: tuple[Any, ...] = ()
    values: tuple[Expr, ...] = ()
    body: tuple[Statement, ...] = ()
    other: tuple[Statement, ...] = ()
    name: str = ""
    step: int = 1
    rows: tuple[tuple[Expr, ...], ...] = ()


def kind_of(dtype: np.dtype[Any]) -> str:
    """The kind in which a number of that type is computed with."""
    return {"b": BOOL, "f": FLOAT}.get(dtype.kind, INT)


def range_of(dtype: np.dtype[Any]) -> Range:
    """The numbers that an element of that type can be."""
    limits = {"i": of_bits(8 * dtype.itemsize), "u": of_bits(8 * dtype.itemsize, signed=False), "b": BIT}
    return limits.get(dtype.kind, EXACT)


def element_of(kind: ArrayKind) -> Kind:
    """What one index gives."""
    return ArrayKind(kind.element, kind.shape[1:]) if len(kind.shape) > 1 else kind_of(np.dtype(kind.element))


def wider(one: Kind, other: Kind) -> str:
    """The kind that holds numbers of both kinds."""
    return KINDS[max(KINDS.index(str(one)), KINDS.index(str(other)))]


def constant(value: Any) -> Expr:
    """A number as an expression."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float):
        return Expr("const", FLOAT, value=value)
    return Expr("const", BOOL if isinstance(value, bool) else INT, Range(int(value), int(value)), value=value)
