"""Why a function cannot be compiled, in its author's terms: the line, what stands there, what to do.

First the functions are looked at: what Numba cannot compile is mostly seen in their text. What is left is Numba's own
message, of which the innermost place in the user's code and the sentence that says something are taken.
"""

from __future__ import annotations

import ast
import re
import types
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rulebots.errors import nearest
from rulebots.kernel.byte_code import lookups_of
from rulebots.kernel.source_code import BUILTINS, definition
from rulebots.kernel.user_code import MESSAGE_SHOWN, CodeError, is_users, place, place_of, unknown_field

#: What a kernel may not contain, by the node of its syntax tree.
_CONSTRUCTS: dict[type[ast.AST], str] = {
    ast.Dict: "a dict",
    ast.DictComp: "a dict",
    ast.Set: "a set",
    ast.SetComp: "a set",
    ast.JoinedStr: "an f-string",
    ast.Try: "`try`",
    ast.With: "`with`",
    ast.Lambda: "a lambda",
    ast.ClassDef: "a class",
    ast.FunctionDef: "a function in a function",
    ast.Yield: "`yield`",
    ast.YieldFrom: "`yield`",
    ast.Await: "`await`",
    ast.GeneratorExp: "a generator",
    ast.Import: "`import`",
    ast.ImportFrom: "`import`",
    ast.Delete: "`del`",
    ast.Match: "`match`",
}
_ALLOWED = "a kernel may use numbers, arrays and records only"
#: Modules, and parts of one, whose functions give something else at every call.
_OUTSIDE = {"random": "random", "time": "time", "secrets": "secrets", "uuid": "uuid", "datetime": "datetime"}
_NUMPY_RANDOM = "numpy.random"


def reason(functions: Iterable[types.FunctionType], message: str, records: Sequence[Sequence[str]] = ()) -> str:
    """Why functions that take part in a kernel cannot be compiled, in a sentence that begins with the place.

    `message` is what Numba says, `records` are the fields of the records that the kernel is given.

    Raises:
        CodeError: the mistake is one that is also a mistake where the function runs interpreted.
    """
    users = [function for function in functions if is_users(function.__code__.co_filename)]
    for mistake in mistakes(users):
        raise CodeError(mistake)
    for lost in _lost_fields(users, message, records):
        raise CodeError(lost)
    for obstacle in (*obstacles(users), *_plain_functions(users, message)):
        return obstacle
    return _translated(message)


def _plain_functions(functions: Iterable[types.FunctionType], message: str) -> Iterator[str]:
    """Where functions call a plain one of anybody's: Numba only says its name."""
    found = re.search(_MEANINGS["global"], message)
    for function in functions if found else ():
        for name, value in _globals_read(function):
            if found and name == found["name"] and isinstance(value, types.FunctionType):
                yield _calls_plain(function, definition(function), name, value)


def _calls_plain(function: types.FunctionType, tree: ast.FunctionDef | None, name: str, called: Any) -> str:
    helper = f"which is no kernel: put @kernel on {called.__name__}, {place_of(called)}"
    return f"{_where(function, tree, name)}: `{function.__name__}` calls {name}, {helper}"


def _lost_fields(
    functions: Iterable[types.FunctionType], message: str, records: Sequence[Sequence[str]]
) -> Iterator[str]:
    """Where a field is used that no record has. Numba only says its name, in quotes."""
    found = re.fullmatch(r"'(\w+)'", message.strip().splitlines()[-1].strip()) if message.strip() else None
    if found is None:
        return
    for function in functions:
        tree = definition(function)
        for node in ast.walk(tree) if tree is not None else ():
            match node:
                case ast.Attribute(value=ast.Name(id=owner), attr=name) if name == found[1]:
                    # A view has the field `luck`, and a state has `mover`.
                    own = [names for names in records if {"view": "luck", "state": "mover"}.get(owner, "") in names]
                    fields = next(iter([*own, *records]), ())
                    what = unknown_field(owner, name, fields)
                    yield f"{_at(function, tree, node)}: `{function.__name__}` {what}"


def mistakes(functions: Iterable[types.FunctionType]) -> Iterator[str]:
    """What is wrong in functions, compiled or not: names that mean nothing, a memory, outside randomness."""
    for function in functions:
        tree, name = definition(function), function.__name__
        for lost in sorted(set(lookups_of(function.__code__).in_globals) - {*function.__globals__, *BUILTINS}):
            close = nearest(lost, function.__globals__)
            hint = f"; did you mean '{close}'?" if close else ""
            yield f"{_where(function, tree, lost)}: `{name}` uses the name '{lost}', which is not defined{hint}"
        for node in ast.walk(tree) if tree is not None else ():
            if isinstance(node, ast.Global | ast.Nonlocal):
                word = "global" if isinstance(node, ast.Global) else "nonlocal"
                what = f"`{word} {', '.join(node.names)}`: it may not keep a memory between calls"
                yield f"{_at(function, tree, node)}: `{name}` uses {what}; what lasts is a field of the state"
        for source in _randomness(function):
            remedy = "take chance from `view.luck`, or draw it in `draw_deals`"
            where = _where(function, tree, source.rpartition(".")[2])
            yield f"{where}: `{name}` uses {source}, so that no game can be repeated: {remedy}"


def obstacles(functions: Iterable[types.FunctionType]) -> Iterator[str]:
    """What only stops functions from being compiled: plain helpers, and constructs that Numba does not know."""
    for function in functions:
        tree = definition(function)
        for name, value in _globals_read(function):
            if isinstance(value, types.FunctionType) and is_users(value.__code__.co_filename):
                yield _calls_plain(function, tree, name, value)
            elif type(value).__name__ == "Rule":
                helper = "put what the two share into a function under @kernel"
                yield f"{_where(function, tree, name)}: `{function.__name__}` calls the rule {name}: {helper}"
        for node in ast.walk(tree) if tree is not None else ():
            if node is not tree and (what := _CONSTRUCTS.get(type(node))):
                yield f"{_at(function, tree, node)}: `{function.__name__}` uses {what}; {_ALLOWED}"


def suspects(functions: Iterable[types.FunctionType], error: Exception) -> str | None:
    """Where compiled code may have raised an exception, which comes without a line; None where no line could have."""
    divided = isinstance(error, ZeroDivisionError)
    found = {
        (_at(function, tree, node), function.__name__): None
        for function in functions
        if (tree := definition(function)) is not None
        for node in ast.walk(tree)
        if (_may_divide_by_zero(node) if divided else isinstance(node, ast.Raise | ast.Assert))
    }
    if not found:
        return None
    (where, name), *others = found
    or_else = "".join(f", or `{name}` at {where}" for where, name in others)
    what = "divides by zero" if divided else f"raised {type(error).__name__}{f': {error}' if str(error) else ''}"
    remedy = "write max(..., 1) below the line, or ask with `if` first" if divided else "--debug shows which"
    return f"{where}: `{name}` {what} in some position{or_else}: {remedy}"


def _may_divide_by_zero(node: ast.AST) -> bool:
    match node:
        case ast.BinOp(op=ast.Div() | ast.FloorDiv() | ast.Mod(), right=divisor):
            pass
        case ast.AugAssign(op=ast.Div() | ast.FloorDiv() | ast.Mod(), value=divisor):
            pass
        case _:
            return False
    return not (isinstance(divisor, ast.Constant) and divisor.value)


def _globals_read(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    for name in lookups_of(function.__code__).in_globals:
        if name in function.__globals__:
            yield name, function.__globals__[name]


def _randomness(function: types.FunctionType) -> Iterator[str]:
    """What a function reads that is no part of a position: random numbers, and the time."""
    for name, paths in lookups_of(function.__code__).in_globals.items():
        value = function.__globals__.get(name)
        if isinstance(value, types.ModuleType):
            for path in paths:
                full = ".".join((value.__name__, *path))
                if value.__name__ in _OUTSIDE or full.startswith((_NUMPY_RANDOM, "os.urandom")):
                    yield ".".join((name, *path))
        elif getattr(value, "__module__", None) in _OUTSIDE or any(map(_is_random, (value, _owner_of(value)))):
            yield name


def _owner_of(method: Any) -> Any:
    """What a method belongs to; `random.random` belongs to a generator."""
    return getattr(method, "__self__", None)


def _is_random(thing: Any) -> bool:
    kind = type(thing).__module__
    return kind in _OUTSIDE or kind.startswith(_NUMPY_RANDOM)


def _at(function: types.FunctionType, tree: ast.FunctionDef | None, node: ast.AST) -> str:
    return place(function.__code__.co_filename, getattr(node, "lineno", tree.lineno if tree else 1))


def _where(function: types.FunctionType, tree: ast.FunctionDef | None, name: str) -> str:
    """The line on which a function uses a name, or that of the function."""
    for node in ast.walk(tree) if tree is not None else ():
        if (isinstance(node, ast.Name) and node.id == name) or (isinstance(node, ast.Attribute) and node.attr == name):
            return _at(function, tree, node)
    return place_of(function)


#: Numba's messages, and what kind of mistake each is.
_MEANINGS = {
    "field": r"Field '(?P<name>\w+)' was not found in record with fields \((?P<fields>[^)]*)\)",
    "call": (
        r"No implementation of function Function\(<(?:class|built-in function|ufunc|function) '?(?P<what>[\w.]+)"
        r"[^>]*>\) found for signature:\s*>>> [\w<>. ]+\((?P<given>[^\n]*)\)"
    ),
    "attribute": r"Unknown attribute '(?P<name>\w+)' of type (?P<kind>\S+)",
    "global": r"Untyped global name '(?P<name>\w+)': [Cc]annot determine Numba type of <class '(?P<kind>[\w.]+)'>",
    "list": r"The use of a reflected list.*?assigned to variable '(?P<name>\w+)' in globals",
    "return": r"Can't unify return type from the following types: (?P<kinds>[^\n]*)",
    "unify": r"Cannot unify (?P<one>\S+) and (?P<other>\S+) for '(?P<name>[\w.]+)'",
    "unbound": r"variable '(?P<name>\w+)' is (?:not in scope|referenced before)",
    "opcode": r"Use of unsupported opcode \((?P<name>\w+)\)",
}


def _translated(message: str) -> str:
    """Numba's message in one line: the innermost place in the user's code, and what is wrong there."""
    where = _innermost(message)
    if "setitem" in message and ">>> setitem(readonly" in message:
        what = "writes into an array of the module: it may keep no memory; what lasts is a field of the state"
        raise CodeError(f"{where}{what}")
    for kind, pattern in _MEANINGS.items():
        if found := re.search(pattern, message, re.DOTALL):
            return where + _meaning(kind, found.groupdict())
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith("Failed in nopython mode")]
    text = (telling or lines)[0]
    return where + (text if len(text) <= MESSAGE_SHOWN else f"{text[:MESSAGE_SHOWN]} ...")


def _meaning(kind: str, found: dict[str, str]) -> str:
    match kind:
        case "field":
            fields = re.findall(r"'?(\w+)'?(?:\[|,|$)", found["fields"])
            raise CodeError(unknown_field("a record", found["name"], fields))
        case "call":
            return f"Numba knows no {found['what']}({_kinds(found['given'])})"
        case "attribute":
            return f"Numba knows no '{found['name']}' of {_kinds(found['kind'])}"
        case "global":
            return f"Numba cannot use '{found['name']}', of type {found['kind']}; {_ALLOWED}"
        case "list":
            return f"uses the list '{found['name']}' of the module: make it a tuple, or an array of NumPy's"
        case "return":
            return f"gives {_kinds(found['kinds'])} by turns: give the same at every `return`"
        case "unify":
            name = found["name"].partition(".")[0]
            return (
                f"'{name}' is {_kinds(found['one'])} here and {_kinds(found['other'])} there: begin with the same type"
            )
        case "unbound":
            return f"'{found['name']}' has no value on some way through the function"
        case _:
            return f"a construct that Numba does not know ({found['name']}); {_ALLOWED}"


def _kinds(text: str) -> str:
    """Numba's names of types, in Python's words."""
    words = {r"\bbool(?:ean)?\b": "a bool", r"\bu?int\d+\b": "an int", r"\bfloat\d+\b": "a float", r"\bnone\b": "None"}
    text = re.sub(r"Literal\[int\]\(\d+\)", "an int", text)
    text = re.sub(r"Literal\[bool\]\(\w+\)", "a bool", text)
    text = re.sub(r"array\([^)]*\)|nestedarray\([^)]*\)", "an array", text)
    text = re.sub(r"Record\(.*?\)", "a record", text)
    for pattern, word in words.items():
        text = re.sub(pattern, word, text)
    return text


def _innermost(message: str) -> str:
    """The first place in a message that is in the user's code, as `file:line: `; Numba names the innermost first."""
    for file, line in re.findall(r'File "([^"]+)", line (\d+)', message) + re.findall(
        r"(?:at|of) (/\S+) \((\d+)\)", message
    ):
        path = str(Path(file).resolve()) if Path(file).exists() else file
        if is_users(path):
            return f"{place(path, int(line))}: "
    return ""
