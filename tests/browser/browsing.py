"""A real browser: Debian's Chromium by Selenium; where it is not installed, tests that need it are skipped.

Pictures of the pages are kept where the environment variable RULEBOTS_SCREENSHOTS names a folder.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from page_client import Client
from selenium import webdriver
from selenium.common import exceptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.by import By

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
AXE = Path(__file__).parent / "axe.min.js"
#: Options of games that are soon over.
SMALL = {"circles": "option-size=4", "gomoku": "option-size=5", "cant-stop": "option-sides=2&option-needed=1"}
SERIOUS = ("serious", "critical")
#: Words of a diagram in view with a contrast below 3, which WCAG asks of large type; luminance is as it defines it.
PALE = """
const brush = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
const colours = (layers) => {
  brush.clearRect(0, 0, 1, 1);
  for (const [colour, alpha] of layers) {
    brush.globalAlpha = alpha;
    brush.fillStyle = colour;
    brush.fillRect(0, 0, 1, 1);
  }
  return [...brush.getImageData(0, 0, 1, 1).data];
};
const luminance = ([r, g, b]) => {
  const part = (c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
};
const pale = [], above = document.querySelectorAll('.advice');
for (const closed of document.querySelectorAll('details:has(.diagram)')) closed.open = true;
// What lets clicks through is not found at a point.
for (const board of above) board.style.pointerEvents = 'auto';
for (const word of document.querySelectorAll('.diagram text')) {
  const box = word.getBoundingClientRect();
  const found = document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  const under = found.slice(found.indexOf(word) + 1);
  const shapes = under.filter((one) => ['rect', 'circle', 'ellipse', 'polygon', 'path'].includes(one.tagName));
  const layers = [[getComputedStyle(document.body).backgroundColor, 1]];
  for (const shape of shapes.reverse()) {
    const style = getComputedStyle(shape);
    if (style.fill !== 'none') layers.push([style.fill, style.fillOpacity * style.opacity]);
  }
  const ground = luminance(colours(layers)), ink = luminance(colours([[getComputedStyle(word).fill, 1]]));
  const contrast = (Math.max(ground, ink) + 0.05) / (Math.min(ground, ink) + 0.05);
  // A picture from nearby cuts words off: they are not found.
  if (found.includes(word) && under.length && contrast < 3) pale.push(`${word.textContent}: ${contrast.toFixed(2)}`);
}
for (const board of above) board.style.pointerEvents = '';
return pale;
"""
#: What a person misses without scrolling aside: tables and pictures that are cut, words broken letter by letter.
CUT = """
const wide = [...document.querySelectorAll('table')].filter((one) => one.scrollWidth > one.clientWidth + 1);
const cut = [...document.querySelectorAll('.picture')].filter((one) => one.scrollHeight > one.clientHeight + 1);
const heads = [...document.querySelectorAll('th[scope=row]')].filter((one) => one.checkVisibility());
const thin = heads.filter((one) => one.clientHeight > 240);
return [...wide, ...cut, ...thin].map((one) => one.outerHTML.slice(0, 150));
"""
#: Seconds that a test waits for what is to come: a cold compilation on a machine that has other work.
PATIENCE = 240
#: What an element answers that was replaced a moment ago, or that is not drawn yet.
NOT_YET = (
    exceptions.StaleElementReferenceException,
    exceptions.ElementNotInteractableException,
    exceptions.ElementClickInterceptedException,
)
needs_a_browser = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromium-driver are not installed")
in_a_browser = [pytest.mark.slow, needs_a_browser]


class Browser:
    """A browser that looks at one site, and notes every request that leaves this machine.

    Without `scripts` it runs none of a page's; those of its driver are not the page's.
    """

    def __init__(self, site: Client, *, scripts: bool = True) -> None:
        self.site = site
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM or ""
        for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run"):
            options.add_argument(flag)
        # No name is looked up: whatever a page asks of elsewhere fails, and is noted.
        options.add_argument("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")
        if not scripts:  # as a person sets it
            options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        self.driver.set_script_timeout(PATIENCE)
        self.wide(1280)

    def wide(self, width: int, *, dark: bool = False, still: bool = False) -> None:
        """A window of that width, with what the person has set: dark pages, no motion."""
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        features = [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"},
        ]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def open(self, path: str) -> None:
        self.driver.get(f"http://127.0.0.1:{self.site.port}{path}")

    def begin(self, game: str, opponent: str = "random", extra: str = "") -> None:
        self.open(f"/new/{game}?player2={opponent}&seed=3&{SMALL.get(game, '')}{extra}")
        self.click("button.main")
        self.until(lambda: "/game/" in self.driver.current_url)
        self.ready()

    def one(self, selector: str) -> Any:
        """The first such element, once there is one: a click may still be on its way to another page."""
        self.until(lambda: self.all(selector))
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def click(self, selector: str, words: str = "", *, middle: bool = False) -> None:
        """Click the first such element with those words, or the middle one, once it is there and can be clicked."""

        def clicked() -> bool:
            try:
                found = [element for element in self.all(selector) if not words or element.text == words]
                if found:
                    found[len(found) // 2 if middle else 0].click()
            except NOT_YET:
                return False
            return bool(found)

        self.until(clicked)

    def tap(self, selector: str, number: int = 0) -> None:
        """Touch the middle of such an element with a finger."""
        finger = ActionBuilder(self.driver, mouse=PointerInput("touch", "finger"))
        finger.pointer_action.move_to(self.all(selector)[number]).pointer_down().pointer_up()
        finger.perform()

    def all(self, selector: str) -> list[Any]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        """The text of an element at this moment: it may be replaced at any time."""
        return str(self.driver.execute_script("return document.querySelector(arguments[0])?.innerText || ''", selector))

    def status(self) -> str:
        return self.text("#status")

    def count(self) -> int:
        return int((self.text(".steps span") or "0").split("/")[-1])

    def until(self, true: Callable[[], object], seconds: float = PATIENCE) -> None:
        end = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < end, f"{self.driver.current_url}: {self.status()}"
            time.sleep(0.03)

    def ready(self) -> bool:
        """Wait until nobody is thinking; whether the game goes on."""
        self.until(lambda: "our move" in self.status() or self.ended())
        return not self.ended()

    def ended(self) -> bool:
        return any(word in self.status() for word in (" won", "A draw", "Together: ", "share the first"))

    def settle(self, before: int) -> None:
        self.until(lambda: self.count() > before)
        self.ready()

    def serious(self) -> list[str]:
        """What axe-core finds serious on the page."""
        # The page's own policy lets no script in but its own; the driver's scripts are not part of the page.
        self.driver.execute_script(AXE.read_text("utf-8"))
        found = self.driver.execute_async_script("axe.run().then(arguments[arguments.length - 1])")
        return [
            f"{violation['id']}: {violation['nodes'][0]['html'][:200]}"
            for violation in found["violations"]
            if violation["impact"] in SERIOUS
        ]

    def pale(self) -> list[str]:
        """Words of a diagram that stand out too little from what they are written on; axe-core does not look there."""
        found: list[str] = self.driver.execute_script(PALE)
        return found

    def elsewhere(self) -> list[str]:
        """The requests so far that were not for this machine."""
        found = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                if not url.startswith((f"http://127.0.0.1:{self.site.port}/", "data:", "chrome:", "about:")):
                    found.append(url)
        return found

    def complaints(self) -> list[str]:
        """What the browser complains of: scripts that fail, and what the policy blocks."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def picture(self, name: str) -> None:
        folder = os.environ.get("RULEBOTS_SCREENSHOTS")
        if folder:
            from PIL import Image  # of Matplotlib's; only who makes pictures needs it

            Path(folder).mkdir(parents=True, exist_ok=True)
            seen = Image.open(io.BytesIO(self.driver.get_screenshot_as_png())).convert("RGB")
            pixels = np.asarray(seen).astype(int) @ (1 << 16, 1 << 8, 1)
            colours, which, counts = np.unique(pixels, return_inverse=True, return_counts=True)
            parts = colours[:, None] >> (16, 8, 0) & 255
            kept = parts[np.argsort(-counts)[:128]]  # among them each of the page's own
            nearest = ((parts[:, None] - kept) ** 2).sum(2).argmin(1)
            few = Image.fromarray(nearest[which].reshape(pixels.shape).astype(np.uint8))
            few.putpalette(kept.astype(np.uint8).tobytes())
            few.save(f"{folder}/{name}.png", optimize=True)

    def assert_accessible(self, name: str, path: str) -> None:
        """A page at both widths, light and dark: nothing serious to axe-core, nothing beyond its edge, a picture."""
        for width in (1280, 360):
            for dark in (False, True):
                self.wide(width, dark=dark)
                self.open(path)
                self.until(lambda: not self.all(".picture:empty"))
                assert self.driver.execute_script(CUT) == [], f"{name} at {width} px"
                found = self.serious()
                assert found == [], f"{name} at {width} px{', dark' if dark else ''}: {found}"
                assert self.pale() == [], f"{name} at {width} px{', dark' if dark else ''}"
                overflow = self.driver.execute_script(
                    "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
                )
                assert overflow <= 0, f"{name} is {overflow} px too wide at {width} px"
                self.picture(f"{name}-{width}{'-dark' if dark else ''}")
        assert self.elsewhere() == []
        # That an answer is a refusal is a line of the browser's own.
        assert [line for line in self.complaints() if "status of 4" not in line] == []


def click_a_move(browser: Browser) -> None:
    """One move by mouse: places, or a button."""
    place = "button.place:not(:disabled)"
    if not browser.all(place):
        browser.click(".moves button")
        return
    before = browser.count()
    browser.click(place, middle=True)
    browser.until(lambda: browser.count() > before or browser.all("button.chosen"))
    if browser.count() == before:
        browser.click("button.target" if browser.all("button.target") else "button.chosen")
