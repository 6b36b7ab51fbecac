"""Functions in C99: records are structs, whole numbers are int64_t, and no decision allocates memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from rulebots.export.printing import INDENT, Printer, is_array
from rulebots.export.ranges import INT32
from rulebots.export.reading import Function, Program
from rulebots.export.tree import (
    BOOL,
    FLOAT,
    INT,
    ArrayKind,
    Binary,
    Builtin,
    Call,
    Choice,
    Compare,
    Const,
    Each,
    Expr,
    Field,
    Fill,
    Item,
    Kind,
    Local,
    Logic,
    Parallel,
    RecordKind,
    Return,
    Table,
    TupleKind,
    Unary,
    Unpack,
    Zeros,
)

#: Types of C by NumPy type.
TYPES = {
    **{f"{u}int{bits}": f"{u}int{bits}_t" for u in ("", "u") for bits in (8, 16, 32, 64)},
    "bool": "bool", "float64": "double",
}  # fmt: skip
_SCALARS = {BOOL: "bool", INT: "int64_t", FLOAT: "double"}
_RESERVED = """auto break case char const continue default do double else enum extern float for goto if inline int long
register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool true
false main exp log sqrt floor abs asm near far small NULL and or not xor new class this delete template typename"""


class CPrinter(Printer):
    """Writes C."""

    reserved: ClassVar[frozenset[str]] = frozenset(_RESERVED.split())

    def __init__(self, program: Program, roots: Sequence[Function], prefix: str, records: str) -> None:
        super().__init__(program, roots, prefix)
        #: What begins the names of structs.
        self.records = records

    def declared(self, kind: Kind, name: str) -> str:
        """The declaration of a variable or parameter; arrays and records are pointers."""
        if isinstance(kind, RecordKind):
            return f"void *{name}" if kind.name == "options" else f"{self.records}{kind.name} *{name}"
        if isinstance(kind, ArrayKind):
            inner = "".join(f"[{length}]" for length in kind.shape[1:])
            return f"{TYPES[kind.element]} {f'(*{name}){inner}' if inner else f'*{name}'}"
        return f"{_SCALARS[str(kind)]} {name}"

    def result(self, function: Function) -> str:
        """The type of what a function gives."""
        if isinstance(function.gives, TupleKind):
            return f"{self.prefix}{function.name}_result"
        if isinstance(function.gives, ArrayKind):
            return "void *"
        return self.declared(function.gives, "").strip() if function.gives else "void"

    def const(self, e: Const) -> str:
        """A number."""
        if e.kind == BOOL:
            return "true" if e.value else "false"
        if e.kind == FLOAT:
            return number(e.value)
        return whole(e.value)

    def field(self, e: Field) -> str:
        """A field."""
        return f"{self.text(e.record)}->{self.word(e.name)}"

    def item(self, e: Item) -> str:
        """An element; a negative index counts from the end."""
        index = self.text(e.index)
        if e.index.kind == INT and e.index.range.low < 0 and isinstance(e.array.kind, ArrayKind):
            length = e.array.kind.shape[0]
            if length is not None:
                index = f"rb_at({index}, {length})"
        return f"{self.text(e.array)}[{index}]"

    def argument(self, e: Expr) -> str:
        """An argument; constant tables are never written to, but their type says so."""
        text = self.text(e)
        return f"({self.declared(e.kind, '').strip()}){text}" if is_array(e.kind) and _is_constant(e) else text

    def wide(self, e: Expr) -> bool:
        """Whether an expression has 64 bits in C."""
        if isinstance(e, Field | Item) and e.place is not None:
            return e.place.found().limit.high > INT32.high
        if isinstance(e, Binary):
            return self.wide(e.left) or self.wide(e.right) or not e.range.within(INT32)
        if isinstance(e, Unary):
            return self.wide(e.value)
        if isinstance(e, Choice):
            return self.wide(e.yes) or self.wide(e.no)
        if isinstance(e, Const):
            return not e.range.within(INT32)
        return isinstance(e, Local | Call | Builtin) and e.kind == INT

    def operation(self, e: Binary, left: str, right: str) -> str:
        """An operation in 64 bits that wraps around where it can overflow."""
        if e.kind == BOOL:
            return f"{left} {'!=' if e.op == '^' else e.op} {right}"
        if e.kind == FLOAT:
            if e.op in ("//", "%"):
                return f"rb_float_{'floordiv' if e.op == '//' else 'mod'}({left}, {right})"
            return (
                f"(double){left} / {right}"
                if e.op == "/" and FLOAT not in (e.left.kind, e.right.kind)
                else f"{left} {e.op} {right}"
            )
        if e.op in ("//", "%"):
            if e.left.range.low >= 0 and e.right.range.low > 0:
                return f"{left} {e.op[0]} {right}"
            return f"rb_{'floordiv' if e.op == '//' else 'mod'}({left}, {right})"
        if e.op == "<<" and (e.wraps or e.left.range.low < 0):
            return f"(int64_t)((uint64_t){left} << {right})"
        if e.wraps:
            return f"(int64_t)((uint64_t){left} {e.op} (uint64_t){right})"
        narrow = not self.wide(e.left) and (e.op == "<<" or not self.wide(e.right))
        return f"{'(int64_t)' if narrow and not e.range.within(INT32) else ''}{left} {e.op} {right}"

    def binary(self, e: Binary) -> str:
        """With brackets around the left side where that is cast."""
        casts = e.wraps or e.op in ("<<", "/") or not e.range.within(INT32)
        return self.operation(e, self.atom(e.left), self.atom(e.right)) if casts else super().binary(e)

    def unary(self, e: Unary) -> str:
        """`-`, `~` or `!`."""
        cast = (
            "(int64_t)"
            if e.op == "-" and e.kind == INT and not self.wide(e.value) and not e.range.within(INT32)
            else ""
        )
        return f"{'!' if e.op == 'not' else e.op}{cast}{self.atom(e.value)}"

    def compare(self, e: Compare) -> str:
        """A comparison."""
        return f"{self.atom(e.left)} {e.op} {self.atom(e.right)}"

    def logic(self, e: Logic) -> str:
        """`&&` or `||`; of numbers one of the values, as in Python."""
        left = self.atom(e.left)
        right = self.atom(e.right)
        if e.kind == BOOL:
            return f"{left} {'&&' if e.op == 'and' else '||'} {right}"
        return f"{left} ? {right} : {left}" if e.op == "and" else f"{left} ? {left} : {right}"

    def choice(self, e: Choice) -> str:
        """`test ? yes : no`."""
        written = self.argument if is_array(e.kind) else self.atom
        return f"{self.atom(e.test)} ? {written(e.yes)} : {written(e.no)}"

    def builtin(self, e: Builtin) -> str:
        """Functions of math.h, or of the runtime."""
        args = ", ".join(map(self.text, e.args))
        if e.name in ("min", "max", "abs"):
            return f"rb_{'f' if e.kind == FLOAT else ''}{e.name}({args})"
        if e.name == BOOL:
            return f"{self.atom(e.args[0])} != 0"
        if e.name in _SCALARS:
            return f"(({_SCALARS[e.name]}){self.atom(e.args[0])})"
        return f"(int64_t)floor({args})" if e.name == "floor" else f"{e.name}({args})"

    def zeros(self, e: Zeros) -> str:
        """Room in the workspace."""
        assert isinstance(e.kind, ArrayKind)
        size = " * ".join([*(self.atom(length) for length in e.lengths), f"sizeof({TYPES[e.kind.element]})"])
        return f"({self.declared(e.kind, '').strip()})rb_zeros((size_t)({size}))"

    def stored(self, target: Expr, value: Expr) -> str:
        """C cuts off what does not fit."""
        if is_array(value.kind):
            return self.argument(value)
        text = self.text(value)
        if isinstance(target, Field | Item) and target.kind == INT and target.place is not None:
            kind = target.place.found().limit
            if not value.range.within(kind):
                return f"({self._narrow(target)}){self.atom(value)}"
        return text

    def _narrow(self, target: Expr) -> str:
        assert target.place is not None
        limit = target.place.found().limit
        return f"{'' if limit.low else 'u'}int{(limit.high - limit.low).bit_length()}_t"

    def each_lines(self, s: Each, depth: int) -> Iterator[str]:
        """A loop over the rows of an array."""
        kinds = {value.kind for row in s.rows for value in row}
        rows = ", ".join("{" + ", ".join(map(self.text, row)) + "}" for row in s.rows)
        at = self.word(s.counter)
        kind = "double" if FLOAT in kinds else "int64_t"
        pad = INDENT * depth
        yield f"{pad}const {kind} {at}_rows[][{len(s.variables)}] = {{{rows}}};"
        yield f"{pad}for (int64_t {at} = 0; {at} < {len(s.rows)}; {at}++) {{"
        for i, name in enumerate(s.variables):
            yield f"{pad}{INDENT}{self.word(name)} = {at}_rows[{at}][{i}];"
        yield from self.statements(s.body, depth + 1)
        yield f"{pad}}}"

    def fill_lines(self, s: Fill, depth: int) -> Iterator[str]:
        """All elements."""
        assert isinstance(s.array.kind, ArrayKind)
        count = int(np.prod([length or 0 for length in s.array.kind.shape]))
        pad = INDENT * depth
        kind = TYPES[s.array.kind.element]
        yield f"{pad}for (int64_t i_ = 0; i_ < {count}; i_++) {{"
        yield f"{pad}{INDENT}(({kind} *){self.text(s.array)})[i_] = ({kind}){self.atom(s.value)};"
        yield f"{pad}}}"

    def parallel_lines(self, s: Parallel, depth: int) -> Iterator[str]:
        """Several targets: all values first."""
        pad = INDENT * depth
        yield f"{pad}{{"
        for i, (target, value) in enumerate(zip(s.targets, s.values, strict=True)):
            yield f"{pad}{INDENT}{self.declared(target.kind, f'new_{i}')} = {self.stored(target, value)};"
        for i, target in enumerate(s.targets):
            yield f"{pad}{INDENT}{self.text(target)} = new_{i};"
        yield f"{pad}}}"

    def unpack_lines(self, s: Unpack, depth: int) -> Iterator[str]:
        """Several results, in a struct."""
        assert s.call.function is not None
        pad = INDENT * depth
        yield f"{pad}{{"
        yield f"{pad}{INDENT}{self.result(s.call.function)} all = {self.text(s.call)};"
        for i, target in enumerate(s.targets):
            if target is not None:
                yield f"{pad}{INDENT}{self.text(target)} = all.part_{i};"
        yield f"{pad}}}"

    def return_lines(self, s: Return, depth: int) -> Iterator[str]:
        """`return`."""
        values = ", ".join(self.stored(value, value) for value in s.values)
        if len(s.values) > 1:
            values = f"({self._returns}){{{values}}}"
        yield from self.simple(depth, f"return {values}".rstrip())

    def function(self, function: Function) -> Iterator[str]:
        """A function after the first line of its docstring."""
        self._returns = self.result(function)
        if isinstance(function.gives, TupleKind):
            parts = " ".join(f"{self.declared(kind, f'part_{i}')};" for i, kind in enumerate(function.gives.parts))
            yield f"typedef struct {{ {parts} }} {self._returns};"
        if function.meaning:
            yield f"/* {function.meaning.replace('*/', '* /')} */"
        body = [*self.statements(function.body, 1)]
        parameters = ", ".join(self.declared(p.kind, self.word(n)) for n, p in function.parameters.items())
        yield f"static {self._returns} {self.prefix}{function.name}({parameters}) {{"
        for name, kind in self._sorted(function):
            yield f"{INDENT}{self.declared(kind, name)} = 0;"
        for name in function.parameters:
            yield f"{INDENT}(void){self.word(name)};"
        yield from body
        yield "}"

    def _sorted(self, function: Function) -> list[tuple[str, Any]]:
        return [*self.variables(function).items(), *((name, INT) for name in self.further)]


def number(value: float) -> str:
    """A float."""
    if np.isnan(value):
        return "NAN"
    if np.isinf(value):
        return "INFINITY" if value > 0 else "(-INFINITY)"
    return repr(float(value))


def whole(value: int) -> str:
    """A whole number."""
    if value == -(2**63):
        return "(-9223372036854775807LL - 1)"
    return str(value) if -(2**31) < value < 2**31 else f"{value}LL"


def _is_constant(e: Expr) -> bool:
    """Whether an expression is, or is part of, a constant table."""
    while isinstance(e, Item):
        e = e.array
    return isinstance(e, Table)
