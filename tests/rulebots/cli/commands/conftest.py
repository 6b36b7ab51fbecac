"""`rulebots play` with lines typed into a pipe."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from rulebots.cli import main as cli

Play: TypeAlias = Callable[..., tuple[int, str, str]]


@pytest.fixture
def play(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Play:
    """Run `rulebots play` in this process, in a folder of its own, with lines typed into a pipe."""
    monkeypatch.chdir(tmp_path)

    def played(*words: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["rulebots", "play", *words])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = cli.main()
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return played
