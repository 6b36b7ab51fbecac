"""What a module of the library brings along when it is imported."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import numpy as np
import pytest
from checkout import CHECKOUT

from rulebots import load_game, make_player, play_match
from rulebots.errors import version_of

LIBRARY = """
import importlib, pkgutil, sys
import evolve, rulebots
from rulebots.errors import UsageError

def import_all(package):
    for found in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        if not found.name.endswith((".cli", ".commands")):
            try:
                module = importlib.import_module(found.name)
            except UsageError:
                assert found.name.startswith("rulebots.bridges.")  # to a library that the first tier does without
                continue
            if found.ispkg:
                import_all(module)

import_all(rulebots)
import_all(evolve)
assert len([name for name in sys.modules if name.startswith("rulebots.games.")]) > 20
print(*sorted({"typer", "click", "rich"} & {name.partition(".")[0] for name in sys.modules}))
"""


def printed(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


#: As Windows has it: what this project calls itself, or by modules of the standard library that it imports, is missing.
AS_WINDOWS = """
import asyncio, concurrent.futures, importlib, multiprocessing, pkgutil, subprocess, sys
for name in ("numba", "numpy", "deap.tools", "joblib", "uvicorn", "starlette.applications", "matplotlib.figure",
             "typer", "rich.console", "websockets", "pettingzoo", "pyspiel", "multiprocessing.resource_tracker"):
    try:
        importlib.import_module(name)  # other people's modules see the system as it is
    except ImportError:
        pass
import os, signal
for name in ("fcntl", "resource", "termios", "tty", "pty", "pwd", "grp", "curses", "readline"):
    sys.modules[name] = None
for name in ("SIGALRM SIGHUP SIGKILL SIGQUIT SIGURG SIGUSR1 SIGUSR2 SIGCHLD SIGPIPE SIGTSTP SIG_BLOCK SIG_SETMASK "
             "setitimer ITIMER_REAL pthread_sigmask pthread_kill alarm siginterrupt").split():
    delattr(signal, name)
for name in ("fork forkpty register_at_fork killpg getuid geteuid getgid getpgid setsid setpgid uname "
             "sched_getaffinity O_NONBLOCK O_NOCTTY mkfifo wait4 chown getloadavg").split():
    delattr(os, name)
sys.platform, os.sep = "win32", "\\\\"
import evolve, rulebots
from rulebots.errors import UsageError
for package in (rulebots, evolve):
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        try:
            importlib.import_module(found.name)
        except UsageError:
            assert found.name.startswith("rulebots.bridges.")
from rulebots.kernel.precompile import _can_fork
from rulebots.kernel.user_code import _GAMES, _INSTALLED, _PACKAGES, _has_timer
assert all(folder.endswith(os.sep) for folder in (_GAMES, *_INSTALLED, *_PACKAGES))
print(_can_fork(), _has_timer(), "evolve.analysis.candidates" in sys.modules)
"""


def test_every_module_can_be_imported_where_the_system_is_not_posix() -> None:
    assert printed(AS_WINDOWS) == "False False True"


def test_every_test_is_found_where_the_system_is_not_posix() -> None:
    """One module that cannot be imported ends a whole run of pytest, as do two of the same name."""
    files = list((CHECKOUT / "tests").rglob("*.py"))
    imports = re.compile(r"^(?:import|from) (?:fcntl|resource|termios|tty|pty|pwd|grp|curses|readline)\b", re.MULTILINE)
    assert [str(path) for path in files if imports.search(path.read_text("utf-8"))] == []
    tests = sorted(path.name for path in files if path.name.startswith("test_"))
    assert tests == sorted(set(tests))


@pytest.mark.slow
def test_the_library_imports_no_command_line() -> None:
    assert printed(LIBRARY) == ""


WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = sys.modules["llvmlite"] = None  # as where they are not installed
from rulebots import load_game, make_player, play_match
game = load_game("tictactoe")
result = play_match(make_player("champion", game), make_player("random", game), deals=4, seed=1)
print(result.games, *result.pentanomial)
"""


@pytest.mark.slow
def test_a_champion_plays_the_same_games_where_numba_is_not_installed() -> None:
    ours = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    command = [sys.executable, "-c", WITHOUT_NUMBA]
    without = subprocess.run(command, check=True, capture_output=True, text=True, env=ours)
    assert without.stderr.splitlines() == [
        "Numba is not installed: laws and rules run interpreted, hundreds to thousands of times slower"
    ]
    game = load_game("tictactoe")
    result = play_match(make_player("champion", game), make_player("random", game), deals=4, seed=1)
    assert without.stdout.split() == [str(figure) for figure in (result.games, *result.pentanomial)]


def test_a_package_that_is_not_installed_has_no_version() -> None:
    assert version_of("numpy") == np.__version__
    assert version_of("no-such-package") == "none"


def test_the_package_itself_brings_next_to_nothing() -> None:
    code = "import sys; before = set(sys.modules); import rulebots; print(*sorted(set(sys.modules) - before))"
    assert len(printed(code).split()) <= 6


@pytest.mark.parametrize("module", ["rulebots.errors", "rulebots.files", "rulebots.packages", "rulebots.cli.main"])
def test_what_every_command_imports_is_light(module: str) -> None:
    code = f"import sys, {module}; print(*sorted({{'numpy', 'numba', 'yaml', 'scipy'}} & set(sys.modules)))"
    assert printed(code) == ""


@pytest.mark.parametrize(("package", "command", "light"), [("rulebots", "play", "yaml"), ("evolve", "run", "joblib")])
def test_all_commands_are_loaded_without_what_plays_games(package: str, command: str, light: str) -> None:
    code = f"import sys; from {package}.cli import commands; from rulebots.cli.app import load_commands\n"
    code += f"load_commands(commands); assert '{package}.cli.commands.{command}' in sys.modules\n"
    code += f"print(*sorted({{'numpy', 'numba', '{light}', 'scipy', 'matplotlib', 'deap'}} & set(sys.modules)))"
    assert printed(code) == ""


def test_the_games_are_found_without_importing_one() -> None:
    code = "import sys; from rulebots.packages import game_names; assert game_names()\n"
    code += "print(*[name for name in sys.modules if name.startswith('rulebots.games')])"
    assert printed(code) == ""
