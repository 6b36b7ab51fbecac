"""Settings of a run: their ranges, and the defaults of games and strategies."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from checkout import CHECKOUT
from game_copies import with_parts

from evolve import Run
from evolve.settings import Settings
from rulebots.errors import UsageError
from rulebots.packages import load_game
from rulebots.packages.population import PopulationError


@pytest.mark.parametrize(("name", "hint"), [("populaton", "; did you mean 'population'?"), ("game", "")])
def test_a_games_breeding_names_settings(monkeypatch: pytest.MonkeyPatch, name: str, hint: str) -> None:
    game = with_parts(load_game("tictactoe"), breeding={name: 20})
    monkeypatch.setattr("evolve.settings.load_game", lambda _: game)
    with pytest.raises(UsageError, match=f"no setting '{name}' of `breeding` of tictactoe.*{re.escape(hint)}"):
        Settings.of(game="tictactoe")


def test_sheppards_scheme_has_its_own_defaults():
    settings = Settings.of("sheppard")
    assert (settings.population, settings.deals) == (14, 5)
    assert settings.chosen() == {"strategy": "sheppard"}


def test_the_games_own_strategy_is_left_where_its_rules_take_no_lessons():
    assert Settings.of().strategy_name == "memetic"
    assert Settings.of(rules="sheppard").strategy == "ga"


def test_a_live_game_has_the_strategy_that_needs_the_fewest_games() -> None:
    game = f"{CHECKOUT / 'tests' / 'rulebots' / 'live' / 'small_games.py'}:Nim"
    assert (Settings.of(game=game).strategy, Settings.of(game=game).population) == ("spsa", 16)
    assert (Settings.of("ga", game=game).strategy, Settings.of("ga", game=game).population) == ("ga", 40)
    assert Settings.of(game=game).chosen() == {"game": game}


@pytest.mark.parametrize(("name", "options"), [("gomoku", {}), ("hearts", {}), ("hanabi", {"seats": 4})])
def test_spsa_moves_often_on_a_quarter_of_the_games(name: str, options: dict[str, int]) -> None:
    game = with_parts(load_game(name), breeding={})
    of = {"population": 16, "generations": 1}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("evolve.settings.load_game", lambda _: game)
        games = [
            Settings.of(strategy, game=name, options=options, **of).games_a_generation(
                game.seats_with(game.option_values(options)), together=name == "hanabi"
            )
            for strategy in ("spsa", "ga")
        ]
    assert 0.15 < games[0] / games[1] < 0.35


def test_a_strategy_brings_its_own_defaults_and_what_is_given_wins():
    assert (Settings.of("memetic:memory=2").population, Settings.of("memetic", population=6).population) == (40, 6)
    assert Settings.of("ga", game="tictactoe").deals == 2


def test_a_rule_set_of_the_users_says_which_game_it_is_for(user_code: Path) -> None:
    text = (user_code / "keep.py").read_text()
    (user_code / "sower.py").write_text(text.replace("lost-cities", "kalah").replace('"keep"', '"win"'))
    (user_code / "own.py").write_text(text.replace("lost-cities", "./nim").replace('"keep"', '"put"'))
    assert Settings.of(rules="sower.py:mine").game == "kalah"
    assert Settings.of(rules="keep.py:mine").game == "lost-cities"
    assert Settings.of(rules="own.py:mine").game == str(user_code / "nim")
    assert load_game(Settings.of(rules="own.py:mine").game).name == "nim"
    assert Settings.of(rules="shelly").game == "lost-cities"
    with pytest.raises(UsageError, match="a rule set of circles, not of kalah; say --game kalah"):
        Run(Settings.of(game="circles", rules="sower.py:mine"))


def test_a_file_to_start_from_says_which_game_it_is_for(user_code: Path) -> None:
    assert Settings.of(start="champion").game == "lost-cities"
    file = CHECKOUT / "populations" / "kalah" / "champion.yaml"
    assert Settings.of(start=f"{file}#champion").game == "kalah"
    assert Settings.of(start=str(file), game="circles").game == "circles"  # the run says that they do not fit
    load_game("./nim")
    text = (CHECKOUT / "populations" / "tictactoe" / "champion.yaml").read_text()
    (user_code / "own.yaml").write_text(text.replace("game: tictactoe", "game: nim"))
    assert Settings.of(start="own.yaml").game == str(user_code / "nim")
    with pytest.raises(PopulationError, match=r"none\.yaml"):
        Settings.of(start="none.yaml")


@pytest.mark.parametrize(
    ("game", "chosen", "deals", "opponent_deals"),
    [
        ("tictactoe", {}, 2, 12),
        ("cant-stop", {"options": {"seats": 4}}, 39, 6),
        ("cant-stop", {"options": {"seats": 3}, "population": 10}, 12, 8),
        ("tictactoe", {"opponents": ("random", "careful"), "hall_of_fame": 1}, 2, 16),
        ("tictactoe", {"opponents": ("random",), "hall_of_fame": 0, "schedule": "gauntlet"}, 2, 126),
        ("hanabi", {}, 2, 250),
    ],
)
def test_a_player_plays_about_as_many_games_at_any_table(
    game: str, chosen: dict[str, Any], deals: int, opponent_deals: int
) -> None:
    settings = Settings.of("ga", game=game, **chosen)
    assert (settings.deals, settings.opponent_deals) == (deals, opponent_deals)


def test_a_population_plays_itself_and_its_former_champions() -> None:
    settings = Settings.of(game="tictactoe")
    assert (settings.opponents, settings.hall_of_fame, settings.strategy) == ((), 4, "ga")


def test_deals_that_follow_from_the_table_are_not_chosen() -> None:
    settings = Settings.of(game="cant-stop", options={"seats": 4}, population=10)
    assert settings.chosen() == {"game": "cant-stop", "options": {"seats": 4}, "population": 10}
    assert replace(settings, deals=8).chosen()["deals"] == 8
