"""What a module of the library brings along when it is imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

LIBRARY = """
import importlib, pkgutil, sys
import evolve, rulebots

def import_all(package):
    for found in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        if not found.name.endswith((".cli", ".commands")):
            module = importlib.import_module(found.name)
            if found.ispkg:
                import_all(module)

import_all(rulebots)
import_all(evolve)
assert len([name for name in sys.modules if name.startswith("rulebots.games.")]) > 20
print(*sorted({"typer", "click", "rich"} & {name.partition(".")[0] for name in sys.modules}))
"""


def printed(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.slow
def test_the_library_imports_no_command_line() -> None:
    assert printed(LIBRARY) == ""


@pytest.mark.parametrize("module", ["rulebots.errors", "rulebots.files", "rulebots.registry", "rulebots.cli.main"])
def test_what_every_command_imports_is_light(module: str) -> None:
    code = f"import sys, {module}; print(*sorted({{'numpy', 'numba', 'yaml', 'scipy'}} & set(sys.modules)))"
    assert printed(code) == ""


def test_all_commands_are_loaded_without_what_plays_games() -> None:
    code = "import sys; from rulebots.cli import commands; from rulebots.cli.app import load_commands\n"
    code += "load_commands(commands); assert 'rulebots.cli.commands.play' in sys.modules\n"
    code += "print(*sorted({'numpy', 'numba', 'yaml', 'scipy', 'matplotlib'} & set(sys.modules)))"
    assert printed(code) == ""


def test_the_games_are_found_without_importing_one() -> None:
    code = "import sys; from rulebots.registry import game_names; assert game_names()\n"
    code += "print(*[name for name in sys.modules if name.startswith('rulebots.games')])"
    assert printed(code) == ""
