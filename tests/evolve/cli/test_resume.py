"""Runs that are stopped, killed and resumed."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from evolve.cli.resume import resume_run
from evolve.cli.session import breed
from evolve.run import Run
from evolve.settings import Settings
from evolve.storage import log as run_log
from evolve.storage.checkpoint import FORMER, NAME, CheckpointError
from evolve.storage.folder import CHAMPION, RunFolder, new_folder
from evolve.storage.result import destination
from evolve.workers.threads import Threads
from rulebots.errors import UsageError
from rulebots.files import OutputError
from rulebots.kernel import compiling
from rulebots.rules import RuleSet

CHECKOUT = Path(__file__).resolve().parents[3]


TINY = Settings(
    rules="sheppard",
    generations=3,
    population=4,
    deals=1,
    opponent_deals=1,
    hall_of_fame=2,
    runoff_deals=1,
    held_out_deals=2,
    verdict_deals=4,
)


pytestmark = pytest.mark.skipif(not compiling(), reason="whole runs take a minute interpreted")


@pytest.fixture(autouse=True)
def _few_games_to_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evolve.monitoring.metrics.WATCH_DEALS", 2)
    monkeypatch.setattr("evolve.monitoring.metrics.BASELINE_DEALS", 1)


def begun(folder: Path, settings: Settings, rules: RuleSet | None = None) -> Path:
    """A run in a folder, up to its last generation, as if it were killed there."""
    run = Run(settings, rules=rules)
    with new_folder(settings, folder, None) as new:
        new.begin(run)
        for progress in run.generations():
            new.keep(run, progress)
    return folder


@pytest.fixture
def whole(tmp_path: Path) -> bytes:
    """The file of a run of three generations in one go."""
    run, file = Run(TINY), tmp_path / "whole.yaml"
    with new_folder(TINY, tmp_path / "whole", file) as folder:
        folder.begin(run)
        breed(run, folder, destination(TINY, file), quiet=True)
    assert (tmp_path / "whole" / CHAMPION).read_bytes() == file.read_bytes()
    return file.read_bytes()


def test_more_generations_end_as_a_run_in_one_go(tmp_path: Path, whole: bytes) -> None:
    folder, file = begun(tmp_path / "run", replace(TINY, generations=1)), tmp_path / "result.yaml"
    resume_run(folder, Threads(2), generations=2, out=tmp_path / "two.yaml", quiet=True)
    resume_run(folder, Threads(1), generations=3, out=file, quiet=True)
    assert file.read_bytes() == whole
    assert [line["generation"] for line in run_log.generations(folder)] == [1, 2, 3]
    with pytest.raises(UsageError, match="the run has 3 already, which are more than 2"):
        resume_run(folder, Threads(), generations=2)


def test_a_cut_checkpoint_costs_a_generation_and_says_so(
    tmp_path: Path, whole: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, file = begun(tmp_path / "run", replace(TINY, generations=2)), tmp_path / "result.yaml"
    (folder / NAME).write_bytes((folder / NAME).read_bytes()[:1000])
    with (folder / run_log.NAME).open("a") as log:
        log.write('{"event": "genera')
    resume_run(folder, Threads(), generations=3, out=file, quiet=True)
    assert file.read_bytes() == whole
    assert "checkpoint.json is damaged" in capsys.readouterr().out
    assert [line["generation"] for line in run_log.generations(folder)] == [1, 2, 3]
    assert (folder / "checkpoint-damaged.json").exists()


def test_a_folder_has_one_run_at_a_time_and_each_run_its_folder(tmp_path: Path) -> None:
    folder = begun(tmp_path / "run", replace(TINY, generations=1))
    with RunFolder(folder, ""), pytest.raises(UsageError, match="is in use by another run"):
        resume_run(folder, Threads())
    with pytest.raises(UsageError, match=r"exists already: choose another name, or resume that run: evolve resume"):
        new_folder(TINY, folder, None)
    with pytest.raises(CheckpointError, match="there is no checkpoint"):
        resume_run(tmp_path, Threads())
    with pytest.raises(OutputError, match="choose another with --run-dir"):
        new_folder(TINY, Path("/proc/run"), None)


def test_a_full_disk_ends_the_run_in_one_line_and_it_can_be_resumed(
    tmp_path: Path, whole: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = begun(tmp_path / "run", replace(TINY, generations=1))

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="No space left on device"):
        resume_run(folder, Threads(), generations=3, out=tmp_path / "result.yaml", quiet=True)
    monkeypatch.undo()
    monkeypatch.setattr("evolve.monitoring.metrics.WATCH_DEALS", 2)
    resume_run(folder, Threads(), generations=3, out=tmp_path / "result.yaml", quiet=True)
    assert (tmp_path / "result.yaml").read_bytes() == whole


def test_a_run_that_is_killed_at_random_moments_ends_as_one_that_was_not() -> None:
    command = [sys.executable, str(CHECKOUT / "benchmarks" / "runs.py"), "--part", "kills", "--kills", "20"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "20 kills at random moments" in done.stdout


def test_the_former_checkpoint_is_there_after_every_generation(tmp_path: Path) -> None:
    folder = begun(tmp_path / "run", replace(TINY, generations=1))
    assert (folder / FORMER).exists()
    assert (folder / NAME).exists()
