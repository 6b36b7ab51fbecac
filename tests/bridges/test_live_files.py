"""A file of players names a game of somebody else's, and starts no code of a user's by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulebots import BredPlayer
from rulebots.packages.population import PopulationError


def test_a_file_imports_no_environment_of_a_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "never_imported.py").write_text("raise SystemExit\n")
    (tmp_path / "bred.yaml").write_text(
        'format: rulebots-population/1\ngame: "pettingzoo:never_imported"\nrules: mine\nplayers: {}\n'
    )
    monkeypatch.chdir(tmp_path)
    expected = "never loaded from a file: --game pettingzoo:never_imported brings it"
    with pytest.raises(PopulationError, match=expected):
        BredPlayer("bred.yaml")
