"""The source of functions: their syntax trees, proved to be what runs."""

import __future__

import ast
import builtins
import functools
import linecache
import types
from typing import Any, TypeAlias

Function: TypeAlias = types.FunctionType

_FUTURES = functools.reduce(
    int.__or__, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
)
BUILTINS = vars(builtins)
#: What has to agree in two code objects, besides their constants.
_COMPARED = ("co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_argcount")


@functools.lru_cache(maxsize=4096)
def definition(function: Function) -> ast.FunctionDef | None:
    """The syntax tree of a function; None where the text that is found does not compile to what runs."""
    tree = written_definition(function)
    key = function.__code__.co_name, function.__code__.co_firstlineno
    return tree if tree is not None and _same(_codes(_lines_of(function)).get(key), function.__code__) else None


def written_definition(function: Function) -> ast.FunctionDef | None:
    """The syntax tree of a function by its name and line in its file; None where that has no such function."""
    return _definitions(_lines_of(function)).get((function.__code__.co_name, function.__code__.co_firstlineno))


def _lines_of(function: Function) -> tuple[str, ...]:
    return tuple(linecache.getlines(function.__code__.co_filename, function.__globals__))


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


@functools.lru_cache(maxsize=128)
def _codes(lines: tuple[str, ...]) -> dict[tuple[str, int], types.CodeType]:
    """The code objects of a text that has definitions, by name and first line; none if it compiles only elsewhere."""
    try:
        pending = [compile("".join(lines), "<text>", "exec", dont_inherit=True)]
    except SyntaxError:  # a notebook's cell may `await` outside functions
        return {}
    for code in pending:  # it grows
        pending += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return {(code.co_name, code.co_firstlineno): code for code in pending}


def _same(one: Any, other: Any) -> bool:
    """Whether two code objects, or two of their constants, do the same."""
    if not isinstance(one, types.CodeType) or not isinstance(other, types.CodeType):
        return repr(one) == repr(other)  # 1, 1.0 and True are equal
    if len(one.co_consts) != len(other.co_consts) or any(getattr(one, n) != getattr(other, n) for n in _COMPARED):
        return False
    return all(map(_same, one.co_consts, other.co_consts))
