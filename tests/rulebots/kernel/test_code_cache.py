"""The cache of compiled code is private: what it holds is executed."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

import pytest

from rulebots.errors import FileError
from rulebots.kernel import cache_folder


def test_the_cache_is_private_whatever_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEBOTS_CACHE", str(tmp_path / "new" / "cache"))
    assert cache_folder.__wrapped__() == tmp_path / "new" / "cache"
    (tmp_path / "new" / "cache").chmod(0o755)
    assert cache_folder.__wrapped__() == tmp_path / "new" / "cache"
    assert stat.S_IMODE((tmp_path / "new" / "cache").stat().st_mode) == 0o700


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
def test_a_cache_that_others_may_write_is_replaced_by_a_temporary_one(
    mode: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(mode)
    monkeypatch.setenv("RULEBOTS_CACHE", str(tmp_path))
    with pytest.warns(RuntimeWarning, match=r"is not kept, for '.*' may be written by others, .* chmod 700"):
        found = cache_folder.__wrapped__()
    assert found != tmp_path
    assert stat.S_IMODE(found.stat().st_mode) == 0o700
    assert stat.S_IMODE(tmp_path.stat().st_mode) == mode


def test_a_cache_of_another_user_is_replaced_by_a_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEBOTS_CACHE", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    with pytest.warns(RuntimeWarning, match="belongs to another user: set RULEBOTS_CACHE to a folder you own"):
        assert cache_folder.__wrapped__() != tmp_path


def test_without_any_folder_for_compiled_code_there_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(**_: object) -> str:
        raise FileNotFoundError("No usable temporary directory")

    (tmp_path / "file").touch()
    monkeypatch.setenv("RULEBOTS_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr(tempfile, "mkdtemp", none)
    with (
        pytest.warns(RuntimeWarning, match="cannot be written"),
        pytest.raises(FileError, match=r"no folder for compiled code .*: set RULEBOTS_CACHE to a folder you own"),
    ):
        cache_folder.__wrapped__()
