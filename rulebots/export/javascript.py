"""ES modules. A whole number is a Number as long as that is exact, and a BigInt beyond it.

Helpers of the runtime (`add`, `mul`, `shl` ...) take and give either; they stand only where a result may be inexact, or
where bits beyond 32 may be needed. Narrow arrays are typed arrays, which cut off what does not fit.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from rulebots.export.contents import Contents
from rulebots.export.printing import INDENT, Printer, expressions, filled, listed, quoted, template
from rulebots.export.program import Function
from rulebots.export.ranges import EXACT, INT32, SAFE, Range
from rulebots.export.tree import BOOL, FLOAT, INT, Expr, RecordKind, Statement

#: Typed arrays by NumPy type. Wider whole numbers stand in plain arrays.
TYPED = {
    "int8": "Int8Array", "int16": "Int16Array", "int32": "Int32Array", "uint8": "Uint8Array", "uint16": "Uint16Array",
    "uint32": "Uint32Array", "bool": "Uint8Array", "float64": "Float64Array",
}  # fmt: skip
_HELPERS = {
    "+": "add", "-": "sub", "*": "mul", "//": "floorDiv", "%": "mod", "<<": "shl", ">>": "shr", "&": "and", "|": "or",
    "^": "xor",
}  # fmt: skip
_BOOLEAN = {"&": "&&", "|": "||", "^": "!=="}
#: Lists of numbers with more characters are packed: what stood before is a reference of six characters, to at most so
#: many characters before, of at least and less than so many.
LONG = 300
#: Fractions are written as their numerators where all have a denominator below this.
MOST_SHARED = 5000
_FAR, _SHORTEST, _LONGEST = 36**3, 7, 36**2
_SHIFT = Range(0, 31)
_MASK = Range(0, INT32.high)
_WORD = 0xFFFFFFFF


def javascript_file(whole: Contents, beside: str = "") -> str:
    """The text of a module; functions on whole numbers that what stands `beside` it calls are in it as well."""
    printer = JavaScriptPrinter(whole)
    weights = (f"{quoted(p.name)}: {literal([p.judge, p.weights.tolist(), p.careless])}" for p in whole.players)
    parts = {
        "LAW": filled("law.js", {}) if whole.law_too else "",
        "USAGE": filled("game.js" if whole.law_too else "view.js", {}),
        **printer.parts(),
        "NAME": quoted(whole.game.name),
        "OPTIONS": quoted(whole.program.options),
        "NAMES": quoted(whole.names),
        "TABLES": "\n".join(f"const {name} = {packed(rows)};" for name, rows in printer.lists.items()),
        "JUDGES": re.sub(r'([ {])"(\w+)":', r"\1\2:", printer.judges()),
        "PLAYERS": listed("{", weights, "}").replace(", ", ","),
        "LEVELS": quoted(whole.levels),
        "FIRST": quoted(whole.players[0].name),
        "PACK": quoted(whole.deal.pack),
        "DEALING": template(f"{whole.deal.way}.js"),
        "DRAW": "k_draw(this.state, listed(moves), moves.length, this.chance)" if whole.game.chance else "moves[0]",
    }
    text = filled("player.js", parts)
    text = text.replace("@NUMBERS@", _needed(template("numbers.js"), text + re.sub(r"(?<=\w)[,)]", "(", beside)))
    return re.sub("(?m)^( +)", lambda found: found[1][::4], text)  # a blank a level


# The functions of `helpers`, a block of text each, that a text calls, and those that they call.
def _needed(helpers: str, text: str) -> str:
    blocks = {re.findall(r"function (\w+)", block)[0]: block for block in helpers.split("\n\n")}
    needed = ""
    while called := [name for name in blocks if re.search(rf"(?<![\w.]){name}\(", text + needed)]:
        needed += "".join(f"{blocks.pop(name)}\n\n" for name in called)
    return needed.rstrip()


def declarations(whole: Contents) -> str:
    """The text of a module's .d.ts file."""
    printer = JavaScriptPrinter(whole)
    kinds = [whole.state, whole.view] if whole.law_too else [whole.view]
    parts = {
        "LAW": template("law.d.ts") if whole.law_too else "",
        "SEARCH": template("search.d.ts") if whole.search else "",
        "TITLE": whole.game.title,
        "CONTENT": whole.words,
        "PLAYER_TYPE": " | ".join(quoted(player.name) for player in whole.players),
        "TYPES": "\n".join(line for kind in kinds for line in _types(printer, kind)),
    }
    return filled("player.d.ts", parts)


def _types(printer: JavaScriptPrinter, kind: RecordKind) -> Iterator[str]:
    yield f"/** {printer.whole.meaning(kind)} */\nexport class {kind.name.capitalize()} {{"
    for name in kind.dtype.names or ():
        dtype = kind.dtype[name]
        exact = (printer.whole.program.fields[kind.name, name].found().range or EXACT).within(EXACT)
        one = "number" if exact else "number | bigint"
        array = TYPED.get(dtype.base.name, f"({one})[]") + "[]" * (len(dtype.shape) - 1)
        yield f"    /** {printer.whole.note(kind, name)} */\n    {printer.word(name)}: {array if dtype.shape else one};"
    yield "}"


class JavaScriptPrinter(Printer):
    """Writes JavaScript."""

    language = "js"
    counting = "let"
    reserved = """await break case catch class const continue debugger default delete do else enum export
        extends false finally for function if implements import in instanceof interface let new null package private
        protected public return static super switch this throw true try typeof var void while with yield arguments eval
        undefined NaN Infinity Math Number BigInt Array add sub mul floorDiv mod shl shr and or xor not at fill least
        most low cut magnitude end grid"""
    forms: ClassVar[Mapping[str, str]] = {
        "choice": "{0} ? {1} : {2}",
        "and": "{0} && {1}",
        "or": "{0} || {1}",
    }
    comment = "// {}"

    def _call(self, e: Expr) -> str:
        args = [*map(self._text, e.parts)]
        calls = (i for i, text in enumerate(args, 1) if "(" in text)  # which may change something
        return f"{self.called(e.value)}({', '.join(args[: max(self.needed[e.value], *calls, 0)])})"

    def _const(self, e: Expr) -> str:
        return literal(e.value)

    def _field(self, e: Expr) -> str:
        return f"{self._text(e.parts[0])}.{self.word(e.name)}{' !== 0' if e.kind == BOOL else ''}"

    def _item(self, e: Expr) -> str:
        array, at = e.parts
        index = f"{self._atom(at)} ? 1 : 0" if at.kind == BOOL else self._text(at)
        if at.range.low < 0 and array.kind.shape[0] is not None:  # counted from the end
            index = f"at({index}, {array.kind.shape[0]})"
        return f"{self._text(array)}[{index}]{' !== 0' if e.kind == BOOL else ''}"

    # A floating operation, or a whole one with as little as is exact.
    def _binary(self, e: Expr) -> str:
        left, right = self._sides(e)
        if e.kind == BOOL:
            level = 3 if e.name == "^" else 2
            return f" {_BOOLEAN[e.name]} ".join(self._atom(part, level - (part.name == e.name)) for part in e.parts)
        if e.kind == FLOAT:
            sides = [s if _is_exact(p) else f"Number({s})" for s, p in zip((left, right), e.parts, strict=True)]
            helper = {"//": "floorDivFloat", "%": "modFloat"}.get(e.name)
            return f"{helper}({', '.join(sides)})" if helper else f"{sides[0]} {e.name} {sides[1]}"
        exact = not e.wraps and _is_exact(e) and all(map(_is_exact, e.parts))
        natively = self._native(e, left, right) if exact else ""
        return natively or f"{_HELPERS[e.name]}({', '.join(map(self._text, e.parts))})"

    # A whole operation of JavaScript's own; "" where that may be inexact, or beyond the 32 bits that it looks at.
    def _native(self, e: Expr, left: str, right: str) -> str:
        a, b = (part.range for part in e.parts)
        small = a.within(INT32) and b.within(INT32)
        plain = f"{left} {e.name} {right}"
        if e.name in ("//", "%"):
            quotient = plain if e.name == "%" else f"Math.floor({left} / {right})"
            return quotient if a.low >= 0 and b.low > 0 else ""
        if e.name == "&" and b == Range(_WORD, _WORD):
            return f"{left} >>> 0"
        if e.name == "<<" and b.within(_SHIFT) and not (small and e.range.within(INT32)):
            return f"{left} * 2 ** {right}"
        masked = e.name == "&" and (a.within(_MASK) or b.within(_MASK))
        shifted = e.name not in ("<<", ">>") or b.within(_SHIFT)
        return plain if e.name in "+-*" or masked or (small and shifted) else ""

    def _unary(self, e: Expr) -> str:
        value = e.parts[0]
        if e.name == "~" and not value.range.within(INT32):
            return f"-1 - {self._atom(value)}" if _is_exact(value) else f"not({self._text(value)})"
        return f"{'!' if e.name == 'not' else e.name}{self._atom(value)}"

    def _compare(self, e: Expr) -> str:
        mixed = e.parts[0].kind != e.parts[1].kind
        sides = [f"({self._text(o)} ? 1 : 0)" if mixed and o.kind == BOOL else self._atom(o, 3) for o in e.parts]
        return f"{sides[0]} {({'==': '===', '!=': '!=='}).get(e.name, e.name)} {sides[1]}"

    def _builtin(self, e: Expr) -> str:
        first = e.parts[0]
        args = ", ".join(map(self._text, e.parts))
        if e.name == BOOL:
            return f"{self._atom(first)} !== 0"
        if e.name in (INT, FLOAT) and first.kind == BOOL:
            return f"{self._atom(first, 1)} ? 1 : 0"
        exact = all(map(_is_exact, e.parts)) and e.kind != FLOAT
        own = {INT: "Math.trunc", FLOAT: "Number", "isnan": "Number.isNaN"}
        own |= {} if exact else {"min": "least", "max": "most", "abs": "magnitude"}
        return f"{own.get(e.name, f'Math.{e.name}')}({args})"

    def _zeros(self, e: Expr) -> str:
        return zeros(e.kind.element, [self._text(length) for length in e.parts])

    # Elements of typed arrays cut off what does not fit themselves.
    def _stored(self, target: Expr, value: Expr) -> str:
        limit = target.limit
        text = self._text(value)
        if value.kind == BOOL and limit is not None:
            return f"{self._atom(value, 1)} ? 1 : 0"
        if limit is None or value.range.within(limit) or (target.form == "item" and _is_exact(value)):
            return text
        if target.form != "item" and limit != INT32:
            return f"cut({text}, {limit.low}, {limit.high})"
        return f"{self._atom(value, 3)} | 0" if _is_exact(value) else f"low({text})"

    def _each_lines(self, s: Statement, depth: int) -> Iterator[str]:
        rows = ", ".join(map(self._together, s.rows))
        yield from self._block(f"for ({self._together(s.targets)} of [{rows}])", s.body, depth)

    def _function_lines(self, function: Function) -> Iterator[str]:
        body = function.body or ()
        name = self.prefix + function.name
        read = {e.name for e in expressions(body) if e.form == "local"}
        self.needed[function] = needed = max((i for i, n in enumerate(function.parameters, 1) if n in read), default=0)
        parameters = ", ".join([*map(self.word, function.parameters)][:needed])
        if [s.form for s in body] == ["return"]:
            head = parameters if needed == 1 else f"({parameters})"
            yield f"const {name} = {head} => {self._together(body[0].values)};"
            return
        first, *lines = self._block(f"function {name}({parameters})", body, 0)
        names = self._variables(function)
        for name in [*names]:  # declared where it is first assigned to, unless that is in a block
            at = next((i for i, line in enumerate(lines) if re.search(rf"\b{name}\b", line)), 0)
            if lines[at].startswith(f"{INDENT}{name} = "):
                lines[at] = lines[at].replace(name, f"let {name}", 1)
                del names[name]
        yield from [first, *([f"{INDENT}let {', '.join(names)};"] if names else []), *lines]

    def _record_lines(self, kind: RecordKind) -> Iterator[str]:
        view = self.whole.view
        head = "export class %s {"
        names = kind.dtype.names or ()
        if kind not in (self.whole.state, view):  # a view that rules see
            head = "class %s extends View {"
            names = names[len(view.dtype.names or ()) :]
        yield f"\n/** {self.whole.meaning(kind)} */\n{head % kind.name.capitalize()}"
        for name in names:
            value = zeros(kind.dtype[name].base.name, [*map(str, kind.dtype[name].shape)])
            yield f"    {self.word(name)} = {value};"
        yield "}"


def literal(value: Any) -> str:
    """A number, or nested lists of numbers, as JavaScript."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(literal, value))}]"
    text = json.dumps(value).removesuffix(".0")
    return text if isinstance(value, float) or abs(value) <= SAFE else f"{value}n"


def packed(values: Any) -> str:
    """Nested lists of numbers as JavaScript: long ones as a text in which `unpacked` fills in what is repeated."""
    plain = literal(values)
    text = re.sub(r"(-?[0-9]+)n", r'"\1"', plain.replace(" ", ""))  # a BigInt is a text there
    if len(text) < LONG or set(text) & set("NI"):  # JSON has no NaN and Infinity
        return plain.replace(" ", "")
    numbers = np.array(re.findall(r"[\d.e+-]+", text), float)
    shared = next((q for q in range(1, MOST_SHARED) if np.array_equal(np.rint(numbers * q) / q, numbers)), 1)
    if shared > 1:
        text = re.sub(r"[\d.e+-]+", lambda number: str(round(float(number[0]) * shared)), text)
    parts = []
    latest: dict[str, int] = {}
    at = 0
    while at < len(text):
        start = latest.get(text[at : at + _SHORTEST], -_FAR)
        here = text[at : at + _LONGEST - 1]
        pairs = zip(text[start : start + _LONGEST - 1], here, strict=False) if at - start < _FAR else ()
        length = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
        back = f"~{np.base_repr(at - start, 36).zfill(3)}{np.base_repr(length, 36).zfill(2)}"
        parts.append(back if length else text[at])
        latest |= {text[i : i + _SHORTEST]: i for i in range(at, at + max(length, 1))}
        at += max(length, 1)
    return f"unpacked('{''.join(parts)}', {shared})"


def zeros(element: str, lengths: Sequence[str]) -> str:
    """Nested arrays of zeros of a NumPy type; one zero without lengths."""
    if len(lengths) > 1:
        return f"grid({TYPED.get(element, 'Array')}, {', '.join(lengths)})"
    made = f"new {TYPED[element]}(%s)" if element in TYPED else "new Array(%s).fill(0)"
    return made % lengths[0] if lengths else "0"


# Whether JavaScript's numbers hold it exactly.
def _is_exact(e: Expr) -> bool:
    return e.kind != INT or e.range.within(EXACT)
