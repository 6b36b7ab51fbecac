"""The small language between the Python of kernels and the languages of exports: typed expressions and statements.

Numbers have one of three kinds, as compiled kernels compute with them: "int" is 64 bits wide and wraps around, "float"
a float64, "bool" a truth value. Arrays and fields hold narrower numbers, and what does not fit is cut off there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from rulebots.export.ranges import BIT, EXACT, INT64, Range, of_bits

if TYPE_CHECKING:
    from rulebots.export.reading import Function, Place

BOOL, INT, FLOAT = "bool", "int", "float"
#: Wider kinds hold what narrower ones do.
KINDS = (BOOL, INT, FLOAT)


@dataclass(frozen=True)
class ArrayKind:
    """An array of numbers of a NumPy type; a length of None is known at run time only."""

    element: str
    shape: tuple[int | None, ...]

    @property
    def inner(self) -> Kind:
        """What one index gives."""
        return ArrayKind(self.element, self.shape[1:]) if len(self.shape) > 1 else kind_of(np.dtype(self.element))


@dataclass(frozen=True)
class RecordKind:
    """A record of a state or a view, by the name of its type in the export."""

    name: str
    dtype: np.dtype[Any]


@dataclass(frozen=True)
class TupleKind:
    """What a function with several results gives."""

    parts: tuple[Kind, ...]


Kind: TypeAlias = str | ArrayKind | RecordKind | TupleKind | None


def kind_of(dtype: np.dtype[Any]) -> str:
    """The kind in which a number of that type is computed with."""
    return {"b": BOOL, "f": FLOAT}.get(dtype.kind, INT)


def range_of(dtype: np.dtype[Any]) -> Range:
    """The numbers that an element of that type can be."""
    if dtype.kind in "iu":
        return of_bits(8 * dtype.itemsize, signed=dtype.kind == "i")
    return BIT if dtype.kind == "b" else EXACT


@dataclass
class Expr:
    """An expression: its kind, the range of a whole number, and where the numbers of an array stand."""

    kind: Kind = None
    range: Range = INT64
    place: Place | None = None


@dataclass
class Const(Expr):
    """A number."""

    value: Any = 0


@dataclass
class Local(Expr):
    """A variable or a parameter."""

    name: str = ""


@dataclass
class Table(Expr):
    """An array of constants."""

    name: str = ""
    values: Any = None


@dataclass
class Field(Expr):
    """A field of a record."""

    record: Expr = field(default_factory=Expr)
    name: str = ""


@dataclass
class Item(Expr):
    """An element of an array, or a row of one with more dimensions."""

    array: Expr = field(default_factory=Expr)
    index: Expr = field(default_factory=Expr)


@dataclass
class Binary(Expr):
    """`left op right` of numbers of one kind, except that of / may be whole; `wraps` where 64 bits may not hold it."""

    op: str = ""
    left: Expr = field(default_factory=Expr)
    right: Expr = field(default_factory=Expr)
    wraps: bool = False


@dataclass
class Unary(Expr):
    """`-`, `~` or `not` of a number."""

    op: str = ""
    value: Expr = field(default_factory=Expr)


@dataclass
class Compare(Expr):
    """A comparison of two numbers."""

    op: str = ""
    left: Expr = field(default_factory=Expr)
    right: Expr = field(default_factory=Expr)


@dataclass
class Logic(Expr):
    """`and` or `or`: the left value where it decides, else the right one, which is only then worked out."""

    op: str = ""
    left: Expr = field(default_factory=Expr)
    right: Expr = field(default_factory=Expr)


@dataclass
class Choice(Expr):
    """`yes if test else no`."""

    test: Expr = field(default_factory=Expr)
    yes: Expr = field(default_factory=Expr)
    no: Expr = field(default_factory=Expr)


@dataclass
class Call(Expr):
    """A call of another function."""

    function: Function | None = None
    args: list[Expr] = field(default_factory=list)


@dataclass
class Builtin(Expr):
    """`min`, `max`, `abs`, `exp`, `log`, `sqrt`, `floor`, `isnan`; or the number as `int`, `float` or `bool`."""

    name: str = ""
    args: list[Expr] = field(default_factory=list)


@dataclass
class Zeros(Expr):
    """A new array of zeros; its first length may be an expression."""

    lengths: list[Expr] = field(default_factory=list)


@dataclass
class Assign:
    """`target = value`."""

    target: Expr
    value: Expr


@dataclass
class Parallel:
    """`targets = values`, all values worked out first."""

    targets: list[Expr]
    values: list[Expr]


@dataclass
class Unpack:
    """`targets = call`, of a function with several results; None where one is not needed."""

    targets: list[Expr | None]
    call: Call


@dataclass
class Fill:
    """Every element of an array becomes that number."""

    array: Expr
    value: Expr


@dataclass
class If:
    """`if`."""

    test: Expr
    body: list[Statement]
    other: list[Statement]


@dataclass
class While:
    """`while`."""

    test: Expr
    body: list[Statement]


@dataclass
class For:
    """A variable takes the values of a range; `step` is a constant."""

    variable: str
    start: Expr
    stop: Expr
    step: int
    body: list[Statement]
    counter: str = ""


@dataclass
class Each:
    """Variables take the values of each row in turn."""

    variables: list[str]
    rows: list[list[Expr]]
    body: list[Statement]
    counter: str = ""


@dataclass
class Return:
    """`return`, with no value, one or several."""

    values: list[Expr]


@dataclass
class Do:
    """A call for what it does."""

    call: Call


@dataclass
class Leave:
    """`break` or `continue`."""

    word: str


Statement: TypeAlias = Assign | Parallel | Unpack | Fill | If | While | For | Each | Return | Do | Leave
