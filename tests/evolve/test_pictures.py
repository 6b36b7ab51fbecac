"""Pictures of a run from its log."""

from __future__ import annotations

from pathlib import Path

import pytest
from run_logs import ABOUT, RUN, SETTINGS, progress

from evolve.pictures import course_of, draw_all, strength, weights
from evolve.storage import log as run_log


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    run_log.append(tmp_path, "begin", RUN, generation=0, settings=SETTINGS, **ABOUT)
    for generation in (1, 2, 3):
        run_log.append(
            tmp_path, "generation", RUN, **run_log.facts_of(progress(generation, ("it is odd",) * (generation == 3)))
        )
    return tmp_path


@pytest.mark.slow
def test_pictures_are_drawn_of_a_run_in_progress(folder: Path) -> None:
    drawn = draw_all(course_of(folder))
    assert list(drawn) == ["strength", "course", "weights"]
    assert all(png.startswith(b"\x89PNG") and len(png) > 10_000 for png in drawn.values())


def test_the_heat_map_is_early_beside_late_a_row_a_rule_a_column_a_generation(folder: Path) -> None:
    early, late, *_ = weights(course_of(folder)).axes
    assert [early.get_title(), late.get_title()] == ["early", "late"]
    assert early.images[0].get_array().tolist() == [[1, 1, 1], [0.25, 0.5, 0.75]]
    assert late.images[0].get_array().tolist() == [[-1, -1, -1], [0.5, 0.5, 0.5]]
    assert [text.get_text() for text in early.get_yticklabels()] == ["play.a", "keep.b"]


def test_of_many_rules_those_are_shown_that_weigh_most(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.output.figures.MOST_RULES", 1)
    figure = weights(course_of(folder))
    assert [text.get_text() for text in figure.axes[0].get_yticklabels()] == ["play.a"]
    assert figure.get_suptitle().endswith("; not shown, as they weigh less: 1")


@pytest.mark.slow
def test_a_log_whose_lines_do_not_fit_each_other_is_drawn_as_far_as_they_do(folder: Path) -> None:
    text = (folder / run_log.NAME).read_text()
    (folder / run_log.NAME).write_text(text.replace('"keys":["play.a","keep.b"]', '"keys":["play.a"]'))
    facts = run_log.facts_of(progress(4))
    facts |= {"training_games": 0, "metrics": {**facts["metrics"], "baselines": {"another": 0.5}}}
    run_log.append(folder, "generation", RUN, **facts)
    assert len(draw_all(course_of(folder))) == 3
    assert [text.get_text() for text in weights(course_of(folder)).axes[0].get_yticklabels()] == ["rule 1", "rule 2"]


def test_a_run_of_tune_has_one_picture_of_its_result_over_its_games(tmp_path: Path) -> None:
    about = {**ABOUT, "game": "/home/me/arena.py:play"}
    run_log.append(tmp_path, "begin", RUN, generation=0, settings={**SETTINGS, "strategy": "tune"}, **about)
    run_log.append(tmp_path, "generation", RUN, **run_log.facts_of(progress(1)))
    course = course_of(tmp_path)
    assert list(draw_all(course)) == ["strength"]
    (axes,) = (figure := strength(course)).axes
    assert axes.get_title() == f"arena.py:play, tuned by games, seed {SETTINGS['seed']}"
    assert axes.get_xlabel() == "% of its games"
    assert [text.get_text() for text in axes.texts] == ["result so far"]
    assert figure.get_supxlabel() == "bands: 95 % intervals"
