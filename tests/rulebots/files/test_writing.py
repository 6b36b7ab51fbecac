"""A file is written completely or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from rulebots.files import (
    OutputError,
    append,
    free_name,
    replace,
    write_new,
)


def full(_: int) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_new_file_and_nothing_else_is_written(tmp_path: Path) -> None:
    write_new(tmp_path / "a.yaml", "größe\n")
    assert (tmp_path / "a.yaml").read_bytes() == "größe\n".encode()
    assert [path.name for path in tmp_path.iterdir()] == ["a.yaml"]
    (tmp_path / "ordinary").touch()
    assert (tmp_path / "a.yaml").stat().st_mode == (tmp_path / "ordinary").stat().st_mode


def test_a_new_file_never_overwrites(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("mine")
    with pytest.raises(OutputError) as error:
        write_new(path, "yours")
    assert str(error.value) == f"'{path}' exists already, and no file is overwritten: choose another name"
    assert path.read_text() == "mine"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("write", [write_new, replace, append])
def test_where_nothing_can_be_written_the_reason_is_said(write, tmp_path: Path) -> None:
    for path, reason in [
        (tmp_path / "no" / "a.yaml", f"there is no folder '{tmp_path / 'no'}': make it, or choose another"),
        (Path(__file__) / "a.yaml", "Not a directory; choose another folder or make room"),
    ]:
        with pytest.raises(OutputError) as error:
            write(path, "text")
        assert str(error.value) == f"cannot write '{path}': {reason}"
    with pytest.raises(OutputError, match="embedded null"):
        write("a\0b", "text")
    with pytest.raises(OutputError, match="surrogates not allowed"):
        write(tmp_path / "b.yaml", "\ud800")


def test_a_full_disk_leaves_nothing_of_a_new_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="No space left on device"):
        write_new(tmp_path / "a.yaml", "text")
    assert list(tmp_path.iterdir()) == []


def test_a_new_file_where_there_are_no_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    path = tmp_path / "a.yaml"
    write_new(path, "text")
    assert path.read_text() == "text"
    with pytest.raises(OutputError, match="exists already"):
        write_new(path, "other")
    assert path.read_text() == "text"

    def fails(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(Path, "replace", fails)
    with pytest.raises(OutputError, match="Input/output error"):
        write_new(tmp_path / "b.yaml", "text")
    assert [p.name for p in tmp_path.iterdir()] == ["a.yaml"]


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace(tmp_path / "a.png", b"first")
    replace(tmp_path / "a.png", b"second", former=tmp_path / "former.png")
    assert (tmp_path / "a.png").read_bytes() == b"second"
    assert (tmp_path / "former.png").read_bytes() == b"first"
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match=r"cannot write '.*a.png': No space left on device"):
        replace(tmp_path / "a.png", b"third", former=tmp_path / "former.png")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        "a.png": b"second",
        "former.png": b"first",
    }


def test_a_line_is_added_to_a_file(tmp_path: Path) -> None:
    append(tmp_path / "log", "one\n")
    append(tmp_path / "log", "two\n")
    assert (tmp_path / "log").read_bytes() == b"one\ntwo\n"


def test_a_name_that_is_taken_gets_a_number(tmp_path: Path) -> None:
    assert free_name(tmp_path / "a.yaml") == tmp_path / "a.yaml"
    (tmp_path / "a.yaml").touch()
    (tmp_path / "a-2.yaml").touch()
    assert free_name(tmp_path / "a.yaml") == tmp_path / "a-3.yaml"
