"""What a function is made of: its text is used only where it is what runs."""

from __future__ import annotations

import ast
from typing import Any

from rulebots.kernel.inlining import body_of
from rulebots.kernel.source_code import bare, definition, keep_source


def function_of(source: str, filename: str, *, kept: str | None = None) -> Any:
    """A function of a text, of which another one may be kept."""
    space: dict[str, Any] = {}
    exec(compile(source, filename, "exec"), space)  # noqa: S102 - the text of a test
    keep_source(filename, source if kept is None else kept)
    return space["look"]


def test_text_that_is_not_what_runs_is_not_used() -> None:
    source = "def look(x):\n    return x + {}\n"
    assert definition(function_of(source.format(1), "<changed>", kept=source.format(2))) is None
    assert definition(function_of(source.format(1), "<moved>", kept="\n" + source.format(1))) is None
    found = definition(function_of(source.format(1), "<kept>"))
    assert found is not None
    assert ast.unparse(found) == "def look(x):\n    return x + 1"


def test_a_cell_that_compiles_in_a_notebook_alone_has_no_definition() -> None:
    """It awaits something outside functions: its kernels stay calls."""
    look = function_of("def look(x):\n    return x\n", "<cell>", kept="def look(x):\n    return x\nawait later\n")
    assert definition(look) is None


def test_a_body_is_what_stands_before_the_result() -> None:
    body = body_of(function_of('def look(x, y):\n    """Says."""\n    a = x\n    b = y\n    return a * b\n', "<body>"))
    assert body is not None
    assert (body.parameters, ast.unparse(body.result), body.simple) == (("x", "y"), "a * b", True)
    assert [ast.unparse(step) for step in body.statements] == ["a = x", "b = y"]
    assert body.names == ["a", "b"]


def test_what_cannot_be_written_into_another_function_has_no_body() -> None:
    for number, source in enumerate(
        (
            "def look(*x):\n    return x\n",
            "def look(x):\n    if x:\n        return 1\n    return 2\n",
            "def look(x):\n    return [i for i in x]\n",
        )
    ):
        assert body_of(function_of(source, f"<no body {number}>")) is None, source


def test_a_bare_definition_has_no_decorators_annotations_and_defaults() -> None:
    (tree,) = ast.parse("@kernel\ndef look(x: int = 3, *, y: float = 2.0) -> float:\n    return x\n").body
    assert isinstance(tree, ast.FunctionDef)
    assert ast.unparse(bare(tree)) == "def look(x, *, y):\n    return x"
