"""How an analysis runs: the file that it writes, and what Ctrl-C leaves of it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.exceptions import TyperException

from evolve.cli.options import Analysis, new_file
from rulebots.errors import UsageError
from rulebots.files import OutputError


@pytest.fixture
def _ctrl_c() -> Iterator[None]:
    """SIGINT as in a terminal, whoever started the tests; afterwards as before."""
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, former)


def steps(*, interrupted_at: int) -> Iterator[int]:
    for number in range(5):
        if number == interrupted_at:
            signal.raise_signal(signal.SIGINT)
        yield number


@pytest.mark.usefixtures("_ctrl_c")
def test_ctrl_c_ends_the_steps_and_keeps_those_that_were_told() -> None:
    told: list[int] = []
    with Analysis() as analysis:
        analysis.each(steps(interrupted_at=2), told.append, "nothing was found")
    assert (told, analysis.interrupted) == ([0, 1], True)


@pytest.mark.usefixtures("_ctrl_c")
def test_ctrl_c_before_the_first_result_says_so() -> None:
    with Analysis() as analysis, pytest.raises(TyperException, match="nothing was found"):
        analysis.each(steps(interrupted_at=0), lambda _: None, "nothing was found")
    assert analysis.interrupted


def test_without_ctrl_c_all_steps_are_taken() -> None:
    told: list[int] = []
    with Analysis() as analysis:
        analysis.each(steps(interrupted_at=9), told.append, "never said")
    assert (told, analysis.interrupted) == ([0, 1, 2, 3, 4], False)


def test_the_default_file_is_the_first_free_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert new_file(None, "pruned.yaml") == Path("pruned.yaml")
    Path("pruned.yaml").touch()
    assert new_file(None, "pruned.yaml") == Path("pruned-2.yaml")


def test_a_file_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    assert new_file(tmp_path / "mine.yml", "pruned.yaml") == tmp_path / "mine.yml"
    with pytest.raises(UsageError, match=r"expected the name of a players' file, FILE.yaml, not '.*mine.txt'"):
        new_file(tmp_path / "mine.txt", "pruned.yaml")
    (tmp_path / "mine.txt").touch()
    with pytest.raises(OutputError, match=r"mine.txt"):
        new_file(tmp_path / "mine.yaml", "pruned.yaml", ".txt")
