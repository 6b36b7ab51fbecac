"""The population file that a run ends with: its players, their settings, the command, the rating."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evolve.evaluation.final import Measured, Standing, Verdict
from evolve.evaluation.polish import Change, Polish
from evolve.run import Outcome
from evolve.settings import Settings
from evolve.storage.result import destination, origin, population_of, save, text_of, words_of
from rulebots.files import OutputError
from rulebots.packages import load_game
from rulebots.packages.rule_sets import load_rules
from rulebots.play.results import MatchResult, match_result, no_games
from rulebots.ratings import elo

TICTACTOE = load_game("tictactoe")
RULES = load_rules(game=TICTACTOE)
WEIGHTS = RULES.hand_tuned()


def outcome(settings: Settings | None = None, **parts: Any) -> Outcome:
    made = settings or Settings.of(game="tictactoe", population=6, seed=3)
    return Outcome(
        **{
            "settings": made,
            "rules": RULES,
            "generations": 2,
            "games": 500,
            "finalists": [WEIGHTS, 2 * WEIGHTS],
            "run_off": True,
            "polish": Polish(WEIGHTS, (), 0),
            "measured": None,
            **parts,
        }
    )


def match(won: int, drawn: int, lost: int, copies: int = 0) -> MatchResult:
    """Deals that the first player won, drew or lost from both sides; so many are copies of the last one."""
    games = no_games(TICTACTOE, 2 * (won + drawn + lost))
    games.points[:] = [(1, 0), (0, 1)] * won + [(0, 0)] * 2 * drawn + [(0, 1), (1, 0)] * lost
    games.courses[:] = np.arange(len(games))
    for copy in range(2, copies + 2):
        games.courses[-2 * copy :][:2] = games.courses[-2:]
    return match_result(games, TICTACTOE)


def measured(result: MatchResult, **parts: Any) -> Measured:
    return Measured(
        **{
            "held_out": {"standard": result, "random": match(1, 0, 0)},
            "training": 0.61239,
            "fresh": 0.6,
            "even": 0.5,
            "alone": False,
            "verdict": Verdict("old", "better", 10, 0.6, 5),
            **parts,
        }
    )


def rating(result: MatchResult, **parts: Any) -> Any:
    return population_of(outcome(measured=measured(result, **parts))).players["champion"].rating


def test_the_players_are_the_finalists_the_champion_first() -> None:
    population = population_of(outcome())
    assert list(population.players) == ["champion", "finalist_2"]
    assert [entry.rating for entry in population.players.values()] == [None, None]
    assert np.array_equal(population.players["finalist_2"].weights, 2 * WEIGHTS)
    bred = population.bred
    assert list(bred)[:6] == ["generations", "seed", "games", "strategy", "population", "deals"]
    assert (bred["generations"], bred["seed"], bred["games"], bred["population"]) == (2, 3, 500, 6)
    assert not {"game", "rules"} & bred.keys()
    assert bred["by"].startswith("rulebots ")


def test_the_file_says_where_the_run_off_is_missing() -> None:
    assert population_of(outcome()).comment == origin(outcome())
    assert population_of(outcome(run_off=False)).comment.splitlines()[1].startswith("The run-off was left out")
    assert population_of(outcome(polish=None)).comment.splitlines()[1].startswith("The polish of the champion was left")


def test_the_file_says_what_the_polish_changed() -> None:
    change = Change("rule.centre", (0.5, 0.25), (1.0, 1.0), 0.021, 400)
    polish = Polish(2 * WEIGHTS, (change,), 9000)
    champion, *others = population_of(outcome(polish=polish)).players.values()
    assert champion.note == "polish: rule.centre [0.5, 0.25] -> [1, 1]: +2.1 % on 400 deals (9,000 games)"
    assert not any(other.note for other in [*others, population_of(outcome()).players["champion"]])


def test_the_file_tells_that_a_former_champion_is_better() -> None:
    beaten = replace(measured(match(8, 1, 3)), held_out={"hand": match(8, 1, 3), "generation 7": match(0, 0, 50)})
    comment = population_of(outcome(measured=beaten, generations=20)).comment
    assert "\nworse than generation 7 of its run: the champion of generation 20 scores 0.0 % (" in comment


def test_the_file_tells_a_specialist() -> None:
    found = replace(measured(match(8, 1, 3)), specialist="a specialist: it is")
    assert population_of(outcome(measured=found)).comment.splitlines() == [
        origin(outcome()),
        found.verdict.sentence,
        "a specialist: it is",
    ]


def test_a_rating_is_elo_with_half_of_its_interval() -> None:
    result = match(8, 1, 3)
    low, high = result.elo_95
    assert rating(result) == {
        "elo": round(result.elo),
        "plus_minus": pytest.approx(np.ceil((high - low) / 2)),
        "against": "standard",
        "training": 0.6124,
        "held_out": 0.6,
        "gap": 0.0124,
        "former": "old",
        "verdict": "better",
    }
    standing = Standing(("standard", "generation 1"), 0.54321, (0.5, 0.6))
    assert rating(result, standing=standing)["field"] == 0.5432
    start = rating(result, on_start=Verdict("begun", "not better", 10, 0.4, 5), training=None)
    assert (start["start"], start["start_verdict"]) == ("begun", "not better")
    assert not {"training", "gap"} & start.keys()


def test_an_interval_that_reaches_a_certain_win_ends_half_a_game_before() -> None:
    result = replace(match(8, 1, 3), win_rate_95=(0.5, 1.0))
    assert rating(result)["plus_minus"] == np.ceil(elo(1 - 0.5 / 24) / 2)
    assert rating(replace(result, win_rate_95=(0.0, 0.5)))["plus_minus"] == np.ceil(elo(1 - 0.5 / 24) / 2)


@pytest.mark.parametrize(
    ("result", "begin"),
    [
        (match(12, 0, 0), {"win_rate": 1.0, "games": 24, "against": "standard"}),
        (match(5, 0, 4), {"win_rate": 5 / 9, "games": 18, "against": "standard"}),
        (match(5, 0, 7, copies=4), {"win_rate": 5 / 12, "games": 24, "distinct_deals": 8, "against": "standard"}),
    ],
    ids=["always won", "too few deals", "copies"],
)
def test_without_an_interval_a_rating_is_what_was_won(result: MatchResult, begin: dict[str, Any]) -> None:
    whole = rating(result)
    assert {name: whole[name] for name in list(whole)[: len(begin)]} == begin


def test_the_command_breeds_the_same_file() -> None:
    assert origin(outcome()) == "evolve run --game tictactoe --generations 2 --seed 3 --population 6"
    settings = Settings.of("cma-es", game="tictactoe", opponents=("random", "a,b.yaml"), opening_plies=4)
    assert origin(outcome(settings)) == (
        "evolve run --game tictactoe --generations 2 --seed 1 --strategy cma-es "
        r"--opponents random --opponents 'a\,b.yaml' --opening-plies 4"
    )
    hidden = replace(settings, margin=0.5)
    assert origin(outcome(hidden)).startswith(
        "in Python: evolve.Run(evolve.Settings(game='tictactoe', strategy='cma-es', "
    )
    assert origin(outcome(hidden)).endswith("margin=0.5, generations=2, seed=1))")
    own = origin(outcome(rules=RULES.extended("own", [])))
    assert own.startswith("in Python: evolve.Run(evolve.Settings(game='tictactoe', population=6, ")
    assert own.endswith("), rules=own)")


def test_settings_are_words_of_a_command() -> None:
    assert words_of({"options": {"size": 4, "b": 1}}) == ["--option", "b=1", "--option", "size=4"]
    assert words_of({"opponents": ()}) == ["--opponents", "none"]
    assert words_of({"start": "x.yaml"}) == ["--from", "x.yaml"]


def test_a_result_goes_to_a_free_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = outcome().settings
    assert destination(settings, None) == Path("tictactoe-seed3.yaml")
    path = save(outcome(), Path("tictactoe-seed3.yaml"))
    assert path.read_text() == text_of(outcome())
    assert destination(settings, None) != path
    assert destination(settings, path, resumed=True) == path
    assert destination(settings, None, resumed=True) == path
    with pytest.raises(OutputError):
        destination(settings, path)
    assert save(outcome(), path) == path, "that of the same run"
    other = save(outcome(games=501), path)
    assert other != path
    assert "games: 501" in other.read_text()
    assert path.read_text() == text_of(outcome())
    with pytest.raises(OutputError):
        save(outcome(), tmp_path / "nowhere" / "x.yaml")


def test_the_trend_says_in_which_generation_the_champion_was_bred() -> None:
    even = match(150, 0, 150)
    found = measured(even, held_out={"standard": even, "generation 1": even})
    said = outcome(measured=found, generations=20, bred_in=7).trend
    assert said.startswith("undecided whether it gained since generation 1: the champion of generation 7 scores 50.0 %")
    assert said.endswith("the other 30 generations should tell"), "of the 50 that it was begun for"
    changed = Polish(WEIGHTS, (Change("a.b", (1.0, 1.0), (0.0, 0.0), 0.1, 100),), 9)
    said = outcome(measured=found, generations=20, bred_in=7, polish=changed).trend
    assert "the champion of generation 7, polished, scores 50.0 %" in said
