"""The benchmarks still run, and what they measure against plays the same games."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import naive_lost_cities_shelly
import pytest
from checkout import CHECKOUT
from naive_lost_cities_shelly import HUNDREDTHS

from rulebots.kernel import compiling

BENCHMARKS = CHECKOUT / "benchmarks"
NAMES = sorted(path.stem for path in BENCHMARKS.glob("*.py") if path.stem != "machine")


def run(name: str, *arguments: str) -> str:
    command = [sys.executable, str(BENCHMARKS / f"{name}.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "COLUMNS": "100"})
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def match_loop(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import match_loop

    return match_loop


def test_plain_python_plays_the_games_of_the_compiled_shelly(match_loop: Any) -> None:
    assert match_loop.differences(60 if compiling() else 2) == []


def test_plain_python_has_the_hand_tuned_weights(match_loop: Any) -> None:
    twin = match_loop.compiled_twin()
    compiled = dict(zip((r.key for r in twin.rules.rules), map(tuple, twin.weights.T.tolist()), strict=True))
    assert compiled == HUNDREDTHS | {"draw.wanted": (100, 100)}
    assert len(HUNDREDTHS) == 42


def test_a_difference_would_be_found(match_loop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(naive_lost_cities_shelly, "LONG_STREAK", 0)
    found = match_loop.differences(4)
    assert found
    assert ": points and plies (" in found[0]


@pytest.mark.parametrize("name", NAMES)
def test_every_benchmark_says_what_it_does(name: str) -> None:
    text = run(name, "--help")
    assert text.startswith(f"usage: {name}.py")
    assert "--" in text


@pytest.mark.skipif(not compiling(), reason="speed is that of compiled code")
def test_a_benchmark_shows_figures_targets_and_the_machine() -> None:
    text = run("match_loop", "--quick")
    assert "4 of 4" in text
    assert "met" in text
    last = text.splitlines()[-1]
    assert last.startswith("machine: ")
    assert "numba" in last


def test_a_missed_target_is_plain_to_see(match_loop: Any, capsys: pytest.CaptureFixture[str]) -> None:
    from machine import Figures

    figures = Figures("some figures")
    figures.add("one", "1", "at least 2", met=False)
    figures.add("another", "3")
    figures.show()
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "some figures"
    assert shown[2].endswith("NOT MET")
    assert shown[3].split() == ["another", "3"]
