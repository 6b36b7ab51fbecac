"""From kernels, as Python source, to the small language of tree.py.

Each function is read once for each combination of kinds that it is called with, as a compiler does, and again whenever
the range of a number that it reads has grown, until nothing grows. What the language lacks ends in a `NotInSubset`
with the line of the user's code.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import math
import types
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rulebots.errors import UsageError
from rulebots.export.ranges import BIT, EXACT, INT64, Range, combined
from rulebots.export.tree import (
    BOOL,
    FLOAT,
    INT,
    KINDS,
    ArrayKind,
    Assign,
    Binary,
    Builtin,
    Call,
    Choice,
    Compare,
    Const,
    Do,
    Each,
    Expr,
    Field,
    Fill,
    For,
    If,
    Item,
    Kind,
    Leave,
    Local,
    Logic,
    Parallel,
    RecordKind,
    Return,
    Statement,
    Table,
    TupleKind,
    Unary,
    Unpack,
    While,
    Zeros,
    kind_of,
    range_of,
)
from rulebots.game.checks import without_checks
from rulebots.kernel import Kernel
from rulebots.kernel.source_code import written_definition
from rulebots.kernel.user_code import place
from rulebots.rules import Rule

#: A range that has grown this often is widened.
PATIENCE = 3
#: The most rounds of a `while` loop over functions to read: far more than any program needs.
_BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.LShift: "<<",
    ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
_COMPARED = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_MATH: dict[Any, str] = {
    math.exp: "exp", math.log: "log", math.sqrt: "sqrt", math.floor: "floor", math.isnan: "isnan", np.exp: "exp",
    np.log: "log", np.sqrt: "sqrt", np.isnan: "isnan",
}  # fmt: skip
_CASTS: dict[Any, str] = {int: INT, float: FLOAT, bool: BOOL, np.int64: INT, np.float64: FLOAT, np.bool_: BOOL}
_NUMBERS = (bool, int, float, np.bool_, np.integer, np.floating)


class NotInSubset(UsageError):
    """A function uses something that exports do not have; the message begins with its file and line."""


class Place:
    """Where numbers stand: a variable, a parameter, a field, the elements of an array, or what a function gives.

    `readers` are the functions to be read again when its kind or range grows. Two places that turn out to hold the same
    array become one.
    """

    def __init__(self, kind: Kind = None, limits: Range | None = None) -> None:
        self.kind = kind
        self.range: Range | None = limits
        self.readers: set[Function] = set()
        self.elements: Place | None = None
        self.limit: Range = INT64
        self._grown = 0
        self._same: Place | None = None

    def found(self) -> Place:
        """The place that this one has become."""
        here = self
        while here._same is not None:
            here = here._same
        return here

    def join(self, added: Range, program: Program) -> None:
        """Numbers of that range may stand here as well."""
        here = self.found()
        added = added if added.within(here.limit) else here.limit
        whole = added if here.range is None else here.range | added
        if whole == here.range:
            return
        here._grown += 1  # noqa: SLF001
        if here.range is not None and here._grown > PATIENCE:  # noqa: SLF001
            whole = whole.widened(here.range)
            whole = Range(max(whole.low, here.limit.low), min(whole.high, here.limit.high))
        if whole != here.range:
            here.range = whole
            program.waiting |= here.readers

    def unite(self, other: Place, program: Program) -> None:
        """This place and the other hold the same array."""
        one = self.found()
        two = other.found()
        if one is two:
            return
        two._same = one  # noqa: SLF001
        one.readers |= two.readers
        one.limit = Range(max(one.limit.low, two.limit.low), min(one.limit.high, two.limit.high))
        before = one.range
        if two.range is not None:
            one.join(two.range, program)
        if one.range != two.range or before != two.range:
            program.waiting |= one.readers

    def read(self, reader: Function) -> Range:
        """Its range, for a function that is to be read again when it grows."""
        here = self.found()
        here.readers.add(reader)
        return here.range if here.range is not None else Range(0, 0)


@dataclass(eq=False)
class Function:
    """A kernel, read for arguments of certain kinds."""

    name: str
    source: types.FunctionType
    tree: ast.FunctionDef
    parameters: dict[str, Place]
    variables: dict[str, Place] = field(default_factory=dict)
    results: list[Place] = field(default_factory=list)
    gives: Kind = None
    body: list[Statement] = field(default_factory=list)
    reading: bool = False
    counters: int = 0

    @property
    def meaning(self) -> str:
        """The first line of its docstring."""
        return (inspect.getdoc(self.source) or "").partition("\n")[0]


class Program:
    """The functions, records and tables of an export; `name` gives each thing of a kind a name of its own."""

    def __init__(self) -> None:
        self.functions: dict[Any, Function] = {}
        self.tables: dict[int, Table] = {}
        self.records: dict[int, tuple[RecordKind, dict[str, Place]]] = {}
        self.options: dict[str, int] = {}
        self.waiting: set[Function] = set()
        self._names: dict[str, int] = {}

    def name(self, wanted: str) -> str:
        """The name, with a number where it is taken."""
        count = self._names[wanted] = self._names.get(wanted, 0) + 1
        return wanted if count == 1 else self.name(f"{wanted}_{count}")

    def record(self, name: str, dtype: np.dtype[Any], set_first: frozenset[str] = frozenset()) -> RecordKind:
        """The kind of records of a type. Fields are 0 at first, but for those that are `set_first`."""
        if id(dtype) not in self.records:
            kind = RecordKind(self.name(name), dtype)
            fields: dict[str, Place] = {}
            for field_name in dtype.names or ():
                base = dtype[field_name].base
                zero = None if field_name in set_first else Range(0, 0)
                place = Place(_kind_of_field(dtype[field_name]), range_of(base) if kind_of(base) == FLOAT else zero)
                place.limit = range_of(base)
                fields[field_name] = place
            self.records[id(dtype)] = kind, fields
        return self.records[id(dtype)][0]

    def places(self, kind: RecordKind) -> dict[str, Place]:
        """What stands in each field of records of a kind."""
        return self.records[id(kind.dtype)][1]

    def table(self, name: str, values: Any) -> Table:
        """A constant array, by the name that the kernels have for it."""
        if id(values) not in self.tables:
            array = np.asarray(values)
            place = Place(None, Range(int(array.min()), int(array.max())) if array.dtype.kind in "iub" else EXACT)
            kind = ArrayKind(array.dtype.name, array.shape)
            self.tables[id(values)] = Table(kind, INT64, place, self.name(name.strip("_")), array)
        return self.tables[id(values)]

    def function(self, body: Any, arguments: Sequence[Expr], name: str = "") -> Function:
        """A kernel for arguments like these. Raises NotInSubset."""
        source = without_checks(body.kernel if isinstance(body, Rule) else body).function
        key = (source, *(a.kind for a in arguments))
        if key not in self.functions:
            if not isinstance(source, types.FunctionType) or (tree := written_definition(source)) is None:
                raise NotInSubset(f"'{getattr(source, '__name__', source)}': its source text is not to be found")
            names = [argument.arg for argument in tree.args.args]
            parameters = {n: Place(a.kind) for n, a in zip(names, arguments, strict=True)}
            self.functions[key] = Function(self.name(name or source.__name__.strip("_")), source, tree, parameters)
        function = self.functions[key]
        for here, argument in zip(function.parameters.values(), arguments, strict=True):
            if isinstance(argument.kind, ArrayKind):
                assert argument.place is not None
                here.unite(argument.place, self)
            elif argument.kind in (INT, BOOL):
                here.join(argument.range, self)
        if not function.body and not function.reading:
            self.waiting.discard(function)
            _read(self, function)
        return function

    def settle(self) -> None:
        """Read again what was read before a range grew that it depends on, until nothing grows."""
        while self.waiting:
            _read(self, self.waiting.pop())


def _kind_of_field(dtype: np.dtype[Any]) -> Kind:
    return ArrayKind(dtype.base.name, dtype.shape) if dtype.shape else kind_of(dtype)


def _read(program: Program, function: Function) -> None:
    function.reading = True
    function.counters = 0
    function.body = Reader(program, function).statements(function.tree.body)
    function.reading = False
    if function.gives is None and not function.results:
        function.gives = ""


class Reader:
    """Reads the body of one function."""

    def __init__(self, program: Program, function: Function) -> None:
        self.program = program
        self.function = function
        source = function.source
        cells = zip(source.__code__.co_freevars, source.__closure__ or (), strict=True)
        self.outside = {**vars(builtins), **source.__globals__, **{name: cell.cell_contents for name, cell in cells}}
        self.local = {*function.parameters, *_assigned(function.tree)}

    def refuse(self, node: ast.AST, what: str) -> NotInSubset:
        """The error that a node is not in the subset."""
        where = place(self.function.source.__code__.co_filename, getattr(node, "lineno", 0))
        return NotInSubset(f"{where}: cannot export {what}")

    # Statements.

    def statements(self, nodes: Sequence[ast.stmt]) -> list[Statement]:
        """The statements of a body."""
        read: list[Statement] = []
        for node in nodes:
            reader = getattr(self, f"_{type(node).__name__.lower()}", None)
            if reader is None:
                raise self.refuse(node, f"`{ast.unparse(node).splitlines()[0]}`")
            read += reader(node)
            if isinstance(read[-1] if read else None, Return | Leave):
                break
        return read

    def _pass(self, node: ast.Pass) -> list[Statement]:
        return []

    def _expr(self, node: ast.Expr) -> list[Statement]:
        if isinstance(node.value, ast.Constant):
            return []
        value = self.value(node.value)
        if not isinstance(value, Call):
            raise self.refuse(node, f"`{ast.unparse(node)}`, which does nothing")
        return [Do(value)]

    def _return(self, node: ast.Return) -> list[Statement]:
        if node.value is None:
            return [Return([])]
        if isinstance(node.value, ast.IfExp) and isinstance(node.value.body, ast.Tuple):
            return self._if(_as_statement(node.value, ast.Return))
        parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        values = [self.value(part) for part in parts]
        function = self.function
        while len(function.results) < len(values):
            function.results.append(Place())
        for result, value in zip(function.results, values, strict=True):
            self._store(result, value, node)
        kinds = tuple(result.kind for result in function.results)
        gives = kinds[0] if len(kinds) == 1 else TupleKind(kinds)
        if gives != function.gives:
            function.gives = gives
            self.program.waiting |= function.results[0].readers
        return [
            Return([self.converted(value, result.kind) for value, result in zip(values, function.results, strict=True)])
        ]

    def _assign(self, node: ast.Assign) -> list[Statement]:
        if isinstance(node.targets[0], ast.Tuple):
            if len(node.targets) > 1:
                raise self.refuse(node, "this assignment: write one for each target")
            return self._assign_parts(node.targets[0], node.value, node)
        if isinstance(node.value, ast.Tuple | ast.List):
            raise self.refuse(node, "a tuple as a value: name its parts")
        if len(node.targets) == 1:
            return [self._assigned_to(node.targets[0], self.value(node.value), node)]
        value = self.value(node.value)
        if isinstance(value, Const):
            return [self._assigned_to(target, value, node) for target in node.targets]
        shared = ast.copy_location(ast.Name(self._counter("value"), ast.Store()), node)
        first = self._assigned_to(shared, value, node)
        return [first, *(self._assigned_to(t, self.value(_loaded(shared)), node) for t in node.targets)]

    def _assign_parts(self, target: ast.Tuple, value: ast.expr, node: ast.Assign) -> list[Statement]:
        if isinstance(value, ast.IfExp):
            return self._if(_as_statement(value, lambda part: ast.Assign([target], part)))
        if isinstance(value, ast.Tuple):
            values = [self.value(part) for part in value.elts]
            assigned = [self._assigned_to(t, v, node) for t, v in zip(target.elts, values, strict=True)]
            return [Parallel([one.target for one in assigned], [one.value for one in assigned])]
        call = self.value(value)
        if not isinstance(call, Call) or call.function is None:
            raise self.refuse(node, f"`{ast.unparse(node)}`")
        if len(call.function.results) != len(target.elts):
            raise self.refuse(
                node, f"`{ast.unparse(node)}`: {call.function.name} does not give {len(target.elts)} values"
            )
        targets: list[Expr | None] = []
        after: list[Statement] = []
        for part, result in zip(target.elts, call.function.results, strict=True):
            if isinstance(part, ast.Name) and part.id == "_":
                targets.append(None)
                continue
            # A field may be narrower than the result.
            name = (
                part
                if isinstance(part, ast.Name)
                else ast.copy_location(ast.Name(self._counter("value"), ast.Store()), node)
            )
            given = Expr(result.kind, result.read(self.function), result.elements)
            targets.append(self._assigned_to(name, given, node).target)
            if name is not part:
                after.append(self._assigned_to(part, self.value(_loaded(name)), node))
        return [Unpack(targets, call), *after]

    def _annassign(self, node: ast.AnnAssign) -> list[Statement]:
        return [self._assigned_to(node.target, self.value(node.value), node)] if node.value else []

    def _augassign(self, node: ast.AugAssign) -> list[Statement]:
        left = self.value(_loaded(node.target))
        value = self.binary(node, type(node.op), left, self.value(node.value))
        return [self._assigned_to(node.target, value, node)]

    def _assigned_to(self, target: ast.expr, value: Expr, node: ast.AST) -> Any:
        """The assignment of a value to a name, a field, an element, or all elements."""
        if isinstance(target, ast.Name):
            places = self.function.parameters if target.id in self.function.parameters else self.function.variables
            here = places.setdefault(target.id, Place())
            self._store(here, value, node)
            return Assign(Local(here.kind, value.range, here.elements, target.id), self.converted(value, here.kind))
        if isinstance(target, ast.Subscript) and _is_whole(target.slice):
            array = self.value(target.value)
            if not isinstance(array.kind, ArrayKind) or value.kind not in KINDS:
                raise self.refuse(node, "an assignment of arrays: write a loop")
            self._note(array, value)
            return Fill(array, self.converted(value, kind_of(np.dtype(array.kind.element))))
        where = self.value(_loaded(target))
        if where.kind not in KINDS or value.kind not in KINDS:
            raise self.refuse(node, "an assignment of arrays: write a loop")
        self._note(where, value)
        return Assign(where, self.converted(value, where.kind))

    def _note(self, where: Expr, value: Expr) -> None:
        assert where.place is not None
        if value.kind in (INT, BOOL):
            where.place.join(value.range, self.program)

    def _store(self, here: Place, value: Expr, node: ast.AST) -> None:
        """A value comes into a variable, or is given back."""
        if isinstance(value.kind, ArrayKind | RecordKind):
            if here.kind not in (None, value.kind):
                raise self.refuse(node, "a variable that holds different kinds of arrays: use two")
            here.kind = value.kind
            if here.elements is None:
                here.elements = value.place
            elif value.place is not None:
                here.elements.unite(value.place, self.program)
            return
        if value.kind not in KINDS:
            raise self.refuse(node, f"`{ast.unparse(node).splitlines()[0]}`: its value is not a number")
        wider = value.kind if here.kind is None else max(here.kind, value.kind, key=KINDS.index)
        if wider != here.kind:
            here.kind = wider
            self.program.waiting |= here.readers
        if value.kind != FLOAT:
            here.join(value.range, self.program)

    def _if(self, node: ast.If) -> list[Statement]:
        test = self.test(node.test)
        if isinstance(test, Const):
            return self.statements(node.body if test.value else node.orelse)
        return [If(test, self.statements(node.body), self.statements(node.orelse))]

    def _while(self, node: ast.While) -> list[Statement]:
        if node.orelse:
            raise self.refuse(node, "`else` of a loop")
        return [While(self.test(node.test), self.statements(node.body))]

    def _for(self, node: ast.For) -> list[Statement]:
        if node.orelse:
            raise self.refuse(node, "`else` of a loop")
        call = node.iter
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range":
            return [self._for_range(node, call)]
        rows = self._rows(call)
        names = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
        if rows is None or not all(
            isinstance(name, ast.Name) and len(row) == len(names) for name in names for row in rows
        ):
            raise self.refuse(node, f"a loop over `{ast.unparse(call)}`: expected a range, or a tuple of numbers")
        for row in rows:
            for name, value in zip(names, row, strict=True):
                self._assigned_to(name, value, node)
        variables = [name.id for name in names if isinstance(name, ast.Name)]
        return [Each(variables, rows, self.statements(node.body), self._counter())]

    def _rows(self, node: ast.expr) -> list[list[Expr]] | None:
        """The values of a loop over a tuple: written there, or constants."""
        if isinstance(node, ast.Tuple | ast.List):
            return [
                [self.value(one) for one in (part.elts if isinstance(part, ast.Tuple) else [part])]
                for part in node.elts
            ]
        known = self._known(node)
        if not isinstance(known, tuple | list):
            return None
        rows = [one if isinstance(one, tuple) else (one,) for one in known]
        if not all(isinstance(number, _NUMBERS) for row in rows for number in row):
            return None
        return [[_constant(number) for number in row] for row in rows]

    def _for_range(self, node: ast.For, call: ast.Call) -> Statement:
        if not isinstance(node.target, ast.Name) or call.keywords or not 1 <= len(call.args) <= 3:
            raise self.refuse(node, f"`{ast.unparse(node).splitlines()[0]}`")
        ends = [self.value(argument) for argument in call.args]
        start = _constant(0) if len(ends) == 1 else ends[0]
        stop = ends[0] if len(ends) == 1 else ends[1]
        step = ends[2] if len(ends) == 3 else _constant(1)
        if not isinstance(step, Const) or not step.value or FLOAT in (start.kind, stop.kind):
            raise self.refuse(node, f"`{ast.unparse(call)}`: expected whole numbers, and a constant as its step")
        low, high = start.range
        if step.value > 0:
            taken = Range(low, max(high, stop.range.high - 1))
        else:
            taken = Range(min(low, stop.range.low + 1), high)
        name = node.target.id
        here = self.function.variables.setdefault(name, Place(INT))
        self._store(here, Expr(INT, taken), node)
        body = self.statements(node.body)
        counted = name in _assigned(ast.Module(node.body, [])) or _read_elsewhere(self.function.tree, name)
        return For(name, start, stop, step.value, body, self._counter() if counted else "")

    def _counter(self, what: str = "at") -> str:
        """A new name for a variable of the function."""
        self.function.counters += 1
        name = f"{what}_{self.function.counters}"
        return name if name not in self.local else self._counter(what)

    def _break(self, node: ast.Break) -> list[Statement]:
        return [Leave("break")]

    def _continue(self, node: ast.Continue) -> list[Statement]:
        return [Leave("continue")]

    # Expressions.

    def value(self, node: ast.expr) -> Expr:
        """An expression."""
        known = self._known(node)
        if isinstance(known, _NUMBERS):
            return _constant(known)
        if isinstance(known, np.ndarray):
            return self.program.table(ast.unparse(node).rpartition(".")[2], known)
        reader = getattr(self, f"_{type(node).__name__.lower()}_value", None)
        if reader is None:
            raise self.refuse(node, f"`{ast.unparse(node)}`")
        value: Expr = reader(node)
        return value

    def test(self, node: ast.expr) -> Expr:
        """An expression of which only its truth counts."""
        if isinstance(node, ast.BoolOp):
            result = self.test(node.values[-1])
            for part in reversed(node.values[:-1]):
                result = _logic("and" if isinstance(node.op, ast.And) else "or", self.test(part), result)
            return result
        value = self.value(node)
        if value.kind not in KINDS:
            raise self.refuse(node, f"`{ast.unparse(node)}` as a test")
        return self.converted(value, BOOL)

    def _known(self, node: ast.expr) -> Any:
        """The value of a constant, or of a name outside of the function; None for anything else."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return None if node.id in self.local else self.outside.get(node.id)
        if isinstance(node, ast.Attribute):
            holder = self._known(node.value)
            return getattr(holder, node.attr, None) if isinstance(holder, types.ModuleType | type) else None
        return None

    def _name_value(self, node: ast.Name) -> Expr:
        here = self.function.parameters.get(node.id) or self.function.variables.get(node.id)
        if here is None or here.kind is None:
            raise self.refuse(node, f"'{node.id}', which has no value that is known here")
        elements = here if node.id in self.function.parameters else here.elements
        here.readers.add(self.function)
        limits = here.read(self.function) if here.kind in (INT, BOOL) else INT64
        return Local(here.kind, limits, elements, node.id)

    def _attribute_value(self, node: ast.Attribute) -> Expr:
        return self._field(node, self.value(node.value), node.attr)

    def _field(self, node: ast.expr, record: Expr, name: str) -> Expr:
        if not isinstance(record.kind, RecordKind) or name not in (record.kind.dtype.names or ()):
            raise self.refuse(node, f"`{ast.unparse(node)}`")
        if record.kind.name == "options":
            return _constant(self.program.options[name])
        here = self.program.places(record.kind)[name]
        return Field(here.kind, here.read(self.function), here, record, name)

    def _subscript_value(self, node: ast.Subscript) -> Expr:
        array = self._lengths(node.value)
        if array is not None:
            position = self.value(node.slice)
            if isinstance(position, Const) and (length := array[position.value]) is not None:
                return _constant(length)
            raise self.refuse(node, f"`{ast.unparse(node)}`: this length is not known before the program runs")
        whole = self.value(node.value)
        if isinstance(whole.kind, RecordKind) and isinstance(node.slice, ast.Constant):
            return self._field(node, whole, str(node.slice.value))
        if _is_whole(node.slice):
            return whole
        for part in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
            index = self.value(part)
            if not isinstance(whole.kind, ArrayKind) or index.kind not in (INT, BOOL) or whole.place is None:
                raise self.refuse(node, f"`{ast.unparse(node)}`: expected an array, and whole numbers as its indices")
            limits = whole.place.read(self.function)
            whole = Item(whole.kind.inner, limits, whole.place, whole, index)
        return whole

    def _lengths(self, node: ast.expr) -> tuple[int | None, ...] | None:
        """The lengths of the array of `array.shape`; None for another expression."""
        if not isinstance(node, ast.Attribute) or node.attr != "shape":
            return None
        array = self.value(node.value)
        return array.kind.shape if isinstance(array.kind, ArrayKind) else None

    def _binop_value(self, node: ast.BinOp) -> Expr:
        left = self.value(node.left)
        if isinstance(node.op, ast.Pow):
            power = self._known(node.right)
            if isinstance(left, Const) and isinstance(power, int):
                return _constant(left.value**power)
            if type(power) is not int or power not in (2, 3) or _calls(node.left):
                raise self.refuse(node, f"`{ast.unparse(node)}`: write a product")
            result = left
            for _ in range(power - 1):
                result = self.binary(node, ast.Mult, result, left)
            return result
        return self.binary(node, type(node.op), left, self.value(node.right))

    def binary(self, node: ast.AST, kind: type[ast.operator], left: Expr, right: Expr) -> Expr:
        """`left op right`, worked out here where both are constants."""
        op = _BINARY.get(kind)
        if op is None or left.kind not in KINDS or right.kind not in KINDS:
            raise self.refuse(node, f"`{ast.unparse(node)}`")
        both = {left.kind, right.kind}
        if both == {BOOL} and op in "&|^":
            return Binary(BOOL, BIT, None, op, left, right)
        if FLOAT in both and op in ("<<", ">>", "&", "|", "^"):
            raise self.refuse(node, f"`{ast.unparse(node)}`: bits of a float")
        if op == "/" or FLOAT in both:
            return Binary(FLOAT, INT64, None, op, left, right)
        limits, wraps = combined(op, left.range, right.range)
        if isinstance(left, Const) and isinstance(right, Const) and not wraps and limits.low == limits.high:
            return _constant(limits.low)
        return Binary(INT, limits, None, op, left, right, wraps)

    def _unaryop_value(self, node: ast.UnaryOp) -> Expr:
        if isinstance(node.op, ast.Not):
            value = self.test(node.operand)
            return (
                Const(BOOL, BIT, None, not value.value)
                if isinstance(value, Const)
                else Unary(BOOL, BIT, None, "not", value)
            )
        value = self.value(node.operand)
        if value.kind not in KINDS:
            raise self.refuse(node, f"`{ast.unparse(node)}`")
        if isinstance(node.op, ast.UAdd):
            return value
        if isinstance(node.op, ast.Invert):
            if value.kind != INT:
                raise self.refuse(node, f"`{ast.unparse(node)}`: the bits of a {value.kind}")
            if isinstance(value, Const):
                return _constant(~value.value)
            return Unary(INT, Range(~value.range.high, ~value.range.low), None, "~", value)
        if value.kind == FLOAT:
            return (
                Const(FLOAT, INT64, None, -value.value)
                if isinstance(value, Const)
                else Unary(FLOAT, INT64, None, "-", value)
            )
        if isinstance(value, Const):
            return _constant(-value.value)
        limits, wraps = combined("-", Range(0, 0), value.range)
        return (
            Binary(INT, limits, None, "-", _constant(0), value, True) if wraps else Unary(INT, limits, None, "-", value)
        )

    def _compare_value(self, node: ast.Compare) -> Expr:
        if len(node.ops) > 1 and any(map(_calls, node.comparators[:-1])):
            raise self.refuse(node, f"`{ast.unparse(node)}`: name the value in the middle")
        result: Expr | None = None
        left = self.value(node.left)
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, ast.In | ast.NotIn):
                one = self._among(node, left, comparator, isinstance(op, ast.In))
            else:
                right = self.value(comparator)
                one = self._compared(node, _COMPARED.get(type(op)), left, right)
                left = right
            result = one if result is None else _logic("and", result, one)
        assert result is not None
        return result

    def _compared(self, node: ast.AST, op: str | None, left: Expr, right: Expr) -> Expr:
        if op is None or left.kind not in KINDS or right.kind not in KINDS:
            raise self.refuse(node, f"`{ast.unparse(node)}`")
        if isinstance(left, Const) and isinstance(right, Const):
            result = {
                "==": left.value == right.value, "!=": left.value != right.value, "<": left.value < right.value,
                "<=": left.value <= right.value, ">": left.value > right.value, ">=": left.value >= right.value,
            }[op]  # fmt: skip
            return Const(BOOL, BIT, None, result)
        return Compare(BOOL, BIT, None, op, left, right)

    def _among(self, node: ast.Compare, left: Expr, right: ast.expr, inside: bool) -> Expr:
        rows = self._rows(right)
        if rows is None or _calls(node.left):
            raise self.refuse(node, f"`{ast.unparse(node)}`: expected a tuple of numbers, and a name before it")
        tests = [self._compared(node, "==" if inside else "!=", left, value) for value, *_ in rows]
        result = tests[0]
        for test in tests[1:]:
            result = _logic("or" if inside else "and", result, test)
        return result

    def _boolop_value(self, node: ast.BoolOp) -> Expr:
        op = "and" if isinstance(node.op, ast.And) else "or"
        parts = [self.value(part) for part in node.values]
        if any(part.kind not in KINDS for part in parts):
            raise self.refuse(node, f"`{ast.unparse(node)}`")
        if any(part.kind != BOOL for part in parts) and any(map(_calls, node.values[:-1])):
            raise self.refuse(node, f"`{ast.unparse(node)}`: name the values that are calls")
        result = parts[-1]
        for part in reversed(parts[:-1]):
            result = _logic(op, part, result)
        return result

    def _ifexp_value(self, node: ast.IfExp) -> Expr:
        test = self.test(node.test)
        if isinstance(test, Const):
            return self.value(node.body if test.value else node.orelse)
        yes = self.value(node.body)
        no = self.value(node.orelse)
        if yes.kind not in KINDS or no.kind not in KINDS:
            if yes.kind != no.kind or yes.place is None or no.place is None:
                raise self.refuse(node, f"`{ast.unparse(node)}`")
            yes.place.unite(no.place, self.program)
            return Choice(yes.kind, INT64, yes.place, test, yes, no)
        kind = max(yes.kind, no.kind, key=KINDS.index)
        return Choice(kind, yes.range | no.range, None, test, self.converted(yes, kind), self.converted(no, kind))

    def _call_value(self, node: ast.Call) -> Expr:
        called = self._known(node.func)
        if isinstance(called, Kernel | Rule):
            return self._kernel_call(node, called)
        if node.keywords:
            raise self.refuse(node, f"`{ast.unparse(node)}`: named arguments")
        if called is np.zeros:
            return self._zeros(node)
        if called is len and len(node.args) == 1:
            array = self.value(node.args[0])
            if isinstance(array.kind, ArrayKind) and array.kind.shape[0] is not None:
                return _constant(array.kind.shape[0])
        args = [self.value(argument) for argument in node.args]
        if called in (min, max) and len(args) > 1 and all(a.kind in KINDS for a in args):
            result = args[0]
            for other in args[1:]:
                result = self._extreme(called.__name__, result, other)
            return result
        if len(args) == 1 and args[0].kind in KINDS and (called is abs or called in _CASTS or called in _MATH):
            return self._of_one(called, args[0])
        known = "kernels, min, max, abs, int, float, bool, exp, log, sqrt and floor"
        raise self.refuse(node, f"a call of `{ast.unparse(node.func)}`: expected one of {known}")

    def _kernel_call(self, node: ast.Call, called: Any) -> Expr:
        source = without_checks(called.kernel if isinstance(called, Rule) else called).function
        try:
            bound = inspect.signature(source).bind(*node.args, **{k.arg or "": k.value for k in node.keywords})
        except TypeError as error:
            raise self.refuse(node, f"`{ast.unparse(node)}`: {error}") from None
        bound.apply_defaults()
        args = [self.value(a) if isinstance(a, ast.expr) else _constant(a) for a in bound.arguments.values()]
        function = self.program.function(called, args)
        if function.reading and not function.results and function is not self.function:
            raise self.refuse(node, f"`{ast.unparse(node)}`: functions that call each other")
        if function is self.function:
            raise self.refuse(node, f"`{ast.unparse(node)}`: a function that calls itself")
        if len(function.results) == 1:
            result = function.results[0]
            return Call(result.kind, result.read(self.function), result.elements, function, args)
        for result in function.results:
            result.read(self.function)
        return Call(function.gives, INT64, None, function, args)

    def _zeros(self, node: ast.Call) -> Expr:
        shape = node.args[0].elts if node.args and isinstance(node.args[0], ast.Tuple) else node.args[:1]
        lengths = [self.value(length) for length in shape]
        fixed = [length.value if isinstance(length, Const) else None for length in lengths]
        if not lengths or None in fixed[1:]:
            raise self.refuse(node, f"`{ast.unparse(node)}`: only its first length may be worked out")
        dtype = np.dtype(self._known(node.args[1]) if len(node.args) > 1 else np.float64)
        here = _ARRAYS.setdefault((self.function, node), Place())
        here.limit = range_of(dtype)
        here.found().join(Range(0, 0), self.program)
        return Zeros(ArrayKind(dtype.name, tuple(fixed)), INT64, here, lengths)

    def _extreme(self, name: str, left: Expr, right: Expr) -> Expr:
        kind = max(left.kind, right.kind, key=KINDS.index)  # type: ignore[arg-type]  # both are numbers
        kind = INT if kind == BOOL else kind
        limits = combined(name, left.range, right.range)[0]
        if isinstance(left, Const) and isinstance(right, Const) and kind == INT:
            return _constant(limits.low)
        return Builtin(kind, limits, None, name, [self.converted(left, kind), self.converted(right, kind)])

    def _of_one(self, called: Any, value: Expr) -> Expr:
        if called is abs:
            kind = FLOAT if value.kind == FLOAT else INT
            low = 0 if value.range.low <= 0 <= value.range.high else min(map(abs, value.range))
            return Builtin(kind, Range(low, value.range.magnitude), None, "abs", [value])
        if called in _CASTS:
            kind = _CASTS[called]
            if kind == value.kind:
                return value
            limits = EXACT if value.kind == FLOAT else value.range
            return Builtin(kind, BIT if kind == BOOL else limits, None, kind, [value])
        name = _MATH[called]
        kind = {"floor": INT, "isnan": BOOL}.get(name, FLOAT)
        return Builtin(kind, {INT: EXACT, BOOL: BIT}.get(kind, INT64), None, name, [self.converted(value, FLOAT)])

    def converted(self, value: Expr, kind: Kind) -> Expr:
        """A number as another kind holds it."""
        if value.kind == kind or value.kind not in KINDS or kind not in KINDS:
            return value
        if isinstance(value, Const):
            number = {BOOL: bool, INT: int, FLOAT: float}[str(kind)](value.value)
            return Const(kind, value.range, None, number)
        limits = EXACT if value.kind == FLOAT else value.range
        return Builtin(kind, BIT if kind == BOOL else limits, None, str(kind), [value])


#: The elements of each array that a kernel makes.
_ARRAYS: dict[tuple[Function, ast.Call], Place] = {}


def _constant(value: Any) -> Const:
    if isinstance(value, bool | np.bool_):
        return Const(BOOL, Range(int(value), int(value)), None, bool(value))
    if isinstance(value, int | np.integer):
        return Const(INT, Range(int(value), int(value)), None, int(value))
    return Const(FLOAT, INT64, None, float(value))


def _logic(op: str, left: Expr, right: Expr) -> Expr:
    if isinstance(left, Const):
        return (right if left.value else left) if op == "and" else (left if left.value else right)
    kind = max(left.kind, right.kind, key=KINDS.index)  # type: ignore[arg-type]  # both are numbers
    return Logic(kind, left.range | right.range, None, op, left, right)


def _as_statement(node: ast.IfExp, make: Any) -> ast.If:
    statement = ast.If(node.test, [make(node.body)], [make(node.orelse)])
    for part in ast.walk(statement):
        if isinstance(part, ast.stmt):
            ast.copy_location(part, node)
    return statement


def _loaded(target: ast.expr) -> Any:
    """What is assigned to, as an expression."""
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    return target


def _is_whole(index: ast.expr) -> bool:
    return isinstance(index, ast.Slice) and index.lower is index.upper is index.step is None


def _calls(node: ast.AST) -> bool:
    return any(isinstance(part, ast.Call) for part in ast.walk(node))


def _assigned(node: ast.AST) -> set[str]:
    """The names that are assigned to inside a node."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}


def _read_elsewhere(tree: ast.FunctionDef, name: str) -> bool:
    """Whether a variable of loops is read outside of loops over it."""
    loops = [n for n in ast.walk(tree) if isinstance(n, ast.For) and name in _assigned(n.target)]
    inside = {id(part) for loop in loops for statement in loop.body for part in ast.walk(statement)}
    names = (n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load))
    return any(id(n) not in inside for n in names)
