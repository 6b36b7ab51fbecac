"""The benchmarks still run, and what they measure against plays the same games."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from checkout import CHECKOUT

from rulebots.kernel import compiling

BENCHMARKS = CHECKOUT / "benchmarks"
NAMES = sorted(path.stem for path in BENCHMARKS.glob("*.py") if path.stem != "machine")


def run(name: str, *arguments: str) -> str:
    command = [sys.executable, str(BENCHMARKS / f"{name}.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "COLUMNS": "100"})
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def pure_python(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import pure_python

    return pure_python


def test_plain_python_plays_the_games_of_the_compiled_shelly(pure_python: Any) -> None:
    assert pure_python.differences(60 if compiling() else 2) == []


def test_plain_python_has_the_hand_tuned_weights(pure_python: Any) -> None:
    twin = pure_python.compiled_twin()
    here = [(r.early, r.late) for r in [*pure_python.PLAY, *pure_python.KEEP]]
    assert here == [tuple(pair) for pair in twin.weights.T.tolist()[: len(here)]]
    assert len(here) == 42


def test_a_difference_would_be_found(pure_python: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pure_python, "LONG_STREAK", 0)
    found = pure_python.differences(4)
    assert found
    assert ": points and plies (" in found[0]


@pytest.mark.parametrize("name", NAMES)
def test_every_benchmark_says_what_it_does(name: str) -> None:
    text = run(name, "--help")
    assert text.startswith(f"usage: {name}.py")
    assert "--" in text


@pytest.mark.skipif(not compiling(), reason="speed is that of compiled code")
def test_a_benchmark_shows_figures_targets_and_the_machine() -> None:
    text = run("pure_python", "--quick")
    assert "4 of 4" in text
    assert "met" in text
    last = text.splitlines()[-1]
    assert last.startswith("machine: ")
    assert "numba" in last


def test_a_missed_target_is_plain_to_see(pure_python: Any, capsys: pytest.CaptureFixture[str]) -> None:
    from machine import Figures

    figures = Figures("some figures")
    figures.add("one", "1", "at least 2", met=False)
    figures.add("another", "3")
    figures.show()
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "some figures"
    assert shown[2].endswith("NOT MET")
    assert shown[3].split() == ["another", "3"]
