"""What a run prints, and following it from its log."""

from __future__ import annotations

import contextlib
import os
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from run_logs import ABOUT, RUN, SETTINGS, progress
from typer.exceptions import TyperException

from evolve.cli import progress as progress_lines, session
from evolve.cli.progress import watch
from evolve.pictures import course_of
from evolve.run import Run
from evolve.settings import Settings
from evolve.storage import log as run_log
from rulebots.errors import UsageError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    run_log.append(tmp_path, "begin", RUN, generation=0, settings=SETTINGS, **ABOUT)
    for generation in (1, 2, 3):
        run_log.append(
            tmp_path, "generation", RUN, **run_log.facts_of(progress(generation, ("it is odd",) * (generation == 3)))
        )
    return tmp_path


def test_a_folder_without_a_log_or_a_generation_is_one_line(tmp_path: Path) -> None:
    for look in (course_of, lambda path: watch(path, once=True)):
        with pytest.raises(UsageError, match="expected the folder of a run, with a log; there is none"):
            look(tmp_path)
    run_log.append(tmp_path, "begin", RUN, generation=0, settings=SETTINGS, **ABOUT)
    with pytest.raises(UsageError, match="the first generation is not over yet"):
        course_of(tmp_path)


def test_watching_follows_the_log_until_the_run_is_over(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def go_on(pause: float) -> None:
        run_log.append(folder, "generation", RUN, **run_log.facts_of(progress(4)))
        verdict = "the champion is better than another"
        run_log.append(folder, "end", RUN, generation=4, file="a.yaml", interrupted="", verdicts=[verdict])

    watch(folder, once=False, wait=go_on)
    *lines, last = capsys.readouterr().out.splitlines()
    assert last == "the champion is better than another"
    assert [line.split(":")[0] for line in lines] == [f"generation {n}" for n in (1, 2, 3, 4)]
    assert lines[2].endswith("WARNING: it is odd")
    watch(folder, once=False)
    assert capsys.readouterr().out.splitlines()[1:] == [last], "of one that is over, the last generation has to do"
    assert lines[0].startswith(
        "generation 1: best 51.0 % (46.0 to 56.0), 56.0 % in training, weights differ by 30.0 % of their size;"
    )


def test_of_a_long_run_the_latest_generations_are_followed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for generation in range(4, 31):
        run_log.append(folder, "generation", RUN, **run_log.facts_of(progress(generation)))
    watch(folder, once=True)
    older, first, *_, last = capsys.readouterr().out.splitlines()
    assert older == "not shown, as older: 10 lines"
    assert (first.split(":")[0], last.split(":")[0]) == ("generation 11", "generation 30")


@pytest.mark.parametrize(("runs", "quiet", "ends"), [(False, True, True), (False, False, False), (True, True, False)])
def test_watching_ends_where_nothing_runs_the_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *, runs: bool, quiet: bool, ends: bool
) -> None:
    monkeypatch.setattr(progress_lines, "process_of", lambda path: os.getpid() if runs and path == folder else None)
    monkeypatch.setattr(progress_lines, "QUIET", -1.0 if quiet else 3600.0)

    def go_on(pause: float) -> None:
        run_log.append(folder, "end", RUN, generation=3, file="a.yaml", interrupted="")

    stopped = pytest.raises(TyperException, match=rf"nothing runs it .*: `evolve resume {folder}` goes on")
    with stopped if ends else contextlib.nullcontext():
        watch(folder, once=False, wait=go_on)


@pytest.mark.parametrize("runs", [False, True])
def test_before_its_first_generation_a_look_says_whether_anything_runs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, runs: bool
) -> None:
    run_log.append(tmp_path, "begin", RUN, generation=0, settings=SETTINGS, **ABOUT)
    run_log.append(tmp_path, "compile", RUN, seconds=30.0)
    monkeypatch.setattr(progress_lines, "process_of", lambda _: os.getpid() if runs else None)
    monkeypatch.setattr(progress_lines, "QUIET", -1.0)
    with contextlib.nullcontext() if runs else pytest.raises(TyperException, match="nothing runs it on this machine"):
        watch(tmp_path, once=True)
    assert capsys.readouterr().out == "its first generation is not over yet\n" * runs


def test_where_points_count_a_generation_is_ahead_by_points(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ahead = replace(progress(1), margin=1.234, margin_95=(-0.5, 3.0))
    assert run_log.lead(vars(ahead)) == "best +1.23 points a game (-0.50 to +3.00)"
    assert run_log.lead(vars(replace(ahead, margin_95=None))) == "too few games so far"
    assert run_log.lead(vars(progress(1))) == "best 51.0 % (46.0 to 56.0)"
    assert run_log.lead(vars(replace(progress(1), best=1.0, best_95=(0.012, 1.0)))) == "too few games so far"
    run_log.append(tmp_path, "generation", RUN, **run_log.facts_of(ahead))
    run_log.append(tmp_path, "generation", RUN, **run_log.facts_of(replace(progress(2), margin=0.0)))
    watch(tmp_path, once=True)
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("generation 1: best +1.23 points a game (-0.50 to +3.00), weights differ "), "no win rate"
    assert second.startswith("generation 2: too few games so far, ")


def test_the_time_left_is_that_of_the_latest_generations(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """While others compile beside it, the first generations are slow."""
    clock = iter([0.0, *range(100, 600, 100), *range(501, 520)])
    monkeypatch.setattr(progress_lines, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    run: Any = SimpleNamespace(
        breeder=SimpleNamespace(generation=0),
        settings=SimpleNamespace(generations=50),
        hand_tuned=SimpleNamespace(name="shelly"),
    )
    with progress_lines.reporting(run, seconds=None, quiet=False) as report:
        for generation in range(1, 21):
            report(progress(generation))
    with progress_lines.reporting(run, seconds=600.0, quiet=False) as report:
        report(progress(21))
    late, limited = capsys.readouterr().out.splitlines()[-2:]
    assert late.endswith("; about 66 s left, run-off included"), "1 s for each"
    assert limited.endswith("; at most 10 min left of 10 min, run-off included")


def test_a_resumed_run_is_as_fast_as_since_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter([0.0, 100.0, 110.0])
    monkeypatch.setattr(progress_lines, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    run: Any = SimpleNamespace(
        breeder=SimpleNamespace(generation=40),
        settings=SimpleNamespace(generations=50),
        hand_tuned=SimpleNamespace(name="shelly"),
    )
    with progress_lines.reporting(run, seconds=None, quiet=False) as report:
        report(progress(41))
        report(progress(42))
    assert capsys.readouterr().out.endswith("; about 7 min left, run-off included\n"), (
        "10 s for each of 8 and 0.7 of 50"
    )


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (59.6, "60 s"), (90, "90 s"), (100, "100 s"), (200, "3 min"), (7530, "2.1 h")]
)
def test_durations_are_written_for_people(seconds, text):
    assert run_log.duration(seconds) == text


@pytest.mark.parametrize(("says", "begins"), [("worse", True), ("undecided", True), ("better", False), (None, False)])
def test_another_run_has_another_seed_and_begins_from_a_stronger_champion(says: str | None, *, begins: bool) -> None:
    run = Run(Settings.of(game="kalah"))
    outcome: Any = run.outcome([run.rules.hand_tuned()], run_off=False, measured=None)
    verdict = says and SimpleNamespace(verdict=SimpleNamespace(says=says))
    another, again = session._another(run, replace(outcome, measured=verdict), 7)
    assert (another.game, another.seed, another.start) == ("kalah", 2, "champion" if begins else "")
    start = "from the shipped champion" if begins else "again"
    assert again.startswith(f"begin {start} with seed 2: evolve run --game kalah --generations 7 --seed 2")
