"""A run's players are compiled in a process of their own, whose memory is given back."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from evolve.precompile import compiled_apart
from evolve.run import Run
from evolve.settings import Settings
from evolve.storage.folder import new_folder
from rulebots.kernel.precompile import seconds_to_compile
from rulebots.play.loop import advance_kernel

TINY = Settings.of(game="tictactoe", generations=1, population=4, deals=1, opponent_deals=1)


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for module in ("evolve.precompile", "rulebots.kernel.decorator"):
        monkeypatch.setattr(f"{module}.cache_folder", lambda: tmp_path / "cache")
    # What other tests of this process have brought may be gone from the disk.
    monkeypatch.setattr("evolve.precompile.brought", list)
    return tmp_path / "cache"


@pytest.mark.compiled
def test_what_was_compiled_apart_is_there_for_the_run(tmp_path: Path, empty_cache: Path) -> None:
    run = Run(TINY)
    with new_folder("tictactoe", 1, tmp_path / "run", None) as folder:
        folder.begin(run)
        assert seconds_to_compile(run.compilations) > 0
        with compiled_apart(folder.path):
            assert seconds_to_compile(run.compilations) == 0
    assert seconds_to_compile(run.compilations_of_the_end) == 0
    assert any(empty_cache.rglob("*.nbc"))


def test_what_only_the_end_of_a_run_meets_can_wait() -> None:
    run = Run(replace(TINY, game="lost-cities", opponents=("hand-tuned", "risk")))
    first, last = ([c.kernel for c in some] for some in (run.compilations, run.compilations_of_the_end))
    kernels = {name: advance_kernel(player.style) for name, player in run.references.items()}
    assert [name for name, kernel in kernels.items() if kernel not in first] == ["sheppard", "dumb"]
    assert all(kernel in last for kernel in kernels.values())


@pytest.mark.compiled
def test_a_second_run_finds_all_that_the_first_compiled() -> None:
    run = Run(replace(TINY, game="cant-stop"))
    run.compile()
    assert [c.kernel.__name__ for c in run.compilations if not c.kernel.is_kept] == []


#: A run that waits for its child, which stands still as soon as it loads the run.
KILLED = """
import subprocess, sys
import evolve.precompile

CHILD = '''
import runpy, sys, time
import evolve.storage.folder

def stand_still(_):
    print("begun", file=sys.stderr, flush=True)
    time.sleep(60)

evolve.storage.folder.load_run = stand_still
runpy.run_module("evolve.precompile", run_name="__main__")
'''
begin = subprocess.Popen
subprocess.Popen = lambda command, stderr, **terms: begin([sys.executable, "-c", CHILD, *command[4:]], **terms)
with evolve.precompile.compiled_apart("no run"):
    pass
"""


def test_a_run_that_is_killed_leaves_nothing_that_compiles() -> None:
    with subprocess.Popen([sys.executable, "-c", KILLED], stderr=subprocess.PIPE, text=True) as killed:
        assert killed.stderr is not None
        assert killed.stderr.readline() == "begun\n"
        killed.kill()
        killed.communicate(timeout=30)  # which ends when nobody holds the pipe any more


@pytest.mark.slow
def test_a_failure_apart_is_no_failure_of_the_run(
    tmp_path: Path, empty_cache: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with compiled_apart(tmp_path / "no run"):
        pass
    assert capfd.readouterr() == ("", "")
    assert not empty_cache.exists()
