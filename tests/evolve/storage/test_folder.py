"""A run's folder can be resumed whenever the process is killed: at each step of its beginning and of a generation."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from evolve.run import Run
from evolve.settings import Settings
from evolve.storage import folder as storage, log as run_log
from evolve.storage.checkpoint import FORMER, NAME, CheckpointError
from evolve.storage.folder import (
    CHAMPION,
    SETTINGS,
    RunFolder,
    as_json,
    load_run,
    new_folder,
    process_of,
    rename_damaged_checkpoint,
    resumed_run,
    settings_of,
)
from rulebots.errors import UsageError
from rulebots.files import OutputError

TINY = Settings(game="tictactoe", population=4, generations=3, deals=1, opponent_deals=1, lessons=0)


class KilledError(BaseException):
    """Stands for the end of the process."""


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Run, RunFolder]]:
    monkeypatch.setattr("evolve.monitoring.WATCH_DEALS", 2)
    monkeypatch.setattr("evolve.monitoring.BASELINE_DEALS", 1)
    run = Run(TINY)
    with new_folder("tictactoe", 1, tmp_path / "run", None) as folder:
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


def test_a_folder_is_named_by_game_date_and_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with new_folder("tictactoe", 1, None, tmp_path / "out.yaml") as folder:
        assert folder.path.parent == Path("runs")
        assert re.fullmatch(r"tictactoe-\d{4}-\d\d-\d\d-\d{6}-seed1", folder.path.name)
        assert folder.target == str(tmp_path / "out.yaml")
        assert re.fullmatch("[0-9a-f]{16}", folder.run)
    with new_folder("tictactoe", 1, None, None) as another:
        assert (another.path != folder.path, another.target, another.run != folder.run) == (True, "", True)
    assert RunFolder(folder.path, "", "an id").run == "an id"


def test_a_run_discards_only_the_folder_that_it_made(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    for name in ("there", "made"):
        with new_folder("tictactoe", 1, tmp_path / name, None) as folder:
            folder.discard()
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


def test_a_folder_that_holds_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with (
        new_folder("tictactoe", 1, tmp_path / "empty", None) as folder,
        pytest.raises(UsageError, match="in use by another run"),
    ):
        new_folder("tictactoe", 1, folder.path, None)
    (tmp_path / "empty" / "notes.txt").write_text("")
    with pytest.raises(UsageError, match=r"exists already: choose another name$"):
        new_folder("tictactoe", 1, tmp_path / "empty", None)
    (tmp_path / "empty" / NAME).write_text("")
    with pytest.raises(UsageError, match="or resume that run: evolve resume"):
        new_folder("tictactoe", 1, tmp_path / "empty", None)
    (tmp_path / "a file").write_text("")
    with pytest.raises(OutputError, match="cannot make the folder"):
        new_folder("tictactoe", 1, tmp_path / "a file" / "run", None)


def test_the_process_of_a_run_holds_its_folder(tmp_path: Path) -> None:
    assert process_of(tmp_path) is None
    with new_folder("tictactoe", 1, tmp_path / "run", None) as folder:
        assert process_of(folder.path) == os.getpid()
    assert process_of(folder.path) is None
    (folder.path / storage.LOCK).write_text("no number")
    assert process_of(folder.path) is None


def test_windows_locks_the_first_byte_of_the_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    locked: list[tuple[int, int]] = []

    def locking(handle: int, mode: int, count: int) -> None:
        place = (os.lseek(handle, 0, os.SEEK_CUR), count)
        if mode != 3 or place in locked:
            raise PermissionError(13, "Permission denied")
        locked.append(place)

    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=3))
    with RunFolder(tmp_path, ""):
        assert locked == [(0, 1)]
        with pytest.raises(UsageError, match="is in use by another run"):
            RunFolder(tmp_path, "")
        assert process_of(tmp_path) is None, "no process is asked whether it is there, which would end it"


def test_settings_come_back_and_those_of_another_version_are_refused(tmp_path: Path) -> None:
    settings = Settings(game="tictactoe", options={"size": 4}, opponents=("random", "standard"))
    saved = json.loads(json.dumps(as_json(settings)))
    assert (saved["opponents"], saved["options"]) == (["random", "standard"], {"size": 4})
    assert settings_of(tmp_path, {"settings": saved}) == settings
    with pytest.raises(CheckpointError, match=r"with other settings \('?more'?, '?seed'?\)"):
        settings_of(tmp_path, {"settings": {name: 1 for name in [*saved, "more"] if name != "seed"}})


def test_a_run_goes_on_with_more_generations(kept: tuple[Run, RunFolder]) -> None:
    run, folder = kept
    folder.begin(run)
    assert resumed_run(folder.path).settings == TINY
    assert resumed_run(str(folder.path), generations=9).settings.generations == 9
    described = json.loads((folder.path / SETTINGS).read_text())
    assert described == {"run": folder.run, **as_json(TINY)}
    assert [event["event"] for event in run_log.read(folder.path).events] == ["begin"]
    assert run_log.read(folder.path).events[0]["keys"] == [rule.key for rule in run.rules.rules]
    assert load_run(folder.path).content["target"] == ""
    folder.publish("a champion")
    assert (folder.path / CHAMPION).read_text() == "a champion"


def test_a_damaged_checkpoint_makes_room_for_the_one_before_it(tmp_path: Path) -> None:
    rename_damaged_checkpoint(tmp_path)
    (tmp_path / NAME).write_text("damaged")
    rename_damaged_checkpoint(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint-damaged.json"]


def test_a_checkpoint_of_another_run_is_not_used(kept: tuple[Run, RunFolder]) -> None:
    run, folder = kept
    folder.begin(run)
    (folder.path / run_log.NAME).unlink()
    (folder.path / SETTINGS).write_text(json.dumps({"run": "another"}))
    with pytest.raises(CheckpointError, match="is of another run"):
        load_run(folder.path)
    (folder.path / SETTINGS).write_text("no JSON")
    assert load_run(folder.path).run == folder.run
    with pytest.raises(CheckpointError, match="there is no checkpoint"):
        load_run(folder.path / "nowhere")
