"""Small kernels, written into those that call them.

A compiled function costs Numba a twentieth of a second however little it does, and a rule set has a
hundred rules of a line or two. So the call of such a kernel is replaced, in the syntax tree of the caller,
by what it does:

    scores[i] = weight * points(view, moves[i])

    item = moves[i]
    rank = max(item, 0) % 10
    scores[i] = weight * ((rank + 1) * view.times)

Statements keep their order: nothing is done earlier that could see or hide what another call writes, or that the
statement might skip. Functions whose source is not found, or is not what runs, and all constructs that are not named
here stay calls: slower to compile, with the same result.
"""

import ast
import contextlib
import copy
import functools
import itertools
from collections import ChainMap
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from rulebots.kernel.source_code import BUILTINS, Function, bare, definition, flags_of

#: What the expressions of a small kernel may consist of: no scopes of their own, no names bound on the way.
PLAIN = (
    *(ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context),
    *(ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call, ast.keyword),
    *(ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.Slice, ast.Tuple),
)
#: Its statements, besides those.
_STATEMENTS = (ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.For, ast.While, ast.Break, ast.Continue, ast.Pass)
#: Of each statement the expressions in it, in the order in which they run.
_HEADS: dict[type[ast.stmt], tuple[str, ...]] = {
    ast.Assign: ("value", "targets"),
    ast.AugAssign: ("target", "value"),
    ast.Return: ("value",),
    ast.Expr: ("value",),
    ast.If: ("test",),
    ast.While: ("test",),
    ast.For: ("iter", "target"),
}
_OF_NUMBERS = (min, max, abs, int, float, bool, round, len)


@dataclass(frozen=True)
class Body:
    """A kernel that can be written into another: statements without a `return`, then the result."""

    parameters: tuple[str, ...]
    statements: tuple[ast.stmt, ...]
    result: ast.expr

    @functools.cached_property
    def nodes(self) -> list[ast.AST]:
        """All that the statements and the result consist of."""
        return [node for part in (*self.statements, self.result) for node in ast.walk(part)]

    @functools.cached_property
    def names(self) -> list[str]:
        """The names that the statements bind, as often as they do."""
        return [n.id for n in self.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]

    @functools.cached_property
    def simple(self) -> bool:
        """Whether the statements only bind names, each one once."""
        names = [*self.parameters, *self.names]
        return all(map(_binds_a_name, self.statements)) and len(set(names)) == len(names)


def _binds_a_name(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign) and [type(target) for target in statement.targets] == [ast.Name]


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
    body = Body(parameters, tuple(statements), result)
    return body if all(isinstance(n, PLAIN + _STATEMENTS) for n in body.nodes) else None


@dataclass
class Scope:
    """What names mean in a function: its locals, with what stands for them, and what else it can see."""

    function: Function
    local: dict[str, ast.expr | None] = field(default_factory=dict)

    def value(self, name: str) -> Any:
        """What a name that is not local stands for. Raises LookupError where that is nothing yet."""
        if name in self.local:
            raise LookupError(name)
        code = self.function.__code__
        if name in code.co_freevars:
            try:
                return (self.function.__closure__ or ())[code.co_freevars.index(name)].cell_contents
            except ValueError:
                raise LookupError(name) from None
        return self.function.__globals__[name] if name in self.function.__globals__ else BUILTINS[name]


def makes_a_number(function: ast.expr, value_of: Callable[[str], Any]) -> bool:
    """Whether a function of Python or NumPy is called, by name or by module, that only makes a number of numbers."""
    try:
        match function:
            case ast.Name(id=name):
                value = value_of(name)
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                value = getattr(value_of(module), name, None)
            case _:
                return False
    except LookupError:
        return False
    if isinstance(value, type):
        return value in _OF_NUMBERS or issubclass(value, np.generic)
    return any(value is known for known in _OF_NUMBERS) or getattr(value, "__module__", "") == "math"


#: What a value that is called stands for: the function of a kernel, or None for anything else.
FunctionOf: TypeAlias = Callable[[object], Function | None]

#: Kernels with loops and branches are inlined up to this many nodes of their syntax trees. What Numba
#: spends on a function grows faster than the function: larger ones are better compiled apart.
MOST_OF_A_KERNEL = 200
#: A function grows to about this many nodes; further calls stay calls.
MOST_NODES = 20_000

_ATOMS = (ast.Name, ast.Constant)


def inlined(function: Function, function_of: FunctionOf) -> Function:
    """The function with the small kernels that it calls written into it; itself where there are none."""
    tree = definition(function)
    if tree is None:
        return function
    writer = _Writer(function, tree, function_of)
    tree = writer.written(copy.deepcopy(tree))
    if not writer.count:
        return function
    module = ast.fix_missing_locations(ast.Module([tree], []))
    code = compile(module, function.__code__.co_filename, "exec", flags_of(function), dont_inherit=True)
    namespace = {**writer.names, "__name__": function.__module__}
    exec(code, namespace)  # noqa: S102 - the functions' own source
    result: Function = namespace[tree.name]
    result.__defaults__ = function.__defaults__
    result.__kwdefaults__ = function.__kwdefaults__
    result.__qualname__ = function.__qualname__
    result.__doc__ = function.__doc__
    return result


class _Writer:
    """Writes a function once more, with small kernels in the place of their calls."""

    def __init__(self, function: Function, tree: ast.FunctionDef, function_of: FunctionOf) -> None:
        self.function_of = function_of
        #: How many calls were replaced.
        self.count = 0
        self.nodes = sum(1 for _ in ast.walk(tree))
        self.numbers = itertools.count(2)
        code = function.__code__
        self.outer = Scope(function, dict.fromkeys((*code.co_varnames, *code.co_cellvars)))
        self.taken = {*self.outer.local, *(n.id for n in ast.walk(tree) if isinstance(n, ast.Name))}
        #: The global names of the new function, and the name of each value (by its id) among them.
        self.names: dict[str, Any] = {}
        self.aliases: dict[int, str] = {}
        #: What all names mean there; None for those that are local.
        self.known = ChainMap(self.outer.local, self.names, BUILTINS)
        #: The functions that are being written, one inside the other: none is written into itself.
        self.open = [function]
        #: The statements that come before the one that is being written.
        self.before: list[ast.stmt] = []
        #: What is bound there, by its text.
        self.bound: dict[str, ast.expr] = {}
        #: Whether what is being written may be left out when the statement runs.
        self.perhaps = False
        #: Whether a call that may write something comes before it in the statement.
        self.late = False
        for name in sorted(self.taken - self.outer.local.keys()):
            with contextlib.suppress(LookupError):
                value = self.outer.value(name)
                self.aliases[id(value)] = name
                if BUILTINS.get(name, self) is not value:
                    self.names[name] = value

    def written(self, tree: ast.FunctionDef) -> ast.FunctionDef:
        tree.body = self._block(tree.body, self.outer) or [ast.Pass()]
        return bare(tree)

    def _block(self, statements: Iterable[ast.stmt], scope: Scope) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        for statement in statements:
            self.before = []
            self.bound = {}
            self.late = False
            self._heads(statement, scope)
            result += self.before
            if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
                result.append(statement)
            if isinstance(statement, ast.If | ast.For | ast.While):
                statement.body = self._block(statement.body, scope) or [ast.Pass()]
                statement.orelse = self._block(statement.orelse, scope)
        return result

    def _heads(self, node: ast.stmt, scope: Scope) -> None:
        """Write the expressions of a statement, not those of the statements in it."""
        self.perhaps = isinstance(node, ast.While)  # it is asked again and again
        whole = not isinstance(node, ast.While | ast.AugAssign)
        for name in _HEADS.get(type(node), ()):
            setattr(node, name, self._expression(getattr(node, name), scope, whole=whole))
            whole = False

    def _expression(self, node: Any, scope: Scope, *, whole: bool = False) -> Any:
        """An expression of a scope, or several, as in the new function; `whole` where it is all of a statement."""
        match node:
            case list():
                return [self._expression(part, scope) for part in node]
            case ast.Call():
                return self._call(node, scope, whole=whole)
            case ast.Name():
                return self._name(node, scope)
            case ast.IfExp():
                node.test = self._expression(node.test, scope)
                node.body, node.orelse = self._optional([node.body, node.orelse], scope)
            case ast.BoolOp():
                node.values = [self._expression(node.values[0], scope), *self._optional(node.values[1:], scope)]
            case ast.Compare():
                node.left = self._expression(node.left, scope)
                first = self._expression(node.comparators[0], scope)
                node.comparators = [first, *self._optional(node.comparators[1:], scope)]
            case _ if isinstance(node, PLAIN):
                for name, value in ast.iter_fields(node):
                    setattr(node, name, self._expression(value, scope))
            case ast.AST():
                self.late = True
        return node

    def _optional(self, nodes: list[ast.expr], scope: Scope) -> list[ast.expr]:
        outside = self.perhaps
        self.perhaps = True
        result = [self._expression(node, scope) for node in nodes]
        self.perhaps = outside
        return result

    def _name(self, node: ast.Name, scope: Scope) -> ast.expr:
        if scope is self.outer:
            return node
        if node.id in scope.local:
            meant = copy.copy(scope.local[node.id])
            if isinstance(meant, ast.Name):
                meant.ctx = node.ctx
            return meant or node
        value = scope.value(node.id)
        if id(value) not in self.aliases:
            alias = self.aliases[id(value)] = self._fresh(node.id)
            if BUILTINS.get(alias, self) is not value:
                self.names[alias] = value
        return ast.copy_location(ast.Name(self.aliases[id(value)], ast.Load()), node)

    def _fresh(self, name: str) -> str:
        names = itertools.chain([name], (f"{name}_{i}" for i in self.numbers))
        fresh = next(n for n in names if n not in self.taken)
        self.taken.add(fresh)
        return fresh

    def _call(self, node: ast.Call, scope: Scope, *, whole: bool) -> ast.expr:
        """What a call of a small kernel gives, in a scope of the new function; any other call as a call."""
        small = self._small(node, scope)
        harmless = makes_a_number(node.func, scope.value)
        node.args = self._expression(node.args, scope)
        node.keywords = self._expression(node.keywords, scope)
        former = self.before, self.bound, self.perhaps, self.late
        if small is not None and (whole or small[1].simple):
            self.before, self.bound = [*self.before], {**self.bound}
            result = self._result(node, *small, whole=whole)
            further = self.before[len(former[0]) :]
            harmless = all(map(_binds_a_name, further)) and self._is_harmless(*further, result)
            self.perhaps = former[2]
            # Nothing may be done earlier or later than by the call.
            if whole or not further or (harmless and not (self.perhaps or former[3])):
                self.count += 1
                self.nodes += len(small[1].nodes)
                if harmless and not (whole or self.late or isinstance(result, _ATOMS)):
                    if not self.perhaps:
                        return self._bind(small[0].__name__, result, node)
                    result = self.bound.get(ast.dump(result), result)
                self.late = self.late or not harmless
                return result
            self.before, self.bound, self.perhaps, self.late = former
        node.func = self._expression(node.func, scope)
        self.late = self.late or not harmless
        return node

    def _result(self, node: ast.Call, function: Function, body: Body, *, whole: bool) -> ast.expr:
        """What a kernel gives for the arguments of a call; its statements come before the one that is being written."""
        inner = Scope(function)
        for name, argument in zip(body.parameters, node.args, strict=True):
            stays = isinstance(argument, _ATOMS) and name not in body.names
            inner.local[name] = argument if stays else self._bind(name, argument, node, own=name in body.names)
        self.open.append(function)
        result: ast.expr = copy.deepcopy(body.result)
        if body.simple:
            for statement in (s for s in copy.deepcopy(body.statements) if isinstance(s, ast.Assign)):
                name = next(t.id for t in statement.targets if isinstance(t, ast.Name))
                value = self._expression(statement.value, inner, whole=True)
                inner.local[name] = value if isinstance(value, _ATOMS) else self._bind(name, value, node)
            result = self._expression(result, inner, whole=whole)
        else:
            inner.local |= {name: ast.Name(self._fresh(name)) for name in sorted({*body.names} - inner.local.keys())}
            before = self.before
            block = self._block(copy.deepcopy(body.statements), inner)
            _locate(block, node)
            self.before, self.bound, self.perhaps, self.late = [*before, *block], {}, False, False
            result = self._expression(result, inner, whole=True)
        self.open.pop()
        _locate([result], node)
        return result

    def _bind(self, name: str, value: ast.expr, node: ast.Call, *, own: bool = False) -> ast.expr:
        """A name for a value, bound before the statement that is being written.

        A value that has such a name keeps it, unless the name has to be its `own`: it will be assigned to; or unless
        a call in between may have written what it reads.
        """
        if not (own or self.late) and (known := self.bound.get(ast.dump(value))) is not None:
            return copy.copy(known)
        fresh = self._fresh(name)
        statement = ast.Assign([ast.Name(fresh, ast.Store())], value)
        _locate([statement], node)
        self.before.append(statement)
        bound = ast.copy_location(ast.Name(fresh, ast.Load()), node)
        if not self._is_harmless(value):
            self.bound = {}
            self.late = False  # it may have written what the others read, and it is over
        elif not own:
            self.bound[ast.dump(value)] = bound
        return copy.copy(bound)

    def _is_harmless(self, *nodes: ast.AST) -> bool:
        """Whether parts of the new function call nothing but functions of numbers."""
        parts = (part for node in nodes for part in ast.walk(node))
        return all(makes_a_number(part.func, self.known.__getitem__) for part in parts if isinstance(part, ast.Call))

    def _small(self, node: ast.Call, scope: Scope) -> tuple[Function, Body] | None:
        """The function of a kernel that is called, where it can be written here."""
        if not isinstance(node.func, ast.Name) or node.keywords:
            return None
        try:
            function = self.function_of(scope.value(node.func.id))
            body = None if function is None or function in self.open else body_of(function)
            if function is None or body is None:
                return None
            for name in {n.id for n in body.nodes if isinstance(n, ast.Name)} - {*body.parameters, *body.names}:
                Scope(function).value(name)
        except LookupError:
            return None
        size = len(body.nodes)
        if (not body.simple and size > MOST_OF_A_KERNEL) or self.nodes + size > MOST_NODES:
            return None
        fits = len(node.args) == len(body.parameters) and not any(isinstance(a, ast.Starred) for a in node.args)
        return (function, body) if fits else None


def _locate(nodes: Iterable[ast.AST], call: ast.Call) -> None:
    """What stands in the place of a call is on its line."""
    for node in nodes:
        for part in ast.walk(node):
            ast.copy_location(part, call)
