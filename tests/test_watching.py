"""Pictures, the live table and event files of a run, all from its log."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import numpy as np
import pytest

from evolve.storage import log as run_log
from evolve.cli import watch as watching
from evolve.monitoring.collapse import Vitals
from evolve.pictures.run import course_of, draw_all, weights
from evolve.monitoring.metrics import Progress, spread
from evolve.storage.tensorboard import event_files
from evolve.cli.watch import over, table, watch
from rulebots.errors import UsageError
from rulebots.files import OutputError

SETTINGS = {"strategy": "ga", "seed": 1, "generations": 5, "opponents": ["hand-tuned"]}
ABOUT = {"game": "Lost Cities", "rules": "mine", "keys": ["play.a", "keep.b"], "hand_tuned": "shelly"}


def progress(generation: int, alarms: tuple[str, ...] = ()) -> Progress:
    rate = 0.5 + generation / 100
    return Progress(
        generation=generation,
        games=100 * generation,
        games_a_second=5000.0,
        best=rate,
        best_95=(rate - 0.05, rate + 0.05),
        mean=rate - 0.1,
        training=rate + 0.05,
        training_games=100,
        vitals=Vitals({"random": 0.99}, 20.0, {}, 0.0, 0.3),
        alarms=alarms,
        champion=np.array([[1.0, 0.25 * generation], [-1.0, 0.5]]),
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    run_log.append(tmp_path, "begin", generation=0, settings=SETTINGS, **ABOUT)
    for generation in (1, 2, 3):
        run_log.append(
            tmp_path, "generation", **run_log.facts_of(progress(generation, ("it is odd",) * (generation == 3)))
        )
    return tmp_path


def test_pictures_are_drawn_of_a_run_that_goes_on(folder: Path) -> None:
    drawn = draw_all(course_of(folder))
    assert list(drawn) == ["strength", "course", "weights"]
    assert all(png.startswith(b"\x89PNG") and len(png) > 10_000 for png in drawn.values())


def test_the_heat_map_is_early_beside_late_a_row_a_rule_a_column_a_generation(folder: Path) -> None:
    early, late, *_ = weights(course_of(folder)).axes
    assert [early.get_title(), late.get_title()] == ["early", "late"]
    assert early.images[0].get_array().tolist() == [[1, 1, 1], [0.25, 0.5, 0.75]]
    assert late.images[0].get_array().tolist() == [[-1, -1, -1], [0.5, 0.5, 0.5]]
    assert [text.get_text() for text in early.get_yticklabels()] == ["play.a", "keep.b"]


def test_a_line_that_is_being_written_is_not_read(folder: Path) -> None:
    with (folder / run_log.NAME).open("a") as log:
        log.write(json.dumps({"event": "generation", "generation": 4})[:-3])
    assert [line["generation"] for line in run_log.generations(folder)] == [1, 2, 3]


def test_a_line_that_lacks_something_is_no_line(folder: Path) -> None:
    before = list(run_log.events(folder))
    with (folder / run_log.NAME).open("a") as log:
        log.writelines(['{"event":"generation","generation":9}\n', '{"event":["begin"]}\n', '["begin"]\n'])
    assert list(run_log.events(folder)) == before


def test_a_folder_without_a_log_or_a_generation_is_one_line(tmp_path: Path) -> None:
    for look in (course_of, lambda path: watch(path, once=True)):
        with pytest.raises(UsageError, match="expected the folder of a run, with a log; there is none"):
            look(tmp_path)
    run_log.append(tmp_path, "begin", generation=0, settings=SETTINGS, **ABOUT)
    with pytest.raises(UsageError, match="the first generation is not over yet"):
        course_of(tmp_path)


def test_watching_follows_the_log_until_the_run_is_over(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def go_on(pause: float) -> None:
        run_log.append(folder, "generation", **run_log.facts_of(progress(4)))
        run_log.append(folder, "end", generation=4)

    watch(folder, once=False, wait=go_on)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [f"generation {n}" for n in (1, 2, 3, 4)]
    assert lines[2].endswith("ALARM: it is odd")
    assert lines[0].startswith("generation 1: best 51.0 % (46.0 to 56.0), mean 41.0 %, training 56.0 %, spread 30.0 %;")


def test_the_live_table_shows_the_latest_generations(folder: Path) -> None:
    log = list(run_log.events(folder))
    shown = table(log)
    assert (shown.row_count, over(log)) == (3, False)
    assert over([*log, {"event": "end"}])
    assert not over([*log, {"event": "end"}, {"event": "resume"}])
    assert table(log * 9).row_count == watching.SHOWN


def test_event_files_hold_the_figures(tmp_path: Path) -> None:
    with event_files(tmp_path) as write:
        write(progress(1))
    (file,) = (tmp_path / "tensorboard").iterdir()
    assert all(tag in file.read_bytes() for tag in (b"win_rate/best", b"null_players/random", b"spread"))


def test_event_files_without_room_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with event_files(tmp_path) as write:
        monkeypatch.setattr("tensorboardX.SummaryWriter.add_scalar", full)
        with pytest.raises(OutputError, match=r"cannot write '.*tensorboard': No space left on device"):
            write(progress(1))


def test_the_spread_is_that_of_the_middle_weight_not_of_the_largest() -> None:
    rng = np.random.default_rng(1)
    players = [np.array([[1.0, 1.0, 1.0, 0.0], [1.0, 1.0, 500.0, 0.0]]) for _ in range(200)]
    moved = [w + 0.2 * rng.standard_normal(w.shape) * (w != 0) for w in players]
    assert spread(moved) == pytest.approx(0.2, rel=0.1)
    assert spread([7.0 * w for w in moved]) == pytest.approx(spread(moved))
    assert spread(players) == 0.0
    assert spread([np.zeros((2, 3))] * 2) == 0.0
