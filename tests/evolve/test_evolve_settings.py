"""Settings of a run: their ranges, and the defaults of games and strategies."""

from __future__ import annotations

import re

import pytest
from game_copies import with_parts

from evolve.settings import Settings
from rulebots.errors import UsageError
from rulebots.registry import load_game


@pytest.mark.parametrize(("name", "hint"), [("populaton", "; did you mean 'population'?"), ("game", "")])
def test_a_games_breeding_names_settings(monkeypatch: pytest.MonkeyPatch, name: str, hint: str) -> None:
    game = with_parts(load_game("tictactoe"), breeding={name: 20})
    monkeypatch.setattr("evolve.settings.load_game", lambda _: game)
    with pytest.raises(UsageError, match=f"no setting '{name}' of `BREEDING` of tictactoe.*{re.escape(hint)}"):
        Settings.of(game="tictactoe")


def test_sheppards_scheme_has_its_own_defaults():
    settings = Settings.of("sheppard")
    assert (settings.population, settings.deals) == (14, 5)
    assert settings.chosen() == {"strategy": "sheppard"}


def test_the_games_own_strategy_is_left_where_its_rules_take_no_lessons():
    assert Settings.of().strategy == "memetic"
    assert Settings.of(rules="sheppard").strategy == "ga"


def test_a_strategy_brings_its_own_defaults_and_what_is_given_wins():
    assert (Settings.of("memetic:memory=2").population, Settings.of("memetic", population=6).population) == (40, 6)
    assert Settings.of("ga", game="tictactoe").deals == 2
