"""Collapse warnings: each for its own history, and none for one unlucky generation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evolve.monitoring import WINDOW, CollapseWatch, Metrics

WELL = Metrics(
    baselines={"random": 1.0}, points=30.0, activity={"investments": 4.0, "expeditions": 3.0}, stalled=0.0, spread=0.3
)


ILL = {
    "the best player wins 80% against random, down from 100%": replace(WELL, baselines={"random": 0.8}),
    "the best player makes 10.0 points a game, down from 30.0": replace(WELL, points=10.0),
    "the best player does little: investments 0.5 a game, down from 4.0": replace(
        WELL, activity={"investments": 0.5, "expeditions": 1.0}
    ),
    "20% of the best player's games stall, up from 0%": replace(WELL, stalled=0.2),
    "the population's weights differ by only 0.1% of their size: nothing new is tried": replace(WELL, spread=0.001),
}


@pytest.mark.parametrize(("sentence", "metrics"), ILL.items())
def test_a_collapse_gives_its_own_warning_with_figures(sentence: str, metrics: Metrics) -> None:
    watch = CollapseWatch()
    assert not any(watch.see(WELL) for _ in range(10))
    given = [watch.see(metrics) for _ in range(WINDOW)]
    assert given[-1] == [sentence]


def test_a_run_that_is_watched_on_few_deals_is_warned_of_large_changes_only() -> None:
    watch = CollapseWatch(1 / 9)
    ill = [replace(WELL, baselines={"random": 0.75}), replace(WELL, points=5.0), replace(WELL, stalled=0.1)]
    ill += [replace(WELL, activity={"investments": 1.0, "expeditions": 0.5})]
    for metrics in ill:
        assert not any(watch.see(seen) for seen in [*[WELL] * 10, *[metrics] * WINDOW]), metrics
    given = [watch.see(replace(WELL, baselines={"random": 0.6}, points=3.0)) for _ in range(WINDOW)]
    assert [sentence.split()[3:6] for sentence in given[-1]] == [["wins", "60%", "against"], ["makes", "3.0", "points"]]


@pytest.mark.parametrize("metrics", [m for m in ILL.values() if m.baselines == WELL.baselines and not m.stalled])
def test_one_unlucky_generation_gives_no_warning(metrics: Metrics) -> None:
    watch = CollapseWatch()
    assert not any(watch.see(m) for m in [*[WELL] * 10, metrics, *[WELL] * 5])


def test_a_change_of_style_gives_no_warning() -> None:
    watch, other = CollapseWatch(), replace(WELL, activity={"investments": 0.1, "expeditions": 3.5})
    assert not any(watch.see(m) for m in [*[WELL] * 10, *[other] * 10])


def test_a_restored_watch_continues_as_the_original() -> None:
    watch = CollapseWatch()
    for _ in range(7):
        watch.see(WELL)
    other = CollapseWatch(**watch.state())
    last = replace(WELL, points=1.0)
    for _ in range(4):
        assert watch.see(last) == other.see(last)
