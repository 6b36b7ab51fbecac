"""What `from rulebots import ...` and `from evolve import ...` give, in a process that has imported nothing else."""

from __future__ import annotations

import subprocess
import sys

import pytest


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
