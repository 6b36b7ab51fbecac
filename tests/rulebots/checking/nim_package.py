"""Nim as a package in a folder, changed by edits."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

#: The package as it is right.
FILES = Path(__file__).parent / "small_nim"


def write_nim(folder: Path, edits: Iterable[tuple[str, str, str]] = ()) -> Path:
    """The package `nim` in a folder, installed as an editable install would be; each edit has to change something."""
    files = {path.name: path.read_text() for path in FILES.glob("*.py")}
    for name, old, new in edits:
        assert old in files[name], f"{name} has no {old!r}"
        files[name] = files[name].replace(old, new)
    package = folder / "nim"
    package.mkdir(parents=True)
    for name, text in files.items():
        (package / name).write_text(text)
    info = folder / "rulebots_nim-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: rulebots-nim\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[rulebots.games]\nnim = nim\n")
    return package


def run_rulebots(
    folder: Path, *words: str, interpreted: bool = False, timeout: float = 300
) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own, in a folder with packages of its own."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    environment.pop("NUMBA_DISABLE_JIT", None)
    if interpreted:
        environment["NUMBA_DISABLE_JIT"] = "1"
    code = "import sys; from rulebots.cli.main import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
    )
