"""The log of a run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from run_logs import ABOUT, SETTINGS, progress

from evolve.storage import log as run_log


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    run_log.append(tmp_path, "begin", generation=0, settings=SETTINGS, **ABOUT)
    for generation in (1, 2, 3):
        run_log.append(
            tmp_path, "generation", **run_log.facts_of(progress(generation, ("it is odd",) * (generation == 3)))
        )
    return tmp_path


def test_a_line_that_is_being_written_is_not_read(folder: Path) -> None:
    with (folder / run_log.NAME).open("a") as log:
        log.write(json.dumps({"event": "generation", "generation": 4})[:-3])
    assert [line["generation"] for line in run_log.generations(folder)] == [1, 2, 3]


def test_a_line_that_lacks_a_field_is_left_out(folder: Path) -> None:
    before = list(run_log.events(folder))
    with (folder / run_log.NAME).open("a") as log:
        log.writelines(['{"event":"generation","generation":9}\n', '{"event":["begin"]}\n', '["begin"]\n'])
    assert list(run_log.events(folder)) == before
