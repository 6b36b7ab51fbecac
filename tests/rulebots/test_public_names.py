"""What `from rulebots import ...` and `from evolve import ...` give, in a process that has imported nothing else."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import evolve
import rulebots
from rulebots.game import GameText, Option
from rulebots.packages import GamePackage


@pytest.mark.parametrize("package", ["rulebots", "evolve"])
def test_every_public_name_is_what_its_home_says(package: str) -> None:
    code = f"""
import importlib, {package} as package
assert package.__all__
for name in package.__all__:
    home = importlib.import_module(package._HOME[name])
    assert getattr(package, name) is getattr(home, name), name
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_rule_is_the_decorator_even_after_its_module_was_imported() -> None:
    code = "import rulebots.rules; from rulebots import rule; rule('play', early=1.0)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.slow
def test_a_type_checker_knows_which_names_there_are(tmp_path: Path) -> None:
    (tmp_path / "uses.py").write_text(
        "import evolve\nimport rulebots\nrulebots.lod_game\nevolve.Rnu\nrulebots.__version__\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "uses.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert '"lod_game"; maybe "load_game"?' in done.stdout
    assert 'has no attribute "Rnu"' in done.stdout
    assert "Found 2 errors" in done.stdout


@pytest.mark.parametrize("record", [rulebots.Game, GameText, Option, GamePackage])
def test_help_has_every_field(record: type) -> None:
    fields = [f"{field.name}: " for field in dataclasses.fields(record)]  # type: ignore[arg-type]
    assert [name for name in fields if name not in (record.__doc__ or "")] == []


def test_the_packages_say_their_version() -> None:
    assert rulebots.__version__ == evolve.__version__ == metadata.version("rulebots")
