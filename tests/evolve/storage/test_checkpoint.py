"""What is on disk of a run is whole at any moment, and what is not whole is never taken for it."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import tracemalloc
from pathlib import Path

import pytest

from evolve.storage import checkpoint
from evolve.storage.checkpoint import FORMER, NAME, CheckpointError, load_checkpoint, save_checkpoint
from rulebots.files import OutputError

RUN = "0123456789abcdef"
FIRST, SECOND = {"generation": 1, "genes": [0.1, 1e-300]}, {"generation": 2, "genes": [1 / 3, -0.0]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_checkpoint(tmp_path, RUN, FIRST)
    save_checkpoint(tmp_path, RUN, SECOND)
    return tmp_path


def test_what_is_saved_comes_back_exactly(folder: Path) -> None:
    assert load_checkpoint(folder) == (RUN, SECOND, "")
    assert str(load_checkpoint(folder).content["genes"][1]) == "-0.0"


@pytest.mark.parametrize("size", [0, 1, 60, 150, -1])
def test_a_checkpoint_that_is_cut_gives_way_to_the_one_before_it(folder: Path, size: int) -> None:
    whole = (folder / NAME).read_bytes()
    (folder / NAME).write_bytes(whole[: len(whole) // 2 if size < 0 else size])
    _, content, warning = load_checkpoint(folder)
    assert content == FIRST
    assert f"{NAME} is damaged" in warning


def test_an_edited_checkpoint_is_noticed(folder: Path) -> None:
    text = (folder / NAME).read_text()
    (folder / NAME).write_text(text.replace('"generation": 2', '"generation": 3'))
    assert load_checkpoint(folder).content == FIRST


def test_a_moment_between_two_names_is_no_loss(folder: Path) -> None:
    (folder / NAME).rename(folder / FORMER)
    assert load_checkpoint(folder) == (RUN, SECOND, "")


def test_without_a_whole_checkpoint_there_is_one_line_and_no_restart(folder: Path) -> None:
    for name in (NAME, FORMER):
        (folder / name).write_bytes(b"\xff\0{")
    with pytest.raises(CheckpointError, match="no checkpoint can be used"):
        load_checkpoint(folder)
    with pytest.raises(CheckpointError, match="there is no checkpoint: expected the folder of a run"):
        load_checkpoint(folder / "nowhere")


def rewritten(path: Path, **changes: object) -> None:
    """A checkpoint with changes, and a checksum that is right."""
    found = {**json.loads(path.read_bytes()), **changes}
    del found["sha256"]
    body = json.dumps(found)[:-1]
    path.write_text(f'{body}, "sha256": "{hashlib.sha256(body.encode()).hexdigest()}"}}\n')


def test_a_checkpoint_of_another_version_names_it(folder: Path) -> None:
    rewritten(folder / NAME, format="evolve-checkpoint/9", by="rulebots 7.0")
    with pytest.raises(CheckpointError, match=r"not 'evolve-checkpoint/9': resume it with rulebots 7\.0"):
        load_checkpoint(folder)


def test_no_damaged_byte_is_taken_for_what_was_written(folder: Path) -> None:
    whole = (folder / NAME).read_bytes()
    for place in range(len(whole)):
        (folder / NAME).write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        _, content, warning = load_checkpoint(folder)
        assert content == FIRST
        assert "is damaged" in warning


def test_a_checkpoint_of_another_run_gives_way_to_the_one_before_it(folder: Path) -> None:
    rewritten(folder / NAME, run="f" * 16)
    assert load_checkpoint(folder).run == "f" * 16
    run, content, warning = load_checkpoint(folder, [RUN])
    assert (run, content) == (RUN, FIRST)
    assert f"{NAME} is of another run (ffffffffffffffff, not {RUN}): resuming from the one before it" in warning
    (folder / FORMER).unlink()
    with pytest.raises(CheckpointError, match=r"no checkpoint can be used: .* is of another run"):
        load_checkpoint(folder, [RUN])


@pytest.mark.parametrize("changes", [{"run": 3}, {"content": [1]}, {"content": None}])
def test_nonsense_with_a_right_checksum_is_one_line(folder: Path, changes: dict[str, object]) -> None:
    rewritten(folder / NAME, **changes)
    with pytest.raises(CheckpointError, match="expected format, by, run and content"):
        load_checkpoint(folder)


def test_a_full_disk_leaves_the_last_good_checkpoint(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    before = sorted(folder.iterdir())
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match=r"cannot write '.*checkpoint.json': No space left on device"):
        save_checkpoint(folder, RUN, {"generation": 3})
    assert load_checkpoint(folder) == (RUN, SECOND, "")
    assert sorted(folder.iterdir()) == before


def test_nothing_that_is_loaded_is_run() -> None:
    source = Path(checkpoint.__file__).read_text()
    assert not {"pickle", "eval(", "exec(", "marshal"} & set(source.replace("\n", " ").split())


def test_a_checkpoint_that_would_fill_the_memory_is_refused_before_it_is_made(tmp_path: Path) -> None:
    for junk in ("[]", "{}", '""'):
        content = '{"run": "r", "content": {"x": [' + ",".join([junk] * 500_000) + "]}"
        checksum = hashlib.sha256(content.encode()).hexdigest()
        (tmp_path / NAME).write_text(f'{content}, "sha256": "{checksum}"}}\n')
        with pytest.raises(CheckpointError, match="has more lists, maps and texts than a run writes"):
            load_checkpoint(tmp_path)
    with (tmp_path / NAME).open("wb") as sparse:
        sparse.truncate(950_000_000)
    tracemalloc.start()
    with pytest.raises(CheckpointError, match="not more than 200 MB"):
        load_checkpoint(tmp_path)
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()
