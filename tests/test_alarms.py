"""Collapse alarms: each rings for its own history, and not for one unlucky generation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evolve.monitoring.collapse import WINDOW, Alarms, Vitals
from evolve.run import Run
from evolve.settings import Settings
from rulebots.kernel import compiling

WELL = Vitals(
    nulls={"random": 1.0}, points=30.0, activity={"investments": 4.0, "expeditions": 3.0}, stalled=0.0, spread=0.3
)
ILL = {
    "the best player wins 80% against random, down from 100%": replace(WELL, nulls={"random": 0.8}),
    "the best player makes 10.0 points a game, down from 30.0": replace(WELL, points=10.0),
    "the best player does little: investments 0.5 a game, down from 4.0": replace(
        WELL, activity={"investments": 0.5, "expeditions": 1.0}
    ),
    "20% of the best player's games stall, up from 0%": replace(WELL, stalled=0.2),
    "the population's weights differ by 0.1% of their size only: nothing new is tried": replace(WELL, spread=0.001),
}


@pytest.mark.parametrize(("sentence", "vitals"), ILL.items())
def test_a_collapse_rings_its_own_alarm_with_the_figure(sentence: str, vitals: Vitals) -> None:
    alarms = Alarms()
    assert not any(alarms.see(WELL) for _ in range(10))
    rung = [alarms.see(vitals) for _ in range(WINDOW)]
    assert rung[-1] == [sentence]


@pytest.mark.parametrize("vitals", [v for v in ILL.values() if v.nulls == WELL.nulls and not v.stalled])
def test_one_unlucky_generation_rings_nothing(vitals: Vitals) -> None:
    alarms = Alarms()
    assert not any(alarms.see(v) for v in [*[WELL] * 10, vitals, *[WELL] * 5])


def test_a_change_of_style_rings_nothing() -> None:
    alarms, other = Alarms(), replace(WELL, activity={"investments": 0.1, "expeditions": 3.5})
    assert not any(alarms.see(v) for v in [*[WELL] * 10, *[other] * 10])


def test_alarms_go_on_from_their_state() -> None:
    alarms, other = Alarms(), Alarms()
    for _ in range(7):
        alarms.see(WELL)
    other.restore(alarms.state())
    last = replace(WELL, points=1.0)
    for _ in range(4):
        assert alarms.see(last) == other.see(last)


@pytest.mark.skipif(not compiling(), reason="whole runs take a minute interpreted")
def test_a_run_that_has_stopped_trying_says_so() -> None:
    still = "ga:mutation=0,mutation_floor=0,newcomers=0"
    settings = Settings(
        rules="sheppard", strategy=still, generations=WINDOW, population=4, deals=1, opponent_deals=1, verdict_deals=2
    )
    seen = list(Run(settings).generations())
    assert [bool(progress.alarms) for progress in seen] == [False] * (WINDOW - 1) + [True]
    assert "differ by 0.0% of their size" in seen[-1].alarms[0]
