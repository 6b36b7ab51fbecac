"""The names that a function's code looks up: globals, free variables and imports, in the functions inside it too."""

from __future__ import annotations

from typing import Any

from rulebots.kernel.byte_code import imports_in, lookups_of, names_in


def code_of(source: str) -> Any:
    space: dict[str, Any] = {}
    exec(source, space)  # noqa: S102 - the text of a test
    return space["look"].__code__


def test_an_attribute_is_no_global_of_that_name() -> None:
    """`view.Colour` reads a field; the module's `Colour` takes no part."""
    code = code_of("def look(view): return view.Colour")
    assert lookups_of(code) == ({}, {})
    assert names_in(code) == ("Colour",)


def test_attributes_that_follow_a_global_are_its_path() -> None:
    code = code_of("def look(x): return package.part.TABLE[x] + package.amount(x) + half(x).real")
    assert lookups_of(code).in_globals == {"package": (("part", "TABLE"), ("amount",)), "half": ((),)}


def test_functions_inside_and_free_variables_are_seen() -> None:
    inner = " def look(): return [kept.size + later(i) for i in range(3)]"
    around = f"def around(kept):\n{inner}\n return look\nlook = around(1)"
    found = lookups_of(code_of(around))
    assert found.in_closure == {"kept": (("size",),)}
    assert set(found.in_globals) == {"later", "range"}


def test_imports_have_their_dots_and_are_seen_where_functions_are_inside() -> None:
    code = code_of("def look():\n import json\n def inner():\n  from ..near import far\n return inner")
    assert imports_in(code) == ((0, "json"), (2, "near"))
