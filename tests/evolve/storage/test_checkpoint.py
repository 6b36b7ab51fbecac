"""What is on disk of a run is whole at any moment, and what is not whole is never taken for it."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from evolve.storage import checkpoint
from evolve.storage.checkpoint import FORMER, NAME, CheckpointError, load_checkpoint, save_checkpoint
from rulebots.files import OutputError

FIRST, SECOND = {"generation": 1, "genes": [0.1, 1e-300]}, {"generation": 2, "genes": [1 / 3, -0.0]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_checkpoint(tmp_path, FIRST)
    save_checkpoint(tmp_path, SECOND)
    return tmp_path


def test_what_is_saved_comes_back_exactly(folder: Path) -> None:
    assert load_checkpoint(folder) == (SECOND, "")
    assert str(load_checkpoint(folder)[0]["genes"][1]) == "-0.0"


@pytest.mark.parametrize("size", [0, 1, 60, 150, -1])
def test_a_checkpoint_that_is_cut_gives_way_to_the_one_before_it(folder: Path, size: int) -> None:
    whole = (folder / NAME).read_bytes()
    (folder / NAME).write_bytes(whole[: len(whole) // 2 if size < 0 else size])
    content, warning = load_checkpoint(folder)
    assert content == FIRST
    assert f"{NAME} is damaged" in warning


def test_an_edited_checkpoint_is_noticed(folder: Path) -> None:
    text = (folder / NAME).read_text()
    (folder / NAME).write_text(text.replace('"generation":2', '"generation":3'))
    assert load_checkpoint(folder)[0] == FIRST


def test_a_moment_between_two_names_is_no_loss(folder: Path) -> None:
    (folder / NAME).rename(folder / FORMER)
    assert load_checkpoint(folder) == (SECOND, "")


def test_without_a_whole_checkpoint_there_is_one_line_and_no_restart(folder: Path) -> None:
    for name in (NAME, FORMER):
        (folder / name).write_bytes(b"\xff\0{")
    with pytest.raises(CheckpointError, match="no checkpoint is complete"):
        load_checkpoint(folder)
    with pytest.raises(CheckpointError, match="there is no checkpoint: expected the folder of a run"):
        load_checkpoint(folder / "nowhere")


def test_a_checkpoint_of_another_version_names_it(folder: Path) -> None:
    found = json.loads((folder / NAME).read_text())
    (folder / NAME).write_text(json.dumps({**found, "format": "evolve-checkpoint/9", "by": "rulebots 7.0"}))
    with pytest.raises(CheckpointError, match=r"not 'evolve-checkpoint/9': resume it with rulebots 7\.0"):
        load_checkpoint(folder)


def test_a_full_disk_leaves_the_last_good_checkpoint(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    before = sorted(folder.iterdir())
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match=r"cannot write '.*checkpoint.json': No space left on device"):
        save_checkpoint(folder, {"generation": 3})
    assert load_checkpoint(folder) == (SECOND, "")
    assert sorted(folder.iterdir()) == before


def test_nothing_that_is_loaded_is_run() -> None:
    source = Path(checkpoint.__file__).read_text()
    assert not {"pickle", "eval(", "exec(", "marshal"} & set(source.replace("\n", " ").split())
