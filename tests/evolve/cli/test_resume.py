"""Runs that are stopped, killed and resumed."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from evolve.cli.options import Execution
from evolve.cli.progress import watch
from evolve.cli.session import breed, resume_run
from evolve.pictures import course_of
from evolve.run import Run
from evolve.settings import Settings
from evolve.storage import log as run_log
from evolve.storage.checkpoint import FORMER, NAME, CheckpointError, save_checkpoint
from evolve.storage.folder import CHAMPION, RunFolder, load_run, new_folder
from evolve.storage.result import destination
from evolve.workers import Workers
from rulebots.errors import UsageError
from rulebots.files import OutputError
from rulebots.rules import RuleSet

QUIET = Execution(quiet=True)
LOUD = Execution()
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


pytestmark = pytest.mark.compiled


@pytest.fixture(autouse=True)
def _few_games_to_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evolve.monitoring.WATCH_DEALS", 2)
    monkeypatch.setattr("evolve.monitoring.BASELINE_DEALS", 1)


def begun(folder: Path, settings: Settings, rules: RuleSet | None = None) -> Path:
    """A run in a folder, up to its last generation, as if it were killed there."""
    run = Run(settings, rules=rules)
    with new_folder("tictactoe", 1, folder, None) as new:
        new.begin(run)
        for progress in run.generations():
            new.keep(run, progress)
    return folder


@pytest.fixture
def whole(tmp_path: Path) -> bytes:
    """The file of a run of three generations in one go."""
    run, file = Run(TINY), tmp_path / "whole.yaml"
    with new_folder("tictactoe", 1, tmp_path / "whole", file) as folder:
        folder.begin(run)
        breed(run, folder, destination(TINY, file), QUIET)
    assert (tmp_path / "whole" / CHAMPION).read_bytes() == file.read_bytes()
    return file.read_bytes()


def test_more_generations_end_as_a_run_in_one_go(tmp_path: Path, whole: bytes) -> None:
    folder, file = begun(tmp_path / "run", replace(TINY, generations=1)), tmp_path / "result.yaml"
    resume_run(folder, Workers(2), QUIET, generations=2, out=tmp_path / "two.yaml")
    resume_run(folder, Workers(1), QUIET, generations=3, out=file)
    assert file.read_bytes() == whole
    assert [line["generation"] for line in run_log.generations(run_log.read(folder))] == [1, 2, 3]
    with pytest.raises(UsageError, match="has 3 already: to breed 2 more, give 5"):
        resume_run(folder, Workers(), LOUD, generations=2)


def test_a_resumed_run_is_begun_again_as_it_was_begun(tmp_path: Path) -> None:
    folder = begun(tmp_path / "run", replace(TINY, generations=1))
    resume_run(folder, Workers(), QUIET, generations=2, out=tmp_path / "two.yaml")
    end = run_log.read(folder).events[-1]
    begin = "from the shipped champion" if end["again"] else "again"
    assert re.fullmatch(rf"begin {begin} with seed 2: .*generations=1, .*seed=2, .*", end["another"])


def test_a_cut_checkpoint_costs_a_generation_and_says_so(
    tmp_path: Path, whole: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, file = begun(tmp_path / "run", replace(TINY, generations=2)), tmp_path / "result.yaml"
    (folder / NAME).write_bytes((folder / NAME).read_bytes()[:1000])
    with (folder / run_log.NAME).open("a") as log:
        log.write('{"event": "genera')
    resume_run(folder, Workers(), QUIET, generations=3, out=file)
    assert file.read_bytes() == whole
    assert "checkpoint.json is damaged" in capsys.readouterr().err
    assert [line["generation"] for line in run_log.generations(run_log.read(folder))] == [1, 2, 3]
    assert (folder / "checkpoint-damaged.json").exists()


def test_a_folder_has_one_run_at_a_time_and_each_run_its_folder(tmp_path: Path) -> None:
    folder = begun(tmp_path / "run", replace(TINY, generations=1))
    with RunFolder(folder, ""), pytest.raises(UsageError, match="is in use by another run"):
        resume_run(folder, Workers(), LOUD)
    with pytest.raises(UsageError, match=r"exists already: choose another name, or resume that run: evolve resume"):
        new_folder("tictactoe", 1, folder, None)
    with pytest.raises(CheckpointError, match="there is no checkpoint"):
        resume_run(tmp_path, Workers(), LOUD)
    with pytest.raises(OutputError, match="choose another with --run-dir"):
        new_folder("tictactoe", 1, Path("/proc/run"), None)


def test_a_full_disk_ends_the_run_in_one_line_and_it_can_be_resumed(
    tmp_path: Path, whole: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = begun(tmp_path / "run", replace(TINY, generations=1))

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="No space left on device"):
        resume_run(folder, Workers(), QUIET, generations=3, out=tmp_path / "result.yaml")
    monkeypatch.undo()
    monkeypatch.setattr("evolve.monitoring.WATCH_DEALS", 2)
    resume_run(folder, Workers(), QUIET, generations=3, out=tmp_path / "result.yaml")
    assert (tmp_path / "result.yaml").read_bytes() == whole


def test_a_run_that_is_killed_at_random_moments_ends_as_one_that_was_not() -> None:
    command = [sys.executable, str(CHECKOUT / "benchmarks" / "runs.py"), "--part", "kills", "--kills", "8"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "8 kills of tictactoe" in done.stdout


def test_the_former_checkpoint_is_there_after_every_generation(tmp_path: Path) -> None:
    folder = begun(tmp_path / "run", replace(TINY, generations=1))
    assert (folder / FORMER).exists()
    assert (folder / NAME).exists()


def test_a_run_says_how_long_it_is_and_what_its_end_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = begun(tmp_path / "run", replace(TINY, generations=1))
    resume_run(folder, Workers(), LOUD, generations=2, out=tmp_path / "result.yaml")
    out = capsys.readouterr().out
    assert re.search(r" games a generation, 2 generations; they begin with .+\n", out)
    assert re.search(
        r"^generation 2 .+\nchoosing the best on more deals, and measuring it on fresh ones$", out, re.MULTILINE
    )


def test_a_finished_run_says_so_and_writes_no_twin(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder, file = begun(tmp_path / "run", replace(TINY, generations=1)), tmp_path / "lost_cities-seed1.yaml"
    resume_run(folder, Workers(), QUIET)
    before = sorted(tmp_path.rglob("*")), file.read_bytes()
    capsys.readouterr()
    resume_run(folder, Workers(), LOUD)
    said = capsys.readouterr().out
    assert said.startswith(
        f"the run in {folder} was finished after 1 generation: its result is {file}; add --generations 2 "
    )
    assert said.count("\n") == 1
    resume_run(folder, Workers(), QUIET)
    assert capsys.readouterr().out == f"{file}\n"
    assert (sorted(tmp_path.rglob("*")), file.read_bytes()) == before
    # Killed between the file and the line that says so: the file is found again.
    log = (folder / run_log.NAME).read_text().splitlines(keepends=True)
    (folder / run_log.NAME).write_text("".join(log[:-1]))
    resume_run(folder, Workers(), QUIET)
    assert sorted(tmp_path.rglob("*.yaml")) == [file, folder / CHAMPION]
    file.unlink()
    capsys.readouterr()
    resume_run(folder, Workers(), QUIET)
    assert capsys.readouterr().out == f"{folder / CHAMPION}\n"
    resume_run(folder, Workers(), LOUD)
    assert f"its result is {folder / CHAMPION}; " in capsys.readouterr().out
    resume_run(folder, Workers(), QUIET, out=tmp_path / "again.yaml")
    assert (tmp_path / "again.yaml").read_bytes() == before[1]


def test_a_run_killed_before_its_first_checkpoint_can_be_begun_again(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with new_folder("tictactoe", 1, folder, None):
        (folder / ".rulebots-0123.tmp").write_text("half a checkpoint")
    with pytest.raises(CheckpointError, match=r"stopped before its first checkpoint: begin it again .* --run-dir "):
        resume_run(folder, Workers(), LOUD)
    with new_folder("tictactoe", 1, folder, None) as new:
        new.begin(Run(TINY))
    (folder / run_log.NAME).unlink()
    (folder / "settings.json").unlink()
    resume_run(folder, Workers(), QUIET, generations=1, out=tmp_path / "result.yaml")
    log = run_log.read(folder)
    told = [event["event"] for event in log.events if not event["event"].startswith("compile")]
    assert told == ["begin", "resume", "generation", "end"]
    assert '"run"' in (folder / "settings.json").read_text()


def test_a_full_disk_keeps_the_result_of_the_run_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = begun(tmp_path / "run", replace(TINY, generations=1))

    def full(*_: object) -> None:
        raise OutputError("cannot write 'x.yaml': No space left on device")

    monkeypatch.setattr("evolve.storage.result.write_new", full)
    with pytest.raises(OutputError, match=r"No space left .*; the result is in .*champion.yaml, and nothing is lost"):
        resume_run(folder, Workers(), QUIET, out=tmp_path / "x.yaml")
    kept = (folder / CHAMPION).read_bytes()
    monkeypatch.undo()
    monkeypatch.setattr("evolve.storage.folder.RunFolder.publish", full)
    with pytest.raises(OutputError, match=r"No space left .*; the result is in .*x.yaml$"):
        resume_run(folder, Workers(), QUIET, out=tmp_path / "x.yaml")
    assert (tmp_path / "x.yaml").read_bytes() == kept


def test_a_checkpoint_of_another_run_is_not_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, other = begun(tmp_path / "run", replace(TINY, generations=1)), begun(tmp_path / "other", TINY)
    (folder / NAME).write_bytes((other / NAME).read_bytes())
    resume_run(folder, Workers(), QUIET, out=tmp_path / "result.yaml")
    assert "checkpoint.json is of another run" in capsys.readouterr().err
    assert [line["generation"] for line in run_log.generations(run_log.read(folder))] == [1]


def test_a_damaged_line_of_the_log_is_said_and_stops_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = begun(tmp_path / "run", replace(TINY, generations=1))
    whole = (folder / run_log.NAME).read_bytes()
    (folder / run_log.NAME).write_bytes(b"\xff" + whole[1:])
    with pytest.raises(
        UsageError, match="the first line of the log is damaged; `evolve resume` writes it again, of a f"
    ):
        course_of(folder)
    watch(folder, once=True)
    resume_run(folder, Workers(), QUIET, out=tmp_path / "result.yaml")
    said = capsys.readouterr()
    assert [text.count("log.jsonl: lines left out, as damaged or not of this run: 1\n") for text in said] == [1, 1]
    assert course_of(folder).title.startswith("Lost Cities, rules 'sheppard'")


def test_a_folder_without_a_checkpoint_is_no_run_to_resume(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text("{}")
    with pytest.raises(UsageError, match=r"exists already: choose another name$"):
        new_folder("tictactoe", 1, tmp_path, None)


def test_a_checkpoint_alone_does_not_decide_that_a_file_elsewhere_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, home = begun(tmp_path / "unpacked" / "run", replace(TINY, generations=1)), tmp_path / "home"
    home.mkdir()
    monkeypatch.chdir(tmp_path / "unpacked")
    run, content, _ = load_run(folder)
    for target in (home / "mine.yaml", tmp_path / "unpacked" / ".." / "mine.yaml", tmp_path / "unpacked" / ".profile"):
        save_checkpoint(folder, run, {**content, "target": str(target)})
        with pytest.raises(UsageError, match=r"writes its result to '.*', neither .*: confirm that by --out"):
            resume_run(Path("run"), Workers(), QUIET)
        assert not target.exists()
    save_checkpoint(folder, run, {**content, "target": str(home / "mine.yaml")})
    resume_run(Path("run"), Workers(), QUIET, out=home / "mine.yaml")
    assert (home / "mine.yaml").exists()


def test_a_run_whose_folder_was_moved_goes_on_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the page begins one: its result is in its own folder alone."""
    monkeypatch.chdir(tmp_path)
    run = Run(replace(TINY, generations=2))
    with new_folder("tictactoe", 1, Path("runs/old"), Path("runs/old") / CHAMPION) as new:
        new.begin(run)
        assert new.target == CHAMPION
    Path("runs/old").rename("runs/new")
    resume_run(Path("runs/new"), Workers(), QUIET)
    assert Path("runs/new", CHAMPION).exists()
    assert not Path("runs/old").exists()
    assert not list(tmp_path.glob("*.yaml"))
