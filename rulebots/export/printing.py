"""What the printers of all languages share: they write the functions of a program as text."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

from rulebots.export.reading import Function, Program
from rulebots.export.tree import (
    BOOL,
    INT,
    ArrayKind,
    Assign,
    Binary,
    Builtin,
    Call,
    Const,
    Do,
    Expr,
    Field,
    For,
    If,
    Item,
    Leave,
    Local,
    Statement,
    Table,
    While,
    Zeros,
)

#: Expressions that need no brackets wherever they stand.
_ATOMS = (Local, Field, Item, Table, Call, Builtin, Zeros)
INDENT = "    "


class Printer(ABC):
    """Writes a program in one language; `prefix` begins the names of its functions and tables."""

    #: Words that cannot be names in the language.
    reserved: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, program: Program, roots: Sequence[Function], prefix: str = "") -> None:
        self.program = program
        self.prefix = prefix
        self.roots = roots
        #: Functions that say the same as another one, which takes their place.
        self.same: dict[Function, Function] = {}
        self.taken = {
            *self.reserved,
            *(prefix + f.name for f in program.functions.values()),
            *(prefix + t.name for t in program.tables.values()),
        }
        #: Further variables of the function that is being written, and their declarations.
        self.further: list[str] = []

    def word(self, name: str) -> str:
        """A name that the language allows for a variable or a field."""
        return f"{name}_" if name in self.taken else name

    def text(self, e: Expr) -> str:
        """An expression."""
        text: str = getattr(self, f"{type(e).__name__.lower()}")(e)
        return text

    def atom(self, e: Expr) -> str:
        """An expression, in brackets unless it is a name, a call or a number that is not negative."""
        text = self.text(e)
        plain = isinstance(e, _ATOMS) or (isinstance(e, Const) and not text.startswith("-"))
        return text if plain and not _is_open(text) else f"({text})"

    def binary(self, e: Binary) -> str:
        """Two numbers: a sum or product begins with another one without brackets."""
        left = self.text(e.left) if _chained(e, e.left) else self.atom(e.left)
        return self.operation(e, left, self.atom(e.right))

    @abstractmethod
    def operation(self, e: Binary, left: str, right: str) -> str:
        """`left op right`."""

    def local(self, e: Local) -> str:
        """A variable."""
        return self.word(e.name)

    def table(self, e: Table) -> str:
        """A constant array."""
        return self.prefix + e.name

    def call(self, e: Call) -> str:
        """A call of another function."""
        assert e.function is not None
        return f"{self.called(e.function)}({', '.join(map(self.argument, e.args))})"

    def called(self, function: Function) -> str:
        """The name of a function."""
        return self.prefix + self.same.get(function, function).name

    def argument(self, e: Expr) -> str:
        """An argument of a call."""
        return self.text(e)

    def test(self, e: Expr) -> str:
        """An expression of which only its truth counts."""
        return self.text(e.args[0] if isinstance(e, Builtin) and e.name == BOOL else e)

    def statements(self, body: Iterable[Statement], depth: int) -> Iterator[str]:
        """The lines of a body."""
        for statement in body:
            lines: Iterator[str] = getattr(self, f"{type(statement).__name__.lower()}_lines")(statement, depth)
            yield from lines

    def block(self, head: str, body: Sequence[Statement], depth: int) -> Iterator[str]:
        """A head and its body."""
        yield f"{INDENT * depth}{head} {{"
        yield from self.statements(body, depth + 1)
        yield f"{INDENT * depth}}}"

    def simple(self, depth: int, text: str) -> Iterator[str]:
        """A statement of one line."""
        yield f"{INDENT * depth}{text};"

    def assign_lines(self, s: Assign, depth: int) -> Iterator[str]:
        """An assignment."""
        yield from self.simple(depth, self.assigned(s.target, s.value))

    def assigned(self, target: Expr, value: Expr) -> str:
        """`target = value`, or `target += value`."""
        left = self.text(target)
        right = self.stored(target, value)
        grown = re.fullmatch(r"(\S+) ([-+*|&^]|<<|>>) (.+)", right) if right.startswith(f"{left} ") else None
        if grown and grown[1] == left and isinstance(value, Binary) and right == self.binary(value):
            return f"{left} {grown[2]}= {self.text(value.right)}"
        return f"{left} = {right}"

    @abstractmethod
    def stored(self, target: Expr, value: Expr) -> str:
        """A value, cut off where the target cannot hold it."""

    def do_lines(self, s: Do, depth: int) -> Iterator[str]:
        """A call for what it does."""
        yield from self.simple(depth, self.text(s.call))

    def leave_lines(self, s: Leave, depth: int) -> Iterator[str]:
        """`break` or `continue`."""
        yield from self.simple(depth, s.word)

    def if_lines(self, s: If, depth: int) -> Iterator[str]:
        """`if` in braces."""
        yield from self.block(f"if ({self.test(s.test)})", s.body, depth)
        if s.other:
            yield from self.block("else", s.other, depth)

    def while_lines(self, s: While, depth: int) -> Iterator[str]:
        """`while` in braces."""
        yield from self.block(f"while ({self.test(s.test)})", s.body, depth)

    def for_lines(self, s: For, depth: int) -> Iterator[str]:
        """`for` in braces; its end is worked out once."""
        variable = self.word(s.counter or s.variable)
        if s.counter:
            self.further.append(variable)
        begin = f"{variable} = {self.text(s.start)}"
        stop = self.text(s.stop)
        if not isinstance(s.stop, Const):
            end = f"end_{len(self.further)}"
            self.further.append(end)
            begin += f", {end} = {stop}"
            stop = end
        step = {1: "++", -1: "--"}.get(s.step, f" += {s.step}")
        yield f"{INDENT * depth}for ({begin}; {variable} {'<' if s.step > 0 else '>'} {stop}; {variable}{step}) {{"
        if s.counter:
            yield from self.simple(depth + 1, f"{self.word(s.variable)} = {variable}")
        yield from self.statements(s.body, depth + 1)
        yield f"{INDENT * depth}}}"

    def variables(self, function: Function) -> dict[str, Any]:
        """The kind of each variable of a function, by its name in the language."""
        return {self.word(name): place.kind for name, place in function.variables.items()}

    def functions(self) -> Iterator[str]:
        """The functions of the program, those that are called before those that call them, each text once."""
        written: dict[str, Function] = {}
        for function in ordered(self.roots):
            self.further = []
            lines = [*self.function(function)]
            name = self.prefix + function.name
            text = "\n".join(re.sub(rf"\b{re.escape(name)}(?=\(|_result\b)", "*", line) for line in lines)
            if text in written:
                self.same[function] = written[text]
            else:
                written[text] = function
                yield from [*lines, ""]

    def tables(self) -> Iterator[tuple[str, Any]]:
        """The constant arrays that the functions use, by name."""
        used = {table.name: table for f in ordered(self.roots) for table in tables_in(f.body)}
        return ((self.prefix + name, table.values) for name, table in used.items())

    @abstractmethod
    def function(self, function: Function) -> Iterator[str]:
        """The lines of a function."""


def ordered(functions: Iterable[Function]) -> list[Function]:
    """The functions, each after those that it calls."""
    done: dict[Function, None] = {}

    def visit(function: Function) -> None:
        if function not in done:
            for called in calls_in(function.body):
                visit(called)
            done[function] = None

    for function in functions:
        visit(function)
    return [*done]


def calls_in(part: Any) -> Iterator[Function]:
    """The functions that are called in statements or expressions."""
    if isinstance(part, list):
        for one in part:
            yield from calls_in(one)
    elif isinstance(part, Expr | Statement):
        if isinstance(part, Call) and part.function is not None:
            yield part.function
        for value in vars(part).values():
            yield from calls_in(value)


def tables_in(part: Any) -> Iterator[Table]:
    """The constant arrays in statements or expressions."""
    if isinstance(part, list):
        for one in part:
            yield from tables_in(one)
    elif isinstance(part, Table):
        yield part
    elif isinstance(part, Expr | Statement):
        for value in vars(part).values():
            yield from tables_in(value)


def _chained(e: Binary, left: Expr) -> bool:
    """Whether a left operand needs no brackets: the same operation, or a product in a sum."""
    same = isinstance(left, Binary) and not left.wraps and not e.wraps
    if not isinstance(left, Binary) or not same:
        return False
    return (e.op in "+-" and left.op in ("+", "-", "*")) or (e.op == left.op and e.op in ("*", "|", "&"))


def _is_open(text: str) -> bool:
    """Whether a text has an operator outside of all brackets."""
    depth = 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == " " and depth == 0:
            return True
    return False


def is_array(kind: Any) -> bool:
    """Whether a kind is that of an array."""
    return isinstance(kind, ArrayKind)


def is_whole(e: Expr) -> bool:
    """Whether an expression is a whole number or a truth value."""
    return e.kind in (INT, BOOL)
