"""Event files."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from run_logs import progress

from evolve.storage.log import event_files
from rulebots.files import OutputError


def test_event_files_hold_the_figures(tmp_path: Path) -> None:
    with event_files(tmp_path) as write:
        write(progress(1))
    (file,) = (tmp_path / "tensorboard").iterdir()
    assert all(tag in file.read_bytes() for tag in (b"win_rate/best", b"baselines/random", b"spread"))


def test_event_files_without_room_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with event_files(tmp_path) as write:
        monkeypatch.setattr("tensorboardX.SummaryWriter.add_scalar", full)
        with pytest.raises(OutputError, match=r"cannot write '.*tensorboard': No space left on device"):
            write(progress(1))
