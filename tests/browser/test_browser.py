"""The page in a real browser, see browsing.py."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from browsing import Browser, click_a_move, in_a_browser
from game_copies import stranger
from page_client import serving
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from rulebots.packages import game_names, load_game

pytestmark = in_a_browser


@pytest.mark.parametrize("name", game_names())
def test_a_whole_game_by_mouse_and_come_again(browser: Browser, name: str) -> None:
    browser.begin(name)
    most = 12 if name == "lost-cities" else 300  # a game of cards has a hundred moves, of two clicks each
    for _ in range(most):
        if not browser.ready():
            break
        before = browser.count()
        click_a_move(browser)
        browser.settle(before)
        assert browser.text("#said").strip()
    assert browser.ended() or name == "lost-cities"
    address = browser.driver.current_url
    browser.click(".tools button", "Play again" if browser.ended() else "Start over")
    browser.until(lambda: "/game/" in browser.driver.current_url and browser.driver.current_url != address)
    assert browser.ready()


def test_a_phone_shows_few_latest_games_until_more_are_asked_for(browser: Browser) -> None:
    for _ in range(5):
        browser.begin("tictactoe")
        before = browser.count()
        click_a_move(browser)
        browser.settle(before)
    for width, shown in ((360, 4), (1280, 5)):
        browser.wide(width)
        browser.open("/")
        rows = browser.all("#latest tbody tr")
        assert len([row for row in rows[:5] if row.is_displayed()]) == shown
        if shown < 5:
            browser.click("#latest a.more", "More games")
            assert all(row.is_displayed() for row in rows)
            assert not browser.one("#latest a.more").is_displayed()


@pytest.mark.parametrize("game", game_names())
def test_words_on_a_board_are_as_large_on_a_phone_as_in_a_wide_window(browser: Browser, game: str) -> None:
    browser.open(f"/new/{game}?player2=random&seed=3")
    browser.click("button.main")
    browser.until(lambda: "/game/" in browser.driver.current_url)
    browser.ready()
    sizes = []
    for width in (360, 1280, 1920):
        browser.wide(width)
        words = (
            "const words = [...document.querySelectorAll('#session .diagram > g > text:is(.look-ink, .look-faint)')];"
        )
        size = "word.getAttribute('font-size') * word.getScreenCTM().a"
        sizes += browser.driver.execute_script(f"{words} return words.map((word) => {size});")
    assert min(sizes) >= 11.8
    assert max(sizes) <= 28


def test_a_whole_game_by_keyboard_alone(browser: Browser) -> None:
    browser.open("/")
    key = browser.driver.switch_to
    for _ in range(60):
        key.active_element.send_keys(Keys.TAB)
        if key.active_element.text == "Tic-tac-toe":  # not a game to continue
            break
    key.active_element.send_keys(Keys.ENTER)
    browser.until(lambda: "/new/tictactoe" in browser.driver.current_url)
    for _ in range(60):
        key.active_element.send_keys(Keys.TAB)
        if key.active_element.get_attribute("name") == "level":
            key.active_element.send_keys(Keys.ARROW_LEFT)
        if key.active_element.text == "Begin":
            break
    key.active_element.send_keys(Keys.ENTER)
    browser.until(lambda: "/game/" in browser.driver.current_url)
    browser.ready()
    for _ in range(30):
        key.active_element.send_keys(Keys.TAB)
        if key.active_element.get_attribute("name") == "place":
            break
    while browser.ready():
        before = browser.count()
        active = key.active_element
        assert active.get_attribute("name") == "place", "the focus comes back to the board after a move"
        value = active.get_attribute("value")
        active.send_keys(Keys.ARROW_RIGHT)
        if key.active_element.get_attribute("value") == value:
            active.send_keys(Keys.ARROW_DOWN)
        key.active_element.send_keys(Keys.ENTER)
        browser.settle(before)
        browser.until(lambda: browser.ended() or key.active_element.get_attribute("name") == "place")
    assert browser.ended()
    # Enter pressed once more begins no other game.
    browser.until(lambda: "ended" in key.active_element.get_attribute("class"))


def test_the_focus_stays_near_the_place_that_was_played(browser: Browser) -> None:
    """At gomoku the played place can be chosen no more: the focus went to a1 after each move."""
    browser.begin("gomoku", extra="&option-size=11")
    place = browser.one("#session button.place[value='h8']")
    browser.driver.execute_script("arguments[0].focus()", place)
    before = browser.count()
    place.send_keys(Keys.ENTER)
    browser.settle(before)
    active = browser.driver.switch_to
    browser.until(lambda: active.active_element.get_attribute("name") == "place")
    column, row = re.fullmatch(r"([a-z])(\d+)", active.active_element.get_attribute("value")).groups()
    assert abs(ord(column) - ord("h")) <= 2
    assert abs(int(row) - 8) <= 2


def test_a_large_board_by_keyboard(browser: Browser) -> None:
    """The focus begins in the middle; keys lead to the edges; letters act only where the game has the focus."""
    browser.begin("gomoku", extra="&option-size=11")
    assert browser.driver.switch_to.active_element.get_attribute("id") == "status", "what is wanted is read first"
    browser.one("h1").click()
    ActionChains(browser.driver).send_keys("h").perform()
    first = browser.one("#session .place[tabindex='0']")
    assert first.get_attribute("value") in {f"{column}{row}" for column in "efg" for row in (5, 6, 7)}
    for key, value in ((Keys.HOME, "a"), (Keys.END, "k"), (Keys.PAGE_UP, "11"), (Keys.PAGE_DOWN, "1")):
        held = browser.one("#session .place[tabindex='0']")
        held.send_keys(key)
        assert value in re.findall(r"[a-z]|\d+", browser.driver.switch_to.active_element.get_attribute("value"))
    assert browser.text("#panel") == "", "nothing in the game had the focus"


def test_escape_takes_back_half_a_move(browser: Browser) -> None:
    """To choose a stone of Circles again would take it."""
    browser.begin("circles")
    before = browser.count()
    place = browser.one("#session .place[tabindex='0']")
    place.send_keys(Keys.ENTER)
    browser.until(lambda: browser.all(".place.chosen"))
    value = browser.one(".place.chosen").get_attribute("value")
    browser.one(".place.chosen").send_keys(Keys.ESCAPE)
    browser.until(lambda: not browser.all(".place.chosen"))
    assert browser.count() == before
    browser.until(lambda: browser.driver.switch_to.active_element.get_attribute("value") == value)


def test_undo_hint_and_reasons(browser: Browser) -> None:
    browser.begin("kalah", "hand_tuned")
    click_a_move(browser)
    browser.ready()
    count = browser.count()
    assert count > 1
    browser.click(".tools a", "Hint")
    browser.until(lambda: "Hint: " in browser.text("#panel"))
    assert browser.all("#panel .bars li")
    asked = browser.all("#panel option")[2]
    asked.click()
    pit = asked.text[:5]
    browser.one("#ask").send_keys(Keys.ENTER)
    browser.until(lambda: f"Asked about: sow {pit}" in browser.text("#panel"))
    browser.until(lambda: browser.driver.switch_to.active_element.get_attribute("id") == "ask")
    assert browser.one("#panel option:checked").text.startswith(pit)
    browser.click("#why")
    browser.until(lambda: re.search(r"Move \d+: [^\n]+\n+[^\n]+\.", browser.text("#panel")))
    assert len(browser.all("#panel > .bars li")) <= 4
    assert "What would have changed its mind" not in browser.text("#panel")
    browser.click("#panel summary", "Sums and weights")
    assert "What would have changed its mind" in browser.text("#panel")
    game = browser.driver.current_url.partition(str(browser.site.port))[2]
    browser.click(".tools button", "Undo")
    browser.until(lambda: browser.count() < count)
    click_a_move(browser)
    browser.ready()
    browser.assert_accessible("why", f"{game}/why?ply=2")


def test_a_weight_is_tuned_and_the_win_rate_moves(browser: Browser) -> None:
    browser.open("/tune/edit?game=tictactoe&player=champion")
    script = "return document.querySelector('#trial input[name=trial]')?.value || ''"
    for choice in browser.all("#weights input[type=checkbox]:checked"):
        choice.click()
    browser.until(lambda: "expected 1 to 4 opponents" in browser.text("#refused"))
    browser.one("#opponents").send_keys("random", Keys.TAB)
    browser.until(lambda: browser.driver.execute_script(script) and "Done." in browser.text("#trial"))

    def weigh(number: str) -> list[str]:
        """The cells with win rates, of the file and changed, once the trial of a first weight of `number` is over."""
        former = browser.driver.execute_script(script)
        field = browser.one(".weights [data-file]")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(number, Keys.TAB)
        browser.until(lambda: browser.driver.execute_script(script) not in {former, ""})
        # Not that of the opponents, which were changed before and whose trial may come late.
        browser.until(lambda: browser.all("td.rate") and "Done." in browser.text("#trial"))
        return [cell.get_attribute("textContent") for cell in browser.all("td.rate")]

    assert not browser.all("td.rate"), "nothing is changed yet, so that nothing is played"
    old, new = weigh("-9000")
    assert old != new
    assert " to " in new
    assert "it now chooses to" in browser.text("#trial")
    slider = browser.one(".weights input[type=range]")
    assert slider.get_attribute("value") == slider.get_attribute("min")
    browser.click("#trial details:not(.figures-of):not([open]) summary")
    browser.until(lambda: browser.all("#trial details[open] svg.diagram"))
    for width in (360, 1280):
        browser.wide(width)
        browser.driver.execute_script("document.querySelector('#trial').scrollIntoView()")
        assert browser.serious() == []
        browser.picture(f"trial-{width}")
    browser.assert_accessible("trial-alone", f"/tune/trial/{browser.driver.execute_script(script)}")


def test_what_a_search_found_stands_on_the_board_of_gomoku(browser: Browser) -> None:
    browser.begin("gomoku", "mcts:iterations=40,seconds=20,temperature=0.5,noise=0.2")
    click_a_move(browser)
    browser.ready()
    assert "mcts:iterations=40,seconds=20,temperature=0.5,noise=0.2" in browser.text("h1")
    browser.click(".log a[aria-label^=why]")
    browser.until(lambda: "How it may go on:" in browser.text("#panel"))
    assert browser.all("#session .look-hint-ring"), "its move and the other one are on the board"


def test_a_ladder_is_played_and_a_game_of_it_opened(browser: Browser) -> None:
    browser.open("/ladder/new/tictactoe")
    deals = browser.one("#deals")
    deals.send_keys(Keys.CONTROL, "a")
    deals.send_keys("20")
    browser.click("button.main")
    browser.until(lambda: "20 of 20 deals a meeting, over" in browser.text("#ladder"))
    shown = browser.driver.current_url.partition(str(browser.site.port))[2]
    browser.click("#ladder td a")
    browser.until(lambda: "/games?" in browser.driver.current_url)
    games = browser.driver.current_url.partition(str(browser.site.port))[2]
    browser.click("button[aria-label='open game 3']")
    browser.until(lambda: "After 0 of" in browser.status())
    browser.click("a[aria-label='one move on']")
    browser.until(lambda: "After 1 of" in browser.status())
    browser.assert_accessible("ladder", shown)
    browser.assert_accessible("ladder-games", games)


def test_two_players_are_watched_and_the_games_of_a_record_listed(browser: Browser) -> None:
    browser.open("/new/tictactoe?player1=random&player2=hand_tuned&seed=2")
    browser.click("button.main")
    browser.until(browser.ended)
    watched = browser.driver.current_url.partition(str(browser.site.port))[2]
    browser.assert_accessible("watched", watched)
    (browser.site.folder / "match.txt").write_text(browser.site.get(f"{watched}/record").text)
    browser.assert_accessible("games", "/load?file=match.txt")


def test_reasons_stand_beside_the_board(browser: Browser) -> None:
    browser.open("/new/gomoku?player2=hand_tuned&seed=3&option-size=11")
    browser.click("button.main")
    browser.until(lambda: "/game/" in browser.driver.current_url)
    browser.wide(1120)
    for point in ("f6", "g7", "h4"):
        browser.ready()
        before = browser.count()
        browser.click(f"button.place[aria-label^='{point},']")
        browser.settle(before)
    browser.driver.execute_script("document.querySelector('.log li:last-child a[aria-label^=why]').click()")
    browser.until(lambda: browser.all("#panel .bars li"))
    browser.driver.execute_script("scrollTo(0, 0)")
    board, panel, tools = (browser.one(one).rect for one in ("#session svg.diagram", "#panel", ".rest .tools"))
    assert board["x"] + board["width"] < panel["x"]
    assert tools["y"] < panel["y"], "reasons push no button away"
    browser.picture("page")


def test_reasons_stand_beside_a_wide_board_above_the_moves(browser: Browser) -> None:
    browser.begin("kalah")
    for _ in range(3):
        told = len(browser.all(".log li"))
        browser.one("#session .place[tabindex='0']").send_keys(Keys.ENTER)
        browser.until(lambda told=told: len(browser.all(".log li")) > told and browser.all("[aria-keyshortcuts='h']"))
    browser.one("#session .place[tabindex='0']").send_keys("h")
    browser.until(lambda: "Hint: " in browser.text("#panel"))
    board, panel, log = (browser.one(one).rect for one in (".table", "#panel", ".log"))
    assert board["x"] + board["width"] < panel["x"]
    assert panel["y"] + panel["height"] <= log["y"]
    assert log["height"] >= 160, "some lines are in sight"
    assert len({one.rect["y"] for one in browser.all(".rest .tools :is(button, a)") if one.is_displayed()}) == 1


def test_all_pages_have_one_left_edge(browser: Browser) -> None:
    edges = set[int]()
    for name in ("kalah", "gomoku"):
        browser.begin(name)
        browser.wide(1920)
        edges |= {browser.one(".brand").rect["x"], browser.one(".table").rect["x"]}
    browser.open("/")
    assert edges == {browser.one(".brand").rect["x"]}


def test_reasons_that_take_long_are_said_to_be_under_way(browser: Browser) -> None:
    """A search may have to be compiled for the first hint: the panel does not stay empty until then."""
    browser.begin("gomoku")
    browser.driver.execute_script("window.fetch = () => new Promise(() => {})")
    browser.one("#session .place[tabindex='0']").send_keys("h")
    browser.until(lambda: re.fullmatch(r"Working it out: \d+ s", browser.text("#panel")))
    assert browser.text("#said") == "Working it out"


@pytest.mark.parametrize("newer", ["hint", "move"])
def test_a_late_answer_replaces_no_newer_one(browser: Browser, newer: str) -> None:
    """Reasons of an earlier move took the place of a hint, or came to stand beside the next position."""
    browser.begin("kalah", "hand_tuned", "&side=second")
    browser.driver.execute_script(
        """const fetch = window.fetch;
        window.fetch = async (...asked) => {
          const answer = await fetch(...asked);
          if (asked[0].includes('/why')) await new Promise((go) => { window.answered = go; });
          return answer;
        };"""
    )
    browser.click("#why")
    browser.until(lambda: browser.driver.execute_script("return Boolean(window.answered)"))
    if newer == "hint":
        browser.click(".tools a", "Hint")
        browser.until(lambda: "Hint: " in browser.text("#panel"))
    else:
        before = browser.count()
        click_a_move(browser)
        browser.settle(before)
    said = browser.text("#panel")
    browser.driver.execute_script("window.answered()")
    time.sleep(0.5)
    assert browser.text("#panel") == said
    assert ("Hint: " in said) == (newer == "hint")


def test_a_click_is_seen_before_the_server_answers(browser: Browser) -> None:
    browser.begin("circles")
    browser.driver.execute_script("window.fetch = () => new Promise(() => {})")
    browser.click("#session .place", middle=True)
    assert len(browser.all(".place.pressed")) == 1


def test_the_box_around_the_focus_is_as_wide_on_every_board(browser: Browser) -> None:
    """An outline is a whole number of units of the board, which are 10 pixels at tic-tac-toe."""
    drawn = """const one = document.activeElement, scale = one.closest('svg').getScreenCTM().a;
      return scale * parseFloat(getComputedStyle(one).boxShadow.match(/0px 0px 0px ([\\d.]+)px/)[1])"""
    for name in ("tictactoe", "gomoku"):
        browser.begin(name)
        browser.one("#session .place[tabindex='0']").send_keys(Keys.ARROW_DOWN)
        assert browser.driver.execute_script(drawn) == pytest.approx(3, abs=0.1)


def test_a_hint_is_in_sight_on_a_phone(browser: Browser) -> None:
    browser.begin("gomoku")
    browser.wide(360)
    browser.one("#session .place[tabindex='0']").send_keys("h")
    browser.until(lambda: "Hint: " in browser.text("#panel"))
    browser.until(lambda: browser.text("#said").startswith("Hint: "))
    assert "Why not" not in browser.text("#said"), "no options and no bars"
    seen = "const box = document.querySelector(arguments[0]).getBoundingClientRect(); return [box.top, innerHeight]"
    top, height = browser.driver.execute_script(seen, "#panel h2")
    assert height / 2 < top < height - 40
    top, _ = browser.driver.execute_script(seen, "#session svg.diagram")
    assert 0 <= top < height / 2, "the board stays in sight"
    browser.click("#panel .close")
    assert browser.text("#panel") == ""
    assert browser.driver.switch_to.active_element.text == "Hint", "the focus goes back"


def test_two_persons_pass_the_screen_at_lost_cities(browser: Browser) -> None:
    browser.open("/new/lost-cities?player2=you&seed=3")
    browser.click("button.main")
    browser.until(browser.status)
    assert "Pass the screen to Player 1" in browser.status()
    assert not browser.all(".place:not(:disabled)")
    browser.click("button.main", "Show the board")
    browser.until(lambda: browser.all(".place:not(:disabled)"))
    browser.click(".tools a", "Hint")
    browser.until(lambda: "Hint: " in browser.text("#panel"))
    browser.click("summary", "Type a move")
    browser.one("#text").send_keys("d3d", Keys.ENTER)
    browser.until(lambda: browser.count() == 1)
    browser.one("details[open] #text").send_keys("n", Keys.ENTER)
    browser.until(lambda: "Player 1 draws from the deck: the " in browser.status())
    browser.click("button.main", "Done: pass the screen")
    browser.until(lambda: "Pass the screen to Player 2" in browser.status())
    assert "Player 1 discards" in browser.status(), "what was just played"
    assert not browser.all(".place:not(:disabled)")
    assert browser.text("#panel") == ""
    browser.assert_accessible("cover", browser.driver.current_url.partition(str(browser.site.port))[2])


def test_a_game_of_ones_own_fits_a_phone(opened: Browser, tmp_path: Path, forget: object) -> None:
    load_game(str(stranger("plain", "nim", tmp_path) / "nim"))
    opened.assert_accessible("own-rules", "/rules/nim")
    opened.assert_accessible("own-new", "/new/nim")


def test_a_lost_connection_is_said(tmp_path: Path) -> None:
    with serving(tmp_path) as site:
        browser = Browser(site)
        try:
            browser.begin("tictactoe")
            lost = browser.one("#lost")
            assert not lost.is_displayed()
            site.close()
            browser.click("button.place:not(:disabled)")
            browser.until(lost.is_displayed)
            assert "does not answer" in lost.text
        finally:
            browser.driver.quit()


PAGES = [
    ("home", "/"),
    ("rules", "/rules/hanabi"),
    ("new", "/new/gomoku"),
    ("switches", "/new/hearts"),
    ("seats", "/new/cant-stop?option-seats=4"),
    ("load", "/load"),
    ("rate", "/ladder/new/kalah"),
    ("tune", "/tune"),
    ("edit", "/tune/edit?game=kalah&player=champion"),
    ("error", "/game/aaaaaaaaaaaa"),
]


@pytest.mark.parametrize(("name", "path"), [*PAGES, *((f"game-{name}", name) for name in game_names())])
def test_pages_are_accessible_and_narrow_enough(opened: Browser, name: str, path: str) -> None:
    if not path.startswith("/"):
        opened.wide(1280)
        opened.begin(path)
        click_a_move(opened)
        opened.ready()
        path = opened.driver.current_url.partition(str(opened.site.port))[2]
    opened.assert_accessible(name, path)
