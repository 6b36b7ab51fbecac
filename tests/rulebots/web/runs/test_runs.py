"""Runs on the page: a run that is bred while the page looks on, from its start to its champion."""

from __future__ import annotations

import html
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from page_client import Site
from run_logs import begin, generation, line

from evolve.cli.main import main
from evolve.settings import Settings
from evolve.storage import log as run_log
from evolve.storage.folder import RunFolder, as_json
from rulebots.files import InputError
from rulebots.packages import load_game
from rulebots.packages.rule_sets import load_rules
from rulebots.web.runs.dashboard import Dashboard, dashboard_of
from rulebots.web.runs.run_processes import RunProcesses, new_run
from rulebots.web.served_folder import ServedFolder

RUN = "evolve run --game tictactoe --generations 3 --population 6 --deals 1 --opponent-deals 4 --seed 3"


@pytest.mark.slow
def test_a_run_is_followed_line_by_line(site: Site) -> None:
    folder = site.folder / "runs" / "mine"
    folder.mkdir(parents=True)
    log = folder / "log.jsonl"
    empty = site.get("/runs").text
    assert "There is no run yet" in empty
    assert empty.count('href="/runs/new"') == 1, "one way to begin the first"
    log.write_text(line("r", "begin", **begin()))
    assert "Generation 0 of 5" in site.get("/runs/mine").text
    for number in (1, 2, 3):
        with log.open("a") as stream:
            stream.write(line("r", "generation", **generation(number)))
    with RunFolder(folder, ""):
        page = site.get("/runs/mine")
        assert "Generation 3 of 5</strong>, running" in page.text
        assert "53.0 % (40.0 to 70.0)" in page.text
        assert '<progress max="5" value="3"' in page.text
        assert "1,234" in page.text
        assert "all players are alike" in page.text
        assert "<polyline" in page.text
        assert ">win rate against hand_tuned</text>" in page.text
        assert re.search(r">generation \d</text>", page.text)
        assert 'aria-label="generation 3: best 53.0 % (40.0 % to 70.0 %); mean 45.0 %"' in page.text
        assert page.text.count('tabindex="0" aria-label="generation') == 1, "one of them is reached by the Tab key"
        assert "put.block" in page.text
        assert page.text.count('class="spark"') == 1, "one rule's weights moved"
        (folder / "champion.yaml").write_text(CHAMPION)
        assert re.search(r'<th scope="row" title="put\.block">[^<.]+</th>', site.get("/runs/mine").text)
        assert re.search(
            r"<li><strong>[^<.]+:</strong> [^<]*the champion (likes|avoids) this", site.get("/runs/mine").text
        )
        (folder / "champion.yaml").unlink()
        assert site.get("/runs/mine?version=4-1", HX_Request="true").status == 204
    with log.open("a") as stream:
        stream.write(line("r", "generation", **generation(3), generations=4, estimated=True))
    with log.open("a") as stream:
        stream.write(line("r", "end", generation=3, file="champion.yaml", interrupted=""))
    assert "Generation 3 of 4" in site.get("/runs/mine").text, "with --time it is not known at first"
    part = site.get("/runs/mine?version=4-0", HX_Request="true")
    assert ", finished." in part.text
    assert "hx-trigger" not in part.text
    assert "<html" not in part.text
    assert "mine" in site.get("/runs").text


def the_time_is(now: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.web.runs.dashboard.time", SimpleNamespace(**{**vars(time), "time": lambda: now}))


def test_it_is_told_what_the_first_generation_waits_for(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = site.folder / "runs" / "mine"
    folder.mkdir(parents=True)
    log = folder / "log.jsonl"
    log.write_text(line("r", "begin", **begin()))
    the_time_is(26.0, monkeypatch)
    with RunFolder(folder, ""):
        page = site.get("/runs/mine").text
        assert "The players of the first generation play" in page
        assert "its last game is over. 25 s so far." in page
        version = re.findall(r"version=([\d-]+)", page)[0]
        the_time_is(28.0, monkeypatch)
        assert site.get(f"/runs/mine?version={version}", HX_Request="true").status == 200, "the seconds count up"
        log.write_text(log.read_text() + line("r", "compile", seconds=12.0))
        assert "compiled: about 12 s on an idle machine, and only once. 27 s so far." in site.get("/runs/mine").text
        log.write_text(log.read_text() + line("r", "compiled"))
        assert "The players of the first generation play" in site.get("/runs/mine").text
        monkeypatch.setattr("rulebots.web.runs.run_processes.os.kill", lambda *_: None)
        assert "stopping: nothing of its first generation is kept" in site.act("/runs/mine/stop").text
    stopped = site.get("/runs/mine").text
    assert "Generation 0 of 5</strong>, stopped." in stopped
    assert "of the first generation play" not in stopped, "nobody plays"
    assert "stopped in its first generation, of which nothing is kept" in stopped
    first = {**generation(1), "games": 2400, "games_a_second": 10.0}
    log.write_text(log.read_text() + line("r", "generation", **first))
    with RunFolder(folder, ""):
        text = site.get("/runs/mine").text
    assert "left, until" not in text, "it is being stopped"
    folder = folder.rename(folder.parent / "yours")
    with RunFolder(folder, ""):
        text = site.get("/runs/yours").text
    assert re.search(r"Generation 1 of 5</strong>, running: about 30\smin left", text)
    paced = [line("r", "generation", **{**generation(number), "time": float(number)}) for number in (1, 2)]
    resumed = [line("r", "generation", **{**generation(number), "time": 9000.0 + number}) for number in (3, 4)]
    (folder / "log.jsonl").write_text("".join([line("r", "begin", **begin()), *paced, line("r", "resume"), *resumed]))
    with RunFolder(folder, ""):
        text = site.get("/runs/yours").text
    assert re.search(r"running: about 4\ss left, until \d\d:\d\d\.<", text), "between the two nobody played"


def test_the_end_of_a_run_says_what_plays_and_how_far_it_is(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder := site.folder / "runs" / "mine").mkdir(parents=True)
    the_time_is(13.0, monkeypatch)
    last = {**generation(5), "games": 2000, "games_a_second": 50.0}
    for strategy, said in (
        ("ga", "playing its run-off, then matches on fresh deals: 12 s of about 28 s so far."),
        ("tune", "playing fresh games against the start, for 12 s so far."),
    ):
        settings = {"strategy": strategy, "seed": 1, "generations": 5, "opponents": []}
        about = {**begin(), "settings": settings}
        log = line("r", "begin", **about) + line("r", "generation", **last)
        (folder / "log.jsonl").write_text(log)
        with RunFolder(folder, ""):
            page = site.get("/runs/mine").text
            assert said in page
            version = re.findall(r"version=([\d-]+)", page)[0]
            the_time_is(14.0, monkeypatch)
            assert site.get(f"/runs/mine?version={version}", HX_Request="true").status == 200, "the seconds count up"
            the_time_is(60.0, monkeypatch)
            assert "59 s so far." in site.get("/runs/mine").text, "of no time that is over"
            the_time_is(13.0, monkeypatch)
            (folder / "log.jsonl").write_text(log + line("r", "end", generation=5, file="x", interrupted=""))
            assert "its result is saved." in site.get("/runs/mine").text
        assert "run-off, then" not in site.get("/runs/mine").text


def test_nothing_is_drawn_before_there_is_something_to_read(site: Site) -> None:
    folder = site.folder / "runs" / "mine"
    folder.mkdir(parents=True)
    log = folder / "log.jsonl"
    lines = [line("r", "generation", **{**generation(number), "best_95": [0.0, 1.0]}) for number in (1, 2, 3)]
    log.write_text(line("r", "begin", **begin()) + "".join(lines))
    with RunFolder(folder, ""):
        text = site.get("/runs/mine").text
        assert "have met hand_tuned too seldom to tell strength from luck" in text
        assert "<dd>too few games so far</dd>" in text
        assert "<polyline" not in text.partition("What moved most")[0]
    assert "There is no curve" in site.get("/runs/mine").text
    log.write_text(
        log.read_text() + line("r", "generation", **generation(4)) + line("r", "generation", **generation(5))
    )
    text = site.get("/runs/mine").text
    assert "<polyline" in text.partition("What moved most")[0]
    assert "There is no curve" not in text


def test_a_run_says_how_it_breeds(site: Site) -> None:
    folder = site.folder / "runs" / "mine"
    folder.mkdir(parents=True)
    settings = {**begin()["settings"], "population": 12}  # type: ignore[dict-item]  # `begin` holds objects
    (folder / "log.jsonl").write_text(line("r", "begin", **{**begin(), "settings": settings}))
    for address in ("/runs", "/runs/mine"):
        assert "rules standard, 12 players, ga, seed 1, against x" in site.get(address).text


def test_the_latest_runs_of_one_game_are_offered_for_comparison(site: Site) -> None:
    for second, (name, game) in enumerate({"a": "Kalah", "b": "Hearts", "c": "Kalah", "d": "Gomoku"}.items()):
        (folder := site.folder / "runs" / name).mkdir(parents=True)
        (folder / "log.jsonl").write_text(line("r", "begin", **{**begin(), "game": game, "time": second}))
    page = site.get("/runs").text
    assert re.findall(r'<option value="(\w)" selected>', page) == ["c", "a"]
    assert 'value="d"' not in page, "no other run is of its game"
    assert "these are runs of two games" in site.get("/runs/compare?a=c&b=d").text
    (site.folder / "runs" / "a" / "log.jsonl").unlink()
    assert "Compare two runs" not in site.get("/runs").text, "no two of one game"


def test_two_champions_meet_by_a_command_that_runs_or_a_button(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name may have blanks, and rules of one's own are imported."""
    monkeypatch.setattr("rulebots.packages.named_code._brought", {})
    own = "from dataclasses import replace\nfrom rulebots import load_game, load_rules\n"
    own += "theirs = load_rules('standard', load_game('tictactoe'))\n"
    (tmp_path / "own.py").write_text(f"{own}mine = replace(theirs, name='own', rules=theirs.rules[:-1])")
    rules = load_rules(f"{tmp_path}/own.py:mine", load_game("tictactoe"))
    for name, file in (
        ("a run", CHAMPION),
        ("b", CHAMPION.replace("rules: standard", f"rules: own\ncode: {{rules: {tmp_path}/own.py:mine}}")),
    ):
        (folder := site.folder / "runs" / name).mkdir(parents=True)
        (folder / "champion.yaml").write_text(file)
        about = {**begin(), "rules": "standard" if name == "a run" else rules.name}
        (folder / "log.jsonl").write_text(line("r", "begin", **about))
    page = site.get("/runs/compare?a=a%20run&b=b")
    command = html.unescape(re.findall("<code>(rulebots match .*)</code>", page.text)[0])
    files = ["runs/a run/champion.yaml", "runs/b/champion.yaml"]
    assert shlex.split(command) == ["rulebots", "match", *files, f"--import={tmp_path}/own.py:mine"]
    assert "Largest differences first, without the rules that only one has (1)." in page.text
    players = {name: page.field(name) for name in ("player-1", "player-2")}
    assert [*players.values()] == files
    met = site.post("/ladder/new/tictactoe", players)
    assert met.location.startswith("/ladder/"), met.text


def test_a_bad_folder_is_one_line_of_the_list_of_runs(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that makes one run unreadable does not take the others away."""
    sound = line("r", "begin", **begin()) + line("r", "generation", **generation(1))
    settings = {**begin()["settings"], "hall_of_fame": "x"}  # type: ignore[dict-item]  # `begin` holds objects
    logs = {
        "digits": sound.replace("1234.0", "1" * 400),
        "hall": line("r", "begin", **{**begin(), "settings": settings}),
        "interval": sound.replace("[0.4, 0.7]", "[0.4, 1e308]"),
        "empty": "",
        "nothing": "null\n",
        "bytes": "\x00\x01",
        "short": sound.replace("[[1.0, 1], [1.0, 2.0]]", "[]"),
        "one": sound.replace("[0.4, 0.7]", "[0.4]"),
        "none": sound.replace('"hall_of_fame": 2', '"hall_of_fame": null'),
        "negative": sound.replace('"hall_of_fame": 2', '"hall_of_fame": -2'),
        "huge": sound.replace('"generation": 1', f'"generation": {10**200}'),
        "timeless": sound.replace('"time": 1.0, ', ""),
        "far": sound.replace('"time": 1.0', '"time": 1e17'),
        "sound": sound,
    }
    for name, text in logs.items():
        (site.folder / "runs" / name).mkdir(parents=True)
        (site.folder / "runs" / name / "log.jsonl").write_text(text)
    (site.folder / "runs" / "folder" / "log.jsonl").mkdir(parents=True)
    (site.folder / "runs" / "half copied").mkdir()
    (site.folder / "runs" / "h\u00e4lf").mkdir()
    page = site.get("/runs")
    assert page.status == 200, page.text
    assert 'href="/runs/sound"' in page.text
    assert page.text.count("Tic-tac-toe, date unknown</a>") == 2
    for name in ("folder", "half copied"):
        assert f"runs/{name}: expected a log.jsonl, as every run has one" in page.text
    assert "runs/empty: log.jsonl does not say yet what is bred" in page.text
    assert "runs/h\u00e4lf: rename it" in page.text
    assert [name for name in logs if site.get(f"/runs/{name}").status >= 500] == []

    def refused(path: Path, **how: bool) -> Dashboard:
        if path.name == "bytes":
            raise InputError("runs/bytes/log.jsonl", "no log")
        return dashboard_of(path, **how)

    monkeypatch.setattr("rulebots.web.runs.dashboard_of", refused)
    page = site.get("/runs")
    assert '<p class="message" role="alert">runs/bytes/log.jsonl: no log</p>' in page.text
    assert 'href="/runs/sound"' in page.text


def test_the_list_of_runs_reads_the_latest_generation_alone(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = site.folder / "runs" / "long"
    folder.mkdir(parents=True)
    lines = [line("r", "generation", **generation(number)) for number in range(1, 51)]
    resumed = line("r", "resume", generation=20, generations=60)
    text = "".join([line("r", "begin", **begin()), *lines[:20], resumed, *lines[20:], '{"event": "generation", cut\n'])
    (folder / "log.jsonl").write_text(text)
    parsed = list[str]()
    event = run_log._event
    monkeypatch.setattr(run_log, "_event", lambda line: parsed.append(line) or event(line))
    page = site.get("/runs").text
    assert "50 of 60" in page
    assert re.search(r"100.0 % \([\d.]+ to [\d.]+\) against hand", page)
    assert len(parsed) < 8
    whole = run_log.read(folder)
    assert run_log.outline(folder).events == [whole.events[0], whole.events[21], whole.events[-1]]


CHAMPION = """\
# evolve run --game tictactoe
# The run-off was left out: the order is that of training.
format: rulebots-population/1
game: tictactoe
rules: standard
players:
  champion:
    rating: {elo: 34, plus_minus: 22, against: standard, former: hand_tuned, verdict: not better}
    note: polished
    weights: {}
"""


def test_the_page_of_a_run_has_what_its_file_says(site: Site) -> None:
    folder = site.folder / "runs" / "mine"
    folder.mkdir(parents=True)
    end = line("r", "end", generation=1, file="champion.yaml", interrupted="")
    (folder / "log.jsonl").write_text(line("r", "begin", **begin()) + line("r", "generation", **generation(1)) + end)
    (folder / "champion.yaml").write_text(CHAMPION)
    page = site.get("/runs/mine").text
    assert "The run-off was left out: the order is that of training." in page
    assert "polished" in page
    note = "polish: put.win [1, 2] -> [0, 0]: +1.0 % on 100 deals (900 games)"
    (folder / "champion.yaml").write_text(CHAMPION.replace("polished", f"'{note}'"))
    (folder / "log.jsonl").write_text(
        line("r", "begin", **begin()) + "".join(line("r", "generation", **generation(n)) for n in (1, 2)) + end
    )
    page = site.get("/runs/mine").text
    assert "put.win [1" not in page, "a rule is told by what it means"
    assert "after the run the champion was polished: it leaves this out now, for +1.0 % on 100 deals" in page
    assert page.index("What moved most") < page.index("([1, 2] → [0, 0])")
    (folder / "champion.yaml").write_text("format: nothing\n")
    assert site.get("/runs/mine").status == 200


def test_the_page_of_a_run_says_first_what_fresh_deals_said(site: Site) -> None:
    (folder := site.folder / "runs" / "mine").mkdir(parents=True)
    verdict = "the champion is worse than the shipped player 'champion' (42.0 % of 490 games; 95 %: 37.1 to 47.0)"
    told = {"verdicts": [verdict], "table": [["against", "win rate"], ["standard", "51.6 %"], ["random", "99.0 %"]]}
    told["trend"] = "no gain shown since generation 1: the champion wins nothing (really)"
    end = line("r", "end", generation=1, file="champion.yaml", interrupted="", **told)
    (folder / "log.jsonl").write_text(line("r", "begin", **begin()) + line("r", "generation", **generation(1)) + end)
    (folder / "champion.yaml").write_text(CHAMPION)
    page = site.get("/runs/mine").text
    assert "best, on fresh deals" not in page, "the table has the match against the same opponent"
    first = 'down"><strong class="tone down">The champion is worse than the shipped player &#39;champion&#39; </strong>'
    assert page.index(first) < page.index("What next") < page.index('<th scope="row">standard</th>')
    assert "(42.0\u00a0% of 490 games; 95\u00a0%: 37.1 to 47.0)" in page
    assert (
        page.index(first)
        < page.index('<strong class="tone ">No gain shown since generation 1</strong>')
        < page.index("What next")
    )
    assert "The champion wins nothing (really)." in page
    listed = site.get("/runs").text
    assert "Worse than the shipped player &#39;champion&#39;" in listed
    assert "(42.0\u00a0% of 490 games; 95\u00a0%: 37.1 to 47.0)<" in listed, "the figure that the run's page has first"
    assert "51.6 %" not in listed
    assert '<th scope="col">play</th>' in listed


def test_champions_of_two_rule_sets_are_compared_by_the_rules_that_both_have(site: Site) -> None:
    for rules in ("shelly", "sheppard"):
        (folder := site.folder / "runs" / rules).mkdir(parents=True)
        header = f"format: rulebots-population/1\ngame: lost-cities\nrules: {rules}\n"
        (folder / "champion.yaml").write_text(f"{header}players:\n  champion:\n    weights: {{}}\n")
        (folder / "log.jsonl").write_text(line("r", "begin", **{**begin(), "rules": rules}))
    page = site.get("/runs/compare?a=shelly&b=sheppard").text
    assert "They have no rule in common." in page
    assert "almost alike" not in page, "of two that know nothing of each other"


def test_a_champion_that_is_better_than_its_start_has_that_first(site: Site) -> None:
    (folder := site.folder / "runs" / "mine").mkdir(parents=True)
    beats = "the champion is better than its start, 'hand_tuned' (68.2 % of 900 games; 95 %: 64.9 to 71.4)"
    told = {"verdicts": [beats, "the champion is worse than the shipped champion (42.0 % of 490 games)"]}
    told["trend"] = "still rising against its former champions: the champion wins much; more generations should do"
    log = [line("r", "begin", **begin()), *(line("r", "generation", **generation(number)) for number in (1, 2))]
    end = line("r", "end", generation=2, file="champion.yaml", interrupted="", **told)
    (folder / "log.jsonl").write_text("".join([*log, end]))
    page = site.get("/runs/mine").text
    first, second = (
        "The champion is better than its start, &#39;hand_tuned&#39;",
        "The champion is worse than the shipped champion",
    )
    assert page.index(f'verdict up"><strong class="tone up">{first}') < page.index(f'class="tone down">{second}')
    assert "should do.</span>" in page, "nothing of the curve: no gain is what it may feign"
    listed = site.get("/runs").text
    assert '<span class="tone up">Better than its start, &#39;hand_tuned&#39; </span>' in listed
    assert '<span class="tone down">Worse than the shipped champion </span>' in listed, "what its page says, too"


def test_what_moved_is_told_of_the_player_in_the_file(site: Site) -> None:
    (folder := site.folder / "runs" / "mine").mkdir(parents=True)
    log = [line("r", "begin", **begin()), *(line("r", "generation", **generation(number)) for number in (1, 2))]
    bred = {"verdicts": [], "champion": [[1.0, -7.0], [1.0, 2.0]], "kept": ""}
    end = line("r", "end", generation=2, file="champion.yaml", interrupted="", **bred)
    (folder / "log.jsonl").write_text("".join([*log, end]))
    page = site.get("/runs/mine").text
    assert "the champion avoids this now, and liked it at first" in page
    assert "(1 \u2192 -7)" in page
    assert "Perhaps by chance" not in page
    for verdict, trend, lucky in (
        ("", "no gain shown since generation 1: the champion scores 50.0 %", True),
        ("the champion is not shown to be better than its start, 'standard' (49 %)", "still rising", False),
        ("the champion is about even with its start, the shipped champion (49 %)", "", True),
        ("the champion is better than its start, the shipped champion (59 %)", "", False),
    ):
        told = {**bred, "verdicts": [verdict], "trend": trend}
        end = line("r", "end", generation=2, file="", interrupted="", **told)
        (folder / "log.jsonl").write_text("".join([*log, end]))
        page = site.get("/runs/mine").text
        assert page.count("Perhaps by chance: nothing shows that the run gained.") == lucky, (verdict, trend)


def test_a_run_that_gained_nothing_says_so_once_and_offers_to_breed_on(site: Site) -> None:
    (folder := site.folder / "runs" / "mine").mkdir(parents=True)
    kept = "no better than before the run: the file holds 'standard', as no bred player did better"
    log = [line("r", "begin", **begin()), *(line("r", "generation", **generation(number)) for number in (1, 2))]
    told = {"verdicts": [kept], "trend": "more generations may gain", "kept": "standard"}
    end = line("r", "end", generation=2, file="champion.yaml", interrupted="", champion=[[1, 9], [1, 2]], **told)
    (folder / "log.jsonl").write_text("".join([*log, end]))
    (folder / "champion.yaml").write_text(CHAMPION)
    page = site.get("/runs/mine").text
    assert '<p class="verdict "><strong class="tone ">No better than before the run: the file holds' in page
    assert '<strong class="tone ">More generations may gain</strong>' in page
    assert "What moved most" not in page
    assert '<button class="main">Breed on</button>' in page
    assert 'class="button" href="/new/tictactoe' in page
    assert page.count("did better") == 1
    assert "Begin from" not in page
    told["trend"] = "no gain shown since generation 1: the champion wins nothing"
    end = line("r", "end", generation=2, file="champion.yaml", interrupted="", again="champion", **told)
    (folder / "log.jsonl").write_text("".join([*log, end]))
    page = site.get("/runs/mine").text
    assert "<details><summary>Breed on all the same</summary>" in page
    assert "The curve is of players with random changes" in page
    told["trend"] = "worse than generation 1 of its run: the champion scores 30.0 %; another seed may do better"
    worse = line("r", "end", generation=2, file="champion.yaml", interrupted="", **told)
    (folder / "log.jsonl").write_text("".join([*log, worse]))
    page = site.get("/runs/mine").text
    said = 'class="tone down">Worse than generation 1 of its run<'
    assert said in page
    assert said in site.get("/runs").text, "and the list of runs in the same colour"
    assert "<details><summary>Breed on all the same</summary>" in page
    stopped = line("r", "end", generation=2, file="", interrupted="interrupted after generation 2", **told)
    (folder / "log.jsonl").write_text("".join([*log, stopped]))
    page = site.get("/runs/mine").text
    assert "<summary>Resume" not in page, "what was interrupted goes on in sight"
    assert '<button class="main">Resume</button>' in page.partition("Play against the champion")[0]
    assert "generation 2 of 5, stopped" in site.get("/runs").text


def filled(site: Site, link: str) -> dict[str, str]:
    """The fields of the form that a button of a run's page opens."""
    address = re.findall(rf'href="([^"]*)">{link}', site.get("/runs/mine").text)[0]
    form = site.get(html.unescape(address)).text
    texts = dict(re.findall(r'<input id="\w+" name="(\w+)"[^>]* value="([^"]*)"', form))
    return {**texts, "time": re.findall(r'<option value="([^"]*)" selected>(?:about|as long)', form)[0]}


@pytest.mark.parametrize("time", [120.0, 180.0, None])
@pytest.mark.parametrize("interrupted", ["", "interrupted"])
def test_a_long_run_offers_only_what_the_page_accepts(
    site: Site, monkeypatch: pytest.MonkeyPatch, time: float | None, interrupted: str
) -> None:
    """With a time that the form has or has not, or none: a run of a terminal has as many generations as it likes."""
    ordered = list[list[str]]()
    monkeypatch.setattr(RunProcesses, "start", lambda _self, _name, words: ordered.append([*words]))
    (folder := site.folder / "runs" / "mine").mkdir(parents=True)
    settings = as_json(Settings.of(game="tictactoe", generations=3809))
    about = {**begin(), "settings": settings, "seconds": time, "free": ["generations"]}
    about = about if time else {**begin(), "settings": settings}
    log = line("r", "begin", **about) + line("r", "generation", **{**generation(2472), "best": 0.5})
    log += line(
        "r", "end", generation=2472, file="", interrupted=interrupted, another="begin again with seed 2: evolve"
    )
    (folder / "log.jsonl").write_text(log)
    page = site.get("/runs/mine").text
    offered = re.findall(r'name="generations" [^>]* value="(\d+)"', page)
    assert offered == ["3809" if interrupted else "4809"]
    assert site.post("/runs/mine/resume", {"generations": offered[0]}).status == 303
    assert ordered[0][3:5] == ["--generations", *offered]
    assert site.post("/runs/mine/resume", {"generations": 5000}).status == 422
    if time == 120.0:
        assert site.post("/runs/new", {"game": "tictactoe", **filled(site, "Begin again with seed 2")}).status == 303
        assert ordered[1][ordered[1].index("--time") + 1] == "2m"
    else:
        assert "Begin again with seed 2: <code>evolve</code>" in page, "the form takes 1,000 generations at most"


def test_a_run_is_begun_again_as_it_was_begun(site: Site) -> None:
    """With the next seed; another start has a button of its own, that says so."""
    (folder := site.folder / "runs" / "mine").mkdir(parents=True)
    settings = as_json(Settings.of(game="tictactoe", generations=5, population=12, opponents=("random",)))
    log = [line("r", "begin", **{**begin(), "settings": settings}), line("r", "generation", **generation(1))]
    log += [line("r", "resume", generation=1, generations=9), line("r", "generation", **generation(2))]
    end = line("r", "end", generation=2, file="", interrupted="", again="champion")
    (folder / "log.jsonl").write_text("".join([*log, end]))
    again = filled(site, "Begin again with seed 2")
    asked = {"generations": "5", "population": "12", "seed": "2", "opponents": "random", "start": "", "time": ""}
    assert {name: again[name] for name in asked} == asked
    assert filled(site, "Begin from the shipped champion with seed 2") == {**again, "start": "champion"}
    trend = "worse than generation 1 of its run: the champion wins nothing; a larger --hall-of-fame may do better"
    worse = line("r", "end", generation=2, file="", interrupted="", trend=trend)
    (folder / "log.jsonl").write_text("".join([*log, worse]))
    assert filled(site, "Begin with twice the hall of fame") == {**again, "hall_of_fame": "8"}
    limited = {**begin(), "settings": {**settings, "population": 24, "opponent_deals": 2}}
    limited |= {"seconds": 600.0, "free": ["generations", "population", "opponent_deals"]}
    first = {**generation(1), "generations": 31, "estimated": True}
    (folder / "log.jsonl").write_text("".join([line("r", "begin", **limited), line("r", "generation", **first), end]))
    again = filled(site, "Begin again with seed 2")
    assert (again["time"], again["generations"], again["population"]) == ("10m", "", ""), "what fits the time"
    asked = {"deals": "7", "opponent_deals": "3"}
    typed = {**begin(), "settings": {**settings, **{name: int(number) for name, number in asked.items()}}}
    (folder / "log.jsonl").write_text("".join([line("r", "begin", **typed), log[1], end]))
    again = filled(site, "Begin again with seed 2")
    assert {name: again[name] for name in asked} == asked
    words = new_run({"game": "tictactoe", **again}, "next", ServedFolder(site.folder))
    assert words[words.index("--opponent-deals") + 1] == "3"
    (folder / "champion.yaml").write_text(CHAMPION)
    onward = filled(site, "Begin a run from it")
    assert onward == {**again, "start": "runs/mine/champion.yaml"}, "with its own size and the next seed"
    (folder / "champion.yaml").unlink()
    beyond = {**begin(), "settings": {**settings, "verdict_deals": 7}}
    end = line(
        "r", "end", generation=1, file="", interrupted="", another="begin again with seed 2: evolve run --seed 2"
    )
    (folder / "log.jsonl").write_text("".join([line("r", "begin", **beyond), log[1], end]))
    page = site.get("/runs/mine").text
    assert "Begin again with seed 2: <code>evolve run --seed 2</code>" in page, "the form has no such field"


def test_a_run_under_a_time_limit_names_no_number_of_generations_before_its_end(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number that fits changes all the time; one that was typed stands as typed."""
    (folder := site.folder / "runs" / "mine").mkdir(parents=True)
    limited = {**begin(), "seconds": 600.0, "free": ["population", "generations"]}
    log = line("r", "begin", **limited)
    (folder / "log.jsonl").write_text(log)
    page = site.get("/runs/mine").text
    assert "Generation 0</strong>" in page
    assert re.search(r"in about 10\smin", page), "as it was chosen"
    the_time_is(61.0, monkeypatch)
    with RunFolder(folder, ""):
        assert "It ends in about 9 min." in site.get("/runs/mine").text
    log += line("r", "generation", **generation(1), generations=31, estimated=True)
    (folder / "log.jsonl").write_text(log)
    assert "Generation 1</strong>" in site.get("/runs/mine").text
    the_time_is(541.0, monkeypatch)
    paced = [
        line("r", "generation", **{**generation(number), "time": 180.0 * number, "games": 9000 * number})
        for number in (2, 3)
    ]
    (folder / "log.jsonl").write_text(log + "".join(paced))
    with RunFolder(folder, ""):
        live = site.get("/runs/mine").text
    assert re.search(r"running: about 60\ss left, until \d\d:\d\d\.<", live), "no more than is left of the time"
    assert "<dt>games a second</dt><dd>33</dd>" in live, "of all that it has played"
    (folder / "log.jsonl").write_text(log + line("r", "resume", generation=1, generations=34))
    assert "Generation 1 of 34</strong>" in site.get("/runs/mine").text
    (folder / "log.jsonl").write_text(line("r", "begin", **{**limited, "free": ["population"]}))
    assert "Generation 0 of 5</strong>" in site.get("/runs/mine").text


def test_rules_that_moved_and_say_the_same_are_told_apart(site: Site) -> None:
    (folder := site.folder / "runs" / "mine").mkdir(parents=True)
    said = [one.words for one in load_rules("standard", load_game("hearts")).rules]
    keys = [one.key for one in load_rules("standard", load_game("hearts")).rules if said.count(one.words) > 1]
    about = {**begin(), "keys": keys, "settings": {**begin()["settings"], "game": "hearts"}}  # type: ignore[dict-item]  # as above
    moved = [{**generation(number), "champion": [[float(number)] * len(keys)] * 2} for number in (1, 2)]
    log = [line("r", "begin", **about), *(line("r", "generation", **one) for one in moved)]
    (folder / "log.jsonl").write_text("".join([*log, line("r", "end", generation=2, file="", interrupted="")]))
    (folder / "champion.yaml").write_text(CHAMPION.replace("tictactoe", "hearts"))
    told = re.findall(r'<th scope="row" title="[^"]+">([^<]+)</th>', site.get("/runs/mine").text)
    assert len(told) == len(set(told)) == len(keys[:12]) > 1, told


def test_a_run_with_rules_that_are_not_here_is_not_played_or_begun_again(site: Site) -> None:
    """Else the form would silently choose the usual rules."""
    (folder := site.folder / "runs" / "mine").mkdir(parents=True)
    about = {**begin(), "rules": "sown"}
    end = line("r", "end", generation=1, file="champion.yaml", interrupted="")
    (folder / "log.jsonl").write_text(line("r", "begin", **about) + line("r", "generation", **generation(1)) + end)
    (folder / "champion.yaml").write_text(CHAMPION.replace("rules: standard", "rules: sown"))
    page = site.get("/runs/mine").text
    assert "'sown'" in html.unescape(page), "why not"
    (site.folder / "sower.py").write_text("")
    (folder / "champion.yaml").write_text(
        CHAMPION.replace("rules: standard", "rules: sown\ncode: {rules: sower.py:sown}")
    )
    page = site.get("/runs/mine").text
    assert "To play or tune it, start <code>rulebots web --import sower.py:sown</code>." in page, page
    assert "champion.yaml:" not in page
    assert "Begin again" not in page
    assert "Resume" not in page
    assert "against the champion of" not in site.get("/runs").text


def test_where_points_count_the_table_of_a_run_has_no_win_rates(site: Site) -> None:
    (folder := site.folder / "runs" / "mine").mkdir(parents=True)
    ahead = [{**generation(number), "margin": 0.6 * number, "margin_95": [-0.4, 2.4]} for number in (1, 2)]
    few = {**generation(3), "margin": 9.0, "best_95": [0.0, 1.0]}
    log = [line("r", "begin", **begin()), *(line("r", "generation", **one) for one in ahead)]
    (folder / "log.jsonl").write_text("".join(log))
    with RunFolder(folder, ""):
        assert "<dd>+1.20 points a game (-0.40 to +2.40)</dd>" in site.get("/runs/mine").text
        assert "+1.20 points a game (-0.40 to +2.40) against hand_tuned" in site.get("/runs").text
        (folder / "log.jsonl").write_text("".join([*log, line("r", "generation", **few)]))
        assert "<dd>too few games so far</dd>" in site.get("/runs/mine").text
    table = [["against", "opponent's", "margin", "win rate", "stalled", "distinct deals"]]
    table += [["standard", "-7.75", "+1.44", "55.6 %", "0", "30"]]
    verdict = "the champion is no better than the shipped champion (in its place +0.10 points a game, in 20 games)"
    end = line("r", "end", generation=2, file="champion.yaml", interrupted="", verdicts=[verdict], table=table)
    (folder / "log.jsonl").write_text("".join([*log, end]))
    page = site.get("/runs/mine").text
    assert "+1.44" in page
    assert "on fresh deals; it met the shipped champion on others: see the verdict</caption>" in page, (
        "why it has no row"
    )
    assert "55.6" not in page
    assert ">points a game more than hand_tuned</text>" in page
    assert 'aria-label="generation 2: best +1.20 (-0.40 to +2.40)"' in page, "their mean is a win rate"
    assert re.findall(r'text-anchor="end"[^>]*>(-?[\d.]+)</text>', page)[:7] == ["-1", "0", "1", "2", "3", "2"]
    assert "win rate" not in page
    assert "mean of the population" not in page
    assert "different deals" in page
    assert "the other&#39;s" in page


def test_a_run_of_tune_stands_beside_the_others(site: Site) -> None:
    (folder := site.folder / "runs" / "arena").mkdir(parents=True)
    settings = {"strategy": "tune", "seed": 1, "generations": 100, "opponents": []}
    about = {
        **begin(),
        "game": "/home/me/arena.py:play",
        "rules": "parameters",
        "settings": settings,
        "command": "evolve tune x",
    }
    lines = [line("r", "generation", **generation(number)) for number in (1, 2)]
    log = line("r", "begin", **about) + "".join(lines)
    (folder / "log.jsonl").write_text(log)
    going = site.get("/runs/arena").text
    assert "2 % of its games" in going
    assert "Generation" not in going
    told = {"verdicts": ["better than the start: +244 Elo (+200 to +287)"], "table": [["parameter"], ["speed"]]}
    ended = line(
        "r",
        "end",
        generation=100,
        file=f"{site.folder}/tuned.json",
        interrupted="",
        **told,
        another="as arguments: speed=1.5",
    )
    (folder / "log.jsonl").write_text(log + ended)
    page = site.get("/runs/arena").text
    assert '<strong class="tone up">Better than the start: +244 Elo </strong>' in page
    assert "The tuned values are in <code>tuned.json</code>; as arguments: <code>speed=1.5</code>. To tune on" in page
    assert "<p>Begun by <code>evolve tune x</code></p>" in page
    assert "Each by its place in its range, from 0 to 1." in page
    assert "<summary>What it found</summary>" in page
    assert "Match by match" not in page
    assert "<polyline" in page
    assert "/resume" not in page, "nothing can be bred on"
    listed = site.get("/runs").text
    assert "Better than the start: +244 Elo" in listed
    assert "/home/me" not in listed + page


def test_the_page_asks_again_while_a_resumed_run_has_no_lock_yet(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = site.folder / "runs" / "mine"
    folder.mkdir(parents=True)
    stopped = line("r", "end", generation=1, file="champion.yaml", interrupted="interrupted after generation 1")
    (folder / "log.jsonl").write_text(line("r", "begin", **begin()) + stopped)
    assert "data-polls" not in site.get("/runs/mine").text
    started, popen = list[subprocess.Popen[bytes]](), subprocess.Popen

    def slowly(_: object, **more: Any) -> subprocess.Popen[bytes]:
        started.append(popen([sys.executable, "-c", "import time; time.sleep(60)"], **more))
        return started[-1]

    monkeypatch.setattr("rulebots.web.runs.run_processes.subprocess.Popen", slowly)
    resumed = site.act("/runs/mine/resume")
    try:
        assert "data-polls" in resumed.text, resumed.text
        assert "starting \u2026." in resumed.text
        version = html.unescape(re.findall(r"version=([^\"]*)", resumed.text)[0])
        assert site.get(f"/runs/mine?version={version}", HX_Request="true").status == 204
        assert "<noscript>" in site.get("/runs/mine").text
    finally:
        (child,) = started
        child.kill()
        child.wait()
    part = site.get(f"/runs/mine?version={version}", HX_Request="true")
    assert "Resume</button>" in part.text
    assert "data-polls" not in part.text


def test_a_run_that_nothing_runs_can_be_deleted(site: Site) -> None:
    folder = site.folder / "runs" / "mine"
    folder.mkdir(parents=True)
    (folder / "log.jsonl").write_text(line("r", "begin", **begin()))
    with RunFolder(folder, ""):
        assert "/runs/mine/delete" not in site.get("/runs/mine").text
        assert "stop it first" in site.post("/runs/mine/delete", {}).text
    assert 'action="/runs/mine/delete"' in site.get("/runs/mine").text
    assert site.post("/runs/mine/delete", {}).location == "/runs"
    assert not folder.exists()
    folder.mkdir()
    (folder / "log.jsonl").write_text("null\n")
    assert 'action="/runs/mine/delete"' in site.get("/runs").text
    assert site.post("/runs/mine/delete", {}).location == "/runs", "a log that cannot be read is no reason to keep it"
    assert not folder.exists()


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
    assert site.post(f"/runs/{name}/delete", {}).status in {404, 422}
    assert (outside / "log.jsonl").is_file()


@pytest.mark.slow
@pytest.mark.compiled
def test_a_run_leads_to_its_champion(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(site.folder)
    monkeypatch.setattr("sys.argv", [*RUN.split(), "--run-dir", "runs/quick", "--out", "quick.yaml"])
    assert main() == 0
    page = site.get("/runs/quick")
    assert re.search(r"Generation 3 of 3</strong>, finished", page.text), page.text
    champion = re.findall(r'href="(/tune/edit[^"]*)"', page.text)[0]
    assert site.get(champion).status == 200
    address = site.begin("tictactoe", player2="runs/quick/champion.yaml")
    assert site.get(address).status == 200
