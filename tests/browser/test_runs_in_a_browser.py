"""A run that is bred in another process, watched in a browser from its start to its champion."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from browsing import Browser, in_a_browser
from page_client import serving
from run_logs import begin, generation, line
from selenium.webdriver.common.keys import Keys

from evolve.storage.folder import RunFolder

pytestmark = [*in_a_browser, pytest.mark.compiled]
RUN = (
    "run --game lost-cities --generations 8 --population 8 --deals 4 --strategy memetic --hall-of-fame 2 --seed 3 "
    "--run-dir runs/lessons"
)
PROGRAM = "import sys; from evolve.cli.main import main; sys.exit(main())"


def test_a_run_is_watched_from_its_start_to_its_champion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.web.runs.rule_losses.DEALS", 12)
    with serving(tmp_path) as site:
        browser = Browser(site)
        try:
            printed = tmp_path / "printed.txt"
            with printed.open("w") as output:
                breeding = subprocess.Popen(
                    [sys.executable, "-c", PROGRAM, *RUN.split(), "--lessons", "200", "--out", "lessons.yaml"],
                    cwd=tmp_path, stdout=output, stderr=output,
                )  # fmt: skip

            def begun() -> bool:
                assert not breeding.poll(), printed.read_text()
                return (tmp_path / "runs" / "lessons" / "log.jsonl").is_file() and site.get(
                    "/runs/lessons"
                ).status == 200

            try:
                browser.until(begun)
                browser.open("/runs/lessons")
                browser.until(lambda: "Generation 8 of 8, finished" in browser.text("#run"))
            finally:
                breeding.kill()
                breeding.wait()
            assert len(browser.all("figure polyline")) == 2
            assert re.search(r"\d games a second", browser.text("#run"))
            again = [*RUN.replace("memetic", "ga").replace("lessons", "selection").split(), "--out", "selection.yaml"]
            subprocess.run([sys.executable, "-c", PROGRAM, *again], cwd=tmp_path, check=True, capture_output=True)
            browser.assert_accessible("runs", "/runs")
            browser.assert_accessible("run", "/runs/lessons")
            browser.assert_accessible("breed", "/runs/new")
            browser.assert_accessible("compare", "/runs/compare?a=lessons&b=selection")
            browser.open("/tune/worth?player=champion&game=tictactoe")
            browser.click("#beside button")
            browser.until(lambda: "What each of" in browser.text("#beside"))
            browser.assert_accessible("worth", "/tune/worth?player=champion&game=tictactoe")
            browser.wide(1280)
            browser.open("/runs/lessons")
            text = browser.text("#run")
            assert text.index("champion is") < text.index("What next") < text.index("on fresh deals")
            assert browser.all(".results tbody tr")
            browser.click("#run a[href^='/new/']")
            browser.click("button.main")
            browser.until(lambda: "/game/" in browser.driver.current_url)
            assert browser.ready()
        finally:
            browser.driver.quit()


def test_the_chart_of_a_run_is_read_by_keyboard_while_it_grows(tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "mine"
    folder.mkdir(parents=True)
    log = folder / "log.jsonl"
    log.write_text(line("r", "begin", **begin()) + "".join(line("r", "generation", **generation(n)) for n in (1, 2, 3)))
    with serving(tmp_path) as site, RunFolder(folder, ""):
        browser = Browser(site)
        try:
            browser.wide(360)
            browser.open("/runs/mine")
            browser.click(".moved summary")
            browser.one("svg.chart .place[tabindex='0']").send_keys(Keys.ARROW_LEFT)

            def read() -> list[str]:
                """The lines of the chart that can be seen, and what has the focus."""
                return list(browser.driver.execute_script(
                    "return [...document.querySelectorAll('.reading text')]"
                    ".filter((text) => getComputedStyle(text).visibility === 'visible')"
                    ".map((text) => text.textContent).concat(document.activeElement.id)"
                ))  # fmt: skip

            assert read() == ["generation 2: best 52.0 % (40.0 % to 70.0 %)", "mean 45.0 %", "generation-2"]
            sizes = browser.driver.execute_script(
                "const scale = document.querySelector('svg.chart').getScreenCTM().a;"
                "return [...document.querySelectorAll('svg.chart text')]"
                ".map((text) => parseFloat(getComputedStyle(text).fontSize) * scale)"
            )
            assert min(sizes) >= 10.5, "labels are readable on a phone"
            with log.open("a") as stream:
                stream.write(line("r", "generation", **generation(4)))
            browser.until(lambda: "Generation 4 of 5" in browser.text("#run"))
            browser.until(
                lambda: read() == ["generation 2: best 52.0 % (40.0 % to 70.0 %)", "mean 45.0 %", "generation-2"]
            )
            assert browser.all(".moved details[open]"), "what was unfolded stays open"
        finally:
            browser.driver.quit()
