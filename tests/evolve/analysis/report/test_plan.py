"""A whole report, small."""

from __future__ import annotations

import json
import re
import sys

import pytest

from evolve.analysis.ablation import Measurement
from evolve.analysis.report import _restricted, _rules, measured, plan_of
from evolve.analysis.report.page import core_rows, page
from evolve.strategies.ga import GeneticBreeder
from rulebots.errors import UsageError
from rulebots.kernel import compiling
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.play.deals import draw_deals

TICTACTOE = load_game("tictactoe")
SMALL = {"players": ["random", "careful", "standard"], "deals": 40, "generations": 1, "forbidden": ("b2",)}


@pytest.fixture(scope="module")
def report() -> tuple[dict, dict]:
    plan = plan_of(TICTACTOE, {"size": [3, 4]} if compiling() else {}, **SMALL)
    return plan.about(), dict(measured(plan))


@pytest.mark.slow
def test_every_part_is_measured_and_is_plain_data(report) -> None:
    about, parts = report
    variants = range(len(about["variants"]))
    expected = [f"{part} {i}" for i in variants for part in ("ladder", "course")]
    assert list(parts) == [*expected, "rules", "without b2"]
    assert json.loads(json.dumps(parts)) == parts
    course = parts["course 0"]
    assert course["player"] in SMALL["players"]
    assert 0 <= course["first_seat"]["mean"] <= 1
    assert course["length"]["mean"] <= 9
    assert course["lead"]["by"] == "playouts"


@pytest.mark.slow
def test_the_intervals_of_all_restrictions_hold_together() -> None:
    plan = plan_of(TICTACTOE, {}, **{**SMALL, "deals": 80, "generations": 1})
    alone, among = (_restricted(plan, make_player("standard", TICTACTOE), [4], several) for several in (1, 18))
    for name, share in among.items():
        assert share.mean == alone[name].mean
        assert share.low < alone[name].low < alone[name].high < share.high


@pytest.mark.slow
def test_the_intervals_of_all_rules_hold_together() -> None:
    """Else one of many rules is needed beyond doubt by luck."""
    plan = plan_of(TICTACTOE, {}, **{**SMALL, "deals": 400})
    player = make_player("standard", TICTACTOE)
    deals = draw_deals(TICTACTOE, 100, plan.seed, 0, 0, 0, options=plan.variants[0])
    apart = Measurement(player, [], deals).losses()
    told = {line["name"]: line["loss"] for line in _rules(plan, player)}
    assert told.keys() == apart.keys()
    for name, loss in told.items():
        assert loss.mean == apart[name].mean
        assert loss.low < apart[name].low < apart[name].high < loss.high


@pytest.mark.slow
def test_what_was_measured_is_not_measured_again(report) -> None:
    about, parts = report
    plan = plan_of(TICTACTOE, {"size": [3, 4]} if compiling() else {}, **SMALL)
    assert plan.about() == about
    begun = list[str]()
    assert dict(measured(plan, parts, begun.append)) == parts
    assert begun == []


@pytest.mark.slow
def test_the_page_shows_what_there_is(report, monkeypatch: pytest.MonkeyPatch) -> None:
    about, parts = report
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # the curves are in the page's own colours
    whole = page(about, parts)
    for heading in ("At a glance", "Skill and seats", "The course of a game", "Rules", "Restricted play"):
        assert f"<h2>{heading}</h2>" in whole
    assert whole.count("<svg") == whole.count("<polyline points=") == 2
    assert whole.count('class="dots"') == 4
    assert not re.search(r"(left|right):-", whole), "no mark stands beyond the scale"
    for promised in ('name="viewport" content="width=device-width', "prefers-color-scheme: dark", "max-width: 40rem"):
        assert promised in whole, "it fits a phone, and is dark where the reader wants it"
    assert "src=" not in whole
    begun = page(about, {"ladder 0": parts["ladder 0"]})
    assert "<h2>Skill and seats</h2>" in begun
    assert "<h2>The course of a game</h2>" not in begun
    assert {len(cells) for _, cells in core_rows(about, {"ladder 0": parts["ladder 0"]})} == {0}


WRONG = {
    "a report of Tic-tac-toe needs at least 2 players of different strength, not 1: name them, such as --players": {
        "players": ["random"]
    },
    "deals: expected a whole number from 40": {"deals": 3},
    "no kind of move 'centre' of tictactoe": {"forbidden": ("centre",)},
    "expected 1 to 24 variants of the game, not 28": {"options": {"size": [3, 4, 5, 6] * 7}},
    "no option 'sise' of tictactoe; did you mean 'size'?": {"options": {"sise": [3]}},
}


@pytest.mark.parametrize("message", WRONG)
def test_a_mistake_is_named(message: str) -> None:
    given = {**WRONG[message]}
    with pytest.raises(UsageError, match=message.replace("?", r"\?")):
        plan_of(TICTACTOE, given.pop("options", None), **given)


@pytest.mark.slow
def test_what_is_bred_again_takes_steps_as_a_run_does(monkeypatch: pytest.MonkeyPatch) -> None:
    scaled = []
    of_a_run = GeneticBreeder.scale
    monkeypatch.setattr(GeneticBreeder, "scale", lambda self, ranges: scaled.append(ranges) or of_a_run(self, ranges))
    plan = plan_of(TICTACTOE, {}, **SMALL)
    dict(measured(plan))
    (ranges,) = scaled
    assert (ranges > 0).any()
