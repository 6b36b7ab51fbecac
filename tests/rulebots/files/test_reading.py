"""A file is read, or the message says why not."""

from __future__ import annotations

import os
import time
import tracemalloc
from pathlib import Path

import pytest

from rulebots.files import (
    InputError,
    MissingError,
    open_regular_file,
    read_bytes,
    read_text,
)


def refused(path: Path | str, **arguments: int) -> str:
    with pytest.raises(InputError) as error:
        read_text(path, "recipe", **arguments)
    assert str(error.value).startswith(f"{path}:")
    return str(error.value).removeprefix(f"{path}:")


# --- reading


def test_a_text_is_read_as_it_is_but_for_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbfgr\xc3\xb6\xc3\x9fe\r\n\n")
    assert read_text(tmp_path / "a", "recipe") == "größe\r\n\n"


def test_a_file_that_is_not_there_is_told_apart(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="there is no such file"):
        read_text(tmp_path / "none", "recipe")


def test_bytes_that_are_not_text_are_named_with_their_place(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"one\nt\xc3\xb6\xfco")
    assert refused(tmp_path / "a") == "2:3: expected text in UTF-8, not the byte 0xFC: save the file as UTF-8"
    (tmp_path / "a").write_bytes(b"one\0")
    assert refused(tmp_path / "a") == " expected a recipe, text in UTF-8, not a binary file"


def test_a_file_over_the_limit_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x" * 2_000_001)
    assert refused(tmp_path / "a") == " expected a recipe, not more than 2 MB"
    assert len(read_text(tmp_path / "a", "recipe", 3_000_000)) == 2_000_001


def test_only_regular_files_are_read_and_none_is_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    began = time.monotonic()
    assert refused(tmp_path / "pipe") == " expected a recipe, not a pipe"
    assert time.monotonic() - began < 1
    assert refused("/dev/null") == " expected a recipe, not a device"
    assert refused(tmp_path) == " expected a recipe, not a folder"
    assert refused("a\0b") == " cannot read it: embedded null byte"
    (tmp_path / "file").touch()
    assert refused(tmp_path / "file" / "a") == " cannot read it: Not a directory"
    with pytest.raises(InputError, match="not a pipe"):
        open_regular_file(tmp_path / "pipe", "log")


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="no file here is longer than it says")
def test_a_file_that_is_longer_than_it_says_is_refused() -> None:
    with pytest.raises(InputError, match="not more than 0 MB"):
        read_bytes("/proc/self/maps", "record", 10)


def test_a_file_of_zeros_or_beyond_the_limit_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "sparse"
    with path.open("wb") as stream:
        stream.write(b"format: ")
        stream.truncate(900_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="not a binary file"):
            read_text(path, "record", 1_000_000_000)
        with pytest.raises(InputError, match="not more than 2 MB"):
            read_bytes(path, "record")
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()
