"""The benchmarks still run, and what they measure against plays the same games."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import naive_lost_cities_shelly
import pytest
from checkout import CHECKOUT
from naive_lost_cities_shelly import HUNDREDTHS

from rulebots.kernel import compiling

BENCHMARKS = CHECKOUT / "benchmarks"
#: Those that are run; the others are modules of theirs.
NAMES = sorted(path.stem for path in BENCHMARKS.glob("*.py") if "__main__" in path.read_text(encoding="utf-8"))


def run(name: str, *arguments: str) -> str:
    command = [sys.executable, str(BENCHMARKS / f"{name}.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "COLUMNS": "100"})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def match_loop(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import match_loop

    return match_loop


@pytest.fixture
def speed(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import speed

    return speed


@pytest.mark.slow
def test_plain_python_plays_the_games_of_the_compiled_shelly(match_loop: Any) -> None:
    assert match_loop.differences(60 if compiling() else 2) == []


def test_plain_python_has_the_hand_tuned_weights(match_loop: Any) -> None:
    twin = match_loop.compiled_twin()
    compiled = dict(zip((r.key for r in twin.rules.rules), map(tuple, twin.weights.T.tolist()), strict=True))
    assert compiled == HUNDREDTHS | {"draw.wanted": (100, 100)}
    assert len(HUNDREDTHS) == 42


@pytest.mark.slow
def test_a_difference_would_be_found(match_loop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(naive_lost_cities_shelly, "LONG_STREAK", 0)
    found = match_loop.differences(4)
    assert found
    assert ": points and plies (" in found[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_benchmark_says_what_it_does(name: str) -> None:
    text = run(name, "--help")
    assert text.startswith(f"usage: {name}.py")
    assert "--quick" in text


@pytest.mark.compiled
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


def test_beside_another_checkout_each_figure_has_its_ratio(speed: Any) -> None:
    table = speed.Table("some figures", [])
    table.add("a start", [1.0, 2.0], "{:.1f} s", 0.5)
    table.add("games a second", [90.0, 100.0], "{:.0f}", more=True)
    assert table.figures.rows == [
        ("a start", "1.0 s", "at most 0.5 s", "NOT MET"),
        ("    beside 2.0 s there", "0.50 times", "at most 1.05 times", "met"),
        ("games a second", "90", "", ""),
        ("    beside 100 there", "0.90 times", "at least 0.95 times", "NOT MET"),
    ]


def test_games_a_second_are_those_of_a_long_match_less_a_short_one(speed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "MATCHES", {"shelly dumb": (10, 110)})

    class Slow:
        def run(self, command: str) -> Any:
            deals = int(command.split()[command.split().index("--deals") + 1])
            return speed.Process(3.0 + 2 * deals / 50, 0.0)  # 3 s to start, 50 games a second

    assert speed.measure_games([Slow()], quick=True).figures.rows[0][1] == "50.0"


def test_a_checkout_without_an_environment_is_refused(tmp_path: Path) -> None:
    command = [sys.executable, str(BENCHMARKS / "speed.py"), "--against", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert f"{tmp_path} has no environment .venv" in done.stderr


@pytest.mark.slow
@pytest.mark.compiled
def test_damaged_input_is_a_value_or_one_line() -> None:
    # Other tests share the processor and the cache: how long a case takes is not asked here.
    text = run("fuzz", "--cases", "350", "--seed", "7", "--case-seconds", "25")
    assert " cases in " in text.splitlines()[0]
    assert "NOT MET" not in text


def test_rows_of_a_page_are_replaced_and_the_rest_of_it_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import rollout

    page = tmp_path / "page.md"
    page.write_text("Above.\n<!-- benchmarks/rollout.py --game kalah -->\n<!-- end -->\nBelow.\n")
    rollout.write(page, "kalah", ["| `a` | b | 1 |", "| `a` | c | 1 |"])
    rollout.write(page, "kalah", ["| `a` | b | 2 |"])
    lines = page.read_text().splitlines()
    assert [line for line in lines if line.startswith("| `")] == ["| `a` | b | 2 |", "| `a` | c | 1 |"]
    assert (lines[0], lines[-1]) == ("Above.", "Below.")
    assert lines[-3].startswith("Machine: ")
    with pytest.raises(SystemExit, match=r"expected a line .*--game gomoku"):
        rollout.write(page, "gomoku", [])
