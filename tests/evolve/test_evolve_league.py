"""Runs with a league: exploiters of the champion join it every few generations, and their games count."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from evolve.evaluation import league as module
from evolve.run import Run
from evolve.settings import Settings
from evolve.state import StateError
from evolve.storage.result import origin, text_of

# Lessons are remembered longer than a mix holds: those of a restored run are taken again with the mix of their time.
LEAGUE = Settings(
    "tictactoe",
    strategy="memetic:memory=4",
    generations=5,
    population=3,
    deals=1,
    opponent_deals=2,
    lessons=2,
    rollouts=1,
    exploiter_every=2,
    runoff_deals=1,
    held_out_deals=2,
    verdict_deals=2,
)


@pytest.fixture(autouse=True)
def _few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEAGUE_DEALS", 2)
    monkeypatch.setattr("evolve.monitoring.metrics.WATCH_DEALS", 2)
    monkeypatch.setattr("evolve.monitoring.metrics.BASELINE_DEALS", 1)


@pytest.mark.slow
def test_a_run_with_a_league_is_the_same_for_any_jobs_and_when_it_is_resumed() -> None:
    whole, states, lines = Run(LEAGUE), [], []
    for progress in whole.generations():
        lines.append(progress)
        states.append(json.dumps(whole.state()))
    two = Run(LEAGUE, jobs=2)
    list(two.generations())
    assert json.dumps(two.state()) == states[-1]
    for state in states[1:]:
        resumed = Run(LEAGUE, state=json.loads(state))
        list(resumed.generations())
        assert json.dumps(resumed.state()) == states[-1]
    assert text_of(resumed.finish()) == text_of(whole.finish())
    # The third and the fifth generation begin with a newcomer each, and what these cost is counted.
    assert whole.league.playing == ("champion 2", "exploiter 2", "champion 4", "exploiter 4")
    assert [line.mix == {} for line in lines] == [True, True, False, False, False]
    assert [line.exploiter is None for line in lines] == [True, True, False, False, False]
    assert sum(lines[-1].mix.values()) == pytest.approx(1)
    spent = np.diff([0, *(line.games for line in lines)])
    assert min(spent[2], spent[4]) > max(spent[0], spent[1], spent[3])
    assert 0.4 * (lines[3].games - whole.league.games) < 0.6 * whole.league.games


def test_the_command_that_breeds_the_same_file_has_the_league() -> None:
    run = Run(Settings("tictactoe", exploiter_every=2, exploiter_share=0.3))
    command = origin(run.outcome(run.candidates(), run_off=False, measured=None))
    assert "--exploiter-every 2 --exploiter-share 0.3" in command


@pytest.mark.slow
def test_a_damaged_league_is_refused() -> None:
    run = Run(replace(LEAGUE, strategy="ga", lessons=0, generations=3))
    list(run.generations())
    sound = json.dumps(run.state())
    damages = [
        ("members", {}, "playing: expected members"),
        ("playing", ["champion 2"] * 2, "playing: expected members"),
        ("table", [[0.5]], "table: expected 2 rows"),
        ("mixes", {"2": {"nobody": 1.0}}, "expected shares above 0 of members"),
        ("mixes", {"two": {"champion 2": 1.0}}, "expected generations"),
        ("games", -1, "games: expected a whole number"),
    ]
    for part, damage, message in damages:
        state = json.loads(sound)
        state["league"][part] = damage
        with pytest.raises(StateError, match=message):
            Run(run.settings, state=state)
