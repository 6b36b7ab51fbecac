"""`rulebots check`: what a name means, what is printed, and the exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rulebots.cli.main import main

Run = Callable[..., tuple[int, list[str], str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    def run_check(*words: str) -> tuple[int, list[str], str]:
        monkeypatch.setattr(sys, "argv", ["rulebots", "check", *words])
        code = main()
        captured = capsys.readouterr()
        return code, captured.out.splitlines(), captured.err

    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    return run_check


@pytest.mark.slow
def test_a_rule_set_of_a_game(run: Run) -> None:
    code, lines, _ = run("kalah", "--rules", "standard", "--games", "2")
    assert (code, lines[-1]) == (0, "kalah: ok, 30 rules of 'standard'"), lines


@pytest.mark.slow
def test_a_player_and_a_rule_set_by_name(run: Run) -> None:
    code, lines, _ = run("random", "standard", "--game", "kalah", "--games", "2")
    assert (code, lines[0]) == (0, "random: ok, a player of kalah")
    assert lines[-1].startswith("standard: ok, ")


def test_perft_counts_sequences_of_moves(run: Run) -> None:
    assert run("kalah", "--perft", "3") == (0, ["  1  6", "  2  35", "  3  185"], "")
    assert run("kalah", "--perft", "3", "--option", "pits=3", "--option", "stones=2")[1][-1] == "  3  19"


def test_a_population_file_with_a_mistake(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text("format: rulebots/1\ngame: kalah\nrules: standrad\nplayers: {}\n")
    code, lines, _ = run(str(path))
    assert code == 1
    assert lines[-1].endswith("problems") or lines[-1].endswith("problem")
    assert all("bad.yaml" in line for line in lines)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["kalha"], "no game 'kalha'; did you mean 'kalah'?"),
        (["kalah", "--option", "pits=3"], "it only goes with --perft"),
        (["kalah", "--games", "0"], "expected a whole number from 1 to"),
    ],
)
def test_wrong_use_is_one_line(run: Run, words: list[str], says: str) -> None:
    code, lines, error = run(*words)
    assert code in (1, 2)
    assert says in "\n".join([*lines, error])
