"""Headers of C99: records are structs, whole numbers are int64_t, and no decision allocates memory."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np

from rulebots.export.contents import Contents, Judge
from rulebots.export.printing import INDENT, TIGHT, Printer, filled, listed, quoted, template
from rulebots.export.program import Function
from rulebots.export.ranges import INT32
from rulebots.export.tree import BOOL, FLOAT, INT, ArrayKind, Expr, Kind, RecordKind, Statement

#: Types of C by NumPy type.
TYPES = {
    **{f"{u}int{bits}": f"{u}int{bits}_t" for u in ("", "u") for bits in (8, 16, 32, 64)},
    "bool": "bool", "float64": "double",
}  # fmt: skip
_SCALARS = {BOOL: "bool", INT: "int64_t", FLOAT: "double"}
_FLOATS = {"inf": "INFINITY", "-inf": "(-INFINITY)", "nan": "NAN", "True": "true", "False": "false"}


def c_file(whole: Contents) -> str:
    """The text of a header."""
    prefix = whole.game.file_name
    printer = CPrinter(whole, f"{prefix}_k_")
    pack = np.array(whole.deal.pack, np.int64)
    names = [re.sub(r"\W+", "_", f"{prefix}_player_{player.name}") for player in whole.players]
    sizes = {"seats": whole.seats, "move_count": whole.game.move_count, "ply_cap": whole.game.ply_cap}
    sizes |= {f"option_{name}": value for name, value in whole.program.options.items()}
    choose = "return {choose}(&seen, listed, n, weights, blended, scores);"
    parts = {
        "LAW": template("law.h") if whole.law_too else "",
        "USAGE": template("game.h" if whole.law_too else "view.h"),
        **printer.parts(),
        "SIZES": listed("enum {", (f"{prefix}_{name} = {value}" for name, value in sizes.items()), "};"),
        "PLAYER_NUMBERS": listed("enum {", [*names, f"{prefix}_players"], "};"),
        "NAMES": ", ".join(map(quoted, whole.names)),
        "TABLES": "\n".join(_array(TYPES[v.dtype.name], name, v) for name, v in printer.tables.items()),
        "PLAYERS": "\n".join(_players(whole, prefix, printer)),
        "CHOOSE": "\n".join(printer.cases(choose)),
        "SCORE": "\n".join(printer.cases(template("score.h"))),
        "JUDGE": "\n".join(printer.cases(template("judge.h"))),
        "DRAW": f"{prefix}_k_draw(&p->state, moves, n, p->chance)" if whole.game.chance else "moves[0]",
        "DEAL": _array("int64_t", f"{prefix}_pack", pack) if pack.size else "",
        "DEALING": template(f"{whole.deal.way}.h") if pack.size else "",
        "DEALT": max(pack.size, 1),
        "MOST_RULES": max(player.weights.shape[1] for player in whole.players),
        "FIRST": names[0],
        "GUARD": f"RULEBOTS_{prefix.upper()}_H",
        "P": prefix,
    }
    return filled("player.h", parts)


def _players(whole: Contents, prefix: str, printer: CPrinter) -> Iterator[str]:
    yield listed(
        f"static const char *const {prefix}_player_names[] = {{", (quoted(p.name) for p in whole.players), "};"
    )
    yield _array("double", f"{prefix}_careless", np.array([player.careless for player in whole.players]))
    for i, judge in enumerate(whole.judges):
        yield from printer.values(i, judge) if judge.values else ()
        texts = [f"{{{quoted(rule.key)}, {quoted(rule.meaning)}}}" for rule in judge.rules] or ["{0, 0}"]
        yield listed(f"static const {prefix}_rule {prefix}_rules_{i}[] = {{", texts, "};")
        yield _array("double", f"{prefix}_shares_{i}", np.array(judge.shares or [[0.0]]).ravel())
    yield from (_array("double", f"{prefix}_weights_{i}", p.weights.ravel()) for i, p in enumerate(whole.players))


class CPrinter(Printer):
    """Writes C."""

    language = "h"
    counting = "int64_t"
    reserved = """auto break case char const continue default do double else enum extern float for goto if
        inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void
        volatile while bool true false main exp log sqrt floor abs asm near far small NULL and or not xor new class this
        delete template typename end"""
    forms: ClassVar[Mapping[str, str]] = {
        "compare": "{0} {op} {1}",
        "field": "{0}->{name}",
        "choice": "{0} ? {1} : {2}",
        "not": "!{0}",
        "-": "-{0}",
        "~": "~{0}",
    }

    # The declaration of a variable or parameter; arrays and records are pointers.
    def _declared(self, kind: Kind, name: str) -> str:
        if isinstance(kind, RecordKind):
            return f"void *{name}" if kind.name == "options" else f"{self.whole.game.file_name}_{kind.name} *{name}"
        if isinstance(kind, ArrayKind):
            inner = "".join(f"[{length}]" for length in kind.shape[1:])
            return f"{TYPES[kind.element]} {f'(*{name}){inner}' if inner else f'*{name}'}"
        return f"{_SCALARS[str(kind)]} {name}"

    def _const(self, e: Expr) -> str:
        return _literal(e.value)

    def _item(self, e: Expr) -> str:
        array, at = e.parts
        index = self._text(at)
        if at.range.low < 0 and array.kind.shape[0] is not None:  # counted from the end
            index = f"rb_at({index}, {array.kind.shape[0]})"
        return f"{self._text(array)}[{index}]"

    # Constant tables are never written to, but the types of parameters do not say so.
    def _argument(self, e: Expr) -> str:
        return (
            f"({self._declared(e.kind, '').strip()}){self._text(e)}" if isinstance(e.kind, ArrayKind) else self._text(e)
        )

    # An operation in 64 bits that wraps around where it can overflow.
    def _binary(self, e: Expr) -> str:
        a, b = e.parts
        left, right = map(self._atom, e.parts)
        natural = e.kind == INT and a.range.low >= 0 and b.range.low > 0
        if e.name in ("//", "%") and not natural:
            return f"rb_{'float_' if e.kind == FLOAT else ''}{'mod' if e.name == '%' else 'floordiv'}({left}, {right})"
        if e.wraps or (e.name == "<<" and a.range.low < 0):
            return f"(int64_t)((uint64_t){left} {e.name} {'' if e.name == '<<' else '(uint64_t)'}{right})"
        op = "!=" if e.kind == BOOL and e.name == "^" else "/" if e.name == "//" else e.name
        # Elements and fields of 32 bits and less would be computed with in 32 bits.
        cast = "(double)" if e.kind == FLOAT else "" if e.range.within(INT32) else "(int64_t)"
        return f"{cast}{left} {op} {right}"

    # Of numbers one of the values, as in Python.
    def _logic(self, e: Expr) -> str:
        left, right = (self._atom(part, 2 if e.kind == BOOL else TIGHT) for part in e.parts)
        if e.kind == BOOL:
            return f"{left} {'&&' if e.name == 'and' else '||'} {right}"
        return f"{left} ? {right} : {left}" if e.name == "and" else f"{left} ? {left} : {right}"

    def _builtin(self, e: Expr) -> str:
        args = ", ".join(map(self._text, e.parts))
        if e.name in ("min", "max", "abs"):
            return f"rb_{'f' if e.kind == FLOAT else ''}{e.name}({args})"
        if e.name == BOOL:
            return f"{self._atom(e.parts[0])} != 0"
        if e.name in _SCALARS:
            return f"(({_SCALARS[e.name]}){self._atom(e.parts[0])})"
        return f"(int64_t)floor({args})" if e.name == "floor" else f"{e.name}({args})"

    def _zeros(self, e: Expr) -> str:
        size = " * ".join([*map(self._atom, e.parts), f"sizeof({TYPES[e.kind.element]})"])
        return f"rb_zeros((size_t)({size}))"

    def _each_lines(self, s: Statement, depth: int) -> Iterator[str]:
        rows = ", ".join("{" + ", ".join(map(self._text, row)) + "}" for row in s.rows)
        at = self.word(s.name)
        kind = _SCALARS[FLOAT if FLOAT in {value.kind for row in s.rows for value in row} else INT]
        yield f"{INDENT * depth}const {kind} {at}_rows[][{len(s.targets)}] = {{{rows}}};"
        taken = (f"{self._text(t)} = {at}_rows[{at}][{i}];" for i, t in enumerate(s.targets) if t is not None)
        yield from self._block(f"for (int64_t {at} = 0; {at} < {len(s.rows)}; {at}++)", s.body, depth, *taken)

    def _fill_lines(self, s: Statement, depth: int) -> Iterator[str]:
        (array,) = s.targets
        kind = TYPES[array.kind.element]
        line = f"(({kind} *){self._text(array)})[i_] = ({kind}){self._atom(s.values[0])};"
        yield from self._block(f"for (int64_t i_ = 0; i_ < {math.prod(array.kind.shape)}; i_++)", (), depth, line)

    def _unpack_lines(self, s: Statement, depth: int) -> Iterator[str]:
        call = s.values[0]
        taken = (f"{self._text(t)} = all.part_{i};" for i, t in enumerate(s.targets) if t is not None)
        yield from self._block("", (), depth, f"{self.called(call.value)}_result all = {self._text(call)};", *taken)

    def _return_lines(self, s: Statement, depth: int) -> Iterator[str]:
        values = ", ".join(map(self._argument, s.values))
        yield f"{INDENT * depth}{f'return (RESULT){{{values}}}' if len(s.values) > 1 else f'return {values}'.rstrip()};"

    def _function_lines(self, function: Function) -> Iterator[str]:
        name = self.prefix + function.name
        gives = function.gives
        returns = "void *" if isinstance(gives, ArrayKind) else _SCALARS.get(str(gives), "void")
        if isinstance(gives, tuple):
            returns = f"{name}_result"
            parts = " ".join(f"{self._declared(kind, f'part_{i}')};" for i, kind in enumerate(gives))
            yield f"typedef struct {{ {parts} }} {returns};"
        parameters = ", ".join(self._declared(p.kind, self.word(n)) for n, p in function.parameters.items())
        body = [line.replace("(RESULT)", f"({returns})") for line in self._body(function.body or (), 1)]
        first = [f"{self._declared(kind, variable)} = 0;" for variable, kind in self._variables(function).items()]
        *head, last = self._block(f"static {returns} {name}({parameters})", (), 0, *first)
        yield from [*head, *body, last]

    def _record_lines(self, kind: RecordKind) -> Iterator[str]:
        yield f"\n/* {self.whole.meaning(kind)} */\ntypedef struct {{"
        for name in kind.dtype.names or ():
            dtype = kind.dtype[name]
            lengths = "".join(f"[{length}]" for length in dtype.shape)
            field = f"    {TYPES[dtype.base.name]} {self.word(name)}{lengths}; /* {self.whole.note(kind, name)} */"
            yield field.removesuffix(" /*  */")
        yield f"}} {self.whole.game.file_name}_{kind.name};"

    def values(self, number: int, judge: Judge) -> Iterator[str]:
        """The function that asks a rule by its number."""
        prefix = self.whole.game.file_name
        yield f"static double {prefix}_value_{number}({prefix}_{judge.view.name} *view, int rule, int64_t item) {{"
        yield "    switch (rule) {"
        yield from (f"    case {i}: return (double){self.called(f)}(view, item);" for i, f in enumerate(judge.values))
        yield "    default: return 0;\n    }\n}"

    def cases(self, text: str) -> Iterator[str]:
        """A case for each player: its view, which begins as the game's, its weights, and a text with its functions."""
        prefix = self.whole.game.file_name
        words = {self.word(n): self.whole.view.dtype[n].shape for n in self.whole.view.dtype.names or ()}
        for i, player in enumerate(self.whole.players):
            judge = self.whole.judges[player.judge]
            if judge.rules or ("{score}" not in text and "{item}" not in text):
                yield f"    case {i}: {{\n        {prefix}_{judge.view.name} seen = {{0}};"
                for word, shape in words.items():
                    copied = f"memcpy(seen.{word}, view->{word}, sizeof seen.{word})"
                    yield f"        {copied if shape else f'seen.{word} = view->{word}'};"
                columns = player.weights.shape[1]
                yield f"        double (*weights)[{columns}] = (double (*)[{columns}]){prefix}_weights_{i};"
                names = {name: self.called(judge.parts[name]) for name in ("choose", "score", "item")}
                names |= {"view": judge.view.name, "progress": "0", "facts": "", "consider": ""}
                asked = {"facts": "(&seen);", "progress": "(&seen)", "consider": "(&seen, item);"}
                names |= {
                    name: f"{self.called(f)}{asked[name]}" for name, f in judge.parts.items() if f and name in asked
                }
                yield f"        {text.format(**names, number=player.judge, columns=columns)}\n    }}"


# A constant array, with a length for each dimension.
def _array(kind: str, name: str, values: Any) -> str:
    lengths = "".join(f"[{length}]" for length in values.shape)
    return f"static const {kind} {name}{lengths} = {_literal(values.tolist())};"


# A number, or nested lists of numbers.
def _literal(value: Any) -> str:
    if isinstance(value, list):
        return f"{{{', '.join(map(_literal, value))}}}"
    if isinstance(value, int) and not INT32.low < value <= INT32.high:
        return f"{value}LL" if value > -(2**63) else "(-9223372036854775807LL - 1)"
    return _FLOATS.get(repr(value), repr(value))
