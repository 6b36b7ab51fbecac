"""What the printers of all languages share: they write the functions of a program, and whole files, as text."""

from __future__ import annotations

import functools
import inspect
import operator
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from rulebots.export.contents import Contents, Judge
from rulebots.export.program import Function
from rulebots.export.tree import Expr, RecordKind, Statement

#: Expressions that need no brackets wherever they stand.
_ATOMS = ("const", "local", "table", "field", "item", "call", "zeros")
_RUNTIME = Path(__file__).parent / "runtime"
INDENT = "    "


class Printer(ABC):
    """Writes contents in one language; `prefix` begins the names of functions and tables.

    `forms` are the texts of expressions, by their names or forms, with `{0}` for the first part. A method `_form(e)`,
    or `_form_lines(s, depth)` for statements, is for what takes more.
    """

    reserved: ClassVar[str] = ""
    forms: ClassVar[Mapping[str, str]] = {}
    #: How a statement ends, what stands for no function, and how several values stand together.
    end: ClassVar[str] = ";"
    nothing: ClassVar[str] = "null"
    several: ClassVar[str] = "[{}]"
    #: How a comment before a function is written.
    comment: ClassVar[str] = "/* {} */"

    def __init__(self, whole: Contents, prefix: str = "k_") -> None:
        self.whole = whole
        self.prefix = prefix
        self.functions = _ordered(whole.roots)
        parts = [e for f in self.functions for e in _expressions(f.body or ())]
        tables = [prefix + e.name for e in parts if e.form == "table"]
        rows = [(prefix + e.parts[0].name, e.parts[1].range) for e in parts if e.form == "item"]
        self.tables = {prefix + e.name: e.value for e in parts if e.form == "table"}
        #: The same as lists, in which rows that these options never need are empty.
        self.lists = {name: values.tolist() for name, values in self.tables.items()}
        for name, listed_rows in self.lists.items():
            used = [limits for table, limits in rows if table == name]
            if len(used) == tables.count(name) and isinstance(listed_rows[0], list):
                needed = functools.reduce(operator.or_, used)
                listed_rows[:] = [r if needed.low <= i <= needed.high else [] for i, r in enumerate(listed_rows)]
        self.taken = {*self.reserved.split(), *(prefix + f.name for f in self.functions), *self.tables}
        #: Further variables of the function that is being written.
        self.further: list[str] = []

    def word(self, name: str) -> str:
        """A name that the language allows for a variable or a field."""
        return f"{name}_" if name in self.taken else name

    def called(self, function: Function | None) -> str:
        """The name of a function, or of nothing."""
        return self.nothing if function is None else self.prefix + function.name

    def listed(self, judge: Judge) -> str:
        """The names of the functions of a judge."""
        return ", ".join(map(self.called, judge.functions))

    def parts(self) -> dict[str, Any]:
        """What stands in the templates of every language."""
        whole = self.whole
        return {
            "TITLE": whole.game.title,
            "CONTENT": whole.words,
            "SEATS": whole.seats,
            "MOVE_COUNT": whole.game.move_count,
            "PLY_CAP": whole.game.ply_cap,
            "RECORDS": "\n".join(line for kind in whole.records for line in self._record_lines(kind)),
            "FUNCTIONS": "\n".join(line for function in self.functions for line in self._lines_of(function)),
        }

    def _lines_of(self, function: Function) -> Iterator[str]:
        self.further = []
        meaning = (inspect.getdoc(function.source) or "").partition("\n")[0].replace("*/", "* /")
        yield self.comment.format(meaning)
        yield from self._function_lines(function)
        yield ""

    @abstractmethod
    def _record_lines(self, kind: RecordKind) -> Iterator[str]: ...

    @abstractmethod
    def _function_lines(self, function: Function) -> Iterator[str]: ...

    # Expressions.

    @abstractmethod
    def _binary(self, e: Expr) -> str: ...

    # A value, cut off where the target cannot hold it.
    @abstractmethod
    def _stored(self, target: Expr, value: Expr) -> str: ...

    def _text(self, e: Expr) -> str:
        special = getattr(self, f"_{e.form}", None)
        if special is not None:
            return str(special(e))
        form = self.forms.get(e.form) or self.forms[e.name]
        return form.format(*map(self._atom, e.parts), name=self.word(e.name), op=e.name)

    # In brackets where others could tear it apart.
    def _atom(self, e: Expr) -> str:
        text = self._text(e)
        plain = e.form in _ATOMS and not text.startswith("-") and "?" not in text and "==" not in text
        return text if plain else f"({text})"

    def _local(self, e: Expr) -> str:
        return self.word(e.name)

    def _table(self, e: Expr) -> str:
        return self.prefix + e.name

    def _call(self, e: Expr) -> str:
        return f"{self.called(e.value)}({', '.join(map(self._argument, e.parts))})"

    def _argument(self, e: Expr) -> str:
        return self._text(e)

    # Statements.

    def _body(self, body: Iterable[Statement], depth: int) -> Iterator[str]:
        for statement in body:
            yield from getattr(self, f"_{statement.form}_lines")(statement, depth)

    # A head, and its body in braces, which begins with the lines `first`.
    def _block(self, head: str, body: Sequence[Statement], depth: int, *first: str) -> Iterator[str]:
        yield f"{INDENT * depth}{head} {{"
        yield from (f"{INDENT * (depth + 1)}{line}" for line in first)
        yield from self._body(body, depth + 1)
        yield f"{INDENT * depth}}}"

    def _assign_lines(self, s: Statement, depth: int) -> Iterator[str]:
        yield f"{INDENT * depth}{self._text(s.targets[0])} = {self._stored(s.targets[0], s.values[0])}{self.end}"

    def _do_lines(self, s: Statement, depth: int) -> Iterator[str]:
        yield f"{INDENT * depth}{self._text(s.values[0])}{self.end}"

    def _leave_lines(self, s: Statement, depth: int) -> Iterator[str]:
        yield f"{INDENT * depth}{s.name}{self.end}"

    def _fill_lines(self, s: Statement, depth: int) -> Iterator[str]:
        yield f"{INDENT * depth}fill({self._text(s.targets[0])}, {self._text(s.values[0])}){self.end}"

    def _unpack_lines(self, s: Statement, depth: int) -> Iterator[str]:
        yield f"{INDENT * depth}{self._together(s.targets)} = {self._text(s.values[0])}{self.end}"

    def _return_lines(self, s: Statement, depth: int) -> Iterator[str]:
        yield f"{INDENT * depth}return {self._together(s.values)}".rstrip() + self.end

    # Several values or targets, or a single one.
    def _together(self, values: Sequence[Expr | None]) -> str:
        listed = ", ".join("_" if value is None else self._text(value) for value in values)
        return self.several.format(listed) if len(values) > 1 else listed

    def _if_lines(self, s: Statement, depth: int) -> Iterator[str]:
        yield from self._block(f"if ({self._text(s.values[0])})", s.body, depth)
        if s.other:
            yield from self._block("else", s.other, depth)

    def _while_lines(self, s: Statement, depth: int) -> Iterator[str]:
        yield from self._block(f"while ({self._text(s.values[0])})", s.body, depth)

    # The end of a range is worked out once.
    def _for_lines(self, s: Statement, depth: int) -> Iterator[str]:
        variable = self.word(s.counter or s.name)
        end = f"end_{len(self.further)}"
        self.further += [end, variable] if s.counter else [end]
        start, stop = map(self._text, s.values)
        compare = "<" if s.step > 0 else ">"
        head = f"for ({variable} = {start}, {end} = {stop}; {variable} {compare} {end}; {variable} += {s.step})"
        yield from self._block(head, s.body, depth, *([f"{self.word(s.name)} = {variable};"] if s.counter else []))


@functools.cache
def template(name: str) -> str:
    """A text of the folder `runtime`."""
    return (_RUNTIME / f"{name}.txt").read_text("utf-8")


def filled(name: str, parts: Mapping[str, Any]) -> str:
    """A template with each `@NAME@` replaced."""
    text = template(name)
    for word, part in parts.items():
        text = text.replace(f"@{word}@", str(part))
    return text


def listed(begin: str, lines: Iterable[str], end: str) -> str:
    """Lines in brackets, with commas."""
    return "\n".join([begin, *(f"    {line}," for line in lines), end])


# The functions and those that they call, each after those that it calls.
def _ordered(roots: Iterable[Function]) -> list[Function]:
    done: dict[Function, None] = {}

    def visit(functions: Iterable[Function]) -> None:
        for function in functions:
            if function not in done:
                visit([e.value for e in _expressions(function.body or ()) if e.form == "call"])
                done[function] = None

    visit(roots)
    return [*done]


# All expressions in statements.
def _expressions(body: Iterable[Statement]) -> Iterator[Expr]:
    for s in body:
        rest = [e for e in (*s.targets, *s.values, *(e for row in s.rows for e in row)) if e is not None]
        while rest:
            yield rest[-1]
            rest += rest.pop().parts
        yield from _expressions((*s.body, *s.other))
