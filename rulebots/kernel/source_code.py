"""What a function is made of: its syntax tree, proved to be what runs, and what its names stand for."""

from __future__ import annotations
import __future__

import ast
import builtins
import copy
import functools
import linecache
import types
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

Function: TypeAlias = types.FunctionType

_FUTURES = functools.reduce(
    int.__or__, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
)
BUILTINS = vars(builtins)
#: What the expressions of a small kernel may consist of: no scopes of their own, no names bound on the way.
PLAIN = (
    *(ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context),
    *(ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call, ast.keyword),
    *(ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.Slice, ast.Tuple),
)
#: Its statements, besides those.
_STATEMENTS = (ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.For, ast.While, ast.Break, ast.Continue, ast.Pass)
_OF_NUMBERS = (min, max, abs, int, float, bool, round, len)
#: What has to agree in two code objects, besides their constants.
_COMPARED = ("co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_argcount")


@functools.lru_cache(maxsize=4096)
def definition(function: Function) -> ast.FunctionDef | None:
    """The syntax tree of a function; None where the text that is found does not compile to what runs."""
    code = function.__code__
    lines = tuple(linecache.getlines(code.co_filename, function.__globals__))
    tree = _definitions(lines).get((code.co_name, code.co_firstlineno))
    return tree if tree is not None and _same(_compiled(tree, function), code) else None


def keep_source(filename: str, source: str) -> None:
    """Let tracebacks, and `definition`, find the text of functions that stand in no file."""
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)


def bare(tree: ast.FunctionDef) -> ast.FunctionDef:
    """A definition without decorators, annotations and default values; changes it in place."""
    arguments = tree.args
    arguments.defaults = []
    arguments.kw_defaults = [None] * len(arguments.kwonlyargs)
    for argument in ast.walk(arguments):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    tree.decorator_list = []
    tree.returns = None
    return tree


def flags_of(function: Function) -> int:
    """The compiler flags by which a function's text becomes its code: its `from __future__ import ...`."""
    return function.__code__.co_flags & _FUTURES


@functools.lru_cache(maxsize=128)
def _definitions(lines: tuple[str, ...]) -> dict[tuple[str, int], ast.FunctionDef]:
    """The functions in a text by name and first line, which is that of the first decorator."""
    try:
        tree = ast.parse("".join(lines))
    except (SyntaxError, ValueError):
        return {}
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return {(f.name, min([f.lineno, *(d.lineno for d in f.decorator_list)])): f for f in functions}


def _compiled(tree: ast.FunctionDef, function: Function) -> types.CodeType | None:
    """What a definition compiles to inside a function that has its free variables."""
    alone = copy.copy(tree)
    around = copy.copy(tree)
    alone.decorator_list = []
    outside = [ast.arg(name) for name in function.__code__.co_freevars]
    around.name = "around"
    around.body = [alone]
    around.decorator_list = []
    around.returns = None
    around.args = ast.arguments([], outside, None, [], [], None, [])
    module = ast.fix_missing_locations(ast.Module([around], []))
    code = compile(module, function.__code__.co_filename, "exec", flags_of(function), dont_inherit=True)
    for name in ("around", tree.name):
        inner = (c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == name)
        if (nested := next(inner, None)) is None:
            return None
        code = nested
    return code


def _same(one: Any, other: Any) -> bool:
    """Whether two code objects, or two of their constants, do the same."""
    if not isinstance(one, types.CodeType) or not isinstance(other, types.CodeType):
        return repr(one) == repr(other)
    if len(one.co_consts) != len(other.co_consts) or any(getattr(one, n) != getattr(other, n) for n in _COMPARED):
        return False
    return all(_same(a, b) for a, b in zip(one.co_consts, other.co_consts, strict=True))


@dataclass(frozen=True)
class Body:
    """A kernel that can be written into another: statements without a `return`, then the result."""

    parameters: tuple[str, ...]
    statements: tuple[ast.stmt, ...]
    result: ast.expr

    @functools.cached_property
    def names(self) -> frozenset[str]:
        """Names that the statements bind."""
        return frozenset(self._stored)

    @functools.cached_property
    def simple(self) -> bool:
        """Whether the statements only bind names, each one once."""
        names = [*self.parameters, *self._stored]
        binding = all(isinstance(s, ast.Assign) and [type(t) for t in s.targets] == [ast.Name] for s in self.statements)
        return binding and len(set(names)) == len(names)

    @functools.cached_property
    def size(self) -> int:
        """How many nodes its syntax tree has."""
        return sum(1 for _ in self.nodes)

    @property
    def _stored(self) -> list[str]:
        return [n.id for n in self.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]

    @property
    def steps(self) -> list[ast.Assign]:
        """The statements of a simple body."""
        return [s for s in self.statements if isinstance(s, ast.Assign)]

    @property
    def nodes(self) -> Iterator[ast.AST]:
        """All that the statements and the result consist of."""
        for part in (*self.statements, self.result):
            yield from ast.walk(part)


@functools.lru_cache(maxsize=4096)
def body_of(function: Function) -> Body | None:
    """What a function does, where it can be written into another; None where it cannot."""
    tree = definition(function)
    if tree is None or tree.args.vararg or tree.args.kwonlyargs or tree.args.kwarg:
        return None
    parameters = tuple(a.arg for a in (*tree.args.posonlyargs, *tree.args.args))
    statements = tree.body[1:] if ast.get_docstring(tree, clean=False) is not None else tree.body
    result: ast.expr = ast.Constant(None)
    if statements and isinstance(last := statements[-1], ast.Return):
        statements = statements[:-1]
        result = last.value or result
    body = Body(parameters, tuple(_apart(statements)), result)
    if not body.simple:
        body = Body(parameters, tuple(statements), result)
    return body if all(isinstance(n, PLAIN + _STATEMENTS) for n in body.nodes) else None


def _apart(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """`a, b = x, y` as two statements, which is the same where each name is bound once."""
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)) if len(names) == len(values):
                for name, value in zip(names, values, strict=True):
                    yield ast.copy_location(ast.Assign([name], value), statement)
            case _:
                yield statement


@dataclass
class Scope:
    """What names mean in a function: its locals, with what stands for them, and what else it can see."""

    function: Function
    local: dict[str, ast.expr | None] = field(default_factory=dict)

    def value(self, name: str) -> Any:
        """What a name that is not local stands for. Raises LookupError where that is nothing yet."""
        code = self.function.__code__
        if name in code.co_freevars:
            try:
                return (self.function.__closure__ or ())[code.co_freevars.index(name)].cell_contents
            except ValueError:
                raise LookupError(name) from None
        return self.function.__globals__[name] if name in self.function.__globals__ else BUILTINS[name]

    def sees(self, body: Body) -> bool:
        """Whether all names of a body that are not its own stand for something."""
        own = {*body.parameters, *body.names}
        names = {n.id for n in body.nodes if isinstance(n, ast.Name)}
        try:
            for name in names - own:
                self.value(name)
        except LookupError:
            return False
        return True


def makes_a_number(value: Any) -> bool:
    """Whether a value is a function of Python or NumPy that only makes a number of numbers."""
    if isinstance(value, type):
        return value in _OF_NUMBERS or issubclass(value, np.generic)
    return any(value is known for known in _OF_NUMBERS) or getattr(value, "__module__", "") == "math"
