"""Functions in plain Python, 3.9 and later: no NumPy; arrays are lists, and whole numbers are cut to 64 bits."""

from __future__ import annotations

import keyword
from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from rulebots.export.printing import INDENT, Printer
from rulebots.export.ranges import of_bits
from rulebots.export.reading import Function
from rulebots.export.tree import (
    BOOL,
    FLOAT,
    INT,
    ArrayKind,
    Binary,
    Builtin,
    Choice,
    Compare,
    Const,
    Each,
    Expr,
    Field,
    Fill,
    For,
    If,
    Item,
    Leave,
    Logic,
    Parallel,
    Return,
    Statement,
    Unary,
    Unpack,
    While,
    Zeros,
    kind_of,
)

#: How functions of `math` are called.
_MATH = {"exp": "math.exp", "log": "math.log", "sqrt": "math.sqrt", "floor": "math.floor", "isnan": "math.isnan"}


class PythonPrinter(Printer):
    """Writes Python."""

    reserved: ClassVar[frozenset[str]] = frozenset(
        {*keyword.kwlist, *["math", "min", "max", "abs", "int", "float", "bool", "range", "len"]}
    )

    def const(self, e: Const) -> str:
        """A number."""
        if e.kind == FLOAT and (e.value != e.value or abs(e.value) == np.inf):
            return f'float("{e.value}")'
        return repr(e.value)

    def field(self, e: Field) -> str:
        """A field."""
        return f"{self.text(e.record)}.{self.word(e.name)}"

    def item(self, e: Item) -> str:
        """An element."""
        return f"{self.text(e.array)}[{self.text(e.index)}]"

    def operation(self, e: Binary, left: str, right: str) -> str:
        """As it was; in 64 bits."""
        text = f"{left} {e.op} {right}"
        return f"int64({text})" if e.wraps else text

    def unary(self, e: Unary) -> str:
        """`-`, `~` or `not`."""
        if e.op == "not":
            return f"not {self.atom(e.value)}"
        value = f"int({self.text(e.value)})" if _is_truth(e.value) else self.atom(e.value)
        return f"{e.op}{value}"

    def compare(self, e: Compare) -> str:
        """A comparison."""
        return f"{self.atom(e.left)} {e.op} {self.atom(e.right)}"

    def logic(self, e: Logic) -> str:
        """`and` or `or`."""
        return f"{self.atom(e.left)} {e.op} {self.atom(e.right)}"

    def choice(self, e: Choice) -> str:
        """`yes if test else no`."""
        test = self.test(e.test)
        return f"{self.atom(e.yes)} if {test} else {self.atom(e.no)}"

    def builtin(self, e: Builtin) -> str:
        """A function of Python. A truth value is a number already."""
        if e.name == INT and e.args[0].kind == BOOL:
            return self.atom(e.args[0])
        return f"{_MATH.get(e.name, e.name)}({', '.join(map(self.text, e.args))})"

    def zeros(self, e: Zeros) -> str:
        """Lists of zeros."""
        assert isinstance(e.kind, ArrayKind)
        number = "0.0" if kind_of(np.dtype(e.kind.element)) == FLOAT else "0"
        return zeros([self.text(length) for length in e.lengths], number)

    def stored(self, target: Expr, value: Expr) -> str:
        """A whole number, cut to the bits of a field or element."""
        text = self.text(value)
        if isinstance(target, Field | Item) and target.kind == INT and target.place is not None:
            limit = target.place.found().limit
            if not value.range.within(limit):
                span = limit.high - limit.low
                return (
                    f"({self.atom(value)} + {-limit.low} & {span}) - {-limit.low}"
                    if limit.low
                    else f"{self.atom(value)} & {span}"
                )
        return text

    def simple(self, depth: int, text: str) -> Iterator[str]:
        """A statement of one line."""
        yield f"{INDENT * depth}{text}"

    def block(self, head: str, body: list[Statement], depth: int) -> Iterator[str]:  # type: ignore[override]
        """A head and its body, indented."""
        yield f"{INDENT * depth}{head}:"
        yield from self.statements(body, depth + 1)
        if not body:
            yield f"{INDENT * (depth + 1)}pass"

    def if_lines(self, s: If, depth: int) -> Iterator[str]:
        """`if`, with `elif`."""
        yield from self.block(f"if {self.test(s.test)}", s.body, depth)
        while len(s.other) == 1 and isinstance(s.other[0], If):
            s = s.other[0]
            yield from self.block(f"elif {self.test(s.test)}", s.body, depth)
        if s.other:
            yield from self.block("else", s.other, depth)

    def while_lines(self, s: While, depth: int) -> Iterator[str]:
        """`while`."""
        yield from self.block(f"while {self.test(s.test)}", s.body, depth)

    def for_lines(self, s: For, depth: int) -> Iterator[str]:
        """A loop over a range."""
        ends = [self.text(s.start), self.text(s.stop), str(s.step)]
        ends = ends[: 3 if s.step != 1 else 2]
        ends = ends[1:] if ends[0] == "0" and len(ends) == 2 else ends
        yield from self.block(f"for {self.word(s.variable)} in range({', '.join(ends)})", s.body, depth)

    def each_lines(self, s: Each, depth: int) -> Iterator[str]:
        """A loop over a tuple."""
        rows = [", ".join(map(self.text, row)) for row in s.rows]
        values = ", ".join(f"({row})" if len(s.variables) > 1 else row for row in rows)
        yield from self.block(f"for {', '.join(map(self.word, s.variables))} in ({values},)", s.body, depth)

    def fill_lines(self, s: Fill, depth: int) -> Iterator[str]:
        """All elements."""
        yield from self.simple(depth, f"fill({self.text(s.array)}, {self.text(s.value)})")

    def parallel_lines(self, s: Parallel, depth: int) -> Iterator[str]:
        """Several targets."""
        targets = ", ".join(map(self.text, s.targets))
        values = ", ".join(self.stored(t, v) for t, v in zip(s.targets, s.values, strict=True))
        yield from self.simple(depth, f"{targets} = {values}")

    def unpack_lines(self, s: Unpack, depth: int) -> Iterator[str]:
        """Several results."""
        targets = ["_" if target is None else self.text(target) for target in s.targets]
        yield from self.simple(depth, f"{', '.join(targets)} = {self.text(s.call)}")

    def return_lines(self, s: Return, depth: int) -> Iterator[str]:
        """`return`."""
        yield from self.simple(depth, f"return {', '.join(map(self.text, s.values))}".rstrip())

    def leave_lines(self, s: Leave, depth: int) -> Iterator[str]:
        """`break` or `continue`."""
        yield from self.simple(depth, s.word)

    def function(self, function: Function) -> Iterator[str]:
        """A function with the first line of its docstring."""
        yield f"def {self.prefix}{function.name}({', '.join(map(self.word, function.parameters))}):"
        if function.meaning:
            yield f"{INDENT}{docstring(function.meaning)}"
        yield from self.statements(function.body, 1)
        if not function.body:
            yield f"{INDENT}pass"


def docstring(text: str) -> str:
    """A text as a docstring."""
    escaped = text.replace("\\", "\\\\").replace('"""', "'''")
    return f'"""{escaped}"""' if not escaped.endswith('"') else f'"""{escaped} """'


def zeros(lengths: list[str], number: str) -> str:
    """Nested lists of a number."""
    if not lengths:
        return number
    inner = zeros(lengths[1:], number)
    return f"[{inner}] * {lengths[0]}" if len(lengths) == 1 else f"[{inner} for _ in range({lengths[0]})]"


def _is_truth(e: Expr) -> bool:
    return e.kind == BOOL or (isinstance(e, Builtin) and e.name == INT and e.args[0].kind == BOOL)


INT64 = of_bits(64)
