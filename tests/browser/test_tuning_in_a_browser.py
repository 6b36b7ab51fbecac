"""Tuning in a real browser: changes are taken back one by one, row by row, or all, and the result stays in sight."""

from __future__ import annotations

import re
import time

import pytest
from browsing import Browser, in_a_browser
from selenium.webdriver.common.keys import Keys

pytestmark = in_a_browser

WEIGHTS = "return [...document.querySelectorAll('[data-file]')].map((field) => field.value)"
FILE = "return [...document.querySelectorAll('[data-file]')].map((field) => field.dataset.file)"
PAIRED = """return [...document.querySelectorAll('[data-file]')].every((field) => {
  const slider = document.getElementById(field.dataset.pair);
  const near = Math.max(Number(slider.min), Math.min(Number(slider.max), Number(field.value)));
  return Math.abs(Number(slider.value) - near) <= Number(slider.step);
})"""
TRIAL = "return document.querySelector('#trial input[name=trial]')?.value || ''"


def weights(browser: Browser) -> list[str]:
    return list(browser.driver.execute_script(WEIGHTS))


def weigh(browser: Browser, which: int, number: str) -> None:
    """Another weight, typed; the result of it is awaited."""
    former = browser.driver.execute_script(TRIAL)
    field = [one for one in browser.all("[data-file]") if one.is_displayed()][which]
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(number, Keys.TAB)
    browser.until(lambda: browser.driver.execute_script(TRIAL) not in {former, ""})


def pressed(browser: Browser, selector: str) -> None:
    """A button, whose change of weights is tried."""
    former = browser.driver.execute_script(TRIAL)
    browser.click(selector)
    browser.until(lambda: browser.driver.execute_script(TRIAL) not in {former, ""})


@pytest.mark.parametrize("width", [360, 1280])
def test_changes_are_taken_back(browser: Browser, width: int) -> None:
    browser.wide(width)
    browser.open("/tune/edit?game=tictactoe&player=champion")
    in_file = list(browser.driver.execute_script(FILE))
    assert weights(browser) == in_file
    assert not browser.one("#undo").is_enabled()
    assert not browser.one("#reset-all").is_enabled()
    assert not [button for button in browser.all("button.reset") if button.is_displayed()]
    field = next(one for one in browser.all("[data-file]") if one.is_displayed())
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("1e9", Keys.TAB)
    browser.until(lambda: field.get_attribute("aria-invalid") == "true")
    assert not browser.one("#undo").is_enabled(), "what is refused is no step"
    weigh(browser, 0, "7")
    assert field.get_attribute("aria-invalid") is None
    once = weights(browser)
    weigh(browser, 2, "-3")
    twice = weights(browser)
    assert in_file != once != twice
    assert len([button for button in browser.all("button.reset") if button.is_displayed()]) == 2
    assert browser.serious() == []
    pressed(browser, "#undo")
    assert weights(browser) == once
    weigh(browser, 2, "-3")
    pressed(browser, "button.reset:not([hidden])")
    assert [weights(browser)[at] == in_file[at] for at in range(len(in_file))].count(False) == 1
    assert weights(browser) != once, "only the row of the button is as in the file"
    pressed(browser, "#undo")
    assert weights(browser) == twice
    pressed(browser, "#reset-all")
    assert weights(browser) == in_file
    assert not browser.one("#reset-all").is_enabled()
    pressed(browser, "#undo")
    assert weights(browser) == twice
    assert browser.driver.execute_script(PAIRED), "the sliders stand where the numbers do"


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("dark", [False, True])
def test_the_result_stays_in_sight(browser: Browser, width: int, dark: bool) -> None:
    browser.wide(width, dark=dark)
    browser.open("/tune/edit?game=lost-cities&player=champion")
    weigh(browser, 0, "4")
    browser.until(lambda: browser.all("#trial input[name=trial]:not([value='']) ~ .verdicts .verdict"))
    for group in browser.all(".groups summary"):
        browser.driver.execute_script("arguments[0].parentElement.open = true", group)
    for share in (0.3, 0.6, 0.9):
        browser.driver.execute_script(
            "scrollTo(0, arguments[0] * document.querySelector('.groups').scrollHeight)", share
        )
        seen = browser.driver.execute_script(
            "const box = document.querySelector('#trial .verdicts').getBoundingClientRect();"
            "const there = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);"
            "return [scrollY > 300, box.top >= 0, box.bottom <= innerHeight, Boolean(there?.closest('#trial'))]"
        )
        assert seen == [True] * 4, f"{share} of the way down"
        # What saves the change, and takes it back, is in the same card.
        for button in ("[formaction]", "#undo"):
            browser.driver.execute_script(
                "const box = document.querySelector(arguments[0]).getBoundingClientRect();"
                "if (document.elementFromPoint(box.left + 9, box.top + 9)?.matches(arguments[0])) return;"
                "throw new Error(`${arguments[0]} is out of sight`)",
                button,
            )
        # It leaves room for the rules, and does not hide the field that has the focus.
        field = [one for one in browser.all("[data-file]") if one.is_displayed()][-3]
        browser.driver.execute_script("arguments[0].blur(); arguments[0].focus()", field)
        covered = browser.driver.execute_script(
            "const box = arguments[0].getBoundingClientRect();"
            "return document.elementFromPoint(box.left + 5, box.top + 5) !== arguments[0]",
            field,
        )
        assert not covered
    staying = "return ['#trial .verdicts', '.acts'].map((name) => document.querySelector(name).offsetHeight)"
    assert width > 360 or sum(browser.driver.execute_script(staying)) <= 160
    browser.picture(f"tuned-{width}{'-dark' if dark else ''}")


def test_on_a_phone_the_verdict_comes_before_the_prose_and_sliders_show_their_ends(browser: Browser) -> None:
    browser.wide(360)
    browser.open("/tune/edit?game=lost-cities&player=champion")
    assert not browser.one("main > details p").is_displayed()
    top = "return document.querySelector('.verdicts').getBoundingClientRect().top"
    assert browser.driver.execute_script(top) < 320
    ends = (
        "return ['::before', '::after'].map((end) => getComputedStyle(document.querySelector('.reach'), end).content)"
    )
    most = browser.one("[type=range]").get_attribute("max")
    assert browser.driver.execute_script(ends) == [f'"\u2212{most}"', f'"{most}"']
    wide = "return document.documentElement.scrollWidth <= innerWidth"
    assert browser.driver.execute_script(wide)
    browser.picture("tuning-360")


def test_an_emptied_weight_says_that_of_the_file(browser: Browser) -> None:
    browser.open("/tune/edit?game=tictactoe&player=champion")
    in_file = list(browser.driver.execute_script(FILE))
    weigh(browser, 0, "7")
    field = next(one for one in browser.all("[data-file]") if one.is_displayed())
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(Keys.DELETE, Keys.TAB)
    browser.until(lambda: weights(browser) == in_file)
    assert browser.driver.execute_script(PAIRED)


def test_what_was_opened_stays_open_and_what_was_mended_is_not_told_again(browser: Browser) -> None:
    browser.open("/tune/edit?game=tictactoe&player=champion")
    browser.driver.execute_script("document.querySelector('.worth').textContent = 'Without it'")
    marked = "return getComputedStyle(document.querySelector('.worth'), '::before').content"
    assert browser.driver.execute_script(marked) == "none"
    weigh(browser, 0, "7")
    assert browser.driver.execute_script(marked) == '"As in the file: "', (
        "its figure is not that of the weight beside it"
    )
    browser.until(lambda: browser.all("#trial:not([data-polls]) .figures-of"))
    browser.click(".figures-of summary")
    weigh(browser, 0, "6")
    browser.until(lambda: browser.all("#trial:not([data-polls]) .figures-of"))
    assert browser.all(".figures-of[open]")
    name = browser.one("#file")
    name.clear()
    name.send_keys("once.yaml")
    browser.click("[formaction='/tune/save']")
    browser.until(lambda: browser.all("#saved a"))
    name.clear()
    name.send_keys("once.yaml")
    browser.click("[formaction='/tune/save']")
    browser.until(lambda: browser.all("#saved .message"))
    name.send_keys(Keys.BACKSPACE)
    assert not browser.all("#saved .message")


def test_a_name_for_the_file_keeps_the_verdict(browser: Browser) -> None:
    browser.open("/tune/edit?game=tictactoe&player=champion")
    weigh(browser, 0, "7")
    browser.until(lambda: browser.all("#trial:not([data-polls]) .figures-of"))
    trial, section = browser.driver.execute_script(TRIAL), browser.one("#trial")
    browser.driver.execute_script(
        "document.body.addEventListener('htmx:beforeRequest', () => (asked = true)); asked = false"
    )
    name = browser.one("#file")
    name.send_keys(Keys.CONTROL, "a")
    name.send_keys("another.yaml", Keys.TAB)
    time.sleep(0.5)
    assert browser.driver.execute_script("return asked") is False
    name.send_keys(Keys.END, Keys.BACKSPACE, "l")
    browser.click("[formaction='/tune/save']")
    browser.until(lambda: browser.all("#saved a"))
    time.sleep(0.5)
    assert section.is_displayed(), "it was not replaced"
    assert browser.driver.execute_script(TRIAL) == trial


def test_only_changes_that_are_not_saved_can_be_saved_and_hold_up_who_leaves(browser: Browser) -> None:
    def asks() -> bool:
        leaving = "return !dispatchEvent(new Event('beforeunload', {cancelable: true}))"
        held = bool(browser.driver.execute_script(leaving))
        assert browser.one("#save").is_enabled() == held
        return held

    browser.open("/tune/edit?game=tictactoe&player=champion")
    assert not asks()
    weigh(browser, 0, "7")
    assert asks()
    pressed(browser, "#undo")
    assert not asks()
    weigh(browser, 0, "7")
    browser.click("#save")
    browser.until(lambda: browser.all("#saved a"))
    assert not asks()
    name = browser.one("#file")
    assert re.fullmatch(r"tictactoe-tuned-\d{4}-2\.yaml", name.get_attribute("value") or ""), "no other time of day"
    weigh(browser, 0, "6")
    assert asks()


def test_saved_weights_can_be_saved_under_another_name_that_is_one(browser: Browser) -> None:
    browser.open("/tune/edit?game=tictactoe&player=champion")
    weigh(browser, 0, "7")
    name, save = browser.one("#file"), browser.one("#save")

    def named(text: str) -> str:
        """Type a name; what the field says of it."""
        name.send_keys(Keys.CONTROL, "a")
        name.send_keys(text or Keys.DELETE)
        return str(browser.driver.execute_script("return arguments[0].parentElement.dataset.wrong", name))

    for text, following in (("mine.yaml", "mine-2.yaml"), ("mine-9.yml", "mine-10.yml"), ("other", "other-2")):
        assert not named(text)
        assert save.is_enabled(), text
        browser.click("#save")
        browser.until(lambda text=text: text in browser.text("#saved"))
        browser.until(lambda following=following: name.get_attribute("value") == following)
        assert not save.is_enabled(), "these weights are saved"
    for text in ("<script>.yaml", "", "a" * 300, "notes.txt", "a/b.yaml", ".yaml"):
        assert "Expected a name such as mine.yaml" in named(text), text
        assert not save.is_enabled()
        assert name.get_attribute("aria-invalid") == "true"
    assert not named("mine too.yaml")
    assert save.is_enabled()


def test_games_are_stopped_and_go_on(browser: Browser) -> None:
    browser.open("/tune/edit?game=kalah&player=champion")
    assert not browser.one("#stop").is_displayed()
    weigh(browser, 0, "1.5")
    browser.until(lambda: browser.all("#trial[data-polls] .figures-of"))
    browser.click("#stop")
    browser.until(lambda: "Stopped." in browser.text("#trial"), 5)
    assert not browser.one("#stop").is_displayed()
    assert browser.all("#trial .on button"), "it can go on"


def test_what_is_wrong_is_said_beside_the_opponents_while_games_play_on(browser: Browser) -> None:
    browser.wide(1280)
    browser.open("/tune/edit?game=kalah&player=champion")
    browser.until(lambda: browser.all("#beside button"))
    top = "return document.querySelector('fieldset button').getBoundingClientRect().top"
    before = browser.driver.execute_script(top)
    weigh(browser, 0, "7")
    browser.until(lambda: browser.all("#trial[data-polls] .figures-of"))
    assert browser.driver.execute_script(top) == before, "no result moves what somebody is about to press"
    browser.one("#opponents").send_keys("nosuch")
    browser.click("fieldset button")
    browser.until(lambda: "nosuch" in browser.text("#refused"))
    time.sleep(1)  # two looks at the trial
    assert "nosuch" in browser.text("#refused")
    assert browser.all("#trial .verdict strong, #trial .figures-of"), "the results stay"
    browser.one("#opponents").send_keys(Keys.BACKSPACE)
    assert not browser.text("#refused")


def test_a_comma_is_a_decimal_point_and_what_is_no_number_is_not_tried(browser: Browser) -> None:
    browser.open("/tune/edit?game=tictactoe&player=champion")
    weigh(browser, 0, "2,5")
    assert weights(browser)[0] == "2.5"
    assert browser.driver.execute_script(PAIRED)
    tried = browser.driver.execute_script(TRIAL)
    field, following = [one for one in browser.all("[data-file]") if one.is_displayed()][:2]
    rows = "return [...document.querySelectorAll('.weights input')].map((one) => one.getBoundingClientRect().left)"
    places = browser.driver.execute_script(rows)
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("abc", Keys.TAB)
    assert browser.driver.switch_to.active_element == following, "it can wait"
    assert browser.driver.execute_script(rows) == places, "its message moves nothing"
    assert field.get_attribute("validationMessage") == "Expected a number from -1000000 to 1000000"
    assert (field.get_attribute("value"), field.get_attribute("aria-invalid")) == ("abc", "true")
    time.sleep(0.5)
    assert browser.driver.execute_script(TRIAL) == tried
    said = "return getComputedStyle(arguments[0].parentElement, '::after').content"
    assert "Expected a number" in browser.driver.execute_script(said, field), "it is said beside the field"
    browser.driver.execute_script("arguments[0].closest('details').open = false; arguments[0].blur()", field)
    browser.click("#save")
    browser.until(lambda: browser.driver.switch_to.active_element == field, 10)
    assert not browser.text("#saved")
    browser.click("#reset-all")
    browser.until(lambda: browser.driver.execute_script(TRIAL) != tried)
    assert field.get_attribute("aria-invalid") is None
