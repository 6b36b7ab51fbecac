"""Why a function cannot be compiled, in its author's terms: the line, what stands there, what to do.

First come the functions themselves: what Numba cannot compile mostly shows in their text. What is left is Numba's own
message, of which the innermost place in the user's code and the sentence that says something are taken.
"""

import ast
import re
import types
from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rulebots.errors import did_you_mean
from rulebots.kernel.fingerprint import lookups_of
from rulebots.kernel.source_code import BUILTINS, definition
from rulebots.kernel.user_code import CodeError, is_users, place, place_of, shortened, unknown_field

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
#: Modules whose functions give something else at every call, and a part of one.
_OUTSIDE = frozenset({"random", "time", "secrets", "uuid", "datetime"})
_NUMPY_RANDOM = "numpy.random"
#: What makes a generator of random numbers.
_GENERATORS = ("default_rng", "RandomState")


def reason(functions: Iterable[types.FunctionType], message: str, records: Sequence[Sequence[str]] = ()) -> str:
    """Why functions that take part in a kernel cannot be compiled, in a sentence that begins with the place.

    `message` is what Numba says, `records` are the fields of the records that the kernel is given.

    Raises:
        CodeError: the mistake is one that is also a mistake where the function runs interpreted.
    """
    users = [function for function in functions if is_users(function.__code__.co_filename)]
    for mistake in (*mistakes(users), *_lost_fields(users, message, records)):
        raise CodeError(mistake)
    return next(obstacles(users), None) or _translated(message)


class _Source:
    """A function with its syntax tree, and messages about places in it."""

    def __init__(self, function: types.FunctionType) -> None:
        self.function = function
        self.tree = definition(function)
        self.nodes = [] if self.tree is None else list(ast.walk(self.tree))

    def at(self, node: ast.AST) -> str:
        return place(self.function.__code__.co_filename, getattr(node, "lineno", self.tree.lineno if self.tree else 1))

    def does(self, where: ast.AST | str, what: str) -> str:
        """That the function does `what`, at a node or where it uses a name."""
        if isinstance(where, str):
            users = (n for n in self.nodes if where in (getattr(n, "id", None), getattr(n, "attr", None)))
            where = next(users, where)
        line = place_of(self.function) if isinstance(where, str) else self.at(where)
        return f"{line}: `{self.function.__name__}` {what}"


def _lost_fields(
    functions: Iterable[types.FunctionType], message: str, records: Sequence[Sequence[str]]
) -> Iterator[str]:
    """Where a field is used that no record has. Numba only says its name, in quotes."""
    lost = re.fullmatch(r"'(\w+)'", message.strip().rpartition("\n")[2].strip())
    for source in map(_Source, functions if lost else ()):
        for node in source.nodes:
            match node:
                case ast.Attribute(value=ast.Name(id=owner), attr=name) if lost and name == lost[1]:
                    # A view has the field `luck`, and a state has `mover`.
                    fitting = [names for names in records if {"view": "luck", "state": "mover"}.get(owner, "") in names]
                    yield source.does(node, unknown_field(owner, name, next(iter([*fitting, *records]), ())))


def mistakes(functions: Iterable[types.FunctionType]) -> Iterator[str]:
    """What is wrong in functions, compiled or not: lost names, a memory, indices from the end, randomness."""
    for source in map(_Source, functions):
        known = source.function.__globals__
        for lost in sorted(
            {*lookups_of(source.function.__code__)} - {*known, *BUILTINS, *source.function.__code__.co_freevars}
        ):
            yield source.does(lost, f"uses the name '{lost}', which is not defined{did_you_mean(lost, known)}")
        for node in source.nodes:
            if isinstance(node, ast.Global | ast.Nonlocal):
                yield source.does(
                    node,
                    f"uses `{type(node).__name__.lower()} {', '.join(node.names)}`: "
                    "it may not keep a memory between calls; what lasts is a field of the state",
                )
        for node in _counted_from_the_end(source):
            yield source.does(
                node,
                f"uses the index `{ast.unparse(node.slice)}` of `{ast.unparse(node.value)}`, "
                "which counts from the end: write len(...) - 1 for the last one",
            )
        for path in _randomness(source.function, {*_seeded(source)}):
            yield source.does(
                path.rpartition(".")[2],
                f"uses {path}, so that no game can be repeated: "
                "take chance from `view.luck`, or draw it in `draw_deals`",
            )


def obstacles(functions: Iterable[types.FunctionType]) -> Iterator[str]:
    """What only stops functions from being compiled: plain helpers, and constructs that Numba does not know."""
    for source in map(_Source, functions):
        for name in lookups_of(source.function.__code__):
            value: Any = source.function.__globals__.get(name)
            if isinstance(value, types.FunctionType) and is_users(value.__code__.co_filename):
                yield source.does(
                    name,
                    f"calls {name}, which is not a kernel: put @kernel on {value.__name__}, {place_of(value)}",
                )
            elif type(value).__name__ == "Rule":
                yield source.does(name, f"calls the rule {name}: put what the two share into a function under @kernel")
        for node in source.nodes:
            match node:
                case ast.Call(func=ast.Name(id="print")):
                    yield source.does(
                        node, "uses `print`, at every call: leave it out; with --debug a debugger sees all"
                    )
                case ast.Call() if node in _seeded(source).values():
                    yield source.does(
                        node,
                        f"uses {ast.unparse(node.func)}, which Numba does not know: "
                        "draw the numbers once, outside, into an array of the module",
                    )
                case _ if node is not source.tree and (what := _CONSTRUCTS.get(type(node))):
                    yield source.does(node, f"uses {what}; {_ALLOWED}")


def suspects(functions: Iterable[types.FunctionType], error: Exception) -> str | None:
    """Where compiled code may have raised an exception, which comes without a line; None where no line could have."""
    divided = isinstance(error, ZeroDivisionError)
    places = {
        (source.at(node), source.function.__name__): None
        for source in map(_Source, functions)
        for node in source.nodes
        if (_may_divide_by_zero(node) if divided else isinstance(node, ast.Raise | ast.Assert))
    }
    if not places:
        return None
    (where, name), *others = places
    or_else = "".join(f", or `{name}` at {where}" for where, name in others)
    what = "divides by zero" if divided else f"raised {type(error).__name__}{f': {error}' if str(error) else ''}"
    remedy = "write max(..., 1) below the line, or ask with `if` first" if divided else "--debug shows which"
    return f"{where}: `{name}` {what} in some position{or_else}: {remedy}"


def _may_divide_by_zero(node: ast.AST) -> bool:
    match node:
        case (
            ast.BinOp(op=ast.Div() | ast.FloorDiv() | ast.Mod(), right=divisor)
            | ast.AugAssign(op=ast.Div() | ast.FloorDiv() | ast.Mod(), value=divisor)
        ):
            return not (isinstance(divisor, ast.Constant) and divisor.value)
    return False


def _counted_from_the_end(source: _Source) -> Iterator[ast.Subscript]:
    """Where a constant index below 0 stands at a record's array, `state.board[-1, column]`, or at a name for one."""
    code = source.function.__code__
    records = set(code.co_varnames[: code.co_argcount])
    arrays = set[str]()

    def is_array(node: ast.AST) -> bool:
        match node:
            case ast.Attribute(value=ast.Name(id=owner)):
                return owner in records
            case ast.Name(id=name):
                return name in arrays
            case ast.Subscript(value=inside):
                return is_array(inside)
        return False

    for node in source.nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if is_array(value):
                arrays.add(name)
            case ast.Subscript(value=value, slice=index) if is_array(value):
                parts = index.elts if isinstance(index, ast.Tuple) else [index]
                if any(isinstance(p, ast.UnaryOp) and isinstance(p.operand, ast.Constant) for p in parts):
                    yield node


def _seeded(source: _Source) -> dict[str, ast.Call]:
    """The generators of random numbers that a function makes from a seed, by their text: they always give the same."""
    made: dict[str, list[ast.Call]] = {}
    for node in source.nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(_GENERATORS):
            made.setdefault(ast.unparse(node.func), []).append(node)
    return {text: calls[0] for text, calls in made.items() if all(call.args or call.keywords for call in calls)}


def _randomness(function: types.FunctionType, seeded: Container[str]) -> Iterator[str]:
    """What a function reads that is not part of a position: random numbers, but those `seeded`, and the time."""
    for name, paths in lookups_of(function.__code__).items():
        value = function.__globals__.get(name)
        if isinstance(value, types.ModuleType):
            for path in paths:
                full = ".".join((value.__name__, *path))
                outside = value.__name__ in _OUTSIDE or full.startswith((_NUMPY_RANDOM, "os.urandom"))
                if outside and ".".join((name, *path)) not in seeded:
                    yield ".".join((name, *path))
        else:
            # `random.random` is a method of a generator.
            kinds = (type(value).__module__, type(getattr(value, "__self__", None)).__module__)
            if getattr(value, "__module__", None) in _OUTSIDE or any(
                kind in _OUTSIDE or kind.startswith(_NUMPY_RANDOM) for kind in kinds
            ):
                yield name


_UNKNOWN_FIELD = r"Field '(\w+)' was not found in record with fields \(([^)]*)\)"
#: Patterns of Numba's messages, and what each means. Groups `kind` are types of Numba's, put into Python's words.
_MEANINGS = {
    r"No implementation of function Function\(<(?:class|built-in function|ufunc|function) '?(?P<name>[\w.]+)"
    r"[^>]*>\) found for signature:\s*>>> [\w<>. ]+\((?P<kind>[^\n]*)\)": "Numba does not know {name}({kind})",
    r"Unknown attribute '(?P<name>\w+)' of type (?P<kind>\S+)": "Numba does not know '{name}' of {kind}",
    r"Untyped global name '(?P<name>\w+)': [Cc]annot determine Numba type of <class '(?P<type>[\w.]+)'>": (
        f"Numba cannot use '{{name}}', of type {{type}}; {_ALLOWED}"
    ),
    r"The use of a reflected list.*?assigned to variable '(?P<name>\w+)' in globals": (
        "uses the list '{name}' of the module: make it a tuple, or an array of NumPy's"
    ),
    r"Can't unify return type from the following types: (?P<kind>[^\n]*)": (
        "gives {kind} by turns: give the same at every `return`"
    ),
    r"Cannot unify (?P<kind>\S+) and (?P<other_kind>\S+) for '(?P<name>\w+)[\w.]*'": (
        "'{name}' is {kind} here and {other_kind} there: begin with the same type"
    ),
    r"variable '(?P<name>\w+)' is (?:not in scope|referenced before)": (
        "'{name}' has no value on some way through the function"
    ),
    r"Use of unsupported opcode \((?P<name>\w+)\)": f"a construct that Numba does not know ({{name}}); {_ALLOWED}",
}
#: Numba's names of types, and Python's.
_KINDS = {
    r"(?:nested)?array\([^)]*\)": "an array",
    r"Record\(.*?\)": "a record",
    r"Literal\[int\]\(\d+\)|\bu?int\d+\b": "an int",
    r"Literal\[bool\]\(\w+\)|\bbool(?:ean)?\b": "a bool",
    r"\bfloat\d+\b": "a float",
    r"\bnone\b": "None",
}


def _translated(message: str) -> str:
    """Numba's message in one line: the innermost place in the user's code, and what is wrong there."""
    where = _innermost(message)
    if "setitem" in message and ">>> setitem(readonly" in message:
        raise CodeError(
            f"{where}writes into an array of the module: it may keep no memory; what lasts is a field of the state"
        )
    if match := re.search(_UNKNOWN_FIELD, message):
        raise CodeError(where + unknown_field("a record", match[1], re.findall(r"'?(\w+)'?(?:\[|,|$)", match[2])))
    for pattern, meaning in _MEANINGS.items():
        if match := re.search(pattern, message, re.DOTALL):
            groups = {name: _kinds(text) if "kind" in name else text for name, text in match.groupdict().items()}
            return where + meaning.format(**groups)
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    text = next((line for line in lines if not line.startswith("Failed in nopython mode")), lines[0])
    return where + shortened(text)


def _kinds(text: str) -> str:
    """Numba's names of types, in Python's words."""
    for pattern, word in _KINDS.items():
        text = re.sub(pattern, word, text)
    return text


def _innermost(message: str) -> str:
    for file, line in re.findall(r'File "([^"]+)", line (\d+)', message) + re.findall(
        r"(?:at|of) (/\S+) \((\d+)\)", message
    ):
        path = str(Path(file).resolve()) if Path(file).exists() else file
        if is_users(path):
            return f"{place(path, int(line))}: "
    return ""
