"""Runs on the page: a run that is bred while the page looks on, from its start to its champion."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Browser, needs_a_browser
from page_client import Site, serving

from evolve.cli.main import main
from rulebots.kernel import compiling

RUN = "evolve run --game tictactoe --generations 3 --population 6 --deals 1 --opponent-deals 4 --seed 3"


def line(run: str, event: str, **facts: object) -> str:
    return json.dumps({"event": event, "run": run, "time": 1.0, **facts}) + "\n"


def generation(number: int) -> dict[str, object]:
    metrics = {"points": 1.0, "stalled": 0.0, "spread": 0.25, "baselines": {}, "activity": {}}
    return {
        "generation": number, "games": 100 * number, "training_games": 100, "games_a_second": 1234.0,
        "best": 0.5 + number / 100, "best_95": [0.4, 0.7], "mean": 0.45, "training": 0.6,
        "warnings": ["all players are alike"] if number == 3 else [], "metrics": metrics,
        "champion": [[1.0, number], [1.0, 2.0]],
    }  # fmt: skip


def begin() -> dict[str, object]:
    settings = {
        "strategy": "ga",
        "seed": 1,
        "generations": 5,
        "opponents": ["x"],
        "game": "tictactoe",
        "hall_of_fame": 2,
    }
    return {
        "generation": 0, "game": "Tic-tac-toe", "rules": "standard", "keys": ["put.win", "put.block"],
        "hand_tuned": "hand_tuned", "settings": settings,
    }  # fmt: skip


@pytest.mark.slow
def test_a_run_is_followed_line_by_line(site: Site) -> None:
    folder = site.folder / "runs" / "mine"
    folder.mkdir(parents=True)
    log = folder / "log.jsonl"
    assert "no run in the folder" in site.get("/runs").text
    log.write_text(line("r", "begin", **begin()))
    assert "Generation 0 of 5" in site.get("/runs/mine").text
    for number in (1, 2, 3):
        with log.open("a") as stream:
            stream.write(line("r", "generation", **generation(number)))
    page = site.get("/runs/mine")
    assert "Generation 3 of 5</strong>, running" in page.text
    assert "53.0% (40.0% to 70.0%)" in page.text
    assert "1,234" in page.text
    assert "all players are alike" in page.text
    assert "<polyline" in page.text
    assert "put.block" in page.text
    # A hall of two has had to leave out every second champion.
    assert re.findall(r"<li>generation (\d): best ([\d.]+%)</li>", page.text) == [("1", "51.0%"), ("3", "53.0%")]
    assert '<tr><th scope="row">put.win</th><td>1</td><td>1</td></tr>' in page.text
    assert page.text.count('class="spark"') == 1, "one rule's weights moved"
    assert site.get("/runs/mine?version=4-0", HX_Request="true").status == 204
    with log.open("a") as stream:
        stream.write(line("r", "end", generation=3, file="champion.yaml", interrupted=""))
    part = site.get("/runs/mine?version=4-0", HX_Request="true")
    assert ", over." in part.text
    assert "hx-trigger" not in part.text
    assert "<html" not in part.text
    assert "mine" in site.get("/runs").text


@needs_a_browser
@pytest.mark.slow
def test_a_run_is_read_and_followed_without_scripts(site: Site) -> None:
    folder = site.folder / "runs" / "plain"
    folder.mkdir(parents=True)
    log = folder / "log.jsonl"
    log.write_text(line("r", "begin", **begin()) + line("r", "generation", **generation(1)))
    plain = Browser(site, scripts=False)
    try:
        plain.open("/runs")
        assert plain.driver.execute_script("return typeof window.htmx") == "undefined", "a script has run"
        plain.click("a[href='/runs/plain']")
        plain.until(lambda: "Generation 1 of 5, running" in plain.text("#run"))
        with log.open("a") as stream:
            stream.write(line("r", "generation", **generation(2)) + line("r", "generation", **generation(3)))
        plain.until(lambda: "Generation 3 of 5, running" in plain.text("#run"))
        assert "53.0% (40.0% to 70.0%)" in plain.text(".figures")
        assert len(plain.all("figure polyline")) == 2
        assert "all players are alike" in plain.text("#run [role=alert]")
        plain.click("#run summary")
        plain.until(lambda: "put.win" in plain.text("#run details tbody"))
        with log.open("a") as stream:
            stream.write(line("r", "end", generation=3, file="champion.yaml", interrupted=""))
        plain.until(lambda: ", over." in plain.text("#run"))
    finally:
        plain.driver.quit()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["..", "no", "%2e%2e", "a%2fb", "link"])
def test_no_other_folder_is_read(site: Site, name: str) -> None:
    outside = site.folder.parent / "elsewhere"
    outside.mkdir(exist_ok=True)
    (outside / "log.jsonl").write_text(line("r", "begin", **begin()))
    (site.folder / "runs").mkdir()
    (site.folder / "runs" / "link").symlink_to(outside)
    answer = site.get(f"/runs/{name}")
    assert answer.status in {404, 422}
    assert "Generation" not in answer.text
    assert "elsewhere" not in site.get("/runs").text


def test_a_damaged_log_is_no_dead_page(site: Site) -> None:
    folder = site.folder / "runs" / "cut"
    folder.mkdir(parents=True)
    (folder / "log.jsonl").write_text('{"event": "begin"\nnonsense\n')
    assert site.get("/runs").status == 200
    assert "no line yet" in site.get("/runs/cut").text


@pytest.mark.slow
@pytest.mark.skipif(not compiling(), reason="whole runs take minutes interpreted")
def test_a_run_leads_to_its_champion(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(site.folder)
    monkeypatch.setattr("sys.argv", [*RUN.split(), "--run-dir", "runs/quick", "--out", "quick.yaml"])
    assert main() == 0
    page = site.get("/runs/quick")
    assert re.search(r"Generation 3 of 3</strong>, over", page.text), page.text
    champion = re.findall(r'href="(/tune/edit[^"]*)"', page.text)[0]
    assert site.get(champion).status == 200
    address = site.begin("tictactoe", player2="runs/quick/champion.yaml")
    assert site.get(address).status == 200
