"""What the printers of all languages share: they write the functions of a program, and whole files, as text."""

import functools
import inspect
import json
import operator
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from rulebots.export.contents import Contents, Judge
from rulebots.export.program import Function
from rulebots.export.source import source_of
from rulebots.export.tree import Expr, Kind, RecordKind, Statement

#: How tightly operators bind, the same in all languages; those that are not here stand in brackets inside others.
_LEVELS = {
    **dict.fromkeys(("*", "/", "//", "%"), 4), **dict.fromkeys(("+", "-"), 3),
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "===", "!=", "!==", "!", "not"), 2),
    **dict.fromkeys(("&&", "||", "and", "or"), 1), "~": 8,
}  # fmt: skip
_OPERATOR = re.compile(r"[-+*/%<>=!&|^~?]+|\b(?:and|or|not|if)\b")
_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_RUNTIME = Path(__file__).parent / "runtime"
INDENT = "    "
#: The longest statement that stands in one line with its head, and what such heads begin with.
WIDTH = 120
_HEADED = re.compile("(?:if|else|for|while) ?")
#: The level of a text without operators.
TIGHT = 9


class Printer(ABC):
    """Writes contents in one language; `prefix` begins the names of functions and tables.

    `forms` are the texts of expressions, by their names or forms, with `{0}` for the first part. A method `_form(e)`,
    or `_form_lines(s, depth)` for statements, is for what takes more.
    """

    language = ""
    #: What declares the counter of a loop.
    counting = ""
    #: What no and yes are called.
    truths = ("false", "true")
    reserved = ""
    forms: ClassVar[Mapping[str, str]] = {}
    #: How a statement ends, what stands for no function, and how several values stand together.
    end = ";"
    nothing = "null"
    several = "[{}]"
    #: What makes `if` another branch.
    otherwise = "else "
    #: How a comment before a function is written.
    comment = "/* {} */"

    def __init__(self, whole: Contents, prefix: str = "k_") -> None:
        self.whole = whole
        self.prefix = prefix
        self.functions = _ordered(whole.roots)
        parts = [e for f in self.functions for e in expressions(f.body or ())]
        tables = [e for e in parts if e.form == "table"]
        rows = [(prefix + e.parts[0].name, e.parts[1].range) for e in parts if e.form == "item"]
        self.tables = {prefix + e.name: e.value for e in tables}
        #: The same as lists, in which rows that these options never need are empty.
        self.lists = {name: values.tolist() for name, values in self.tables.items()}
        for name, listed_rows in self.lists.items():
            used = [limits for table, limits in rows if table == name]
            if len(used) == sum(prefix + e.name == name for e in tables) and isinstance(listed_rows[0], list):
                needed = functools.reduce(operator.or_, used)
                listed_rows[:] = [r if needed.low <= i <= needed.high else [] for i, r in enumerate(listed_rows)]
        self.taken = {*self.reserved.split(), *(prefix + f.name for f in self.functions), *self.tables}
        #: What needs no comment: the meanings of rules stand beside their keys.
        self.told = {source_of(rule) for judge in whole.judges for rule in judge.rules}
        #: Functions that read as an earlier one does, which is called instead.
        self.same: dict[Function, Function] = {}
        self._written: dict[str, Function] = {}
        #: How many parameters of a function are written, where trailing ones that it does not read are left out.
        self.needed: dict[Function, int] = {}

    def word(self, name: str) -> str:
        """A name that the language allows for a variable or a field."""
        return f"{name}_" if name in self.taken else name

    def called(self, function: Function | None) -> str:
        """The name of a function, or of nothing."""
        return self.nothing if function is None else self.prefix + self.same.get(function, function).name

    def judges(self) -> str:
        """The ways of deciding, each as names with what they stand for; Python and JavaScript write this alike."""
        return "".join(f"    {{\n{''.join(self._judge_lines(judge))}    }},\n" for judge in self.whole.judges)

    def _judge_lines(self, judge: Judge) -> Iterator[str]:
        yield f'        "view": {judge.view.name.capitalize()},\n'
        yield from (f'        "{name}": {self.called(function)},\n' for name, function in judge.parts.items())
        yield f'        "mixes": {quoted(judge.mixes)},\n        "rules": [\n'
        for rule, value in zip(judge.rules, judge.values, strict=True):
            yield f"            [{quoted(rule.key)}, {self.called(value)}, {quoted(rule.meaning)}],\n"
        yield "        ],\n"

    def parts(self) -> dict[str, Any]:
        """What stands in the templates of every language."""
        whole = self.whole
        return {
            **self._search(),
            "TITLE": whole.game.title,
            "CONTENT": whole.words,
            "SEATS": whole.seats,
            "MOVE_COUNT": whole.game.move_count,
            "PLY_CAP": whole.game.ply_cap,
            "RECORDS": "\n".join(line for kind in whole.records for line in self._record_lines(kind)),
            "FUNCTIONS": "\n".join(line for function in self.functions for line in self._lines_of(function)),
        }

    # The search, and how it values the end of a game: see `judge_kernel` of rulebots/search/rollout/rounds.py.
    def _search(self) -> dict[str, str]:
        game, seats = self.whole.game, self.whole.seats
        together = game.together(seats)
        counted = game.counts == "points" or together or seats == 1
        tests = {"TABLE": seats != 2 or together, "COUNTED": counted, "AHEAD": not together and seats > 1}
        text = template(f"search.{self.language}") if self.whole.search else ""
        texts = {word: self.truths[holds] for word, holds in tests.items()}
        return {"SEARCH": text, "STUDENT": template("student"), **texts}

    def _lines_of(self, function: Function) -> Iterator[str]:
        first, *lines = self._function_lines(function)
        text = "\n".join([first.replace(self.prefix + function.name, "", 1), *lines])
        if self._written.setdefault(text, function) is not function:
            self.same[function] = self._written[text]
            return
        if function.source not in self.told and (meaning := inspect.getdoc(function.source)):
            yield self.comment.format(meaning.partition("\n")[0].replace("*/", "* /"))
        yield from [first, *lines, *[""] * bool(lines)]

    # The variables of a function, with their kinds; those that only count in loops are declared there.
    def _variables(self, function: Function) -> dict[str, Kind]:
        own = function.variables
        return {self.word(n): own[n].kind for n in _assigned(function.body or ()) if n in own}

    @abstractmethod
    def _record_lines(self, kind: RecordKind) -> Iterator[str]: ...

    @abstractmethod
    def _function_lines(self, function: Function) -> Iterator[str]: ...

    # Expressions.

    # A value, cut off where the target cannot hold it, unless the language does that.
    def _stored(self, target: Expr, value: Expr) -> str:
        return self._argument(value)

    def _text(self, e: Expr) -> str:
        special = getattr(self, f"_{e.form}", None)
        if special is not None:
            return str(special(e))
        forms = {"local": "{name}", **self.forms}
        form = forms.get(e.form) or forms[e.name]
        level = {"compare": 3, "logic": 2, "choice": 1}.get(e.form, TIGHT)
        chained = (part.form == e.form == "logic" and part.name == e.name for part in e.parts)
        parts = (self._atom(part, level - same) for part, same in zip(e.parts, chained, strict=True))
        return form.format(*parts, name=self.word(e.name), op=e.name)

    # In brackets if one of its operators binds less tightly than `level`.
    def _atom(self, e: Expr, level: int = TIGHT) -> str:
        text = self._text(e)
        return text if _level_of(text) >= level else f"({text})"

    # Both sides of an operator.
    def _sides(self, e: Expr) -> tuple[str, str]:
        level = _LEVELS.get(e.name, TIGHT - 1)
        left, right = e.parts
        chained = e.name in ("&", "|", "^") and left.name == e.name
        return self._atom(left, 0 if chained else level), self._atom(right, min(level + 1, TIGHT - 1))

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

    # A head, and its body in braces, which begins with the lines `first`; or in one line with it.
    def _block(self, head: str, body: Sequence[Statement], depth: int, *first: str) -> Iterator[str]:
        inner = [*(f"{INDENT * (depth + 1)}{line}" for line in first), *self._body(body, depth + 1)]
        text = "".join(inner).lstrip()
        short = f"{INDENT * depth}{head} {text}"
        if len(inner) == 1 and _HEADED.match(head) and not _HEADED.match(text) and len(short) <= WIDTH:
            yield short
            return
        yield from [f"{INDENT * depth}{head} {{", *inner, f"{INDENT * depth}}}"]

    def _assign_lines(self, s: Statement, depth: int) -> Iterator[str]:
        target = self._text(s.targets[0])
        value = self._stored(s.targets[0], s.values[0])
        sign = s.values[0].name
        more = self._text(s.values[0].parts[1]) if s.values[0].form == "binary" else ""
        short = value in (f"{target} {sign} {more}", f"{target} {sign} ({more})")
        yield f"{INDENT * depth}{target} {f'{sign}= {more}' if short else f'= {value}'}{self.end}"

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
        if [one.form for one in s.other] == ["if"]:
            first, *lines = self._if_lines(s.other[0], depth)
            yield from [f"{INDENT * depth}{self.otherwise}{first.lstrip()}", *lines]
        elif s.other:
            yield from self._block("else", s.other, depth)

    def _while_lines(self, s: Statement, depth: int) -> Iterator[str]:
        yield from self._block(f"while ({self._text(s.values[0])})", s.body, depth)

    # The end of a range is worked out once.
    def _for_lines(self, s: Statement, depth: int) -> Iterator[str]:
        variable = self.word(s.name)
        start, end = map(self._text, s.values)
        last = s.values[1]
        first = f"{self.counting} {variable} = {start}"
        if last.form not in ("const", "local") or last.name in _assigned([s]):
            first, end = f"{first}, end = {end}", "end"
        compare = "<" if s.step > 0 else ">"
        count = f"{variable}++" if s.step == 1 else f"{variable} += {s.step}"
        taken = (f"{self._text(target)} = {variable};" for target in s.targets)
        yield from self._block(f"for ({first}; {variable} {compare} {end}; {count})", s.body, depth, *taken)


# The level of the loosest operator outside of brackets.
def _level_of(text: str) -> int:
    while (shorter := _BRACKETED.sub("_", text)) != text:
        text = shorter
    return min((_LEVELS.get(sign, 0) for sign in _OPERATOR.findall(text)), default=TIGHT)


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


def quoted(value: object) -> str:
    """A text in quotes, or a collection of texts and numbers."""
    return json.dumps(value, ensure_ascii=False)


def listed(begin: str, lines: Iterable[str], end: str) -> str:
    """Lines in brackets, with commas."""
    return "\n".join([begin, *(f"    {line}," for line in lines), end])


# The functions and those that they call, each after those that it calls.
def _ordered(roots: Iterable[Function]) -> list[Function]:
    done: dict[Function, None] = {}

    def visit(functions: Iterable[Function]) -> None:
        for function in functions:
            if function not in done:
                visit([e.value for e in expressions(function.body or ()) if e.form == "call"])
                done[function] = None

    visit(roots)
    return [*done]


# All statements, and those in them.
def _statements(body: Iterable[Statement]) -> Iterator[Statement]:
    for s in body:
        yield from (s, *_statements((*s.body, *s.other)))


# The variables and parameters that statements assign to.
def _assigned(body: Iterable[Statement]) -> dict[str, None]:
    return {e.name: None for s in _statements(body) for e in s.targets if e is not None and e.form == "local"}


def expressions(body: Iterable[Statement]) -> Iterator[Expr]:
    """All expressions in statements."""
    for s in _statements(body):
        rest = [e for e in (*s.targets, *s.values, *(e for row in s.rows for e in row)) if e is not None]
        while rest:
            yield rest[-1]
            rest += rest.pop().parts
