"""Whole runs: their lessons, their warnings, and who the champion has to beat at the end."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evolve.evaluation import final
from evolve.evaluation.polish import Change, Polish
from evolve.monitoring import WINDOW
from evolve.run import Run
from evolve.settings import Settings
from evolve.start import MOST_STARTERS
from evolve.storage.result import population_of, text_of
from rulebots.errors import UsageError
from rulebots.packages import load_game, package_of
from rulebots.packages.players import make_player
from rulebots.packages.population import Entry, Population, population_text, rounded
from rulebots.packages.rule_sets import load_rules
from rulebots.players import RulePlayer

TINY = Settings(
    rules="sheppard", generations=1, population=2, deals=1, opponent_deals=1, held_out_deals=2, verdict_deals=2
)


def test_the_champion_that_a_run_meets_and_begins_from_is_the_one_of_its_table() -> None:
    game = load_game("cant-stop")
    best = make_player("champion_4", game)
    assert isinstance(best, RulePlayer)
    run = Run(Settings.of(game="cant-stop", options={"seats": 4}, opponents=("champion",), start="champion"))
    for player in (run.former, *run.opponents, next(iter(run.starters.values()))):
        assert isinstance(player, RulePlayer)
        assert np.array_equal(player.weights, best.weights)


@pytest.mark.compiled
def test_the_champion_meets_the_one_before_it_and_where_that_is_itself_the_hand_tuned_player() -> None:
    run = Run(TINY)
    list(run.generations())
    champion = run.candidates()[0]
    assert run.measure(champion).verdict.former == "champion"
    run.former = RulePlayer(run.rules, champion, "champion")
    assert run.measure(champion).verdict.former == "shelly"


@pytest.mark.compiled
def test_the_hall_of_fame_takes_part_in_the_run_off_and_a_champion_does_not_meet_itself() -> None:
    run = Run(replace(TINY, generations=3, hall_of_fame=3, runoff_deals=1))
    list(run.generations())
    candidates = run.candidates()
    assert list(run.hall.members) == [1, 2, 3]
    for member in run.hall.members.values():
        assert any(np.array_equal(member, candidate) for candidate in candidates)
    met = list(run.measure(candidates[0] + 1.0).held_out)[len(run.references) :]
    assert met == ["hand-tuned", "shipped champion", "generation 1", "generation 2"], (
        "that of the last generation is no former one"
    )
    assert list(run.measure(run.hall.members[1]).held_out)[len(run.references) :] == [
        "hand-tuned",
        "shipped champion",
        "generation 2",
    ]


def test_a_game_that_ships_no_champion_has_its_hand_tuned_player_once(monkeypatch) -> None:
    monkeypatch.setattr("evolve.run.shipped_files", lambda _: {})
    run = Run(Settings("tictactoe"))
    assert run.former is run.hand_tuned is run.references["standard"]


def test_baseline_players_are_measured_even_where_they_are_no_references(monkeypatch) -> None:
    monkeypatch.setitem(vars(package_of(load_game("tictactoe"))), "references", ("standard",))
    run = Run(Settings("tictactoe"))
    assert list(run.references) == ["standard", "random"]
    assert run.baselines.keys() == {"random"}
    assert Run(Settings("kalah")).baselines.keys() == {"leftmost", "random"}


@pytest.mark.compiled
def test_a_run_that_has_stopped_trying_says_so() -> None:
    still = "ga:mutation=0,mutation_floor=0,immigrants=0"
    settings = Settings(
        rules="sheppard", strategy=still, generations=WINDOW, population=4, deals=1, opponent_deals=1, verdict_deals=2
    )
    seen = list(Run(settings).generations())
    assert [bool(progress.warnings) for progress in seen] == [False] * (WINDOW - 1) + [True]
    assert "differ by only 0.0% of their size" in seen[-1].warnings[0]


#: A run whose players learn from a few games of tic-tac-toe.
TAUGHT = Settings.of(
    "memetic:memory=2,temperature=100",
    game="tictactoe",
    generations=4,
    population=4,
    opponent_deals=2,
    lessons=6,
    rollouts=2,
    runoff_deals=1,
    held_out_deals=2,
    verdict_deals=4,
)


@pytest.fixture
def _few_games_to_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evolve.monitoring.WATCH_DEALS", 2)
    monkeypatch.setattr("evolve.monitoring.BASELINE_DEALS", 1)


@pytest.mark.slow
@pytest.mark.usefixtures("_few_games_to_watch")
def test_a_run_with_lessons_continues_as_if_it_had_not_stopped() -> None:
    whole = Run(TAUGHT)
    states = [whole.state() for _ in whole.generations()]
    unlike = Run(replace(TAUGHT, lessons=0))
    assert [unlike.state() for _ in unlike.generations()][-1]["breeder"]["means"] != states[-1]["breeder"]["means"]
    for stop in (1, 3):
        resumed = Run(TAUGHT, jobs=2, state=states[stop - 1])
        assert resumed.notes == ["it first takes the lessons of the generation before again"]
        assert [resumed.state() for _ in resumed.generations()][-1] == states[-1]


def test_a_share_of_the_games_polishes_the_winner_against_references_and_former_champions(monkeypatch) -> None:
    asked = []
    kept = Polish(Run(Settings.of(game="tictactoe")).rules.hand_tuned(), (), 0)
    monkeypatch.setattr("evolve.run.polish", lambda *arguments: asked.append(arguments[1:]) or kept)
    settings = Settings.of(game="tictactoe", population=4, hall_of_fame=2, polish_share=0.5)
    run = Run(settings)
    run.breeder.generation = 3
    winner = run.rules.hand_tuned()
    run.hall.members = {1: 2 * winner}
    run.polish([winner, 3 * winner])
    run.start_won = True
    run.polish([winner])
    (champion, field, games), (*_, none) = asked
    assert np.array_equal(champion.weights, winner)
    names = [player.name for player in field]
    assert names == ["standard", "newell-simon", "careful", "champion of generation 1"], "all references but 'random'"
    assert (games, none) == (3 * settings.games_a_generation(2) // 2, 0)


@pytest.mark.parametrize("loses", [False, True])
def test_a_polish_that_loses_to_the_winner_is_dropped(monkeypatch: pytest.MonkeyPatch, *, loses: bool) -> None:
    """What gains a little over each player of the field may lose much in the winner's place."""
    run = Run(Settings.of(**SHORT))
    winner = run.rules.hand_tuned()
    change = Change("take.centre", (1, 1), (2, 2), 0.1, 100)
    made = Polish(2 * winner, (change,), 900)
    monkeypatch.setattr("evolve.run.polish", lambda *_: made)
    met = []
    monkeypatch.setattr(
        "evolve.run.final.best_of",
        lambda _, one, others, *rest: met.append((one, others, rest)) or (others[0] if loses else one),
    )
    polished = run.polish([winner])
    [(one, [other], (_, first))] = met
    assert np.array_equal(one.weights, made.weights)
    assert np.array_equal(other.weights, winner)
    assert first > len(run.starters), "the deals on which the winner was chosen are others"
    assert (polished.changes, polished.games) == ((), 900) if loses else polished is made
    assert np.array_equal(polished.weights, winner if loses else 2 * winner)


def test_the_polished_champion_comes_first_and_the_one_before_it_is_second() -> None:
    run = Run(Settings.of(**SHORT))
    old = run.rules.hand_tuned()
    polished = Polish(2 * old, (Change("take.centre", (1, 1), (2, 2), 0.1, 100),), 900)
    outcome = run.outcome([old, 3 * old], run_off=True, polished=polished, measured=None)
    assert np.array_equal(outcome.finalists, [2 * old, old, 3 * old])
    same = run.outcome([old], run_off=True, polished=Polish(old, (), 900), measured=None)
    assert np.array_equal(same.finalists, [old])


def test_lessons_that_cannot_be_had_are_refused() -> None:
    with pytest.raises(UsageError, match="lessons: expected 0, not 9: the strategy 'cma-es' takes none"):
        Run(Settings.of("cma-es", lessons=9))
    with pytest.raises(UsageError, match="lessons: expected 0, not 9: players of the rule set 'sheppard'"):
        Run(Settings.of("memetic", rules="sheppard", lessons=9))
    without = Run(Settings.of("memetic", rules="sheppard"))
    assert without.learner is None
    why = "players of the rule set 'sheppard' do not simply take the best score"
    assert without.notes == [f"the run takes no lessons: {why}"]
    assert Run(Settings.of()).learner is not None


SHORT = {
    "game": "tictactoe",
    "generations": 2,
    "population": 4,
    "opponent_deals": 2,
    "runoff_deals": 1,
    "held_out_deals": 4,
    "verdict_deals": 4,
}


@pytest.fixture
def start(tmp_path: Path) -> str:
    path = tmp_path / "start.yaml"
    rules = load_rules(game=load_game("tictactoe"))
    first, second = rules.hand_tuned(), rules.hand_tuned()
    first[:, 0] *= 2
    second[:, 1] += 0.00004
    players = {"first": Entry(first), "second": Entry(second)}
    path.write_text(population_text(Population(rules.game, rules, players)))
    return str(path)


@pytest.mark.slow
@pytest.mark.usefixtures("_few_games_to_watch")
def test_a_run_from_a_file_takes_the_files_players_into_its_run_off_its_report_and_its_verdict(start: str) -> None:
    run = Run(Settings.of(**SHORT, start=start))
    first, second = start, f"second of {start}"
    assert list(run.starters) == [first, second]
    list(run.generations())
    candidates = run.candidates()
    for player in run.starters.values():
        assert any(np.array_equal(player.weights, candidate) for candidate in candidates)
    bred = next(c for c in candidates if not any(np.array_equal(c, p.weights) for p in run.starters.values()))
    measured = run.measure(bred)
    generations = [f"generation {number}" for number in run.hall.members if number < SHORT["generations"]]
    assert list(measured.held_out) == [*run.references, first, second, "shipped champion", *generations]
    assert measured.on_start is not None
    assert (measured.on_start.former, measured.on_start.games) == (first, 8)
    assert measured.verdict.former == "champion"
    assert measured.training is not None
    unbred = run.measure(run.starters[first].weights)
    assert unbred.training is None, "that was another player"
    assert list(unbred.held_out)[: len(run.references) + 2] == [*run.references, second, "shipped champion"]
    assert unbred.on_start is not None
    assert unbred.on_start.sentence == f"the champion is its start, '{first}'"
    rating = population_of(run.outcome([bred], run_off=True, measured=measured)).players["champion"].rating
    assert rating is not None
    assert (rating["start"], rating["start_verdict"]) == (first, measured.on_start.says)


@pytest.mark.slow
@pytest.mark.usefixtures("_few_games_to_watch")
def test_a_resumed_run_knows_the_players_that_it_began_from_even_where_the_file_is_gone(start: str) -> None:
    settings = Settings.of(**SHORT, start=start)
    whole = Run(settings)
    states = [json.loads(json.dumps(whole.state())) for _ in whole.generations()]
    Path(start).unlink()
    resumed = Run(settings, state=states[0])
    assert [resumed.state() for _ in resumed.generations()] == states[1:]
    assert text_of(resumed.finish()) == text_of(whole.finish())


def test_one_player_of_a_file_keeps_the_name_it_was_given(start: str) -> None:
    run = Run(Settings.of(**SHORT, start=f"{start}#second"))
    assert list(run.starters) == [f"{start}#second"]
    assert Run(Settings.of(**SHORT)).starters == {}


def test_a_large_file_sends_its_first_players_into_the_run_off_and_says_so(tmp_path: Path) -> None:
    rules = load_rules(game=load_game("tictactoe"))
    players = {f"p{number}": Entry(rules.hand_tuned() * (1 + number)) for number in range(MOST_STARTERS + 3)}
    path = tmp_path / "many.yaml"
    path.write_text(population_text(Population(rules.game, rules, players)))
    run = Run(Settings.of(**SHORT, start=str(path)))
    assert len(run.starters) == MOST_STARTERS
    assert (
        f"the first {MOST_STARTERS} of the {MOST_STARTERS + 3} players of {path} take part in the run-off" in run.notes
    )


@pytest.mark.slow
@pytest.mark.parametrize("started", [False, True])
def test_the_first_player_is_never_worse_than_what_the_run_began_from(
    started: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load_game("tictactoe")
    rules = load_rules(game=game)
    good, bad = rounded(rules.hand_tuned()), -rounded(rules.hand_tuned())
    start = tmp_path / "good.yaml"
    start.write_text(population_text(Population(game, rules, {"good": Entry(1.5 * good)})))
    settings = Settings(
        game="tictactoe",
        population=4,
        generations=1,
        opponent_deals=1,
        runoff_deals=1,
        held_out_deals=2,
        verdict_deals=20,
        start=str(start) if started else "",
    )
    run = Run(settings)
    monkeypatch.setattr(run, "candidates", lambda: [bad, *([rounded(1.5 * good)] if started else [])])
    monkeypatch.setattr(final, "run_off", lambda *_: [0, 1] if started else [0])
    first, *others = run.run_off()
    assert np.array_equal(np.sign(first), np.sign(good))
    assert any(np.array_equal(weights, bad) for weights in others)
    assert run.start_won
    monkeypatch.setattr(run, "candidates", lambda: [good, bad])
    monkeypatch.setattr(final, "run_off", lambda *_: [0, 1])
    assert np.array_equal(run.run_off()[0], good)
    assert not run.start_won
    outcome = run.outcome([first], run_off=True, measured=None)
    assert outcome.kept in ("standard", str(start))
    said = f"no better than before the run: the file holds '{outcome.kept}', as no bred player did better"
    assert outcome.verdicts == [said]
    assert outcome.trend == "more generations, another seed or another strategy may gain"
    assert run.outcome([first], run_off=False, measured=None).kept == "", "that is not known before the run-off"
    assert run.outcome([bad], run_off=True, measured=None).kept == ""
    run.hall.members[1] = bad
    assert run.outcome([bad], run_off=True, measured=None).bred_in == 1
