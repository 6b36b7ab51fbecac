"""Pages of exports in a real browser, opened from a file: played by keyboard, by a finger, and read aloud."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import Browser, in_a_browser
from selenium.webdriver.common.keys import Keys

from rulebots.export.contents import contents_of
from rulebots.export.files import levels_of
from rulebots.export.page import page_files
from rulebots.packages import game_names, load_game
from rulebots.packages.scaffold import FOLDERS, new_game

pytestmark = in_a_browser
FREE = "#session button:not(:disabled):not(#hint)"


@pytest.fixture(scope="module")
def reader() -> Iterator[Browser]:
    site: Any = None  # there is no server
    found = Browser(site)
    yield found
    found.driver.quit()


def opened(browser: Browser, name: str, folder: Path) -> None:
    game = load_game(name)
    levels = levels_of(game, game.seats_with(game.option_values()))[0]
    for path, text in page_files(contents_of(game, levels, levels=tuple(levels)), folder, print).items():
        path.write_text(text, "utf-8")
    browser.driver.get(f"{(folder / 'index.html').as_uri()}#3")


def settled(browser: Browser) -> bool:
    """Wait until it is the person's turn; whether the game goes on."""
    browser.until(lambda: "Your turn" in browser.status() or "win" in browser.status() or "over" in browser.status())
    return "Your turn" in browser.status()


def serious(browser: Browser) -> list[str]:
    """What axe-core finds serious; the browser complains then that it may not fetch a file."""
    found = browser.serious()
    browser.complaints()
    return found


@pytest.mark.parametrize("name", [*game_names(), *FOLDERS])
def test_a_page_plays_by_keyboard_from_a_file(reader: Browser, name: str, tmp_path: Path) -> None:
    reader.wide(360, still=True)
    opened(reader, str(new_game(f"own-{name}", name, where=tmp_path)) if name in FOLDERS else name, tmp_path)
    for k in range(12):
        if not settled(reader):
            break
        found = reader.all(FREE)
        chosen = [one for one in found if "target" in one.get_attribute("class")] or found
        chosen[(5 * k) % len(chosen)].send_keys(Keys.ENTER)
    assert reader.complaints() == []
    assert serious(reader) == []
    assert reader.pale() == []
    wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert reader.driver.execute_script(wide) <= 0
    if settled(reader):
        reader.click("#hint")
        assert reader.text("#panel").startswith("Hint: ")
    reader.picture(f"exported-{name}")


def test_the_second_seat_begins_with_a_move_of_the_opponent_and_its_reasons(reader: Browser, tmp_path: Path) -> None:
    reader.wide(1280, dark=True, still=True)
    opened(reader, "kalah", tmp_path)
    settled(reader)
    assert reader.text("#panel").startswith("Reasons stand here")
    reader.click("#seat option[value='1']")
    reader.click("#level option:last-child")
    reader.click("#new button")
    reader.until(lambda: "Opponent sows pit" in reader.status())
    settled(reader)
    assert "For it: it " in reader.text("#panel")
    assert serious(reader) == []


def test_the_receiver_is_told_which_cards_have_come(reader: Browser, tmp_path: Path) -> None:
    reader.wide(1280, still=True)
    opened(reader, "hearts", tmp_path)
    reader.driver.get(f"{(tmp_path / 'index.html').as_uri()}#6")
    reader.driver.refresh()
    for _ in range(3):
        settled(reader)
        reader.all(FREE)[0].click()
    settled(reader)
    assert len(re.findall(r"passes the [^.]* to you\.", reader.status())) == 3
    assert "passes a card that you do not see" in reader.status(), "those of others"


def test_a_page_does_without_a_drawing_that_fails(reader: Browser, tmp_path: Path) -> None:
    opened(reader, "tictactoe", tmp_path)
    page = tmp_path / "game.js"
    page.write_text(page.read_text("utf-8").replace("draw: d_", "draw: () => py.fail('no board'), _: d_"), "utf-8")
    reader.driver.refresh()
    settled(reader)
    assert reader.text("pre.drawn").splitlines()[-1] == "X to move, 3 in a row win"
    assert [one.text for one in reader.all(".moves button")][:3] == ["a1", "b1", "c1"]
