"""Comments `#: ...` above an attribute are its documentation, in the site's API pages as in the source."""

from __future__ import annotations

import ast
from typing import Any

import griffe


class Comments(griffe.Extension):
    """Gives an attribute without a docstring the `#:` comment above it."""

    def on_attribute_instance(self, *, node: ast.AST | griffe.ObjectNode, attr: griffe.Attribute, **_: Any) -> None:
        """Griffe calls this for each attribute that it finds in the source."""
        if attr.docstring is not None or attr.lineno is None:
            return
        lines = attr.filepath.read_text(encoding="utf-8").splitlines()
        first = attr.lineno - 1
        while first > 0 and lines[first - 1].lstrip().startswith("#:"):
            first -= 1
        words = [line.lstrip().removeprefix("#:").strip() for line in lines[first : attr.lineno - 1]]
        if words:
            attr.docstring = griffe.Docstring(" ".join(words), lineno=first + 1, parent=attr)
