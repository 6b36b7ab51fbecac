"""Boards in a real browser: moves that happen, hints, ends of games, small places, and what is read aloud."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from browsing import Browser, click_a_move, in_a_browser
from selenium.webdriver.common.action_chains import ActionChains

from rulebots.packages import game_names

pytestmark = in_a_browser
#: Notes what the page's scripts set in motion: for how long, and when each begins to move.
WATCH = """
window.moved = [];
window.begins = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  window.moved.push(options.duration + (options.delay || 0));
  if (this.closest('.board')) window.begins.push(options.delay || 0);
  return animate.call(this, frames, options);
};
"""
#: Where each piece that moves begins, as the place of the board that it begins on.
FROM = """
const middle = ({x, y, width, height}) => new DOMPoint(x + width / 2, y + height / 2);
const all = [...document.querySelectorAll('#session foreignObject')];
const boxes = all.map((box) => [box.firstElementChild.value, box.getBBox()]);
window.from = [];
Element.prototype.animate = function (frames) {
  if (!this.closest('.board')) return {finished: Promise.resolve()};
  const {x, y} = middle(this.firstElementChild.getBBox()).matrixTransform(new DOMMatrix(frames[0].transform));
  const inside = ([, box]) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
  window.from.push(boxes.find(inside)[0]);
  return {finished: Promise.resolve()};
};
"""
#: Pieces that were taken over from the board before.
GONE = (
    "return [...document.querySelectorAll('#session .piece')].filter((one) => getComputedStyle(one).opacity < 1).length"
)
#: The middles of the ring of a hint and of the places of its move, from the left and the top of the window.
RINGS = """
const middle = (element) => {
  const box = element.getBoundingClientRect();
  return [Math.round(box.left + box.width / 2), Math.round(box.top + box.height / 2)];
};
const buttons = [...document.querySelectorAll('#session button.place')];
const places = new Map(buttons.map((one) => [`${middle(one)}`, one.value]));
return [...document.querySelectorAll('#session .advice .look-hint-ring')].map((ring) => places.get(`${middle(ring)}`));
"""
SMALLEST = """
const sides = [...document.querySelectorAll('#session button.place:not(:disabled)')].map((place) => {
  const box = place.getBoundingClientRect();
  return Math.min(box.width, box.height);
});
return Math.min(...sides, 99);
"""
#: What somebody hears of a board who does not see it, besides what can be chosen: names in the accessibility tree.
HEARD = {
    "cant-stop": [r"columns won: you 0, Random 0 of 1", r"column 3, you \d+, Random \d+.* of 5"],
    "circles": [r"\d+ stones left", r"row \d column \d, a stone"],
    "gomoku": [r"\w\d, empty", r"\w\d+, Random, the last move"],
    "hanabi": [
        r"fireworks: red \d, yellow \d", "discards: ", r"\d hint tokens, \d lives", r"Random: [RYGWB]\d, ",
        "you: card 1, (not )?hinted.*, colour .*, number ", "(Random|you) to move",
    ],
    "hearts": [
        "Random, left: 1?[0-9] cards", r"Random \(2\), across: ", r"Random \(3\), right: ",
        "your .* of (clubs|spades|hearts|diamonds)",
    ],
    "kalah": [r"lower store, \d+ stones?", r"upper store, \d+ stones?", r"upper pit 3, \d+ stones?"],
    "lost-cities": [
        "Random's hand, 8 cards", r"deck, \d+ cards left", "your deserts expedition, ",
        "Random's oceans expedition, ", "mountains pile, ", "your card ",
    ],
    "tictactoe": [r"[abc]\d, you", r"[abc]\d, Random, the last move", r"[abc]\d, empty"],
}  # fmt: skip


def moved(browser: Browser) -> list[float]:
    found: list[float] = browser.driver.execute_script("return window.moved")
    return found


@pytest.mark.parametrize(("width", "dark"), [(360, True), (1280, False)])
@pytest.mark.parametrize("name", game_names())
def test_moves_are_seen_to_happen_for_six_tenths_of_a_second_at_most(
    browser: Browser, name: str, width: int, dark: bool
) -> None:
    browser.begin(name)
    for still in (False, True):
        browser.wide(width, dark=dark, still=still)
        browser.driver.execute_script(WATCH)
        for _ in range(1 if name in ("tictactoe", "circles") else 2):
            before = browser.count()
            click_a_move(browser)
            browser.settle(before)
            if browser.ended():
                return
        assert (not moved(browser)) if still else (0 < max(moved(browser)) <= 600), "still" if still else "moving"
        time.sleep(0.7)
        assert not browser.driver.execute_script(
            "return document.querySelector('#session').getAnimations({subtree: true}).length"
        )
        assert not browser.driver.execute_script(GONE), "what is gone stays gone"
        browser.driver.refresh()  # the page without what this test has put into it
        browser.ready()


def test_seeds_are_sown_one_by_one(browser: Browser) -> None:
    browser.open("/new/kalah?player2=you")
    browser.click("button.main")
    browser.until(lambda: "Player 1 to move" in browser.status())
    browser.driver.execute_script(WATCH)
    before = browser.count()
    browser.click("button.place[value='lower pit 3']")
    browser.until(lambda: browser.count() > before)
    begins = browser.driver.execute_script("return window.begins")
    assert len(begins) == len(set(begins)) == 4
    assert "Player 1 sows pit 3" in browser.text("#said")


def test_a_piece_moves_from_its_old_place_to_its_new_one(browser: Browser) -> None:
    browser.open("/new/kalah?player2=you")
    browser.click("button.main")
    browser.until(lambda: "Player 1 to move" in browser.status())
    browser.driver.execute_script(FROM)
    before = browser.count()
    browser.click("button.place[value='lower pit 3']")
    browser.until(lambda: browser.count() > before)
    assert browser.driver.execute_script("return window.from") == ["lower pit 3"] * 4


@pytest.mark.parametrize(("width", "dark"), [(360, True), (1280, False)])
@pytest.mark.parametrize(("name", "rings"), [("kalah", 1), ("tictactoe", 1), ("lost-cities", 2), ("cant-stop", 2)])
def test_a_hint_is_drawn_on_the_board(browser: Browser, name: str, rings: int, width: int, dark: bool) -> None:
    browser.begin(name)
    browser.wide(width, dark=dark)
    browser.click(".tools a", "Hint")
    browser.until(lambda: browser.all(".look-hint-ring"))
    at: list[str | None] = browser.driver.execute_script(RINGS)
    assert None not in at, "a ring around a place"
    assert len(at) in (rings, 1 if name == "cant-stop" else rings)
    assert browser.pale() == []
    said = browser.text("#panel h2")
    if name == "cant-stop":
        (button,) = browser.all(".moves .advised")
        assert set(re.findall(r"\d+", button.text)) <= set(re.findall(r"\d+", said))
    if name == "kalah":
        assert at == [re.sub(r".* sow (pit \d).*", r"lower \1", said)]
        click_a_move(browser)
        browser.until(lambda: not browser.all(".look-hint-ring"))


@pytest.mark.parametrize("width", [360, 1280])
def test_the_reasons_of_an_earlier_move_lead_to_its_board(browser: Browser, width: int) -> None:
    browser.begin("kalah", "hand_tuned", "&side=second")
    browser.wide(width)
    browser.click(".log a[aria-label^=why]")
    browser.until(lambda: browser.all("#session .look-hint-ring"))
    assert "After 0 of" in browser.status()
    assert browser.serious() == []
    browser.click("#step-last")
    browser.until(lambda: "Your move" in browser.status())
    assert not browser.text("#panel"), "the reasons leave with their board"


def test_small_places_are_magnified_for_a_finger_before_they_are_chosen(browser: Browser) -> None:
    browser.begin("gomoku", extra="&option-size=15")
    browser.wide(360)
    browser.driver.execute_script("document.querySelector('svg.diagram').scrollIntoView()")
    assert browser.driver.execute_script(SMALLEST) < 24
    before, middle = browser.count(), len(browser.all("#session button.place")) // 2
    browser.tap("#session button.place", middle)
    browser.until(lambda: browser.all(".lens"))
    assert browser.count() == before, "the first tap makes no move"
    assert browser.driver.execute_script(SMALLEST.replace("#session", ".lens")) >= 40
    assert browser.serious() == []
    browser.picture("lens-360")
    browser.driver.execute_script(
        "document.querySelector('.lens').dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}))"
    )
    browser.until(lambda: not browser.all(".lens"))
    browser.tap("#session button.place", middle)
    assert re.match(r"Magnified around [a-o]\d+: tap a place to choose it", browser.text(".lens-bar"))
    browser.tap(".lens-bar button")
    browser.until(lambda: not browser.all(".lens, .lens-bar"))
    browser.tap("#session button.place", middle)
    browser.until(lambda: browser.all(".lens .chosen"))
    browser.tap(".lens .chosen")
    browser.settle(before)
    assert browser.count() == before + 2
    assert not browser.all(".lens")
    count = browser.count()
    browser.click("button.place:not(:disabled)")  # a mouse needs no second click
    browser.settle(count)


@pytest.mark.parametrize("name", [name for name in game_names() if name != "gomoku"])
def test_places_are_large_enough_for_a_finger(browser: Browser, name: str) -> None:
    browser.wide(360)
    # A phone's scroll bar lies above the page: it takes no room.
    browser.driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
    browser.open(f"/new/{name}?player2=random&seed=3")
    browser.click("button.main")
    browser.until(lambda: "/game/" in browser.driver.current_url)
    browser.ready()
    smallest = browser.driver.execute_script(SMALLEST)
    browser.driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": False})
    assert smallest >= 24


@pytest.mark.parametrize(("width", "dark"), [(360, False), (1280, True)])
def test_the_end_of_a_game_is_an_event(browser: Browser, width: int, dark: bool) -> None:
    browser.begin("tictactoe")
    browser.wide(width, dark=dark)
    size = browser.one("#session .diagram").size
    while browser.ready():
        before = browser.count()
        click_a_move(browser)
        browser.settle(before)
    browser.until(lambda: browser.all("#review li") or "Nobody made a clear mistake" in browser.text("#review"))
    assert width < 1280 or browser.one("#session .diagram").size == size, "the board does not shrink beside its review"
    assert browser.one(".ended button").is_displayed()
    assert len(browser.all("line.look-won")) == ("draw" not in browser.status().lower())
    assert browser.serious() == []
    assert browser.pale() == []
    browser.picture(f"ended-{width}{'-dark' if dark else ''}")


def heard(browser: Browser) -> list[str]:
    """The roles and names of what is on the board, as the browser tells programs that read aloud."""
    nodes: list[dict[str, Any]] = browser.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    by_id = {node["nodeId"]: node for node in nodes}
    [board] = [node for node in nodes if not node["ignored"] and str(node["name"]["value"]).startswith("Board: ")]
    found, left = list[str](), [board]
    while left:
        node = left.pop()
        left += [by_id[child] for child in node.get("childIds", ()) if child in by_id]
        if not node["ignored"] and "name" in node:
            found.append(f"{node['role']['value']} {node['name']['value']}")
    return found


@pytest.mark.parametrize("name", game_names())
def test_a_board_says_all_that_it_shows(browser: Browser, name: str) -> None:
    browser.begin(name)
    before = browser.count()
    click_a_move(browser)
    browser.settle(before)
    names = heard(browser)
    assert names[0].startswith(("group Board: ", "graphics-document Board: ", "SvgRoot Board: ")), names[0]
    assert not [line for line in names if line.endswith(" ")], "nothing without a name"
    for wanted in HEARD[name]:
        assert any(re.search(wanted, line) for line in names), f"{wanted}: {names}"
    live = browser.one("#said")
    assert (live.get_attribute("role"), live.get_attribute("aria-live")) == ("status", "polite")
    assert "Your move" in browser.text("#said") or browser.ended()


def test_a_card_that_is_pointed_at_is_lifted(browser: Browser) -> None:
    browser.begin("lost-cities")
    card = browser.all("button.place:not(:disabled)")[0]
    ActionChains(browser.driver).move_to_element(card).perform()
    assert len(browser.all(".lifted")) == 1
    browser.driver.execute_script("document.activeElement.blur(); arguments[0].focus()", card)
    assert len(browser.all(".lifted")) == 1
    ActionChains(browser.driver).move_to_element(browser.one("h1")).perform()
    assert not browser.all(".lifted")


def test_a_chosen_card_is_marked_apart_from_those_that_could_be_chosen(browser: Browser) -> None:
    browser.open("/new/lost-cities?player2=random&seed=3")
    browser.click("button.main", "Begin")
    browser.ready()
    ring = "return getComputedStyle(document.querySelector(arguments[0])).boxShadow"
    before = browser.driver.execute_script(ring, ".place:not(:disabled)")
    assert before != "none"
    browser.click(".place:not(:disabled)", middle=True)
    browser.until(lambda: browser.all(".place.chosen"))
    browser.picture("chosen-card")
    assert browser.driver.execute_script(ring, ".place.chosen") not in {"none", before}
    assert browser.driver.execute_script(ring, ".place:not(:disabled, .chosen, .target)") == "none"
    browser.click(".tools a", "Hint")
    browser.until(lambda: browser.all("#session .look-hint-ring"))
    for place in (".place.target", ".place.chosen"):
        assert browser.driver.execute_script(ring, place) == "none", "the only rings are those of the hint"
    browser.picture("hint-after-half-a-move")
