"""A run's page in a browser that runs no scripts: it can be read and followed."""

from __future__ import annotations

import pytest
from browsing import Browser, needs_a_browser
from page_client import Site
from run_logs import begin, generation, line

from evolve.storage.folder import RunFolder


@needs_a_browser
@pytest.mark.slow
def test_a_run_is_read_and_followed_without_scripts(site: Site) -> None:
    folder = site.folder / "runs" / "plain"
    folder.mkdir(parents=True)
    log = folder / "log.jsonl"
    log.write_text(line("r", "begin", **begin()) + line("r", "generation", **generation(1)))
    plain = Browser(site, scripts=False)
    try:
        with RunFolder(folder, ""):
            plain.open("/runs")
            assert plain.driver.execute_script("return typeof window.htmx") == "undefined", "a script has run"
            plain.click("a[href='/runs/plain']")
            plain.until(lambda: "Generation 1 of 5, running" in plain.text("#run"))
            with log.open("a") as stream:
                stream.write(line("r", "generation", **generation(2)) + line("r", "generation", **generation(3)))
            plain.until(lambda: "Generation 3 of 5, running" in plain.text("#run"))
            assert "53.0 % (40.0 to 70.0)" in plain.text(".figures")
            assert len(plain.all("figure polyline")) == 2
            assert "all players are alike" in plain.text("#run [role=alert]")
            with log.open("a") as stream:
                stream.write(line("r", "end", generation=3, file="champion.yaml", interrupted=""))
        plain.until(lambda: "Generation 3 of 5, finished" in plain.text("#run"))
        assert "What next" in plain.text("#run")
    finally:
        plain.driver.quit()
