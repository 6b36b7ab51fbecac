"""A loop without end in a function of a person's is broken off and told with its place, before it runs compiled."""

from __future__ import annotations

from pathlib import Path

import pytest
from new_package import CHECK, GAME, MATCH, RULES, Told, assert_told, own_modules, workplace  # noqa: F401 - a fixture

LOOP, LAST = "while state.heap > 50:", "return state.heap == 0"
OVER = (GAME, f"    {LAST}", f"    {LOOP}\n        pass\n    {LAST}")
MOVE = "    state.mover = 1 - state.mover\n"
PLAY = (GAME, MOVE, f"{MOVE}    while state.heap > 2: state.mover = 1 - state.mover\n")
RULE = (RULES, "    return view.heap == move + 1", "    while view.heap > 0: move += 1\n    return move")
SET_UP = (GAME, "    state.heap = options.heap", "    while options.heap > 0: state.heap = options.heap")
DEALS = (
    GAME,
    "game = Game(",
    "def draws(rng, count, options):\n    while True: pass\n\n\ngame = Game(\n    draw_deals=draws,",
)
SHOW = (
    GAME,
    '    return f"{state.heap} counters',
    '    while seat == 0: pass\n    return f"{state.heap} counters',
)
OFF = "does not end: it was broken off after 0.3 s"
HIGH = ("--option", "heap=55")

TRIED = (
    Told("over with an option", (OVER,), (*MATCH, *HIGH), (f"`over` {OFF}",), LOOP),
    Told("play", (PLAY,), MATCH, (f"`play` {OFF}",), "while state.heap > 2"),
    Told("rule", (RULE,), MATCH, (f"`takes_last` {OFF}",), "move += 1"),
    Told("setup", (SET_UP,), MATCH, (f"`setup` {OFF}",), "while options.heap"),
    Told("deals", (DEALS,), MATCH, (f"`draws` {OFF}",), ": pass"),
)
CHECKED = (
    Told("over", (OVER,), CHECK, (f"`over` {OFF}",), LOOP),
    Told("play", (PLAY,), CHECK, (f"`play` {OFF}",), "while state.heap > 2"),
    Told("rule", (RULE,), CHECK, (f"`takes_last` {OFF}",), "move += 1"),
    Told("show", (SHOW,), CHECK, (f"`show` {OFF}",), ": pass"),
)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.game.checks.SECONDS", 0.3)


@pytest.mark.compiled
@pytest.mark.parametrize("told", TRIED, ids=lambda told: told.id)
def test_the_first_games_meet_it(told: Told, workplace: Path, monkeypatch, capsys) -> None:  # noqa: F811
    assert_told(told, workplace, monkeypatch, capsys)


@pytest.mark.slow
@pytest.mark.parametrize("told", CHECKED, ids=lambda told: told.id)
def test_a_check_meets_it(told: Told, workplace: Path, monkeypatch, capsys) -> None:  # noqa: F811
    assert_told(told, workplace, monkeypatch, capsys)
