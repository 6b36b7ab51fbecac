"""How runs begin: with changed rules, from files, and with the opponents that they had."""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evolve.run import Run
from evolve.settings import Settings
from evolve.start import beginning
from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.kernel import kernel
from rulebots.packages import load_game, package_of
from rulebots.packages.players import make_player
from rulebots.packages.population import PopulationError, load_population
from rulebots.packages.rule_sets import load_rules
from rulebots.players import KernelPlayer, Player, RulePlayer
from rulebots.rules import rule
from rulebots.search.minimax.player import MinimaxPlayer
from rulebots.search.minimax.search import Limits

TINY = Settings(
    rules="sheppard",
    generations=3,
    population=4,
    deals=1,
    opponent_deals=1,
    hall_of_fame=2,
    runoff_deals=1,
    held_out_deals=2,
    verdict_deals=4,
)


@rule("play", early=0.5)
def fresh(view, item):
    """A rule that came later."""
    return 1.0


@pytest.mark.compiled
def test_players_keep_playing_when_the_rules_change(lost_cities: Game, tmp_path: Path) -> None:
    old = load_rules("sheppard", lost_cities)
    settings = replace(TINY, rules="", population=8, generations=2)
    one = Run(settings, rules=old)
    list(one.generations())
    new = replace(old, rules=(fresh, *old.rules[1:]))
    with pytest.raises(UsageError, match=rf"has no {old.rules[0].key} any more.*--drop-missing leaves them out"):
        Run(settings, rules=new, state=one.state())
    other = Run(settings, rules=new, state=one.state(), drop_missing=True)
    before, after = one.breeder.ask(), other.breeder.ask()
    assert any((after[0][:, 1:] == weights[:, 1:]).all() for weights in [*before, one.breeder.finalists()[0]])
    assert [weights[0, 0] for weights in after[:3]] == [0.0, 0.8, 0.8]
    assert (after[2][:, 1:] == 0).all()
    assert other.breeder.generation == 2
    assert other.notes == [
        "new rules: play.fresh; immigrants introduce them",
        f"left out, because they no longer exist: {old.rules[0].key}",
    ]
    assert other.hall.members
    assert all((w[:, 0] == 0).all() for w in other.hall.members.values())


def test_a_rule_that_no_longer_exists_is_dropped_only_on_request(tmp_path: Path) -> None:
    path = tmp_path / "old.yaml"
    text = "format: rulebots-population/1\ngame: lost-cities\nrules: sheppard\nplayers:\n  a:\n    weights:\n"
    path.write_text(text + "      play: {play_lowest_first: 1, gone_since: 2}\n      was: {a_group: 3}\n")
    with pytest.raises(PopulationError, match="no rule 'gone_since'"):
        load_population(path)
    settings = replace(TINY, start=str(path))
    with pytest.raises(UsageError, match=r"no rule 'gone_since'.*play.gone_since, was; --drop-missing leaves them out"):
        Run(settings)
    run = Run(settings, drop_missing=True)
    assert run.notes[-1] == "left out, because they no longer exist: play.gone_since, was"
    assert run.breeder.ask()[0][0].tolist() == [1, 0, 0, 0, 0, 0, 0]


@kernel
def first(view, moves, n, weights, blended, scores):
    return moves[0]


@kernel
def last(view, moves, n, weights, blended, scores):
    return moves[n - 1]


def with_member(**members: Any) -> Player:
    """A player whose class has more members; the classes of all have the same name."""
    return type("Rival", (Player,), {"__module__": __name__, "choose": always(0), **members})(GAME, "rival")


def always(which: int) -> Callable[..., int]:
    return lambda self, *asked: which


GAME = load_game("tictactoe")
GUIDE = load_rules(game=GAME)
RIVALS = {
    "settings": [MinimaxPlayer(GAME, Limits(depth=depth), name="rival") for depth in (2, 6)],
    "an inner player": [
        MinimaxPlayer(GAME, Limits(depth=2), RulePlayer(GUIDE, weight * GUIDE.hand_tuned()), name="rival")
        for weight in (1, 2)
    ],
    "code": [KernelPlayer(GAME, choose, "rival") for choose in (first, last)],
    "a number of its class": [with_member(WHICH=which) for which in (0, 1)],
    "a table of its class": [with_member(TABLE={"first": [which]}) for which in (0, 1)],
    "a cached method": [with_member(which=functools.cache(always(which))) for which in (0, 1)],
    "a cached static method": [with_member(which=staticmethod(functools.cache(always(n)))) for n in (0, 1)],
    "a class method": [with_member(which=classmethod(always(which))) for which in (0, 1)],
    "a property": [with_member(which=property(always(which))) for which in (0, 1)],
    "a cached property": [with_member(which=functools.cached_property(always(which))) for which in (0, 1)],
    "a kernel of its class": [with_member(which=choose) for choose in (first, last)],
    "a class in its class": [with_member(Inner=type("Inner", (), {"WHICH": which})) for which in (0, 1)],
    "rules": [
        RulePlayer(rules, np.ones((2, len(rules.rules))), "rival") for rules in (GUIDE, replace(GUIDE, progress=None))
    ],
}


@pytest.mark.parametrize("what", RIVALS)
def test_an_opponent_that_has_changed_under_its_name_is_noticed(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = RIVALS[what]
    settings = replace(TINY, game="tictactoe", rules="", opponents=("rival",))
    monkeypatch.setitem(package_of(GAME).players, "rival", lambda: before)
    state = Run(settings).state()
    Run(settings, state=state)
    monkeypatch.setitem(package_of(GAME).players, "rival", lambda: after)
    with pytest.raises(UsageError, match="the opponent 'rival' is not the player that it was when the run began"):
        Run(settings, state=state)


MEMBERS = {
    "what sets a property": "which = property(lambda self: 0, lambda self, value: {})",
    "a partial method": "which = functools.partialmethod(max, {})",
    "a function of the file": "pass\n\ndef which():\n    return {}",
}


@pytest.mark.parametrize("what", MEMBERS)
def test_an_edit_in_the_file_of_an_opponent_is_noticed(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def rival(which: int) -> Player:
        head = "import functools\nfrom rulebots import Player\n\n\nclass Rival(Player):\n    choose = max\n    "
        (tmp_path / "rival_of_a_test.py").write_text(head + MEMBERS[what].format(which) + "\n")
        monkeypatch.delitem(sys.modules, "rival_of_a_test", raising=False)
        importlib.invalidate_caches()
        player: Player = importlib.import_module("rival_of_a_test").Rival(GAME, "rival")
        return player

    settings = replace(TINY, game="tictactoe", rules="", opponents=("rival",))
    monkeypatch.setitem(package_of(GAME).players, "rival", lambda: rival(0))
    state = Run(settings).state()
    Run(settings, state=state)
    monkeypatch.setitem(package_of(GAME).players, "rival", lambda: rival(1))
    with pytest.raises(UsageError, match="the opponent 'rival' is not the player that it was when the run began"):
        Run(settings, state=state)


def test_another_opponent_by_the_same_name_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "rival.yaml"
    text = "format: rulebots-population/1\ngame: lost-cities\nrules: sheppard\nplayers: {a: {weights: {play: {play_lowest_first: 1}}}}\n"  # noqa: E501
    path.write_text(text)
    run = Run(replace(TINY, opponents=(str(path),)))
    path.write_text(text.replace(": 1}", ": 2}"))
    with pytest.raises(UsageError, match="is not the player that it was when the run began"):
        Run(run.settings, state=run.state())


def test_the_champion_of_a_game_is_that_of_the_games_run() -> None:
    found = beginning(Settings.of(game="kalah", start="champion"), load_game("kalah"), None, drop_missing=False)
    assert found.rules.game.name == "kalah"
    assert [*found.starters][:2] == ["champion", "finalist 2 of champion"]
    champion = make_player("champion", found.rules.game)
    assert isinstance(champion, RulePlayer)
    assert np.allclose(found.starters["champion"], champion.weights, atol=0.001)
