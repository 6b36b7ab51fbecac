"""Functions of general Python as JavaScript: drawings, texts of positions, and what else is no kernel.

Nothing is known of kinds here: runtime/python.js does at run time what Python would. Most nodes of a syntax tree are
written by a form; what has none ends in a `NotInSubset` with its line.
"""

import ast
import builtins
import functools
import inspect
import itertools
import math
import re
import textwrap
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from rulebots.export.javascript import JavaScriptPrinter, literal, packed
from rulebots.export.printing import INDENT, quoted
from rulebots.export.source import SourceReader, source_of, tree_of

_COMPREHENSION = "(function* () { {generators:joined}yield {elt}; })()"
#: JavaScript by node: `{name}` is that field of the node, `{name:way}` a field written in one of `WAYS`.
FORMS: dict[type, str] = {
    ast.BinOp: "py.{op}({left}, {right})",
    ast.UnaryOp: "py.{op}({operand})",
    ast.BoolOp: "py.{op}({values:late})",
    ast.Compare: "py.compare({left}, [{ops:names}], [{comparators:late}])",
    ast.IfExp: "(py.truth({test}) ? {body} : {orelse})",
    ast.Call: "py.call({func}, [{args}]{keywords:named})",
    ast.keyword: "{arg:word}: {value}",
    ast.Lambda: "((...args) => { let {args} return {body}; })",
    ast.List: "[{elts}]",
    ast.Tuple: "[{elts}]",
    ast.Set: "py.set([{elts}])",
    ast.Dict: "py.dict(py.zip([{keys}], [{values}]))",
    ast.Starred: "...{value}",
    ast.NamedExpr: "({target} = {value})",
    ast.Slice: "new py.Slice({lower}, {upper}, {step})",
    ast.JoinedStr: '[{values}].join("")',
    ast.FormattedValue: "py.format({value}, {format_spec}, {conversion})",
    ast.GeneratorExp: _COMPREHENSION,
    ast.ListComp: "[..." + _COMPREHENSION + "]",
    ast.SetComp: "py.set(" + _COMPREHENSION + ")",
    ast.DictComp: "py.dict(" + _COMPREHENSION.replace("{elt}", "[{key}, {value}]") + ")",
    ast.comprehension: "for (const {target} of py.iter({iter})) {ifs:tests}",
    ast.Yield: "(yield {value})",
    ast.YieldFrom: "(yield* py.iter({value}))",
    ast.Expr: "{value};",
    ast.Return: "return {value};",
    ast.Assign: "{targets:chained}{value};",
    ast.AnnAssign: "{target} = {value};",
    ast.AugAssign: '{target} = py.changed("{op}", {target}, {value});',
    ast.Pass: ";",
    ast.Assert: ";",
    ast.Nonlocal: ";",
    ast.Break: "break;",
    ast.Continue: "continue;",
    ast.Raise: 'py.fail("an error");',
    ast.If: "if (py.truth({test})) {\n{body:lines}\n} else {\n{orelse:lines}\n}",
    ast.While: "while (py.truth({test})) {\n{body:lines}\n}",
    ast.For: "for ({target} of py.iter({iter})) {\n{body:lines}\n}",
    ast.With: "{\nconst held = [{items}];\ntry {\n{body:lines}\n} finally { py.leave(held); }\n}",
    ast.withitem: "py.enter({context_expr})",
    ast.arguments: "[{posonlyargs:each}{args:each}{kwonlyargs:each}] = py.bind(args, [{posonlyargs:quoted}"
    "{args:quoted}], [{kwonlyargs:quoted}], [{defaults}], [{kw_defaults}]);",
    ast.arg: "{arg:word}",
}
#: Of what is assigned to, too: what has a value that can be set.
_STORED: dict[type, str] = {
    ast.Subscript: "py.slot({value}, {slice}).value",
    ast.Attribute: "py.slot({value}, {attr}).value",
}
_LOADED: dict[type, str] = {
    ast.Subscript: "py.item({value}, {slice})",
    ast.Attribute: "py.get({value}, {attr})",
}
#: How the parts of a field are written: each, and what stands between them.
WAYS = {
    "": ("{}", ", "),
    "named": (", {{ {} }}", ""),
    "late": ("() => {}", ", "),
    "names": ('"{}"', ", "),
    "each": ("{}, ", ""),
    "quoted": ('"{}", ', ""),
    "joined": ("{}", ""),
    "tests": ("if (py.truth({})) ", ""),
    "chained": ("{} = ", ""),
    "lines": ("{}", "\n"),
}
_TAKEN = {*JavaScriptPrinter.reserved.split(), "py", "args", "held"}
_OPERATORS = (ast.operator, ast.unaryop, ast.cmpop, ast.boolop)


class Script:
    """Functions with everything that they name, as JavaScript; each thing stands there once.

    `runtime` is the text of runtime/python.js: builtins that it lacks are refused.
    """

    def __init__(self, runtime: str) -> None:
        self.runtime = runtime
        #: The name and the text of what is defined, by its id, and the thing itself, so that no other gets this id.
        self.made: dict[int, tuple[str, str, Any]] = {}
        self.numbers = itertools.count()

    def function(self, function: Any) -> str:
        """The name of a function, which is written with all that it names. Raises NotInSubset."""
        if not isinstance(function, functools.partial):
            return self.defined(function, lambda: _Writer(self, function).function(tree_of(function)))
        inner = self.function(source_of(function.func))
        writer = _Writer(self, source_of(function.func))
        placed = "".join(f"{writer.thing(None, value)}, " for value in function.args)
        named = ", ".join(f"{name}: {writer.thing(None, value)}" for name, value in function.keywords.items())
        return self.defined(function, lambda: f"(...args) => py.call({inner}, [{placed}...args], {{ {named} }})")

    def defined(self, thing: Any, written: Callable[[], str]) -> str:
        """The name of a thing, which is defined as it is `written` unless it is there already."""
        name = f"d_{next(self.numbers)}_{getattr(thing, '__name__', '').strip('_')}"
        if id(thing) not in self.made:
            self.made[id(thing)] = (name, "", thing)
            try:
                text = f"const {name} = {written()};"
            finally:  # what it names stands before it, and what fails is not there
                del self.made[id(thing)]
            self.made[id(thing)] = (name, text, thing)
        return self.made[id(thing)][0]


# Writes one function; its variables, and those of the functions in it, are all local.
class _Writer(SourceReader):
    def __init__(self, script: Script, source: Any) -> None:
        tree = tree_of(source)
        super().__init__(source, {name for node in ast.walk(tree) for name in _bound(node)} - {tree.name})
        self.script = script

    def function(self, node: ast.FunctionDef) -> str:
        """A definition as an expression."""
        own = [*_inside(node)]
        kept = {name for part in own if isinstance(part, ast.Nonlocal) for name in part.names}
        bound = {name for part in ast.walk(node) if part is not node for name in _bound(part)} - kept
        self.demand(node.args.vararg is node.args.kwarg is None, node, "its parameters have to have names")
        star = "*" * any(isinstance(part, ast.Yield | ast.YieldFrom) for part in own)
        variables = f"var {', '.join(map(self.word, sorted(bound)))};" if bound else ""
        body = f"{self.written(node.args)}\n{self.written(node.body, 'lines')}"
        return f"function{star} (...args) {{\n{variables}\n{body}\n}}"

    def word(self, name: str) -> str:
        """A name that JavaScript allows for a variable."""
        return f"{name}_" if name in _TAKEN else name

    def written(self, node: Any, way: str = "") -> str:
        """A node, or a field of one, as text."""
        if isinstance(node, list):
            form, between = WAYS[way]
            text = between.join(
                form.format(self.written(one))
                for one in node
                if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))  # a docstring
            )
            return textwrap.indent(text, INDENT) if way == "lines" else text
        if isinstance(node, _OPERATORS):
            return type(node).__name__.lower()
        if way == "word" or not isinstance(node, ast.AST | None):
            return self.word(node) if way == "word" else quoted(node)
        known = None if node is None else self.known(node)
        if known is not None or node is None or isinstance(node, ast.Constant):
            return self.thing(node, known)
        if isinstance(node, ast.FunctionDef):
            self.demand(not node.decorator_list, node, "a function within has no decorators here")
            return f"{self.word(node.name)} = {self.function(node)};"
        if isinstance(node, ast.Name):
            self.demand(node.id in self.local or node.id in self.outside, node, "it has no value that is known here")
            return self.word(node.id) if node.id in self.local else "null"
        stored = isinstance(getattr(node, "ctx", None), ast.Store)
        form = {**FORMS, **(_STORED if stored else _LOADED)}.get(type(node), "")
        refused = isinstance(node, ast.For | ast.While) and node.orelse  # so is **, which has no key
        self.demand(form and not refused and None not in getattr(node, "keys", ()), node)
        return re.sub(r"{(\w+):?(\w*)}", lambda field: self.written(getattr(node, field[1]), field[2]), form)

    def thing(self, node: Any, value: Any) -> str:
        """What a constant, or a name outside of the function, stands for."""
        name = getattr(value, "__name__", "")
        of_numpy = vars(np).get(name, np) is value
        value = value if of_numpy else inspect.unwrap(source_of(value))
        if value is None or isinstance(value, bool | str):
            return quoted(value)
        if isinstance(value, int | float | np.generic):
            return literal(np.asarray(value).item())
        if isinstance(value, types.FunctionType | functools.partial) and not of_numpy:
            return self.script.function(value)
        if isinstance(value, tuple | list | set | frozenset | dict | range | np.ndarray):
            return self.script.defined(value, lambda: self._data(node, value))
        if getattr(value, "__module__", "") == "rulebots.output.diagram" and name == "Diagram":
            return "py.Diagram"
        if getattr(math, name, None) is value:
            return f"Math.{name}"
        ours = f"np_{name}" if of_numpy else name
        self.demand((of_numpy or getattr(builtins, name, None) is value) and f"    {ours}" in self.script.runtime, node)
        return f"py.{ours}"

    # A collection, with everything in it.
    def _data(self, node: Any, value: Any) -> str:
        if isinstance(value, dict):
            return f"py.dict({self._data(node, [*value.items()])})"
        if isinstance(value, set | frozenset):
            return f"py.set({self._data(node, sorted(value, key=repr))})"
        if not isinstance(value, tuple | list | range | np.ndarray):
            return self.thing(node, value)
        values = value.tolist() if isinstance(value, np.ndarray) else [*value]
        if set(re.sub(r"[\d\s.,e+()\[\]-]", "", repr(values))):
            return f"[{', '.join(self._data(node, one) for one in values)}]"
        return packed(values)


# The names that a node binds.
def _bound(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    if isinstance(node, ast.FunctionDef | ast.arg):
        yield node.name if isinstance(node, ast.FunctionDef) else node.arg


# The nodes of a function, without those of the functions in it.
def _inside(node: ast.AST) -> Iterator[ast.AST]:
    for part in ast.iter_child_nodes(node):
        if not isinstance(part, ast.FunctionDef | ast.Lambda):
            yield part
            yield from _inside(part)
