"""A run that is bred in another process, watched in a browser from its start to its champion."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from browsing import Browser, in_a_browser
from tests_of_web import serving

pytestmark = in_a_browser
RUN = "run --game tictactoe --generations 6 --population 6 --deals 1 --opponent-deals 4 --seed 3 --run-dir runs/seen"
PROGRAM = "import sys; from evolve.cli.main import main; sys.exit(main())"


def test_a_run_is_watched_from_its_start_to_its_champion(tmp_path: Path) -> None:
    with serving(tmp_path) as site:
        browser = Browser(site)
        try:
            breeding = subprocess.Popen(
                [sys.executable, "-c", PROGRAM, *RUN.split(), "--out", "seen.yaml"], cwd=tmp_path,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            try:
                browser.until((tmp_path / "runs" / "seen" / "log.jsonl").is_file, 120)
                browser.until(lambda: site.get("/runs/seen").status == 200)
                browser.open("/runs/seen")
                browser.until(lambda: "Generation 6 of 6, over" in browser.text("#run"), 120)
            finally:
                breeding.kill()
                breeding.wait()
            assert len(browser.all("polyline")) == 2
            assert re.search(r"best, on fresh deals\s+\d+\.\d% \(\d", browser.text("#run"))
            browser.check("runs", "/runs")
            browser.check("run", "/runs/seen")
            browser.open("/runs/seen")
            browser.one("#run a[href^='/new/']").click()
            browser.one("button.main").click()
            assert browser.ready()
        finally:
            browser.driver.quit()
