"""Expressions: from Python source to the small language of tree.py."""

import ast
import functools
import inspect
import itertools
import math
import operator
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from rulebots.export.program import Function, Program
from rulebots.export.ranges import BIT, EXACT, INT64, Range, combined
from rulebots.export.source import SourceReader, source_of
from rulebots.export.tree import (
    BOOL,
    FLOAT,
    INT,
    ArrayKind,
    Expr,
    Kind,
    Place,
    RecordKind,
    constant,
    element_of,
    range_of,
    wider,
)
from rulebots.kernel import Kernel
from rulebots.rules import Rule

#: The most elements of an array whose sum is written out.
MOST_WRITTEN = 64
_BINARY: dict[type, str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.LShift: "<<",
    ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
_COMPARED: dict[type, tuple[str, Any]] = {
    ast.Eq: ("==", operator.eq), ast.NotEq: ("!=", operator.ne), ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le), ast.Gt: (">", operator.gt), ast.GtE: (">=", operator.ge),
}  # fmt: skip
_MATH = {getattr(module, name): name for name in ("exp", "log", "sqrt", "isnan") for module in (math, np)}
_MATH[math.floor] = "floor"
_CASTS: dict[Any, str] = {int: INT, float: FLOAT, bool: BOOL, np.int64: INT, np.float64: FLOAT, np.bool_: BOOL}
_NUMBERS = (bool, int, float, np.bool_, np.integer, np.floating)


class ExpressionReader(SourceReader):
    """Reads the expressions of one function."""

    def __init__(self, program: Program, function: Function) -> None:
        super().__init__(function.source, {*function.parameters, *assigned_in(function.tree.body)})
        self.program = program
        self.function = function
        #: Of further variables.
        self.numbers = itertools.count(1)

    def value(self, node: ast.expr) -> Expr:
        """An expression."""
        known = self.known(node)
        if isinstance(known, _NUMBERS):
            return constant(known)
        if isinstance(known, np.ndarray):
            return self.program.table(ast.unparse(node).rpartition(".")[2], known)
        reader: Any = getattr(self, f"_{type(node).__name__.lower()}_value", None)
        self.demand(reader, node)
        return reader(node)

    def number(self, node: ast.expr) -> Expr:
        """An expression that is a number."""
        value = self.value(node)
        self.demand(value.is_number(), node, "expected a number")
        return value

    def test(self, node: ast.expr) -> Expr:
        """An expression of which only its truth counts."""
        if isinstance(node, ast.BoolOp):
            return self._joined(node.op, [self.test(part) for part in node.values])
        return self.converted(self.number(node), BOOL)

    def _joined(self, op: ast.boolop, parts: Sequence[Expr]) -> Expr:
        name = "and" if isinstance(op, ast.And) else "or"
        return functools.reduce(lambda right, left: _logic(name, left, right), reversed(parts))

    def _name_value(self, node: ast.Name) -> Expr:
        here = self.function.parameters.get(node.id) or self.function.variables.get(node.id) or Place()
        self.demand(here.kind is not None, node, "it has no value that is known here")
        limits = here.read(self.function)
        here.readers[self.function] = None  # its kind may grow, too
        elements = here if node.id in self.function.parameters else here.elements
        return Expr("local", here.kind, limits if here.kind in (INT, BOOL) else INT64, elements, node.id)

    def _attribute_value(self, node: ast.Attribute) -> Expr:
        return self._field(node, self.value(node.value), node.attr)

    def _field(self, node: ast.expr, record: Expr, name: str) -> Expr:
        names = record.kind.dtype.names if isinstance(record.kind, RecordKind) else ()
        self.demand(name in (names or ()), node, "expected a field of a state, a view or the options")
        if record.kind.name == "options":
            return constant(self.program.options[name])
        here = self.program.fields[record.kind.name, name]
        return Expr("field", here.kind, here.read(self.function), here, name, (record,))

    def _subscript_value(self, node: ast.Subscript) -> Expr:
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            array = self.value(node.value.value)
            at = self.known(node.slice)
            length = array.kind.shape[at] if isinstance(array.kind, ArrayKind) and type(at) is int else None
            self.demand(length is not None, node, "this length is not known before the program runs")
            return constant(length)
        whole = self.value(node.value)
        if isinstance(whole.kind, RecordKind) and isinstance(node.slice, ast.Constant):
            return self._field(node, whole, str(node.slice.value))
        for part in () if is_whole(node.slice) else parts_of(node.slice):
            index = self.value(part)
            self.demand(isinstance(whole.kind, ArrayKind) and index.kind in (INT, BOOL), node, "expected an element")
            limits = whole.place.read(self.function)
            whole = Expr("item", element_of(whole.kind), limits, whole.place, parts=(whole, index))
        return whole

    def _binop_value(self, node: ast.BinOp) -> Expr:
        left = self.value(node.left)
        if not isinstance(node.op, ast.Pow):
            return self._operation(node, node.op, left, self.value(node.right))
        power = self.known(node.right)
        if left.form == "const" and isinstance(power, int):
            return constant(left.value**power)
        self.demand(type(power) is int and power in (2, 3) and not _calls(node.left), node, "write a product")
        return functools.reduce(lambda a, b: self._operation(node, ast.Mult(), a, b), [left] * power)

    # `left op right`, worked out here where both are constants.
    def _operation(self, node: ast.AST, kind: ast.operator, left: Expr, right: Expr) -> Expr:
        op = _BINARY.get(type(kind), "")
        self.demand(op and left.is_number() and right.is_number(), node)
        parts = (left, right)
        if left.kind == right.kind == BOOL and op in "&|^":
            return Expr("binary", BOOL, BIT, name=op, parts=parts)
        if op == "/" or FLOAT in (left.kind, right.kind):
            self.demand(op not in ("<<", ">>", "&", "|", "^"), node, "a float has no bits here")
            return Expr("binary", FLOAT, name=op, parts=parts)
        limits, wraps = combined(op, left.range, right.range)
        known = left.form == right.form == "const" and not wraps and limits.low == limits.high
        return constant(limits.low) if known else Expr("binary", INT, limits, name=op, parts=parts, wraps=wraps)

    def _unaryop_value(self, node: ast.UnaryOp) -> Expr:
        if isinstance(node.op, ast.Not):
            value = self.test(node.operand)
            negated = Expr("unary", BOOL, BIT, name="not", parts=(value,))
            return constant(not value.value) if value.form == "const" else negated
        value = self.number(node.operand)
        inverts = isinstance(node.op, ast.Invert)
        self.demand(not isinstance(node.op, ast.UAdd), node, "leave out the plus")
        self.demand(value.kind == INT or not inverts, node, "a float has no bits here")
        if value.form == "const":
            return constant(~value.value if inverts else -value.value)
        if value.kind != FLOAT and not inverts:
            return self._operation(node, ast.Sub(), constant(0), value)
        limits = Range(~value.range.high, ~value.range.low) if inverts else INT64
        return Expr("unary", value.kind, limits, name="~" if inverts else "-", parts=(value,))

    def _compare_value(self, node: ast.Compare) -> Expr:
        self.demand(not any(map(_calls, node.comparators[:-1])), node, "name the value in the middle")
        tests = []
        left = self.number(node.left)
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, ast.In | ast.NotIn):
                rows = self._rows(comparator)
                self.demand(rows and not _calls(node.left), node, "expected a tuple of numbers, and a name before it")
                inside = isinstance(op, ast.In)
                each = [self._compared(node, ast.Eq if inside else ast.NotEq, left, value) for value, *_ in rows]
                tests.append(self._joined(ast.Or() if inside else ast.And(), each))
            else:
                right = self.number(comparator)
                tests.append(self._compared(node, type(op), left, right))
                left = right
        return self._joined(ast.And(), tests)

    def _compared(self, node: ast.AST, kind: type, left: Expr, right: Expr) -> Expr:
        self.demand(kind in _COMPARED, node)
        name, compare = _COMPARED[kind]
        if left.form == right.form == "const":
            return constant(bool(compare(left.value, right.value)))
        return Expr("compare", BOOL, BIT, name=name, parts=(left, right))

    def _boolop_value(self, node: ast.BoolOp) -> Expr:
        parts = [self.number(part) for part in node.values]
        plain = all(part.kind == BOOL for part in parts) or not any(map(_calls, node.values[:-1]))
        self.demand(plain, node, "name the values that are calls")
        return self._joined(node.op, parts)

    def _ifexp_value(self, node: ast.IfExp) -> Expr:
        test = self.test(node.test)
        if test.form == "const":
            return self.value(node.body if test.value else node.orelse)
        yes = self.value(node.body)
        no = self.value(node.orelse)
        self.demand(yes.is_number() and no.is_number(), node, "expected two numbers")
        kind = wider(yes.kind, no.kind)
        parts = (test, self.converted(yes, kind), self.converted(no, kind))
        return Expr("choice", kind, yes.range | no.range, parts=parts)

    def _call_value(self, node: ast.Call) -> Expr:
        called = self.known(node.func)
        if isinstance(called, Kernel | Rule):
            return self._kernel_call(node, called)
        self.demand(not node.keywords, node, "arguments have no names here")
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("sum", "min", "max") and not node.args:
            return self._of_all(node, self.value(node.func.value), node.func.attr)
        if called is np.zeros:
            return self._zeros(node)
        args = [self.value(argument) for argument in node.args]
        if called is len and isinstance(args[0].kind, ArrayKind) and args[0].kind.shape[0] is not None:
            return constant(args[0].kind.shape[0])
        sound = (called in (min, max) and len(args) > 1) or (len(args) == 1 and called in (abs, *_CASTS, *_MATH))
        self.demand(
            sound and all(a.is_number() for a in args),
            node,
            "expected kernels, min, max, abs, int, float, bool, exp, log, sqrt, floor or isnan, of numbers",
        )
        if called in (min, max):
            return functools.reduce(lambda a, b: self._extreme(called.__name__, a, b), args)
        if called in _CASTS:
            return self.converted(args[0], _CASTS[called])
        if called is abs:
            kind = FLOAT if args[0].kind == FLOAT else INT
            return Expr("builtin", kind, Range(0, args[0].range.magnitude), name="abs", parts=(args[0],))
        name = _MATH[called]
        kind, limits = {"floor": (INT, EXACT), "isnan": (BOOL, BIT)}.get(name, (FLOAT, INT64))
        return Expr("builtin", kind, limits, name=name, parts=(self.converted(args[0], FLOAT),))

    def _kernel_call(self, node: ast.Call, called: Any) -> Expr:
        keywords = {keyword.arg or "": keyword.value for keyword in node.keywords}
        try:
            bound = inspect.signature(source_of(called)).bind(*node.args, **keywords)
        except TypeError as error:
            self.demand(None, node, str(error))
        bound.apply_defaults()
        args = [self.value(a) if isinstance(a, ast.expr) else constant(a) for a in bound.arguments.values()]
        function = self.program.function(called, args)
        self.demand(not function.reading, node, "functions cannot call each other in a circle")
        limits = [result.read(self.function) for result in function.results]
        only = function.results[0].elements if len(limits) == 1 else None
        known = limits[0] if len(limits) == 1 else INT64
        return Expr("call", function.gives, known, only, parts=tuple(args), value=function)

    # The sum of the elements of an array, or the largest or smallest of them, written out.
    def _of_all(self, node: ast.Call, array: Expr, name: str) -> Expr:
        kind, place = array.kind, array.place
        short = isinstance(kind, ArrayKind) and kind.shape[1:] == () and (kind.shape[0] or math.inf) <= MOST_WRITTEN
        self.demand(short, node, f"expected an array of one dimension, of at most {MOST_WRITTEN} numbers")
        each = [
            Expr("item", element_of(kind), place.read(self.function), place, parts=(array, constant(i)))
            for i in range(kind.shape[0])
        ]
        self.demand(each[0].kind == INT, node, "in which order floats are added is left to NumPy: write a loop")
        add = (
            functools.partial(self._operation, node, ast.Add())
            if name == "sum"
            else functools.partial(self._extreme, name)
        )
        return functools.reduce(add, each)

    def _zeros(self, node: ast.Call) -> Expr:
        lengths = tuple(self.value(length) for length in parts_of(node.args[0]))
        fixed = tuple(length.value if length.form == "const" else None for length in lengths)
        self.demand(None not in fixed[1:], node, "only the first length may be worked out")
        dtype = np.dtype(self.known(node.args[1]) if len(node.args) > 1 else np.float64)
        here = self.function.arrays.setdefault(node, Place(None, Range(0, 0), range_of(dtype)))
        return Expr("zeros", ArrayKind(dtype.name, fixed), place=here, parts=lengths)

    def _extreme(self, name: str, left: Expr, right: Expr) -> Expr:
        kind = wider(INT, wider(left.kind, right.kind))
        limits = combined(name, left.range, right.range)[0]
        if left.form == right.form == "const" and kind == INT:
            return constant(limits.low)
        return Expr("builtin", kind, limits, name=name, parts=(self.converted(left, kind), self.converted(right, kind)))

    def converted(self, value: Expr, kind: Kind) -> Expr:
        """A number as another kind holds it."""
        if value.kind == kind or not value.is_number():
            return value
        if value.form == "const":
            return constant({BOOL: bool, INT: int, FLOAT: float}[str(kind)](value.value))
        limits = BIT if kind == BOOL else EXACT if value.kind == FLOAT else value.range
        return Expr("builtin", kind, limits, name=str(kind), parts=(value,))

    # The values of a tuple, written there or constant, each as a row of one or several; () for another thing.
    def _rows(self, node: ast.expr) -> tuple[tuple[Expr, ...], ...]:
        if isinstance(node, ast.Tuple | ast.List):
            return tuple(tuple(self.value(one) for one in parts_of(part)) for part in node.elts)
        known = self.known(node)
        rows = [one if isinstance(one, tuple) else (one,) for one in (known if isinstance(known, tuple | list) else ())]
        sound = all(isinstance(number, _NUMBERS) for row in rows for number in row)
        return tuple(tuple(map(constant, row)) for row in rows) if sound else ()


def _logic(op: str, left: Expr, right: Expr) -> Expr:
    if left.form == "const":
        return right if bool(left.value) == (op == "and") else left
    return Expr("logic", wider(left.kind, right.kind), left.range | right.range, name=op, parts=(left, right))


def parts_of(node: ast.expr | None) -> list[ast.expr]:
    """The parts of a tuple; of another expression itself."""
    return node.elts if isinstance(node, ast.Tuple) else [] if node is None else [node]


def is_whole(index: ast.expr) -> bool:
    """Whether an index is `:`."""
    return isinstance(index, ast.Slice) and index.lower is index.upper is index.step is None


def _calls(node: ast.AST) -> bool:
    return any(isinstance(part, ast.Call) for part in ast.walk(node))


def assigned_in(body: Iterable[ast.AST]) -> set[str]:
    """The names that are assigned to in these nodes."""
    names = (part for node in body for part in ast.walk(node) if isinstance(part, ast.Name))
    return {name.id for name in names if isinstance(name.ctx, ast.Store)}
