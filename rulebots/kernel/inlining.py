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
from collections.abc import Callable, Iterable, Iterator
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
_OF_NUMBERS = (min, max, abs, int, float, bool, round, len)


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
    body = Body(parameters, tuple(statements), result)
    return body if all(isinstance(n, PLAIN + _STATEMENTS) for n in body.nodes) else None


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
            self.perhaps = False
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
        match node:
            case ast.Assign():
                node.value = self._expression(node.value, scope, whole=True)
                node.targets = [self._expression(t, scope) for t in node.targets]
            case ast.AugAssign():
                node.target = self._expression(node.target, scope)
                node.value = self._expression(node.value, scope)
            case ast.Return(value=ast.expr()) | ast.Expr():
                node.value = self._expression(node.value, scope, whole=True)
            case ast.If():
                node.test = self._expression(node.test, scope, whole=True)
            case ast.While():
                self.perhaps = True
                node.test = self._expression(node.test, scope)
            case ast.For():
                node.iter = self._expression(node.iter, scope, whole=True)
                node.target = self._expression(node.target, scope)

    def _expression(self, node: Any, scope: Scope, *, whole: bool = False) -> Any:
        """An expression of a scope, as it stands in the new function; `whole` where it is all of a statement."""
        match node:
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
                    if isinstance(value, list):
                        setattr(node, name, [self._expression(v, scope) for v in value])
                    elif isinstance(value, ast.AST):
                        setattr(node, name, self._expression(value, scope))
            case _:
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
        harmless = self._harmless(node, scope)
        node.args = [self._expression(a, scope) for a in node.args]
        node.keywords = [self._expression(k, scope) for k in node.keywords]
        if small is None or not self._fits(small[1], node.args, whole=whole, harmless=harmless):
            node.func = self._expression(node.func, scope)
            self.late = self.late or not harmless
            return node
        function, body = small
        self.count += 1
        self.nodes += body.size
        inner = Scope(function)
        for name, argument in zip(body.parameters, node.args, strict=True):
            stays = isinstance(argument, _ATOMS) and name not in body.names
            inner.local[name] = argument if stays else self._bind(name, argument, node, own=name in body.names)
        self.open.append(function)
        result: ast.expr = copy.deepcopy(body.result)
        if body.simple:
            for statement in copy.deepcopy(body.steps):
                name = next(t.id for t in statement.targets if isinstance(t, ast.Name))
                value = self._expression(statement.value, inner, whole=True)
                inner.local[name] = value if isinstance(value, _ATOMS) else self._bind(name, value, node)
            result = self._expression(result, inner, whole=whole)
        else:
            inner.local |= {name: ast.Name(self._fresh(name)) for name in sorted(body.names - inner.local.keys())}
            before = self.before
            block = self._block(copy.deepcopy(body.statements), inner)
            _locate(block, node)
            self.before, self.bound, self.perhaps, self.late = [*before, *block], {}, False, False
            result = self._expression(result, inner, whole=True)
        self.open.pop()
        _locate([result], node)
        if harmless and not (whole or self.late or isinstance(result, _ATOMS)):
            if self.perhaps:
                result = self.bound.get(ast.dump(result), result)
            else:
                result = self._bind(function.__name__, result, node)
        self.late = self.late or not harmless
        return result

    def _fits(self, body: Body, arguments: list[ast.expr], *, whole: bool, harmless: bool) -> bool:
        """Whether a kernel can be written here without doing anything earlier or later than its call does."""
        if body.simple and not body.statements and all(isinstance(a, _ATOMS) for a in arguments):
            return True
        if self.perhaps:
            return False
        return whole or (body.simple and harmless and not self.late)

    def _bind(self, name: str, value: ast.expr, node: ast.Call, *, own: bool = False) -> ast.expr:
        """A name for a value, bound before the statement that is being written.

        A value that has such a name keeps it, unless the name has to be its `own`: it will be assigned to.
        """
        if (known := self.bound.get(ast.dump(value))) is not None and not own:
            return copy.copy(known)
        fresh = self._fresh(name)
        statement = ast.Assign([ast.Name(fresh, ast.Store())], value)
        _locate([statement], node)
        self.before.append(statement)
        bound = ast.copy_location(ast.Name(fresh, ast.Load()), node)
        if not all(self._known_harmless(part.func) for part in ast.walk(value) if isinstance(part, ast.Call)):
            self.bound = {}
            self.late = False  # it may have written what the others read, and it is over
        elif not own:
            self.bound[ast.dump(value)] = bound
        return copy.copy(bound)

    def _known_harmless(self, node: ast.expr) -> bool:
        """Whether what is called in the new function is one of Python's or NumPy's functions of numbers."""
        name = node.id if isinstance(node, ast.Name) else ""
        return name not in self.outer.local and makes_a_number(self.names.get(name, BUILTINS.get(name)))

    def _small(self, node: ast.Call, scope: Scope) -> tuple[Function, Body] | None:
        """The function of a kernel that is called, where it can be written here."""
        if not isinstance(node.func, ast.Name) or node.func.id in scope.local or node.keywords:
            return None
        try:
            function = self.function_of(scope.value(node.func.id))
        except LookupError:
            return None
        body = body_of(function) if function is not None and function not in self.open else None
        if function is None or body is None or not Scope(function).sees(body):
            return None
        if (not body.simple and body.size > MOST_OF_A_KERNEL) or self.nodes + body.size > MOST_NODES:
            return None
        fits = len(node.args) == len(body.parameters) and not any(isinstance(a, ast.Starred) for a in node.args)
        return (function, body) if fits else None

    def _harmless(self, node: ast.Call, scope: Scope) -> bool:
        """Whether a call is known to write nothing, whatever its arguments do."""
        module: str | None = None
        match node.func:
            case ast.Name(id=name) if name not in scope.local:
                pass
            case ast.Attribute(value=ast.Name(id=str(module)), attr=name) if module not in scope.local:
                pass
            case _:
                return False
        try:
            value = scope.value(name) if module is None else getattr(scope.value(module), name, None)
        except LookupError:
            return False
        if (small := self._small(node, scope)) is not None:
            inner = Scope(small[0], dict.fromkeys((*small[1].parameters, *small[1].names)))
            self.open.append(small[0])
            calls = [n for n in small[1].nodes if isinstance(n, ast.Call)]
            result = small[1].simple and all(self._harmless(call, inner) for call in calls)
            self.open.pop()
            return result
        return makes_a_number(value)


def _locate(nodes: Iterable[ast.AST], call: ast.Call) -> None:
    """What stands in the place of a call is on its line."""
    for node in nodes:
        for part in ast.walk(node):
            ast.copy_location(part, call)
