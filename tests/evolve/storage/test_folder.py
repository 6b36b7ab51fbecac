"""A run's folder can be resumed whenever the process is killed: at each step of its beginning and of a generation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from evolve.run import Run
from evolve.settings import Settings
from evolve.storage import folder as storage
from evolve.storage import log as run_log
from evolve.storage.checkpoint import FORMER, NAME
from evolve.storage.folder import CHAMPION, SETTINGS, RunFolder, load_run, new_folder, resumed_run
from rulebots.errors import UsageError

TINY = Settings(game="tictactoe", population=4, generations=3, deals=1, opponent_deals=1, lessons=0)


class KilledError(BaseException):
    """Stands for the end of the process."""


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Run, RunFolder]]:
    monkeypatch.setattr("evolve.monitoring.WATCH_DEALS", 2)
    monkeypatch.setattr("evolve.monitoring.BASELINE_DEALS", 1)
    run = Run(TINY)
    with new_folder(TINY, tmp_path / "run", None) as folder:
        yield run, folder


def kill(*_: object, **__: object) -> None:
    raise KilledError


@pytest.mark.parametrize("step", ["save_checkpoint", "replace", "run_log.append"])
def test_a_run_that_is_killed_as_it_begins_can_be_resumed_or_begun_again(
    step: str, kept: tuple[Run, RunFolder], monkeypatch: pytest.MonkeyPatch
) -> None:
    run, folder = kept
    with monkeypatch.context() as patch:
        patch.setattr(f"evolve.storage.folder.{step}", kill)
        with pytest.raises(KilledError):
            folder.begin(run)
    path = folder.path
    assert (path / NAME).exists() == (step != "save_checkpoint")
    assert (path / SETTINGS).exists() == (step == "run_log.append")
    if step == "save_checkpoint":
        with pytest.raises(UsageError, match="stopped before its first checkpoint: begin it again"):
            load_run(path)
    else:
        assert resumed_run(path).breeder.generation == 0
        assert load_run(path).run == folder.run


@pytest.mark.parametrize(("step", "saved"), [("run_log.append", 0), ("save_checkpoint", 0), ("population_text", 1)])
def test_a_run_that_is_killed_within_a_generation_goes_on_from_the_last_checkpoint(
    step: str, saved: int, kept: tuple[Run, RunFolder], monkeypatch: pytest.MonkeyPatch
) -> None:
    run, folder = kept
    folder.begin(run)
    progress = next(run.generations())
    with monkeypatch.context() as patch:
        patch.setattr(f"evolve.storage.folder.{step}", kill)
        with pytest.raises(KilledError):
            folder.keep(run, progress)
    path = folder.path
    assert resumed_run(path).breeder.generation == saved
    assert not (path / CHAMPION).exists()
    # The log may have a line more than the checkpoint, and never one less: what is surplus is cut off.
    logged = [line["generation"] for line in run_log.generations(run_log.read(path))]
    assert logged == ([] if step == "run_log.append" else [1])
    run_log.cut_back(path, folder.run, saved)
    assert len(run_log.generations(run_log.read(path))) == saved


def test_the_former_checkpoint_is_that_of_the_generation_before(kept: tuple[Run, RunFolder]) -> None:
    run, folder = kept
    folder.begin(run)
    for progress in run.generations():
        folder.keep(run, progress)
        generations = []
        for name in (NAME, FORMER):
            content = json.loads((folder.path / name).read_text())["content"]
            generations.append(content["run"]["breeder"]["generation"])
        assert generations == [progress.generation, progress.generation - 1]
    assert (folder.path / storage.CHAMPION).read_text().startswith("# not run off yet; run ")
