"""Runs that the page starts, stops, resumes and compares: each a process of its own."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from page_client import Answer, Site

from evolve.storage.folder import RunFolder, process_of
from rulebots.game.position import Position
from rulebots.packages import load_game
from rulebots.packages.players import split_spec
from rulebots.players.specs import split_specs
from rulebots.web.runs.run_processes import MOST_RUNNING, new_run
from rulebots.web.served_folder import ServedFolder

#: A run of a few seconds, and one that would take minutes.
QUICK = {"game": "tictactoe", "generations": 2, "population": 4, "seed": 3}
LONG = {**QUICK, "generations": 1000, "population": 200}

ONE_PLAYER = "format: rulebots-population/1\ngame: tictactoe\nrules: standard\nplayers: {mine: {weights: {}}}\n"


def until(site: Site, path: str, true: Callable[[Answer], object], seconds: float = 240) -> Answer:
    """The page, once that is true of it."""
    end = time.monotonic() + seconds
    while not true(page := site.get(path)):
        assert "could not begin" not in page.text, page.text
        assert time.monotonic() < end, page.text
        time.sleep(1.0)
    return page


@pytest.mark.slow
@pytest.mark.compiled
def test_a_run_is_begun_stopped_resumed_and_compared(site: Site) -> None:
    begun = site.post("/runs/new", {**LONG, "name": "long"})
    assert begun.location == "/runs/long", begun.text
    page = until(site, "/runs/long", lambda page: re.search("Generation [1-9]", page.text))
    assert process_of(site.folder / "runs" / "long") is not None
    assert ">Stop</button>" in page.text
    twice = site.post("/runs/long/resume")
    assert "goes on already" in twice.text
    stopped = site.act("/runs/long/stop")
    assert "stopping: its run-off follows" in stopped.text
    page = until(site, "/runs/long", lambda page: ", stopped." in page.text)
    assert process_of(site.folder / "runs" / "long") is None
    done = int(re.findall(r"Generation (\d+) of 1000", page.text)[0])
    resumed = site.post("/runs/long/resume", {"generations": done + 1})
    assert resumed.status == 303, resumed.text
    until(site, "/runs/long", lambda page: f"Generation {done + 1} of {done + 1}</strong>, finished" in page.text)
    assert site.post("/runs/new", {**QUICK, "name": "quick", "start": "champion"}).status == 303
    page = until(site, "/runs/quick", lambda page: "Generation 2 of 2</strong>, finished" in page.text)
    assert "The champion&#39;s weights" in page.text or "The champion's weights" in page.text
    files = [path.relative_to(site.folder).as_posix() for path in site.folder.rglob("*.y*ml")]
    assert sorted(files) == ["runs/long/champion.yaml", "runs/quick/champion.yaml"], "a run has one file, in its folder"
    both = site.get("/runs/compare?a=long&b=quick")
    assert both.text.count("<polyline") == 2
    assert "weigh the rules" in both.text
    assert 'href="/runs/quick"' in both.text


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"game": "chess"}, "no game &#39;chess&#39;; there are: "),
        ({"rules": "os:system"}, "rules: expected one of"),
        ({"generations": "0"}, "generations: expected a whole number from 1 to 1,000"),
        ({"population": "100000"}, "population: expected a whole number from 2 to 200"),
        ({"start": "../other.yaml"}, "there is no file"),
        ({"start": "keep.py:mine"}, "there is no file"),
        ({"strategy": "gaa"}, "no strategy &#39;gaa&#39;; did you mean &#39;ga&#39;?"),
        ({"strategy": "ga:mutation=x"}, "mutation"),
        ({"strategy": "ga:mutate=1"}, "mutate"),
        ({"opponents": "random,os:system"}, "is not a player that this page may start"),
        ({"opponents": "../other.yaml"}, "there is no file"),
        ({"opponents": ",".join(["random"] * 9)}, "opponents: expected at most 8, not 9"),
        ({"time": "1 day"}, "time: expected one of 10m, 2m, 60m, 480m, not &#39;1 day&#39;"),
        ({"name": "../out"}, "name: expected letters"),
        ({"name": "new"}, "name: expected letters"),
        ({"name": "there"}, "there is a run &#39;there&#39; already"),
    ],
)
def test_a_run_that_cannot_begin_says_why(site: Site, fields: dict[str, str], said: str) -> None:
    (site.folder / "runs" / "there").mkdir(parents=True)
    answer = site.post("/runs/new", {**QUICK, **fields})
    assert answer.status == 422
    assert said in answer.text, answer.text
    assert [path.name for path in (site.folder / "runs").iterdir()] == ["there"]


@pytest.mark.parametrize(("name", "value"), [("generations", "0"), ("opponents", ",".join(["random"] * 9))])
def test_what_is_wrong_with_a_field_stands_below_it_in_sight(site: Site, name: str, value: str) -> None:
    page = site.post("/runs/new", {**QUICK, name: value}).text
    assert page.count('role="alert"') == 1
    assert re.search(rf'id="{name}" name="{name}"[^>]*>\s*<p class="message" role="alert">{name}: ', page)
    assert re.search(r'<details class="more"[^>]* open', page)


def test_an_empty_size_is_as_usual_for_the_game_or_fits_the_time(site: Site) -> None:
    served = ServedFolder(site.folder)
    words = new_run({"game": "kalah", "generations": "", "population": "", "time": ""}, "named", served)
    assert not {"--generations", "--population", "--time"} & set(words)
    words = new_run({"game": "kalah", "generations": "30", "time": "2m"}, "named", served)
    assert [words[words.index(flag) + 1] for flag in ("--generations", "--time")] == ["30", "2m"]
    form = site.get("/runs/new?game=kalah").text
    assert '<option value="kalah" data-generations="200" data-population="16" selected>' in form
    assert '<option value="10m" selected>about 10 minutes</option>' in form
    assert re.search(r'id="opponents"[^>]* list="opponents-here"', form)
    assert '<option value="apessimistic" data-group="kalah">Kalah</option>' in form


def test_a_new_run_is_of_the_game_that_was_begun_last(site: Site) -> None:
    assert re.search(r'<option value="kalah"[^>]* selected>', site.get("/runs/new").text), "where none was begun"
    site.post("/new/hearts", {})
    assert re.search(r'<option value="hearts"[^>]* selected>', site.get("/runs/new").text)


def test_the_form_orders_a_strategy_and_opponents_of_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(ONE_PLAYER)
    fields = {
        "game": "tictactoe",
        "strategy": "ga:winners=0.2,mutation=0.3",
        "opponents": "hand-tuned, mine.yaml,random",
    }
    words = new_run(fields, "named", ServedFolder(tmp_path))
    assert words[words.index("--strategy") + 1] == "ga:winners=0.2,mutation=0.3"
    given = [word for flag, word in pairwise(words) if flag == "--opponents"]
    assert given == ["hand-tuned", str(tmp_path / "mine.yaml"), "random"]
    words = new_run({"game": "tictactoe", "opponents": "none"}, "alone", ServedFolder(tmp_path))
    assert words[words.index("--opponents") + 1] == "none"
    assert "--strategy" not in words


def test_the_form_offers_the_rule_sets_of_each_game(site: Site) -> None:
    page = site.get("/runs/new?game=lost-cities&rules=standard").text
    assert (
        '>Generations <span class="faint">to breed, at most 1,000; empty: what fits the time, or as usual</span>'
        in page
    )
    assert "<code>evolve tune " in page, "what this form does not begin"
    sets = dict(re.findall(r'<optgroup label="([^"]*)"[^>]*>(.*?)</optgroup>', page, re.DOTALL))
    assert "<option>standard</option>" in sets["Tic-tac-toe"]
    assert "<option selected>standard</option>" in sets["Lost Cities"]


@pytest.mark.parametrize("game", ["", "openspiel:breakthrough(rows=6,columns=6)", "../" * 60])
def test_a_run_without_a_name_is_named_after_any_game(site: Site, game: str) -> None:
    refused = site.post("/runs/new", {"game": game})  # which is not here
    assert refused.status == 422
    assert "name: expected" not in refused.text


@pytest.mark.parametrize("name", ["x,program:touch FILE,y", "a#b.yaml#c", "p:q,guide=program:touch FILE", "k=1;@\nl"])
def test_no_name_of_a_folder_says_anything_to_a_command(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    file = folder / "mine.yaml"
    file.write_text(ONE_PLAYER)
    served, game = ServedFolder(folder), load_game("tictactoe")
    words = new_run({"game": "tictactoe", "opponents": "mine.yaml,random", "start": "mine.yaml#mine"}, "r", served)
    opponents = [split_specs(word) for flag, word in pairwise(words) if flag == "--opponents"]
    assert opponents == [[str(file)], ["random"]]
    assert split_spec(words[words.index("--from") + 1]) == (str(file), "mine")
    for spec in ("mine.yaml", "mine.yaml#mine", "mcts:iterations=1,guide=mine.yaml"):
        player = served.player(spec, game)
        assert player.name == spec
        assert player.decide(Position(game, seed=1)) >= 0


def test_a_run_that_nobody_runs_is_not_stopped(site: Site) -> None:
    assert site.post("/runs/no/stop").status == 422
    assert site.get("/runs/compare?a=no&b=no").status == 422
    assert site.get("/runs/new?start=a.yaml&game=kalah").text.count("selected") == 2, "game and time"


def test_only_so_many_runs_go_on(site: Site) -> None:
    held = []
    for number in range(MOST_RUNNING):
        (folder := site.folder / "runs" / f"run{number}").mkdir(parents=True)
        held.append(RunFolder(folder, ""))
    try:
        answer = site.post("/runs/new", QUICK)
        assert answer.status == 422
        assert "run0 and run1 go on, and this page starts no more" in answer.text
    finally:
        for folder in held:
            folder.__exit__()
    assert process_of(site.folder / "runs" / "run0") is None
