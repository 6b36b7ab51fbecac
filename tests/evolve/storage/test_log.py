"""The log of a run."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest
from run_logs import ABOUT, RUN, SETTINGS, progress

from evolve.storage import log as run_log
from rulebots.files import OutputError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    run_log.append(tmp_path, "begin", RUN, generation=0, settings=SETTINGS, **ABOUT)
    for generation in (1, 2, 3):
        run_log.append(
            tmp_path, "generation", RUN, **run_log.facts_of(progress(generation, ("it is odd",) * (generation == 3)))
        )
    return tmp_path


def test_a_line_that_is_being_written_is_not_read(folder: Path) -> None:
    with (folder / run_log.NAME).open("a") as log:
        log.write(json.dumps({"event": "generation", "generation": 4})[:-3])
    assert [line["generation"] for line in run_log.generations(run_log.read(folder))] == [1, 2, 3]


def test_a_line_that_lacks_a_field_is_left_out(folder: Path) -> None:
    before = run_log.read(folder).events
    with (folder / run_log.NAME).open("a") as log:
        log.writelines(['{"event":"generation","generation":9}\n', '{"event":["begin"]}\n', '["begin"]\n'])
    assert run_log.read(folder).events == before


def damaged(line: dict[str, Any]) -> list[str]:
    """Lines with one thing wrong."""
    metrics = line["metrics"]
    wrong = [{**line, name: junk} for name in line if name != "time" for junk in (None, "x", [1], {"a": {}})]
    wrong += [{**line, "metrics": {**metrics, name: "x"}} for name in metrics]
    wrong += [{**line, name: huge} for name in ("best", "games", "games_a_second", "time") for huge in (10**400, 1e308)]
    wrong += [{**line, "best_95": [1e308, 1e308]}, {**line, "champion": [[10**400], [1.0]]}]
    begun = {"event": "begin", "run": RUN, **ABOUT, "settings": SETTINGS}
    wrong += [{**begun, "settings": {**SETTINGS, name: "x"}} for name in ("hall_of_fame", "generations", "seed")]
    wrong += [{**line, "best": float("nan")}, {**line, "generation": True}, {**line, "champion": [[1.0], [1.0, 2.0]]}]
    return [*(json.dumps(one) for one in wrong), "[" * 100_000, "9" * 5000, "\0", '{"event":', "null", "{}"]


def test_damaged_lines_are_left_out_and_counted(folder: Path) -> None:
    log = run_log.read(folder)
    lines = damaged(log.events[-1])
    with (folder / run_log.NAME).open("a") as file:
        file.write("".join(f"{line}\n" for line in lines))
    again = run_log.read(folder)
    assert (again.events, again.damaged) == (log.events, len(lines))
    assert again.warning(folder).endswith(f"log.jsonl: lines left out, as damaged or not of this run: {len(lines)}")
    assert run_log.read(folder.parent / "none") == ([], 0)
    assert log.warning(folder) == ""


def test_a_line_without_end_takes_no_memory(folder: Path) -> None:
    with (folder / run_log.NAME).open("ab") as file:
        file.write(b"x" * 3 * run_log.MOST_LINE + b"\n")
        file.write(b'{"event":"resume","run":"' + RUN.encode() + b'"}\n')
    log = run_log.read(folder)
    assert (log.damaged, log.events[-1]["event"]) == (1, "resume")


def test_lines_of_another_run_are_cut_off(folder: Path) -> None:
    run_log.append(folder, "generation", "f" * 16, **run_log.facts_of(progress(2)))
    assert run_log.read(folder).damaged == 1
    assert run_log.cut_back(folder, RUN, 2).damaged == 1
    log = run_log.read(folder)
    assert (log.damaged, [line["generation"] for line in log.events]) == (0, [0, 1, 2])


def test_a_run_is_finished_by_its_last_line() -> None:
    end = {"event": "end", "interrupted": ""}
    assert run_log.finished(run_log.Log([end], 0)) is end
    assert run_log.finished(run_log.Log([end, {"event": "resume"}], 0)) is None
    assert run_log.finished(run_log.Log([{**end, "interrupted": "in the run-off"}], 0)) is None
    assert run_log.finished(run_log.Log([], 0)) is None


def test_event_files_hold_the_figures(tmp_path: Path) -> None:
    with run_log.event_files(tmp_path) as write:
        write(progress(1))
    (file,) = (tmp_path / "tensorboard").iterdir()
    assert all(tag in file.read_bytes() for tag in (b"win_rate/best", b"baselines/random", b"spread"))


def test_event_files_without_room_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with run_log.event_files(tmp_path) as write:
        monkeypatch.setattr("tensorboardX.SummaryWriter.add_scalar", full)
        with pytest.raises(OutputError, match=r"cannot write '.*tensorboard': No space left on device"):
            write(progress(1))


def test_lines_that_were_read_are_not_parsed_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = run_log.read(folder)
    monkeypatch.setattr(run_log, "misfit", lambda _, __, ___: pytest.fail("a line is checked again"))
    assert run_log.read(folder) == before
    monkeypatch.undo()
    run_log.append(folder, "generation", RUN, **run_log.facts_of(progress(4)))
    whole = run_log.read(folder)
    assert [line["generation"] for line in run_log.generations(whole)] == [1, 2, 3, 4]
    lines = (folder / run_log.NAME).read_text().splitlines(keepends=True)
    (folder / run_log.NAME).write_text("".join(lines[:3]))
    assert run_log.read(folder).events == whole.events[:3]
