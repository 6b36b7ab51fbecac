"""The functions, records and tables of an export.

Each function is read once for each combination of kinds that it is called with, as a compiler does, and again whenever
the range of a number that it reads has grown, until nothing grows. What the language lacks ends in a `NotInSubset`
with the line of the user's code.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rulebots.export.ranges import EXACT, Range
from rulebots.export.source import source_of, tree_of
from rulebots.export.tree import (
    BOOL,
    INT,
    KINDS,
    ArrayKind,
    Expr,
    Kind,
    Place,
    RecordKind,
    Statement,
    kind_of,
    range_of,
)


@dataclass(eq=False)
class Function:
    """A kernel, read for arguments of certain kinds."""

    name: str
    source: types.FunctionType
    tree: ast.FunctionDef
    parameters: dict[str, Place]
    variables: dict[str, Place] = field(default_factory=dict)
    arrays: dict[ast.Call, Place] = field(default_factory=dict)
    results: list[Place] = field(default_factory=list)
    gives: Kind = None
    body: tuple[Statement, ...] | None = None
    reading: bool = False


class Program:
    """The functions, records and tables of an export; `read` reads the body of a function."""

    def __init__(self, options: dict[str, int], read: Callable[[Program, Function], tuple[Statement, ...]]) -> None:
        self.options = options
        self.read = read
        self.functions: dict[Any, Function] = {}
        self.tables: dict[int, Expr] = {}
        self.records: dict[int, RecordKind] = {}
        self.fields: dict[tuple[str, str], Place] = {}
        #: Parameters that are numbers: their ranges are shared, so that functions of other records can be alike.
        self.numbers: dict[tuple[Any, str, Kind], Place] = {}
        self.waiting: dict[Function, None] = {}
        #: How many functions, records and tables want each name.
        self.names: dict[str, int] = {}

    def name(self, wanted: str) -> str:
        """The name, with a number where it is taken."""
        count = self.names[wanted] = self.names.get(wanted, 0) + 1
        return wanted if count == 1 else self.name(f"{wanted}_{count}")

    def record(self, name: str, dtype: np.dtype[Any], set_first: frozenset[str] = frozenset()) -> RecordKind:
        """The kind of records of a type. Fields are 0 at first, but for those that are `set_first`."""
        if id(dtype) in self.records:
            return self.records[id(dtype)]
        kind = self.records[id(dtype)] = RecordKind(self.name(name), dtype)
        for one in dtype.names or ():
            base = dtype[one].base
            held = ArrayKind(base.name, dtype[one].shape) if dtype[one].shape else kind_of(base)
            zero = None if one in set_first else Range(0, 0)
            self.fields[kind.name, one] = Place(held, EXACT if base.kind == "f" else zero, range_of(base))
        return kind

    def table(self, name: str, values: Any) -> Expr:
        """A constant array, by the name that the kernels have for it."""
        if id(values) not in self.tables:
            whole = values.dtype.kind in "iub"
            elements = Place(None, Range(int(values.min()), int(values.max())) if whole else EXACT)
            kind = ArrayKind(values.dtype.name, values.shape)
            self.tables[id(values)] = Expr("table", kind, place=elements, name=self.name(name.strip("_")), value=values)
        return self.tables[id(values)]

    def function(self, body: Any, arguments: Sequence[Expr]) -> Function:
        """A kernel for arguments like these. Raises NotInSubset."""
        source: Any = source_of(body)
        key = (source, *(a.kind for a in arguments))
        if key not in self.functions:
            tree = tree_of(source)
            names = (argument.arg for argument in tree.args.args)
            parameters = {n: Place(a.kind) for n, a in zip(names, arguments, strict=True)}
            numbers = ((n, place) for n, place in parameters.items() if place.kind in KINDS)
            parameters |= {n: self.numbers.setdefault((source, n, place.kind), place) for n, place in numbers}
            self.functions[key] = Function(self.name(source.__name__.strip("_")), source, tree, parameters)
        function = self.functions[key]
        for here, argument in zip(function.parameters.values(), arguments, strict=True):
            if argument.place is not None and isinstance(argument.kind, ArrayKind):
                here.unite(argument.place, self.waiting)
            elif argument.kind in (INT, BOOL):
                here.join(argument.range, self.waiting)
        if function.body is None and not function.reading:
            self._read(function)
        return function

    def settle(self) -> None:
        """Read again what was read before a range grew that it depends on, until nothing grows."""
        while self.waiting:
            self._read(self.waiting.popitem()[0])

    def _read(self, function: Function) -> None:
        function.reading = True
        function.body = self.read(self, function)
        function.reading = False
