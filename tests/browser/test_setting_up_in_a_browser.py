"""The page that sets up a position, in a real browser: typed, by mouse, by finger, by keyboard, and asked about."""

from __future__ import annotations

import time

import pytest
from browsing import Browser, in_a_browser
from selenium.webdriver.common.keys import Keys

from rulebots.packages import game_names, load_game
from rulebots.web.reasons import of_rules

pytestmark = in_a_browser

CROSS = "3/1X1/3 O b2"


def text(browser: Browser) -> str:
    return str(browser.driver.execute_script("return document.getElementById('position').value"))


def slow(browser: Browser, milliseconds: int) -> None:
    """An answer takes that long on its way."""
    conditions = {"offline": False, "latency": milliseconds, "downloadThroughput": -1, "uploadThroughput": -1}
    browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)


def typed(browser: Browser, words: str) -> None:
    """The field with other words in it, as a person writes them over the old ones."""
    field = browser.one("#position")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(words)


@pytest.mark.parametrize("name", game_names())
def test_a_click_on_the_board_changes_the_text(browser: Browser, name: str) -> None:
    browser.open(f"/position/{name}")
    for _ in range(2):  # a third card that does not fit ends a game of Hanabi
        before = text(browser)
        if browser.all("button.place:not(:disabled)"):
            browser.click("button.place:not(:disabled)", middle=True)
            browser.until(lambda before=before: text(browser) != before or browser.all("button.chosen"))
            if text(browser) == before:
                browser.click("button.target")
        else:
            browser.click(".moves button", middle=True)
        browser.until(lambda before=before: text(browser) != before)
    shaped = text(browser)
    browser.click("a.button", "Play from here")
    browser.until(lambda: "/new/" in browser.driver.current_url)
    browser.click("button.main")
    browser.until(lambda: "/game/" in browser.driver.current_url)
    browser.ready()
    browser.click("#step-first")
    browser.until(lambda: browser.text(".steps span").startswith("0 /"))  # else the menu opens in what is replaced
    if load_game(name).hidden:
        return
    browser.click(".saves summary")
    browser.until(lambda: shaped in browser.text(".position"))
    browser.click(".position a", "edit this position")
    browser.until(lambda: "/position/" in browser.driver.current_url)
    assert text(browser) == shaped


def test_a_move_right_after_typing_counts_from_what_was_typed(browser: Browser) -> None:
    browser.open("/position/tictactoe")
    slow(browser, 600)  # what was typed is still to be sent, and must not take the place of the move
    typed(browser, CROSS)
    browser.click('button.place[value="a1"]')
    browser.until(lambda: browser.text("#set-up-status") == "Player 1 to move." and text(browser) != CROSS)
    slow(browser, 0)
    assert text(browser) == "3/1X1/O2 X a1"
    assert browser.one('button.place[value="a1"]').get_attribute("disabled")


def test_typing_keeps_the_focus_and_tells_a_mistake(browser: Browser) -> None:
    browser.open("/position/tictactoe")
    typed(browser, "3/1Q1/3 O")
    browser.until(lambda: "Q" in browser.text("#set-up-status"))
    assert not browser.all("#set-up svg")
    assert browser.driver.switch_to.active_element.get_attribute("id") == "position"
    typed(browser, CROSS.replace(" ", "\n"))
    browser.until(lambda: browser.text("#set-up-status") == "Player 2 to move.")
    assert len(browser.all("button.place:not(:disabled)")) == 8
    browser.click("button", "From the start")
    browser.until(lambda: text(browser) == "3/3/3 X -")


def test_the_keyboard_sets_up_and_stays_on_the_board(browser: Browser) -> None:
    browser.open("/position/tictactoe")
    here = browser.driver.switch_to
    browser.one("#position").send_keys(Keys.TAB, Keys.NULL)
    for _ in range(6):
        if "place" in (here.active_element.get_attribute("class") or ""):
            break
        here.active_element.send_keys(Keys.TAB)
    here.active_element.send_keys(Keys.ARROW_RIGHT)
    first = here.active_element.get_attribute("value")
    here.active_element.send_keys(Keys.ENTER)
    browser.until(lambda: text(browser) != "3/3/3 X -")
    browser.until(lambda: "place" in (here.active_element.get_attribute("class") or ""))
    assert here.active_element.get_attribute("value") != first
    here.active_element.send_keys(Keys.ENTER)
    browser.until(lambda: browser.text("#set-up-status") == "Player 1 to move." and "O" in text(browser).split()[0])


def test_the_advice_stands_on_the_board_and_in_words(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    browser.open("/position/tictactoe?position=XX1/OO1/3+X")
    browser.click("button", "What would it do?")
    browser.until(lambda: "Hint: play c3" in browser.text("#panel"))
    assert browser.all("#set-up-advice .look-hint-ring")
    assert text(browser) == "XX1/OO1/3 X"
    browser.click('button.place[value="a1"]')
    browser.until(lambda: browser.text("#set-up-status") == "Player 2 to move.")
    assert browser.text("#panel") == "", "it was about the position before"
    monkeypatch.setattr(
        "rulebots.web.play.of_rules", lambda *asked, **more: time.sleep(1.5) or of_rules(*asked, **more)
    )
    browser.click("button", "What would it do?")
    browser.click('button.place[value="c3"]')
    browser.until(lambda: browser.text("#set-up-status") == "Player 1 to move.")
    browser.driver.execute_async_script("setTimeout(arguments[0], 2000)")
    assert browser.text("#panel") == "", "an answer that came late is about another board"
    assert not browser.all("#set-up-advice .look-hint-ring")


def test_a_finger_sees_small_places_magnified(browser: Browser) -> None:
    browser.wide(360)
    browser.open("/position/gomoku")
    before = text(browser)
    browser.tap("button.place", 112)
    browser.until(lambda: browser.all(".lens"))
    assert text(browser) == before
    browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
    browser.until(lambda: text(browser) != before)


@pytest.mark.parametrize("name", ["tictactoe", "cant-stop"])
def test_setting_up_is_accessible(browser: Browser, name: str) -> None:
    browser.assert_accessible(f"position-{name}", f"/position/{name}")
