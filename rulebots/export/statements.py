"""Statements: from Python source to the small language of tree.py."""

import ast
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from rulebots.export.expressions import ExpressionReader, assigned_in, is_whole, parts_of
from rulebots.export.program import Function, Program
from rulebots.export.ranges import Range
from rulebots.export.tree import BOOL, FLOAT, INT, ArrayKind, Expr, Kind, Place, Statement, constant, kind_of, wider


def read_body(program: Program, function: Function) -> tuple[Statement, ...]:
    """The statements of a function. Raises NotInSubset."""
    return StatementReader(program, function).statements(function.tree.body)


class StatementReader(ExpressionReader):
    """Reads the body of one function."""

    def statements(self, nodes: Iterable[ast.stmt]) -> tuple[Statement, ...]:
        """The statements of a body, up to the first that leaves it."""
        read: list[Statement] = []
        for node in nodes:
            reader: Any = getattr(self, f"_{type(node).__name__.lower()}", None)
            self.demand(reader, node)
            self.demand(
                isinstance(node, ast.If) or not getattr(node, "orelse", None), node, "a loop has no `else` here"
            )
            read += reader(node)
            if read and read[-1].form in ("return", "leave"):
                break
        return tuple(read)

    def _pass(self, node: ast.Pass) -> Iterator[Statement]:
        yield from ()

    def _break(self, node: ast.Break | ast.Continue) -> Iterator[Statement]:
        yield Statement("leave", name=type(node).__name__.lower())

    _continue = _break

    def _expr(self, node: ast.Expr) -> Iterator[Statement]:
        if not isinstance(node.value, ast.Constant):
            call = self.value(node.value)
            self.demand(call.form == "call", node, "it does nothing")
            yield Statement("do", values=(call,))

    def _return(self, node: ast.Return) -> Iterator[Statement]:
        if isinstance(node.value, ast.IfExp) and isinstance(node.value.body, ast.Tuple):
            yield from self._if(_as_statement(node.value, ast.Return))
            return
        results = self.function.results
        values = [self.value(part) for part in parts_of(node.value)]
        results += [Place() for _ in values[len(results) :]]
        for result, value in zip(results, values, strict=True):
            self._store(result, value, node)
        kinds = tuple(result.kind for result in results)
        gives = kinds[0] if len(kinds) == 1 else kinds or None
        if gives != self.function.gives:
            self.function.gives = gives
            self.program.waiting |= results[0].readers
        yield Statement("return", values=tuple(map(self.converted, values, kinds)))

    def _assign(self, node: ast.Assign) -> Iterator[Statement]:
        target = node.targets[0]
        if isinstance(target, ast.Tuple):
            self.demand(len(node.targets) == 1, node, "write one assignment for each target")
            yield from self._assign_parts(target, node.value, node)
            return
        value = self.value(node.value)
        if len(node.targets) > 1 and value.form != "const":
            shared = self._further("value", node)
            yield self._to(shared, value, node)
            value = self.value(shared)
        yield from (self._to(target, value, node) for target in node.targets)

    def _assign_parts(self, target: ast.Tuple, value: ast.expr, node: ast.Assign) -> Iterator[Statement]:
        if isinstance(value, ast.IfExp):
            yield from self._if(_as_statement(value, lambda part: ast.Assign([target], part)))
            return
        if isinstance(value, ast.Tuple):
            values = [self.value(part) for part in value.elts]
            read = {part.id for part in ast.walk(value) if isinstance(part, ast.Name)}
            plain = all(isinstance(part, ast.Name) and part.id not in read for part in target.elts)
            shared = [v if plain or v.form == "const" else self._further("value", node) for v in values]
            yield from (self._to(n, v, node) for n, v in zip(shared, values, strict=True) if isinstance(n, ast.Name))
            for part, n in zip(target.elts, shared, strict=True):
                yield self._to(part, self.value(n) if isinstance(n, ast.Name) else n, node)
            return
        call = self.value(value)
        results = call.value.results if call.form == "call" else []
        self.demand(len(results) == len(target.elts), node, f"expected a function with {len(target.elts)} results")
        # A field may be narrower than the result.
        names = [part if isinstance(part, ast.Name) else self._further("value", node) for part in target.elts]
        unpacked = [
            None
            if name.id == "_"
            else self._to(name, Expr("", r.kind, r.read(self.function), r.elements), node).targets[0]
            for name, r in zip(names, results, strict=True)
        ]
        yield Statement("unpack", tuple(unpacked), (call,))
        for part, name in zip(target.elts, names, strict=True):
            if part is not name:
                yield self._to(part, self.value(name), node)

    def _augassign(self, node: ast.AugAssign) -> Iterator[Statement]:
        value = self._operation(node, node.op, self.value(node.target), self.value(node.value))
        yield self._to(node.target, value, node)

    # The assignment of a value to a name, a field, an element, or all elements.
    def _to(self, target: ast.expr, value: Expr, node: ast.AST) -> Statement:
        if isinstance(target, ast.Name):
            places = self.function.parameters if target.id in self.function.parameters else self.function.variables
            here = places.setdefault(target.id, Place())
            self._store(here, value, node)
            variable = Expr("local", here.kind, value.range, here.elements, target.id)
            return Statement("assign", (variable,), (self.converted(value, here.kind),))
        filled = isinstance(target, ast.Subscript) and is_whole(target.slice)
        where = self.value(target)
        self.demand(where.place is not None and value.is_number(), node)
        held = kind_of(np.dtype(where.kind.element)) if isinstance(where.kind, ArrayKind) else where.kind
        self.demand(filled == isinstance(where.kind, ArrayKind), node, "an assignment of arrays is a loop here")
        if value.kind != FLOAT:
            where.place.join(value.range, self.program.waiting)
        return Statement("fill" if filled else "assign", (where,), (self.converted(value, held),))

    # A value comes into a variable, or is given back.
    def _store(self, here: Place, value: Expr, node: ast.AST) -> None:
        if value.is_number():
            kind: Kind = value.kind if here.kind is None else wider(here.kind, value.kind)
        else:
            self.demand(value.place is not None and here.kind in (None, value.kind), node, "expected a number")
            kind = value.kind
            here.elements = here.elements or value.place
            here.elements.unite(value.place, self.program.waiting)
        if kind != here.kind:
            here.kind = kind
            self.program.waiting |= here.readers
        if value.kind in (INT, BOOL):
            here.join(value.range, self.program.waiting)

    def _if(self, node: ast.If) -> Iterator[Statement]:
        test = self.test(node.test)
        if test.form == "const":
            yield from self.statements(node.body if test.value else node.orelse)
        else:
            yield Statement("if", values=(test,), body=self.statements(node.body), other=self.statements(node.orelse))

    def _while(self, node: ast.While) -> Iterator[Statement]:
        yield Statement("while", values=(self.test(node.test),), body=self.statements(node.body))

    def _for(self, node: ast.For) -> Iterator[Statement]:
        call = node.iter
        if isinstance(call, ast.Call) and self.known(call.func) is range:
            yield self._for_range(node, call)
            return
        rows = self._rows(call)
        names = parts_of(node.target)
        fits = all(len(row) == len(names) for row in rows) and all(isinstance(name, ast.Name) for name in names)
        self.demand(rows and fits, node, "expected a range, or a tuple of numbers")
        for row in rows:
            targets = tuple(self._to(name, v, node).targets[0] for name, v in zip(names, row, strict=True))
        yield Statement("each", targets, body=self.statements(node.body), rows=rows, name=self._further("at", node).id)

    def _for_range(self, node: Any, call: ast.Call) -> Statement:
        ends = [self.value(argument) for argument in call.args]
        start = ends[0] if len(ends) > 1 else constant(0)
        stop = ends[min(len(ends), 2) - 1]
        step = (ends[2] if len(ends) > 2 else constant(1)).value
        sound = isinstance(node.target, ast.Name) and step and {start.kind, stop.kind} <= {INT, BOOL}
        self.demand(sound, node, "expected whole numbers, and a constant as the step of the range")
        low, high = start.range
        rising = Range(low, max(high, stop.range.high - 1))
        taken = rising if step > 0 else Range(min(low, stop.range.low + 1), high)
        name = node.target.id
        self._store(self.function.variables.setdefault(name, Place(INT)), Expr("", INT, taken), node)
        body = self.statements(node.body)
        targets: tuple[Expr, ...] = ()
        if name in assigned_in(node.body) or _read_elsewhere(self.function.tree, name):
            targets = (self.value(node.target),)
            name = self._further("at", node).id
        return Statement("for", targets, (start, stop), body, name=name, step=step)

    # A new variable of the function.
    def _further(self, what: str, node: ast.AST) -> ast.Name:
        name = f"{what}_{next(self.numbers)}"
        return self._further(what, node) if name in self.local else ast.copy_location(ast.Name(name, ast.Load()), node)


def _as_statement(node: ast.IfExp, make: Any) -> ast.If:
    statement = ast.If(node.test, [make(node.body)], [make(node.orelse)])
    for part in (statement, *statement.body, *statement.orelse):
        ast.copy_location(part, node)
    return statement


# Whether a variable of loops is read outside of loops over it.
def _read_elsewhere(tree: ast.FunctionDef, name: str) -> bool:
    fors = (node for node in ast.walk(tree) if isinstance(node, ast.For) and name in assigned_in([node.target]))
    loops = [node for node in fors if name not in assigned_in(node.body)]
    inside = {part for loop in loops for statement in loop.body for part in ast.walk(statement)}
    names = (n for n in {*ast.walk(tree)} - inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
    return name in {n.id for n in names}
