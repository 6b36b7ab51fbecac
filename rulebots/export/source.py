"""The source of functions that are exported: its syntax tree, and what the names in it stand for."""

import ast
import builtins
import types
from collections.abc import Iterable
from typing import Any

from rulebots.errors import UsageError
from rulebots.game.checks import without_checks
from rulebots.kernel import Kernel
from rulebots.kernel.source_code import written_definition
from rulebots.kernel.user_code import place
from rulebots.rules import Rule


class NotInSubset(UsageError):
    """A function uses something that exports do not have; the message begins with its file and line."""


def source_of(body: Any) -> Any:
    """The function that the author of a kernel or a rule wrote; another thing itself."""
    body = body.kernel if isinstance(body, Rule) else body
    return without_checks(body).function if isinstance(body, Kernel) else body


def tree_of(source: Any) -> ast.FunctionDef:
    """The syntax tree of a function. Raises NotInSubset."""
    tree = written_definition(source) if isinstance(source, types.FunctionType) else None
    if tree is None:
        raise NotInSubset(f"'{getattr(source, '__name__', source)}': its source text is not to be found")
    return tree


class SourceReader:
    """Reads a function; `local` are the names of its variables."""

    def __init__(self, source: types.FunctionType, local: Iterable[str]) -> None:
        self.source = source
        cells = zip(source.__code__.co_freevars, source.__closure__ or (), strict=True)
        self.outside = {**vars(builtins), **source.__globals__, **{name: cell.cell_contents for name, cell in cells}}
        self.local = {*local}

    def demand(self, condition: object, node: ast.AST, why: str = "") -> None:
        """Raise NotInSubset for a node unless the condition holds."""
        if not condition:
            where = place(self.source.__code__.co_filename, getattr(node, "lineno", 0))
            raise NotInSubset(
                f"{where}: cannot export `{ast.unparse(node).splitlines()[0]}`{f': {why}' if why else ''}"
            )

    def known(self, node: ast.AST) -> Any:
        """The value of a constant, or of a name outside of the function; None for anything else."""
        if isinstance(node, ast.Attribute):
            holder = self.known(node.value)
            return getattr(holder, node.attr, None) if isinstance(holder, types.ModuleType | type) else None
        if isinstance(node, ast.Name):
            return None if node.id in self.local else self.outside.get(node.id)
        return node.value if isinstance(node, ast.Constant) else None
