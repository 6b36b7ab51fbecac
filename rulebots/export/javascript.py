"""Functions in JavaScript. A whole number is a Number as long as that is exact, and a BigInt beyond it.

Helpers of the runtime (`add`, `mul`, `shl` ...) take and give either; they stand only where a result may be inexact, or
where bits beyond 32 may be needed. Narrow arrays are typed arrays, which cut off what does not fit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from rulebots.export.printing import INDENT, Printer
from rulebots.export.ranges import EXACT, INT32, Range
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
    Item,
    Logic,
    Parallel,
    Return,
    Unary,
    Unpack,
    Zeros,
)

#: Typed arrays by NumPy type. Wider whole numbers stand in plain arrays.
TYPED = {
    "int8": "Int8Array", "int16": "Int16Array", "int32": "Int32Array", "uint8": "Uint8Array", "uint16": "Uint16Array",
    "uint32": "Uint32Array", "bool": "Uint8Array", "float64": "Float64Array",
}  # fmt: skip
_HELPERS = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "//": "floorDiv",
    "%": "mod",
    "<<": "shl",
    ">>": "shr",
    "&": "and",
    "|": "or",
    "^": "xor",
}
_SHIFT = Range(0, 31)
_WORD = 0xFFFFFFFF
_RESERVED = """await break case catch class const continue debugger default delete do else enum export extends false
finally for function if implements import in instanceof interface let new null package private protected public return static
super switch this throw true try typeof var void while with yield arguments eval undefined NaN Infinity Math Number
BigInt Array add sub mul floorDiv mod shl shr and or xor not at fill grid min max table least most low"""


class JavaScriptPrinter(Printer):
    """Writes JavaScript."""

    reserved: ClassVar[frozenset[str]] = frozenset(_RESERVED.split())

    def const(self, e: Const) -> str:
        """A number."""
        if e.kind == BOOL:
            return "true" if e.value else "false"
        if e.kind == INT:
            return str(e.value) if e.range.within(EXACT) else f"{e.value}n"
        return number(e.value)

    def field(self, e: Field) -> str:
        """A field; a truth value stands there as 0 or 1."""
        return self._loaded(e, f"{self.text(e.record)}.{self.word(e.name)}")

    def item(self, e: Item) -> str:
        """An element; a negative index counts from the end."""
        index = self.text(e.index)
        if e.index.kind == BOOL:
            index = f"{self.atom(e.index)} ? 1 : 0"
        elif e.index.range.low < 0:
            length = e.array.kind.shape[0] if isinstance(e.array.kind, ArrayKind) else None
            if length is not None:
                index = f"at({index}, {length})"
        return self._loaded(e, f"{self.text(e.array)}[{index}]")

    def _loaded(self, e: Expr, text: str) -> str:
        return f"{text} !== 0" if e.kind == BOOL else text

    def operation(self, e: Binary, left: str, right: str) -> str:
        """A floating operation, or a whole one with as little as is exact."""
        if e.kind == BOOL:
            return f"{left} {({'&': '&&', '|': '||', '^': '!=='})[e.op]} {right}"
        if e.kind == FLOAT:
            left = left if e.left.kind != INT or e.left.range.within(EXACT) else f"Number({left})"
            right = right if e.right.kind != INT or e.right.range.within(EXACT) else f"Number({right})"
            if e.op in ("//", "%"):
                return f"{'floorDiv' if e.op == '//' else 'mod'}Float({left}, {right})"
            return f"{left} {e.op} {right}"
        return self._whole(e, left, right) or f"{_HELPERS[e.op]}({self.text(e.left)}, {self.text(e.right)})"

    def _whole(self, e: Binary, left: str, right: str) -> str | None:
        """The operation without a helper; None where that may be inexact."""
        a = e.left.range
        b = e.right.range
        if e.wraps or not (a.within(EXACT) and b.within(EXACT) and e.range.within(EXACT)):
            return None
        small = a.within(INT32) and b.within(INT32)
        positive = a.low >= 0 and b.low > 0
        if e.op in "+-*":
            return f"{left} {e.op} {right}"
        if e.op in ("//", "%") and positive:
            return f"Math.floor({left} / {right})" if e.op == "//" else f"{left} % {right}"
        if e.op == "&" and isinstance(e.right, Const) and e.right.value == _WORD:
            return f"{left} >>> 0"
        masks = e.op == "&" and any(isinstance(o, Const) and 0 <= o.value <= INT32.high for o in (e.left, e.right))
        if e.op in "&|^" and (small or masks):
            return f"{left} {e.op} {right}"
        if e.op == "<<" and b.within(_SHIFT):
            return f"{left} << {right}" if small and e.range.within(INT32) else f"{left} * 2 ** {right}"
        if e.op == ">>" and b.within(_SHIFT) and small:
            return f"{left} >> {right}"
        return None

    def unary(self, e: Unary) -> str:
        """`-`, `~` or `!`."""
        if e.op == "not":
            return f"!{self.atom(e.value)}"
        if e.op == "-":
            return (
                f"-{self.atom(e.value)}"
                if e.value.range.within(EXACT) or e.kind == FLOAT
                else f"sub(0, {self.text(e.value)})"
            )
        if e.value.range.within(INT32):
            return f"~{self.atom(e.value)}"
        return f"-1 - {self.atom(e.value)}" if e.value.range.within(EXACT) else f"not({self.text(e.value)})"

    def compare(self, e: Compare) -> str:
        """A comparison of two numbers."""
        op = {"==": "===", "!=": "!=="}.get(e.op, e.op)
        mixed = op in ("===", "!==") and e.left.kind != e.right.kind
        sides = [f"({self.text(o)} ? 1 : 0)" if mixed and o.kind == BOOL else self.atom(o) for o in (e.left, e.right)]
        # BigInts stand only beyond what a float can be compared with exactly.
        return f"{sides[0]} {op} {sides[1]}"

    def logic(self, e: Logic) -> str:
        """`&&` or `||`, which give one of the values, as in Python."""
        return f"{self.atom(e.left)} {'&&' if e.op == 'and' else '||'} {self.atom(e.right)}"

    def choice(self, e: Choice) -> str:
        """`test ? yes : no`."""
        return f"{self.atom(e.test)} ? {self.atom(e.yes)} : {self.atom(e.no)}"

    def builtin(self, e: Builtin) -> str:
        """Functions of Math, or of the runtime where those are not exact."""
        args = ", ".join(map(self.text, e.args))
        first = e.args[0]
        exact = all(arg.range.within(EXACT) for arg in e.args if arg.kind == INT)
        if e.name in ("min", "max"):
            return (
                f"Math.{e.name}({args})"
                if e.kind != FLOAT and exact
                else f"{'least' if e.name == 'min' else 'most'}({args})"
            )
        if e.name == "abs":
            return f"Math.abs({args})" if exact else f"most({args}, sub(0, {args}))"
        if e.name == "isnan":
            return f"Number.isNaN({args})"
        if e.name == BOOL:
            return f"{self.atom(first)} !== 0"
        if e.name in (INT, FLOAT):
            if first.kind == BOOL:
                return f"{self.atom(first)} ? 1 : 0"
            return f"Math.trunc({args})" if e.name == INT else (self.text(first) if exact else f"Number({args})")
        return f"Math.{e.name}({args})"

    def test(self, e: Expr) -> str:
        """A truth value."""
        return self.text(e)

    def zeros(self, e: Zeros) -> str:
        """A new array."""
        assert isinstance(e.kind, ArrayKind)
        return zeros(e.kind.element, [self.text(length) for length in e.lengths])

    def stored(self, target: Expr, value: Expr) -> str:
        """A number, cut to the bits of a field; elements of typed arrays do that themselves."""
        if value.kind == BOOL and isinstance(target, Field | Item):
            return f"{self.atom(value)} ? 1 : 0"
        text = self.text(value)
        if not isinstance(target, Field | Item) or target.kind != INT or target.place is None:
            return text
        limit = target.place.found().limit
        if value.range.within(limit):
            return text
        if not value.range.within(EXACT):
            text = f"low({text})"
        elif isinstance(target, Field):
            text = self.atom(value)
        if isinstance(target, Item):
            return text
        bits = (limit.high - limit.low).bit_length()
        if bits == 32:
            return f"{text} | 0" if limit.low else f"{text} >>> 0"
        return f"{text} << {32 - bits} >> {32 - bits}" if limit.low else f"{text} & {limit.high}"

    def each_lines(self, s: Each, depth: int) -> Iterator[str]:
        """A loop over an array."""
        several = len(s.variables) > 1
        rows = [", ".join(map(self.text, row)) for row in s.rows]
        values = ", ".join(f"[{row}]" if several else row for row in rows)
        names = ", ".join(map(self.word, s.variables))
        yield from self.block(f"for ({f'[{names}]' if several else names} of [{values}])", s.body, depth)

    def fill_lines(self, s: Fill, depth: int) -> Iterator[str]:
        """All elements."""
        yield from self.simple(depth, f"fill({self.text(s.array)}, {self.text(s.value)})")

    def parallel_lines(self, s: Parallel, depth: int) -> Iterator[str]:
        """Several targets."""
        values = ", ".join(self.stored(t, v) for t, v in zip(s.targets, s.values, strict=True))
        yield from self.simple(depth, f"[{', '.join(map(self.text, s.targets))}] = [{values}]")

    def unpack_lines(self, s: Unpack, depth: int) -> Iterator[str]:
        """Several results."""
        targets = ["" if target is None else self.text(target) for target in s.targets]
        yield from self.simple(depth, f"[{', '.join(targets)}] = {self.text(s.call)}")

    def return_lines(self, s: Return, depth: int) -> Iterator[str]:
        """`return`, of several values an array."""
        values = ", ".join(map(self.text, s.values))
        yield from self.simple(depth, f"return {f'[{values}]' if len(s.values) > 1 else values}".rstrip())

    def function(self, function: Function) -> Iterator[str]:
        """A function after the first line of its docstring."""
        if function.meaning:
            yield f"/** {function.meaning.replace('*/', '* /')} */"
        body = [*self.statements(function.body, 1)]
        names = [*self.variables(function), *self.further]
        yield f"function {self.prefix}{function.name}({', '.join(map(self.word, function.parameters))}) {{"
        if names:
            yield f"{INDENT}let {', '.join(names)};"
        yield from body
        yield "}"


def number(value: float) -> str:
    """A float as JavaScript writes it."""
    if np.isnan(value):
        return "NaN"
    if np.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return repr(float(value)).removesuffix(".0")


def zeros(element: str, lengths: list[str]) -> str:
    """Nested arrays of zeros of a NumPy type."""
    if len(lengths) > 1:
        return f"Array.from({{ length: {lengths[0]} }}, () => {zeros(element, lengths[1:])})"
    typed = TYPED.get(element)
    return f"new {typed}({lengths[0]})" if typed else f"new Array({lengths[0]}).fill(0)"
