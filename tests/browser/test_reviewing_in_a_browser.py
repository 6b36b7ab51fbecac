"""Links, the review of a game, playing and pausing, and pictures to keep, in a real browser, see browsing.py."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Browser, in_a_browser
from page_client import Site, serving
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

pytestmark = in_a_browser
#: Moves of tic-tac-toe after which the first player has won, and the mistake is the fourth.
LOST = ("a1", "c3", "b1", "b3", "c1")


@pytest.fixture
def other(module_site: Site) -> Iterator[Browser]:
    """A second browser."""
    found = Browser(module_site)
    yield found
    found.driver.quit()


def path_of(browser: Browser) -> str:
    return browser.driver.current_url.partition(str(browser.site.port))[2]


def type_a_move(browser: Browser, text: str) -> None:
    before = browser.count()
    if not before:  # from then on it stays open
        browser.click("summary", "Type a move")
    browser.one("details[open] #text").send_keys(text, Keys.ENTER)
    browser.until(lambda: browser.count() > before)


def lost_by_a_mistake(browser: Browser) -> str:
    browser.open("/new/tictactoe?player2=you")
    browser.click("button.main", "Begin")
    browser.until(lambda: "/game/" in browser.driver.current_url and browser.status())
    for text in LOST:
        type_a_move(browser, text)
    return path_of(browser)


def test_two_persons_play_from_two_browsers_and_one_watches(browser: Browser, other: Browser) -> None:
    browser.open("/new/lost-cities?player2=you&seed=3")
    browser.click("button.main", "Begin")
    browser.until(lambda: "/game/" in browser.driver.current_url and browser.status())
    watched = path_of(browser)
    browser.click("details.links summary")
    browser.click("details.links button")
    browser.until(lambda: "~" in browser.driver.current_url)
    browser.until(lambda: browser.status().startswith("Your move"))
    invitation = browser.one(".links li a").get_attribute("href").partition(str(browser.site.port))[2]
    other.open(invitation)
    other.click("button.main", "Take this seat")
    other.until(lambda: other.status() == "Player 1 to move.")
    hands = [
        {one.get_attribute("value") for one in who.all("button.place[aria-label^='your card']")}
        for who in (browser, other)
    ]
    assert all(len(hand) == 8 for hand in hands)
    assert hands[0] != hands[1]
    for text in ("d3d", "n"):
        type_a_move(browser, text)
    other.until(lambda: "Your move" in other.status())  # it has heard of them by itself
    assert other.count() == 2
    second = path_of(other)
    other.open(watched)
    other.until(other.status)
    assert "Player 1's hand, 8 cards" in [one.get_attribute("aria-label") for one in other.all("button.place")]
    assert not other.all("button.place:not(:disabled), button.place[aria-label^='your card']")
    assert not other.all("#text")
    other.open(invitation)
    assert "leads to no seat" in other.text("main")
    for name, path in (("linked", second), ("watching", watched)):
        other.assert_accessible(name, path)


def test_the_review_names_the_largest_mistake_and_leads_there(browser: Browser) -> None:
    game = lost_by_a_mistake(browser)
    browser.until(lambda: browser.all("#review li"))
    assert "Move 4: Player 2 plays b3. Player 2's mistake: it was better to play c1" in browser.text("#review")
    assert browser.all(".log li:nth-child(4) b[aria-label='blunder']"), "the moves were listed before the review came"
    assert len(browser.all(".log a[aria-label^='why move']")) == len(LOST), "and so were those that had no reasons yet"
    page = browser.driver.execute_script("return document.marked = true")
    browser.click("#review li a", "Move 4")
    browser.until(lambda: "After 4 of 5 moves" in browser.status())
    browser.click("#review a[aria-label$='than move 4']", "why")  # a search in a hurry may blame the winner, too
    browser.until(lambda: "it was better to play c1" in browser.text("#panel"))
    browser.click("#step-first")
    browser.until(lambda: "After 0 of 5 moves" in browser.status())
    browser.click("#review a[aria-label$='than move 4']", "why")
    browser.until(lambda: "After 3 of 5 moves" in browser.status())  # it leads to the board before its move
    browser.until(lambda: "it was better to play c1" in browser.text("#panel"))
    for look, place in (("hint", "c1"), ("made", "b3")):
        (ring,) = browser.all(f"#session .look-{look}-ring")
        (button,) = browser.all(f"#session button[aria-label^='{place},']")
        assert ring.rect["x"] == pytest.approx(button.rect["x"], abs=4), "both moves are on the board"
    slider = browser.one("#at")
    assert slider.get_attribute("value") == "3"
    slider.send_keys(Keys.ARROW_LEFT)
    browser.until(lambda: "After 2 of 5 moves" in browser.status())
    slider.send_keys(Keys.HOME)
    browser.until(lambda: "After 0 of 5 moves" in browser.status())
    columns = browser.all("#review svg a")
    assert len(columns) == 6
    columns[4].find_element(By.CSS_SELECTOR, "rect").click()
    browser.until(lambda: "After 4 of 5 moves" in browser.status())
    at = browser.one("#review [data-ply='4']").get_attribute("data-x")
    browser.until(lambda: browser.one("#review .at").get_attribute("x1") == at)
    assert browser.driver.execute_script("return document.marked") == page, "no page was loaded again"
    for width in (360, 1280):
        for dark in (False, True):
            browser.wide(width, dark=dark)
            assert browser.serious() == []
            assert browser.driver.execute_script(
                "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"
            )
            browser.picture(f"review-{width}{'-dark' if dark else ''}")
    browser.driver.execute_script("window.scrollTo(0, document.body.scrollHeight)")
    at = "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()"
    board, findings, chart = (
        browser.driver.execute_script(at, one) for one in (".table .diagram", ".findings", "#review .chart")
    )
    assert findings["left"] >= board["right"], "they stand beside the board"
    assert chart["left"] >= board["right"], "and so does the chart"
    assert board["top"] >= 0, "the board stays in view"
    browser.assert_accessible("review-alone", f"{game}/review")
    assert browser.all(".table .diagram"), "its address alone has the board too"
    assert browser.all("#review .chart")


def test_the_reasons_for_a_mistake_are_in_sight_with_the_board(browser: Browser) -> None:
    lost_by_a_mistake(browser)
    seen = """return [...document.querySelectorAll('#panel h2, .table .stage')].map((one) => {
      const {top, bottom} = one.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });"""
    for width in (1280, 360):
        browser.wide(width)
        browser.until(lambda: browser.all("#review li a[aria-label$='than move 4']"))
        (why, *_) = browser.all("#review li a[aria-label$='than move 4']")
        browser.driver.execute_script("scrollTo(0, document.body.scrollHeight)")
        why.click()
        browser.until(lambda: "it was better" in browser.text("#panel"))
        browser.until(lambda: browser.driver.execute_script(seen) == [True, True])
        browser.click("#panel .close")
        assert browser.driver.switch_to.active_element == why, "the focus goes back"


def test_the_ring_of_a_hint_leaves_with_its_words(browser: Browser) -> None:
    browser.begin("tictactoe")
    browser.click(".tools a", "Hint")
    browser.until(lambda: browser.all("#session .look-hint-ring"))
    browser.click("#panel .close")
    browser.until(lambda: not browser.all("#session .look-hint-ring"))


def test_a_game_is_played_paused_and_gone_on_with(browser: Browser) -> None:
    browser.open("/new/kalah?player1=random&player2=random&seed=2")
    browser.click("button.main", "Begin")
    browser.until(lambda: browser.count() >= 2)
    browser.click("#play", "Pause")
    browser.until(lambda: browser.text("#play") == "Play")
    time.sleep(0.5)  # an answer may be on its way
    count = browser.count()
    time.sleep(2.2)
    assert browser.count() == count
    browser.click("#play", "Play")
    browser.one("#pace option[value='350']").click()
    began = time.monotonic()
    browser.until(browser.ended)
    moves = browser.count() - count
    assert time.monotonic() - began < moves * 1.0, "faster than as usual"
    assert browser.one("#pace").get_attribute("value") == "350", "it stays as it was chosen while moves came"
    browser.click("#step-first")
    browser.until(lambda: "After 0 of" in browser.status())
    seen = set[str]()
    browser.click("#play", "Play")
    browser.until(lambda: seen.add(browser.text(".steps span")) or browser.ended())
    assert len(seen) > 3
    browser.until(lambda: browser.text("#play") == "Replay")
    path = path_of(browser)
    browser.assert_accessible("played", path)
    browser.wide(360)
    browser.open(f"{path}?ply=3")
    top = "return document.querySelector(arguments[0]).getBoundingClientRect().top"
    log, line = (browser.driver.execute_script(top, one) for one in (".log", ".log [aria-current]"))
    assert line >= log + 16, "the move that is shown is not half faded out"
    browser.wide(1280)
    browser.open(f"{path}/review")
    browser.until(lambda: browser.all("#review .chart") and not browser.all("#review[data-polls]"))
    board, findings, chart = (browser.one(one).rect for one in (".table", ".findings", "#review figure"))
    assert chart["y"] >= board["y"] + board["height"], "the chart stands below the board"
    assert chart["x"] + chart["width"] <= findings["x"]
    assert findings["y"] < board["y"] + board["height"], "the findings begin beside the board"


def test_steps_keep_the_focus(browser: Browser) -> None:
    browser.open(lost_by_a_mistake(browser))
    step = browser.one("#step-back")
    step.send_keys(Keys.ENTER)
    browser.until(lambda: "After 4 of 5" in browser.status())
    browser.until(lambda: browser.driver.switch_to.active_element.get_attribute("id") == "step-back")
    browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
    browser.until(lambda: "After 3 of 5" in browser.status())


def test_pictures_are_kept(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    with serving(tmp_path) as site:
        browser = Browser(site)
        try:
            browser.driver.execute_cdp_cmd(
                "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(kept)}
            )
            lost_by_a_mistake(browser)
            browser.click("#step-back")
            browser.until(lambda: "After 4 of 5" in browser.status())
            for selector in (".saves button[data-png]", ".saves a[href$='game.svg']", ".saves a[href*='position.svg']"):
                if not browser.all(".saves[open]"):
                    browser.click(".saves summary")
                browser.click(selector)
            endings = ["-4.png", "-4.svg", ".svg"]
            browser.until(lambda: len([*kept.glob("*.svg"), *kept.glob("*.png")]) == len(endings))
            names = sorted(path.name[12:] for path in kept.iterdir())
            assert names == endings
            (png,) = kept.glob("*.png")
            assert png.read_bytes().startswith(b"\x89PNG")
            (moving,) = (path for path in kept.glob("*.svg") if len(path.stem) == 12)
            browser.driver.get(f"file://{moving}")
            visible = "return [...document.querySelectorAll('.frame')].map((f) => getComputedStyle(f).visibility)"
            shown = set[int]()

            def looked() -> bool:
                frames = browser.driver.execute_script(visible)
                assert frames.count("visible") <= 1, frames
                shown.update(number for number, state in enumerate(frames) if state == "visible")
                return shown == set(range(6))

            browser.until(looked, 20)
        finally:
            browser.driver.quit()


def test_the_review_is_brought_into_sight(browser: Browser) -> None:
    browser.wide(360)
    browser.open(lost_by_a_mistake(browser))
    browser.until(lambda: browser.all("#review li"))
    browser.driver.execute_script("scrollTo(0, 0)")
    browser.click(".ended a", "Review")
    top = "return document.getElementById('review-title')?.getBoundingClientRect().top ?? innerHeight"
    browser.until(lambda: 0 <= browser.driver.execute_script(top) < 300)


def test_reasons_stand_beside_the_board_of_their_move_and_leave_with_it(browser: Browser) -> None:
    browser.open("/new/tictactoe?player1=hand_tuned&player2=hand_tuned&seed=4")
    browser.click("button.main", "Begin")
    browser.until(browser.ended)
    browser.click(".log li:nth-child(3) a[aria-label^=why]")
    browser.until(lambda: "Move 3:" in browser.text("#panel"))
    assert "After 2 of" in browser.status()
    browser.click("#panel .close")
    assert browser.driver.switch_to.active_element.get_attribute("aria-label").startswith("why move 3")
    browser.click(".log li:nth-child(2) a[aria-label^=why]")
    browser.until(lambda: "Move 2:" in browser.text("#panel"))
    assert browser.all("#session .look-hint-ring"), "its moves are on that board"
    browser.click("#step-on")
    browser.until(lambda: "After 2 of" in browser.status())
    browser.until(lambda: not browser.text("#panel"))


def test_a_line_of_the_reasons_is_stepped_through_on_the_board(browser: Browser) -> None:
    browser.begin("kalah", "hand_tuned", "&side=second")
    browser.click("#why")
    browser.until(lambda: browser.all("#panel a"))
    page = browser.driver.execute_script("return document.marked = true")
    lit = "return getComputedStyle(document.querySelector('.rings')).display"
    browser.driver.execute_script("arguments[0].focus()", browser.all("#panel a")[0])
    for number, key in ((1, Keys.ENTER), (2, Keys.TAB)):
        browser.driver.switch_to.active_element.send_keys(key)
        if key == Keys.TAB:
            browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
        browser.until(
            lambda number=number: f"A line, not the game: after 1 of 2 moves and {number}" in browser.status()
        )
        link = browser.driver.switch_to.active_element
        assert link.text.partition(" (")[0] in browser.text("#said"), "it is read out"
    assert browser.all("#session .marked, #session .look-last"), "the last move of the line is marked"
    assert not browser.all("#session .look-hint-ring, #session button.place:not(:disabled)")
    assert browser.text("#panel .sentence"), "the reasons stay beside their own line"
    assert browser.driver.execute_script(lit) == "none", "and speak of no rings that are gone"
    for width in (360, 1280):
        browser.wide(width)
        assert browser.serious() == []
        browser.picture(f"line-{width}")
    browser.click("#session a", "Back to the game")
    browser.until(lambda: "After 1 of 2 moves" in browser.status())
    assert browser.text("#panel .sentence"), "they are about this board"
    browser.click("#step-last")
    browser.until(lambda: "Your move" in browser.status())
    assert not browser.text("#panel")
    assert browser.driver.execute_script("return document.marked") == page, "no page was loaded again"
