"""Several kernels are compiled at once, each once, and what goes wrong is told once, by the process that waits."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

needs_a_fork = pytest.mark.skipif(sys.platform != "linux", reason="nothing is compiled apart")

SCRIPT = """
import os, sys, threading, warnings
from pathlib import Path
import rulebots.kernel.precompile as apart
from rulebots.errors import UsageError
from rulebots.kernel import kernel, runnable

apart.WORTH_A_PROCESS = 0.0
os.cpu_count = lambda: 2

@kernel
def double(x):
    return 2 * x

@kernel
def half(x):
    return x // 2

def called(name, body):
    def run():
        kept = body.is_kept
        Path(sys.argv[1], f"{name}-{'loaded' if kept else 'compiled'}-{os.getpid()}").touch()
        if name in sys.argv[2:]:
            raise UsageError(f"{name} is wrong")
        warnings.warn(f"{name} told")
        runnable(body, 1)
    return apart.Compilation(body, run)

if "thread" in sys.argv:
    release = threading.Event()
    threading.Thread(target=release.wait).start()
try:
    apart.precompile([called("double", double), called("half", half)])
    print(double.compiled(4), half.compiled(4))
except UsageError as error:
    print(error)
finally:
    if "thread" in sys.argv:
        release.set()
print("pid", os.getpid())
"""


def run(folder: Path, *words: str) -> tuple[list[str], set[tuple[str, str, str]], str]:
    """What the script prints, what was called (kernel, "compiled" or "loaded", "here" or "apart"), and its warnings."""
    (folder / "script.py").write_text(SCRIPT)
    seen = folder / "seen"
    seen.mkdir(exist_ok=True)
    for file in seen.iterdir():
        file.unlink()
    here = {**os.environ, "RULEBOTS_CACHE": str(folder / "cache")}
    command = [sys.executable, str(folder / "script.py"), str(seen), *words]
    done = subprocess.run(command, env=here, capture_output=True, text=True, check=True)
    *printed, last = done.stdout.splitlines()
    pid = last.removeprefix("pid ")
    calls = set()
    for file in seen.iterdir():
        name, how, who = file.name.split("-")
        calls.add((name, how, "here" if who == pid else "apart"))
    return printed, calls, done.stderr


@pytest.mark.compiled
@needs_a_fork
def test_two_kernels_are_compiled_by_two_processes_and_loaded_by_one(tmp_path: Path) -> None:
    printed, calls, warned = run(tmp_path)
    assert printed == ["8 2"]
    assert {(how, who) for _, how, who in calls} == {("compiled", "here"), ("compiled", "apart"), ("loaded", "here")}
    assert len({name for name, how, _ in calls if how == "compiled"}) == 2
    assert set(re.findall(r"(\w+) told", warned)) == {"double", "half"}


@pytest.mark.compiled
@needs_a_fork
def test_what_is_on_disk_is_loaded_without_a_process(tmp_path: Path) -> None:
    run(tmp_path)
    assert run(tmp_path)[:2] == (["8 2"], {("double", "loaded", "here"), ("half", "loaded", "here")})


@pytest.mark.compiled
@needs_a_fork
def test_a_process_with_threads_is_not_forked(tmp_path: Path) -> None:
    assert run(tmp_path, "thread")[:2] == (["8 2"], {("double", "compiled", "here"), ("half", "compiled", "here")})


@pytest.mark.compiled
@needs_a_fork
@pytest.mark.parametrize("wrong", ["double", "half"])
def test_what_is_wrong_is_told_by_this_process(tmp_path: Path, wrong: str) -> None:
    printed, calls, warned = run(tmp_path, wrong)
    assert printed == [f"{wrong} is wrong"]
    assert (wrong, "compiled", "here") in calls
    assert "Traceback" not in warned


@pytest.mark.compiled
@needs_a_fork
def test_the_helper_ends_with_the_process_that_waits_for_it(tmp_path: Path) -> None:
    script = """
import os, sys, time
import rulebots.kernel.precompile as apart
from rulebots.kernel import kernel

@kernel
def double(x):
    return 2 * x

def compile_for_ever():
    print('begun', flush=True)
    time.sleep(60)

with apart._compiled_apart([apart.Compilation(double, compile_for_ever)]):
    time.sleep(60)
"""
    command = [sys.executable, "-c", script]
    here = {**os.environ, "RULEBOTS_CACHE": str(tmp_path)}
    with subprocess.Popen(command, env=here, stdout=subprocess.PIPE, text=True) as waits:
        assert waits.stdout is not None
        waits.stdout.readline()
        waits.kill()
        waits.communicate(timeout=30)  # which ends when nobody holds the pipe any more
