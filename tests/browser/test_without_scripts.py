"""The page in a real browser that runs no scripts, see browsing.py: all can be read, and forms play."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Browser, in_a_browser
from page_client import serving

pytestmark = in_a_browser


@pytest.fixture
def plain(tmp_path: Path) -> Iterator[Browser]:
    with serving(tmp_path) as site:
        found = Browser(site, scripts=False)
        try:
            found.open("/")
            assert found.driver.execute_script("return typeof window.htmx") == "undefined", "a script has run"
            yield found
            assert found.elsewhere() == []
        finally:
            found.driver.quit()


def test_a_game_is_played_and_read_by_plain_forms(plain: Browser) -> None:
    plain.click(".cards a")
    plain.begin("tictactoe", "hand_tuned")
    while plain.ready():
        before = plain.count()
        plain.click("button.place:not(:disabled)")
        plain.settle(before)
    address = plain.driver.current_url
    plain.click("a[aria-label='first position']")
    plain.until(lambda: "After 0 of" in plain.status())
    assert plain.all("svg.diagram .look-cell, svg.diagram rect")
    plain.driver.get(address)
    plain.click(".log a[aria-label^=why]")
    plain.click("summary", "Sums and weights")
    plain.until(lambda: "score" in plain.text("main"))
    plain.driver.get(address)
    plain.click(".tools button", "Undo")
    plain.until(lambda: "our move" in plain.status())
    plain.click("a.button", "Hint")
    plain.until(lambda: "Hint" in plain.text("main"))
    plain.driver.get(address)
    plain.click(".tools button", "Start over")
    plain.until(lambda: plain.driver.current_url != address and plain.count() <= 1)


def test_a_search_is_waited_for_by_reloading(plain: Browser) -> None:
    plain.begin("tictactoe", "mcts:seconds=0.5", "&side=second")
    assert plain.count() == 1
    assert "Your move" in plain.status()


def test_ladders_players_and_runs_are_read(plain: Browser) -> None:
    plain.open("/ladder/new/tictactoe")
    plain.one("#deals").clear()
    plain.one("#deals").send_keys("12")
    plain.click("button.main")
    plain.until(lambda: "12 of 12 deals a meeting, over" in plain.text("main"))
    plain.click("#ladder td a")
    plain.click("button[aria-label='open game 1']")
    plain.until(lambda: "After 0 of" in plain.status())
    plain.open("/tune/edit?game=tictactoe&player=champion")
    weight = plain.one(".weights [data-file]")
    weight.clear()
    weight.send_keys("-9000")
    plain.click("button", "Try")
    plain.until(lambda: "Playing" in plain.text("#trial") or "Done." in plain.text("#trial"))
    if "Done." not in plain.text("#trial"):
        plain.click("#trial noscript a", "Follow it")
        plain.until(lambda: "Done." in plain.text("#trial"))
    assert plain.all("#trial svg.diagram")
