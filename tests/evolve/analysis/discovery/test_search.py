"""The search: where lessons are worthless, nothing passes."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from evolve.analysis.discovery import Discovery, DiscoverySettings, programs
from evolve.analysis.discovery import search as search_module
from evolve.analysis.discovery.evidence import raw_values, shuffled
from evolve.analysis.discovery.search import Steps
from evolve.lessons.rollouts import Lessons
from rulebots.errors import UsageError
from rulebots.games.tictactoe.game import WIDTH
from rulebots.players import RulePlayer
from rulebots.players.names import make_player
from rulebots.registry import load_game, parts_of
from rulebots.rules import RuleSet, rule

TICTACTOE = load_game("tictactoe")


@rule("put", early=0.05)
def middle_row(view, point):
    """It is in the middle row."""
    return point // WIDTH == 2


@rule("put", early=0.05)
def middle_column(view, point):
    """It is in the middle column."""
    return point % WIDTH == 2


LINES_ONLY = RuleSet("lines-only", TICTACTOE, (middle_row, middle_column))


@pytest.fixture(autouse=True)
def few_programs(monkeypatch) -> None:
    monkeypatch.setattr(programs, "POPULATION", 10)
    monkeypatch.setattr(programs, "GENERATIONS", 2)


@pytest.fixture(scope="module")
def search() -> Discovery:
    player = RulePlayer(LINES_ONLY, LINES_ONLY.hand_tuned(), "lines")
    made = Discovery(player, DiscoverySettings(lessons=80, rollouts=1, deals=500), seed=3)
    assert made.candidates() == 1
    return made


def of_game(name: str) -> RulePlayer:
    player = make_player(name, TICTACTOE)
    assert isinstance(player, RulePlayer)
    return player


@pytest.mark.slow
def test_on_shuffled_lessons_nothing_passes(search: Discovery) -> None:
    for seed in range(8):
        again = copy.copy(search)
        again.passed = []
        again.lessons = shuffled(search.lessons, np.random.default_rng(seed))
        assert list(again.screen()) == []


def test_raw_values_are_those_of_the_rules_without_the_mix() -> None:
    rules = parts_of(load_game("lost-cities")).rule_set()
    moves = np.array([0, 5, 70, rules.game.move_count - 1])
    of_kind = [rules.mixes[int(rules.game.kind(int(move)))].mix for move in moves]
    features = np.array([[2.0 * mix.get(r.group, 0.0) for r in rules.rules] for mix in of_kind], np.float32)
    lessons = Lessons(np.array([2, 2]), np.zeros(2), features, np.zeros(4), moves)
    values, shares = raw_values(rules, lessons)
    for r in rules.rules:
        counted = np.array([mix.get(r.group, 0.0) for mix in of_kind])
        assert np.array_equal(shares[r.group], counted.astype(np.float32))
        assert np.array_equal(values[r.key], np.where(counted != 0, 2.0, 0.0))


def test_who_does_not_take_the_best_score_takes_no_lessons() -> None:
    sheppard = make_player("sheppard", load_game("lost-cities"))
    assert isinstance(sheppard, RulePlayer)
    if sheppard.rules.decide is None:
        pytest.skip("it does")
    with pytest.raises(UsageError, match="no lessons for 'sheppard'"):
        Discovery(sheppard)


@pytest.mark.slow
def test_a_search_that_was_stopped_goes_on_where_it_was(monkeypatch) -> None:
    player = RulePlayer(LINES_ONLY, LINES_ONLY.hand_tuned(), "lines")
    settings = DiscoverySettings(lessons=80, rounds=2, rollouts=1, deals=20, risk=0.5, most=1)
    monkeypatch.setattr(search_module, "DECIDING_DEALS", 10)

    def done(keep: bool) -> tuple[object, ...]:
        search = Discovery(player, settings, seed=3, keep=keep)
        assert search.candidates() == 1
        passed = [(found.expression.name, found.p) for found in search.screen()]
        verdicts = [trial.verdict for trial in search.trials()]
        return search, passed, verdicts, search.measured(20).weights.tolist()

    Discovery(player, settings, seed=3, keep=True).steps.forget()  # of a test that failed
    first, *found = done(keep=True)
    assert not first.steps.begun

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("it is done once more")

    for module, name in ((search_module, "take_lessons"), (search_module, "verdict")):
        monkeypatch.setattr(module, name, refuse)
    again, *same = done(keep=True)
    assert again.steps.begun
    assert same == found
    again.steps.forget()
    assert not again.steps.folder.exists()


def test_a_step_is_done_once_for_an_identity() -> None:
    done: list[int] = []

    def work() -> int:
        done.append(1)
        return len(done)

    steps = Steps(("a search", 1))
    assert not steps.begun
    assert [steps("one", work), steps("one", work), steps("two", work)] == [1, 1, 2]
    again = Steps(("a search", 1))
    assert again.begun
    assert again("one", work) == 1
    assert Steps(("a search", 2))("one", work) == 3
    again.forget()
    assert Steps(("a search", 1))("one", work) == 4
    for number in (1, 2):
        Steps(("a search", number)).forget()


def test_a_damaged_step_is_done_again(recwarn) -> None:
    steps = Steps("damaged")
    assert steps("one", lambda: 1) == 1
    for path in steps.folder.rglob("output.pkl"):
        path.write_bytes(path.read_bytes()[:5])
    assert Steps("damaged")("one", lambda: 2) == 2
    steps.forget()


def test_without_an_identity_nothing_is_kept() -> None:
    steps = Steps()
    assert (steps.folder, steps.begun) == (None, False)
    assert [steps("one", lambda: 1), steps("one", lambda: 2)] == [1, 2]
    steps.forget()
