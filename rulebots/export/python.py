"""Files of plain Python, 3.9 and later: no NumPy; arrays are lists, and whole numbers are cut to 64 bits."""

import keyword
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import numpy as np

from rulebots.export.contents import Contents
from rulebots.export.printing import INDENT, Printer, filled, listed
from rulebots.export.program import Function
from rulebots.export.tree import BOOL, FLOAT, INT, Expr, RecordKind, Statement, kind_of

_MATH = ("exp", "log", "sqrt", "floor", "isnan")


def python_file(whole: Contents) -> str:
    """The text of a file."""
    printer = PythonPrinter(whole)
    players = (f"{p.name!r}: {(p.judge, p.weights.tolist(), p.careless)}" for p in whole.players)
    parts = {
        "LAW": filled("law.py", {}) if whole.law_too else "",
        "USAGE": filled("game.py" if whole.law_too else "view.py", {}),
        **printer.parts(),
        "NAME": repr(whole.game.name),
        "OPTIONS": whole.program.options,
        "NAMES": whole.names,
        "TABLES": "\n".join(f"{name} = {rows!r}" for name, rows in printer.lists.items()),
        "JUDGES": printer.judges(),
        "PLAYERS": listed("{", players, "}"),
        "LEVELS": list(whole.levels),
        "FIRST": repr(whole.players[0].name),
        "DEAL": (whole.deal.way, list(whole.deal.pack)),
        "DRAW": "k_draw(self.state, moves, len(moves), self.chance)" if whole.game.chance else "moves[0]",
    }
    return filled("player.py", parts)


class PythonPrinter(Printer):
    """Writes Python."""

    language = "py"
    truths = ("False", "True")
    reserved = f"{' '.join(keyword.kwlist)} math min max abs int float bool range len int64 fill"
    forms: ClassVar[Mapping[str, str]] = {
        "compare": "{0} {op} {1}",
        "logic": "{0} {op} {1}",
        "choice": "{1} if {0} else {2}",
        "field": "{0}.{name}",
    }
    end = ""
    nothing = "None"
    several = "{}"
    otherwise = "el"
    comment = "# {}"

    def _const(self, e: Expr) -> str:
        return repr(e.value) if e.kind != FLOAT or np.isfinite(e.value) else f'float("{e.value}")'

    def _item(self, e: Expr) -> str:
        return f"{self._text(e.parts[0])}[{self._text(e.parts[1])}]"

    def _binary(self, e: Expr) -> str:
        left, right = self._sides(e)
        text = f"{left} {e.name} {right}"
        return f"int64({text})" if e.wraps else text

    def _unary(self, e: Expr) -> str:
        value = self._atom(e.parts[0])
        return f"{e.name}int({value})" if e.name == "~" else f"{e.name} {value}"

    def _builtin(self, e: Expr) -> str:
        if e.name == INT and e.parts[0].kind == BOOL:  # a truth value is a number already
            return self._text(e.parts[0])
        return f"{'math.' if e.name in _MATH else ''}{e.name}({', '.join(map(self._text, e.parts))})"

    def _zeros(self, e: Expr) -> str:
        return zeros(e.kind.element, [self._text(length) for length in e.parts])

    def _stored(self, target: Expr, value: Expr) -> str:
        limit = target.limit
        if limit is None or value.range.within(limit):
            return self._text(value)
        return f"({self._atom(value)} + {-limit.low} & {limit.high - limit.low}) - {-limit.low}"

    def _block(self, head: str, body: Sequence[Statement], depth: int, *first: str) -> Iterator[str]:
        yield f"{INDENT * depth}{head}:"
        yield from [*self._body(body, depth + 1)] or [f"{INDENT * (depth + 1)}pass"]

    def _for_lines(self, s: Statement, depth: int) -> Iterator[str]:
        ends = f"{', '.join(map(self._text, s.values))}, {s.step}"
        variable = self._text(s.targets[0]) if s.targets else self.word(s.name)
        yield from self._block(f"for {variable} in range({ends})", s.body, depth)

    def _each_lines(self, s: Statement, depth: int) -> Iterator[str]:
        rows = ", ".join(f"({self._together(row)})" for row in s.rows)
        yield from self._block(f"for {self._together(s.targets)} in ({rows},)", s.body, depth)

    def _function_lines(self, function: Function) -> Iterator[str]:
        parameters = ", ".join(map(self.word, function.parameters))
        yield from self._block(f"def {self.prefix}{function.name}({parameters})", function.body or (), 0)

    def _record_lines(self, kind: RecordKind) -> Iterator[str]:
        names = kind.dtype.names or ()
        yield f'\n\nclass {kind.name.capitalize()}:\n    """{self.whole.meaning(kind)}"""\n'
        yield f"    __slots__ = {tuple(map(self.word, names))}\n\n    def __init__(self):"
        for name in names:
            value = zeros(kind.dtype[name].base.name, [*map(str, kind.dtype[name].shape)])
            yield f"        self.{self.word(name)} = {value}  # {self.whole.note(kind, name)}".removesuffix("  # ")


def zeros(element: str, lengths: Sequence[str]) -> str:
    """Nested lists of zeros; one zero without lengths."""
    if not lengths:
        return "0.0" if kind_of(np.dtype(element)) == FLOAT else "0"
    inner = zeros(element, lengths[1:])
    return f"[{inner}] * ({lengths[0]})" if len(lengths) == 1 else f"[{inner} for _ in range({lengths[0]})]"
