"""Two players rule by rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from evolve.analysis.comparison import compare

HEAD = "format: rulebots-population/1\ngame: lost-cities\nrules: shelly\nplayers:\n"


ONE = HEAD + "  one:\n    weights:\n      play: {in_sequence: [0.5, 1], low_card: 1}\n      keep: {singleton: -1}\n"


TWO = HEAD + "  two:\n    weights:\n      play: {in_sequence: [1, -1], low_card: 1, high_card: 0.25}\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("one.yaml").write_text(ONE)
    Path("two.yaml").write_text(TWO)


def test_the_largest_differences_come_first() -> None:
    rules = compare("one.yaml", "two.yaml#two").rules
    differences = [(rule.key, rule.difference) for rule in rules]
    assert differences[:3] == [("play.in_sequence", 2.5), ("keep.singleton", 2.0), ("play.high_card", 0.5)]
    assert {difference for _, difference in differences[3:]} == {0.0}
    assert [r.only for r in rules[:3]] == [None, 0, 1]
    assert rules[0].first == (0.5, 1.0)
    assert rules[0].second == (1.0, -1.0)


def test_players_of_other_rule_sets_share_the_rules_of_one_name() -> None:
    Path("three.yaml").write_text(
        HEAD.replace("shelly", "sheppard") + "  three:\n    weights:\n      play: {play_lowest_first: 1}\n"
    )
    comparison = compare("one.yaml", "three.yaml")
    assert comparison.rule_sets == ("shelly", "sheppard")
    found = {rule.key: rule for rule in comparison.rules}
    assert found["play.play_lowest_first"].first is None
    assert found["play.low_card"].second is None
    assert comparison.alike == 0


def test_players_are_alike_whatever_their_scale() -> None:
    Path("double.yaml").write_text(ONE.replace("[0.5, 1]", "[1, 2]").replace(": 1}", ": 2}").replace("-1}", "-2}"))
    assert compare("one.yaml", "double.yaml").alike == pytest.approx(1)
    assert compare("one.yaml", "one.yaml").alike == pytest.approx(1)
