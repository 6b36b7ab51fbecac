"""The notebook of the docs runs in a kernel of its own, and its outputs are of the kinds that are kept in it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from test_readme import CHECKOUT, documents_run_compiled

NOTEBOOK = CHECKOUT / "docs" / "tutorial" / "kalah.ipynb"


def kinds(cells: list[dict[str, Any]]) -> list[list[str]]:
    """Of each cell's outputs; what is compiled is told on stderr, once."""
    outputs = [[one for one in cell.get("outputs", []) if one.get("name") != "stderr"] for cell in cells]
    return [[kind for one in shown for kind in sorted(one.get("data", [one["output_type"]]))] for shown in outputs]


@documents_run_compiled
def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat, nbclient = (pytest.importorskip(name, reason="the extra docs") for name in ("nbformat", "nbclient"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))  # the user's own may change how things are shown
    notebook = nbformat.read(NOTEBOOK, 4)
    kept = kinds(notebook.cells)
    where = {"metadata": {"path": str(tmp_path)}}
    ran = nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources=where).execute()
    assert kinds(ran.cells) == kept


def test_the_notebook_is_small_and_its_links_lead_somewhere() -> None:
    cells = json.loads(NOTEBOOK.read_text())["cells"]
    assert NOTEBOOK.stat().st_size < 100_000
    assert all(kinds([cell]) != [[]] for cell in cells if cell["cell_type"] == "code"), "outputs are shown on the web"
    for target in re.findall(r"\]\(([^)]*)\)", "".join(line for cell in cells for line in cell["source"])):
        assert (NOTEBOOK.parent / target).exists(), target
