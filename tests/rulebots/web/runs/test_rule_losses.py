"""What each rule is worth, asked over HTTP."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from page_client import Site, serving

from evolve.analysis.ablation import rule_losses
from evolve.storage.log import duration
from rulebots.packages import load_game
from rulebots.packages.population import load_population
from rulebots.packages.rule_sets import load_rules
from rulebots.players import RulePlayer
from rulebots.web.runs.rule_losses import RuleLosses
from rulebots.web.served_folder import ServedFolder

PLAYER = "player=mine.yaml&game="


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A site with a file of two rules of tic-tac-toe."""
    monkeypatch.setattr("rulebots.web.runs.rule_losses.DEALS", 12)
    rules = load_rules(game=load_game("tictactoe")).rules
    named = "".join(f"        {rule.name}: 1\n" for rule in rules if rule.group == rules[0].group)
    head = "format: rulebots-population/1\ngame: tictactoe\nrules: standard\nplayers:\n  mine:\n    weights:\n"
    (tmp_path / "mine.yaml").write_text(f"{head}      {rules[0].group}:\n{named}")
    with serving(tmp_path) as found:
        yield found


@pytest.mark.slow
def test_worth_is_measured_and_stands_beside_the_weights(site: Site) -> None:
    edit = site.get("/tune/edit?player=mine.yaml")
    assert 'hx-get="/tune/worth?player=mine.yaml' in edit.text
    before = site.get(f"/tune/worth?{PLAYER}", HX_Request="true")
    assert "hx-swap-oob" not in before.text
    assert "/runs/new?game=tictactoe" in before.text
    answer = site.act("/tune/worth", player="mine.yaml", game="")
    while "hx-trigger" in answer.text:
        time.sleep(0.05)
        answer = site.get(f"/tune/worth?{PLAYER}", HX_Request="true")
    population = load_population(site.folder / "mine.yaml")
    player = RulePlayer(population.rules, population.players["mine"].weights, "mine")
    losses = rule_losses(player, deals=12)
    found = re.findall(r'innerHTML:#worth-(\d+)">Without it ([\d.]+) (fewer|more) wins in 100 games ', answer.text)
    keys = [population.rules.rules[int(column)].key for column, *_ in found]
    assert dict(zip(keys, [loss for _, *loss in found], strict=True)) == {
        key: [f"{abs(100 * loss.mean):.1f}", "fewer" if loss.mean >= 0 else "more"] for key, loss in losses.items()
    }
    assert "Measure these weights</button>" in answer.text
    column, *_ = found[0]
    weights = {f"{half}-{column}": "0" for half in ("early", "late")}
    changed = site.act("/tune/worth", player="mine.yaml", game="", **weights)
    while "hx-trigger" in changed.text:
        time.sleep(0.05)
        changed = site.get(f"/tune/worth?{PLAYER}", HX_Request="true")
    assert f'innerHTML:#worth-{column}"></div>' in changed.text, "a rule that weighs nothing any more has no worth"
    assert changed.text.count("Without it") == len(found) - 1
    site.act("/tune/worth", player="mine.yaml", game="")
    while "hx-trigger" in site.get(f"/tune/worth?{PLAYER}", HX_Request="true").text:
        time.sleep(0.05)
    page = site.get(f"/tune/worth?{PLAYER}")
    assert next(iter(losses)) in page.text
    assert "loses without it" in page.text


@pytest.mark.slow
def test_a_measurement_can_be_stopped_and_begun_again(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    going = threading.Event()
    played = RuleLosses._played
    monkeypatch.setattr(RuleLosses, "_played", lambda self, games: going.wait(60) and played(self, games))
    begun = site.act("/tune/worth", player="mine.yaml", game="").text
    assert 'name="stop"' in begun
    assert re.search(r"Playing without each of \d+ rules", begun)
    stopping = site.act("/tune/worth", player="mine.yaml", game="", stop=1).text
    assert "Stopping" in stopping
    assert 'name="stop"' not in stopping
    going.set()
    while "hx-trigger" in (answer := site.get(f"/tune/worth?{PLAYER}", HX_Request="true").text):
        time.sleep(0.05)
    assert re.search(r'class="faint" role="status">stopped after 0 of \d+ rules', answer), "it is no error"
    assert "What each rule is worth</button>" in answer


def test_the_time_left_is_told_once_a_second_rule_is_measured(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([100.0, 130.0])
    monkeypatch.setattr("rulebots.web.runs.rule_losses.time", SimpleNamespace(monotonic=lambda: next(clock)))
    losses = RuleLosses(ServedFolder(site.folder).file_player("mine.yaml"))
    told = list[str]()

    def measured(_: object) -> Iterator[dict[int, None]]:
        for count in (1, 2):
            yield dict.fromkeys(range(count))
            told.append(losses.left)

    monkeypatch.setattr("rulebots.web.runs.rule_losses.measurements", lambda *_, **__: lambda _: None)
    monkeypatch.setattr("rulebots.web.runs.rule_losses.ablate", measured)
    losses.rules = 4
    losses.work()
    assert told == ["", duration(60)]


def test_no_player_has_no_worth(site: Site) -> None:
    assert site.get("/tune/worth?player=../x.yaml&game=").status == 422
    assert site.post("/tune/worth", {"player": "", "game": ""}).status == 422
    (site.folder / "none.yaml").write_text(
        "format: rulebots-population/1\ngame: tictactoe\nrules: standard\nplayers: {mine: {weights: {}}}\n"
    )
    assert "weighs no rule" in site.post("/tune/worth", {"player": "none.yaml", "game": ""}).text
