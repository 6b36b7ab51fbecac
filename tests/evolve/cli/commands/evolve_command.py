"""`evolve` in this process."""

from __future__ import annotations

import sys

import pytest

from evolve.cli import main as cli


def evolve(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, str, str]:
    """Exit code, output and errors of `evolve WORDS...`."""
    monkeypatch.setattr(sys, "argv", ["evolve", *words])
    code = cli.main()
    printed = capsys.readouterr()
    return code, printed.out, printed.err
