"""Lessons: what playing on after each move comes to, and what a player learns from it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hidden_cards import DEALT_ANEW
from recorded import recorded

from evolve.evaluation.fitness import studying
from evolve.lessons.policy_gradient import Learner, add_slopes
from evolve.run import Run
from evolve.settings import Settings
from evolve.workers import Workers, workers_of
from rulebots.game import Game, load_game, records
from rulebots.errors import UsageError
from rulebots.registry import game_names
from rulebots.kernel import compiling
from evolve.lessons.rollouts import Lessons, Teaching, lessons_of, obstacle
from rulebots.play.loop import law_of
from rulebots.play.deals import draw_deals
from rulebots.play.match import play_games
from rulebots.players import Player, RandomPlayer, RulePlayer
from rulebots.players.names import make_player
from rulebots.rules import RuleSet
from rulebots.rules.scoring import features_of, scorer

ALL = Teaching(within=np.inf, samples=1, margin=0.0, cap=100)
every_game = pytest.mark.parametrize("game", [load_game(name) for name in game_names()], ids=lambda game: game.name)
#: A run whose pupils learn from a few games of tic-tac-toe.
TAUGHT = Settings.of(
    "memetic:memory=2,temperature=100",
    game="tictactoe",
    generations=4,
    population=4,
    opponent_deals=2,
    lessons=6,
    samples=2,
    runoff_deals=1,
    held_out_deals=2,
    verdict_deals=4,
)


def alternating(games: int) -> np.ndarray:
    """Everyone a deal of his own: the pupil, player 0, begins every other game."""
    return np.array([(i, i % 2, 1 - i % 2) for i in range(games)])


def hand_tuned(game: Game) -> RulePlayer:
    rules = game.rule_set()
    return RulePlayer(rules, rules.hand_tuned(), "pupil")


def same(first: Lessons, second: Lessons) -> bool:
    return all(np.array_equal(getattr(first, name), getattr(second, name)) for name in vars(first))


@every_game
def test_what_is_dealt_anew_is_only_what_the_mover_cannot_know(game: Game) -> None:
    if not game.hidden:
        assert game.redeal is None
        return
    assert game.redeal is not None, f"{game.name} hides something: nobody can learn it from lessons"
    law, luck, differs = law_of(game), 12345, 0
    for number in range(4):
        record = recorded(draw_deals(game, 4, 8), number)
        for state in record.states[: record.plies]:
            other = records(game.state, 1)
            other[0] = state
            luck = game.redeal(other[0], luck)
            differs += other[0].tobytes() != state.tobytes()
            views = game.new_view(), game.new_view()
            law.observe(state, views[0])
            law.observe(other[0], views[1])
            assert views[0].tobytes() == views[1].tobytes()
    assert differs > 100


def test_all_unknown_cards_are_as_likely_to_be_the_opponents(lost_cities: Game) -> None:
    record = recorded(draw_deals(lost_cities, 1, 3), 0)
    state = next(s for s in record.states if s.known[1 - int(s.mover)].any() and s.deck_left > 10)
    opp, luck, trials = 1 - int(state.mover), 99, 400
    seats: list[Counter[int]] = [Counter(), Counter()]
    for trial in range(trials):
        kernel_made = records(lost_cities.state, 1)
        kernel_made[0] = state
        assert lost_cities.redeal is not None
        luck = lost_cities.redeal(kernel_made[0], luck)
        for seat, made in zip(seats, (kernel_made[0], oracles(state, trial)), strict=True):
            hand = made.hand[opp, : made.hand_size[opp]].tolist()
            assert hand == sorted(hand)
            cards = sorted([*hand, *made.deck[: made.deck_left].tolist()])
            before = [*state.hand[opp, : state.hand_size[opp]].tolist(), *state.deck[: state.deck_left].tolist()]
            assert cards == sorted(before)
            seat.update(hand)
    assert set(seats[0]) == set(seats[1])
    # Six standard deviations of the difference of two counts.
    assert max(abs(seats[0][card] - seats[1][card]) for card in seats[0]) < 6 * np.sqrt(2 * trials / 4)


def oracles(state: Any, seed: int) -> Any:
    return DEALT_ANEW["lost-cities"](state, np.random.default_rng(seed))


@every_game
def test_features_are_what_scores_are_made_of(game: Game) -> None:
    record = recorded(draw_deals(game, 2, 5), 1)
    rules = game.rule_set()
    look, score, weights = features_of(rules), scorer(rules), rules.hand_tuned()
    for ply in range(0, record.plies, 7):
        view, moves = record.views[ply], np.array(record.legal[ply])
        n = len(moves)
        found, scores = np.zeros((n, len(rules.rules))), np.zeros(n)
        late = look(view, moves, n, found)
        score(view, moves, n, weights, np.zeros(len(rules.rules)), scores)
        assert 0.0 <= late <= 1.0
        assert found @ ((1 - late) * weights[0] + late * weights[1]) == pytest.approx(scores)


def test_a_kind_of_move_without_rules_has_no_features(lost_cities: Game) -> None:
    some = [r for r in lost_cities.rule_set("shelly").rules if r.group == "keep"]
    record, look = recorded(draw_deals(lost_cities, 2, 5), 1), features_of(RuleSet("few", lost_cities, tuple(some)))
    draw = np.array(record.legal[1])
    found = np.zeros((len(draw), len(some)))
    look(record.views[1], draw, len(draw), found)
    assert not found.any()


def test_a_game_hidden_or_not_gives_one_lesson_whoever_takes_it(lost_cities: Game) -> None:
    pupil = RulePlayer(lost_cities.rule_set(), lost_cities.rule_set().hand_tuned(), "pupil")
    others: list[Player] = [make_player("dumb", lost_cities)]
    games = 6 if compiling() else 2
    deals, schedule = draw_deals(lost_cities, games, 4), alternating(games)
    teaching = replace(ALL, samples=2, margin=0.003)
    whole = lessons_of([pupil, *others], deals, schedule, teaching)
    pieces = [lessons_of([pupil, *others], deals, schedule[i : i + 1], teaching) for i in range(games)]
    assert len(whole) == games
    assert (whole.counts > 1).all()
    assert whole.features.shape == (whole.counts.sum(), len(pupil.rules.rules))
    assert np.array_equal(whole.worth, np.concatenate([piece.worth for piece in pieces]))
    assert np.array_equal(whole.features, np.concatenate([piece.features for piece in pieces]))
    assert np.ptp(whole.worth) > 0


def test_a_moves_worth_is_how_the_game_ends_after_it() -> None:
    game = load_game("tictactoe")
    pupil, other = hand_tuned(game), make_player("perfect", game)
    deals, schedule = draw_deals(game, 20, 6, opening_plies=3), alternating(20)
    lessons = lessons_of([pupil, other], deals, schedule, ALL)
    points = play_games([pupil, other], deals, schedule).points
    mine = np.arange(20) % 2
    came_to = np.sign(points[np.arange(20), mine] - points[np.arange(20), 1 - mine]) / 2 + 0.5
    first, differs = np.cumsum(lessons.counts) - lessons.counts, 0.0
    # Nothing is hidden and nobody throws dice: the pupil's own move is worth what its own game came to.
    for start, count, late, end in zip(first, lessons.counts, lessons.late, came_to, strict=True):
        rows = slice(start, start + count)
        scores = lessons.features[rows] @ ((1 - late) * pupil.weights[0] + late * pupil.weights[1])
        own = np.flatnonzero(scores > scores.max() - 1e-3)[0]
        assert lessons.worth[rows][own] == end
        differs += np.ptp(lessons.worth[rows])
    assert differs > 0


def test_only_contenders_are_played_out(lost_cities: Game) -> None:
    pupil = hand_tuned(lost_cities)
    games = 12 if compiling() else 3
    deals, schedule = draw_deals(lost_cities, games, 4), alternating(games)
    lessons = lessons_of([pupil, make_player("dumb", lost_cities)], deals, schedule, replace(ALL, within=0.5))
    assert 0 < len(lessons) <= games
    assert (lessons.counts > 1).all()
    first = np.cumsum(lessons.counts) - lessons.counts
    for start, count, late in zip(first, lessons.counts, lessons.late, strict=True):
        scores = lessons.features[start : start + count] @ ((1 - late) * pupil.weights[0] + late * pupil.weights[1])
        assert np.ptp(scores) < 0.5 + 1e-5
    every = lessons_of([pupil, make_player("dumb", lost_cities)], deals, schedule, ALL)
    assert every.counts.sum() > lessons.counts.sum()


def test_margins_count_up_to_their_cap_and_stalled_games_for_nothing() -> None:
    teaching = replace(ALL, margin=0.01, cap=20)
    ends = teaching.worth(np.array([30, -30, 0, 5, 30]), np.array([False, False, False, False, True]))
    assert ends == pytest.approx([1.2, -0.2, 0.5, 1.05, 0.0])


def test_who_does_not_take_the_best_score_takes_no_lessons(lost_cities: Game) -> None:
    deals = draw_deals(lost_cities, 2, 1)
    sheppard, random = make_player("sheppard", lost_cities), RandomPlayer(lost_cities)
    assert obstacle(lost_cities.rule_set("standard")) is None
    with pytest.raises(UsageError, match="'sheppard' do not simply take the best score"):
        lessons_of([sheppard, random], deals, alternating(2), ALL)
    with pytest.raises(UsageError, match="does not play by rules"):
        lessons_of([random, sheppard], deals, alternating(2), ALL)
    blind = replace(lost_cities.rule_set("standard"), game=replace(lost_cities, redeal=None))
    assert obstacle(blind) == "lost-cities hides something and does not say how to deal it anew"


def some_lessons(decisions: int, rules: int, seed: int = 1) -> Lessons:
    """Moves of which those are worth more that show more of the first rule, early, and of the second, late."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(2, 6, decisions)
    shown, late = rng.standard_normal((counts.sum(), rules)), rng.random(decisions)
    t = np.repeat(late, counts)
    worth = (1 - t) * shown[:, 0] + t * shown[:, 1] + rng.standard_normal(len(t))
    return Lessons(counts, late, shown.astype(np.float32), worth)


@pytest.mark.parametrize("flat", [False, True])
def test_a_slope_is_that_of_the_expected_worth(flat: bool) -> None:
    lessons = some_lessons(5, 3)
    genes = np.random.default_rng(2).standard_normal(3 if flat else 6)
    first, temperature, step = np.cumsum(lessons.counts) - lessons.counts, 0.7, 1e-5

    def expected(genes: np.ndarray) -> float:
        total = 0.0
        for start, count, late in zip(first, lessons.counts, lessons.late, strict=True):
            rows = slice(start, start + count)
            weights = genes if flat else (1 - late) * genes[:3] + late * genes[3:]
            chance = np.exp(lessons.features[rows] @ weights / temperature)
            total += chance @ lessons.worth[rows] / chance.sum()
        return total

    slope = np.zeros(len(genes))
    add_slopes(lessons.features, lessons.worth, lessons.counts, lessons.late, genes, temperature, slope)
    ways = np.eye(len(genes)) * step
    by_hand = [(expected(genes + way) - expected(genes - way)) / (2 * step) for way in ways]
    assert slope.tolist() == pytest.approx(by_hand, rel=1e-5, abs=1e-5)


def test_a_learner_finds_the_rules_that_tell_good_moves() -> None:
    learner, genes = Learner(6), np.zeros(6)
    for generation in range(20):
        lessons = [some_lessons(60, 3, seed=generation)]
        genes = learner.learn(genes, lessons, 3, 0.05, 1.0, np.random.default_rng(generation))
    early, late = genes[:3], genes[3:]
    assert early[0] > 0.5 > 2 * abs(early[2])
    assert late[1] > 0.5 > 2 * abs(late[2])
    assert early[0] > early[1]
    assert late[1] > late[0]


def test_lessons_are_shared_out_among_opponents_and_itself() -> None:
    schedule = studying(40, 2, 0.25)
    assert schedule[:, 0].tolist() == list(range(40))
    whom = schedule[:, 1:].sum(axis=1)  # the pupil is 0
    assert [(whom == n).sum() for n in (1, 2, 3)] == [16, 14, 10]
    assert (schedule[::2, 1] == 0).all()
    assert (schedule[1::2, 2] == 0).all()
    assert (whom[::2] == whom[1::2]).all()
    assert set(studying(6, 2, 0.0)[:, 1:].sum(axis=1)) == {1, 2}
    assert set(studying(6, 2, 1.0)[:, 1:].sum(axis=1)) == {3}
    assert set(studying(6, 0, 0.25)[:, 1:].sum(axis=1)) == {1}


@pytest.fixture
def _few_games_to_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evolve.monitoring.metrics.WATCH_DEALS", 2)
    monkeypatch.setattr("evolve.monitoring.metrics.NULL_DEALS", 1)


@pytest.mark.usefixtures("_few_games_to_watch")
def test_a_taught_run_goes_on_as_if_it_had_not_stopped() -> None:
    whole = Run(TAUGHT)
    states = [whole.state() for _ in whole.generations()]
    unlike = Run(replace(TAUGHT, lessons=0))
    assert [unlike.state() for _ in unlike.generations()][-1]["breeder"]["means"] != states[-1]["breeder"]["means"]
    for stop in (1, 3):
        resumed = Run(TAUGHT, jobs=2, state=states[stop - 1])
        assert resumed.notes == [f"first it takes the lessons of the last {min(stop, 2)} generations again"]
        assert [resumed.state() for _ in resumed.generations()][-1] == states[-1]


@pytest.mark.skipif(not compiling(), reason="processes play compiled")
def test_other_processes_give_the_same_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("tictactoe")
    arena = Run(TAUGHT).arena
    deals = arena.deals(9, 1)
    players: list[Player] = [hand_tuned(game), make_player(game.references[0], game), hand_tuned(game)]
    here = arena.lessons(players, deals, np.inf, 0.5)
    with workers_of("loky", 2) as there:
        arena.workers = there
        assert same(arena.lessons(players, deals, np.inf, 0.5), here)
    arena.workers = Workers(2)
    assert same(arena.lessons(players, deals, np.inf, 0.5), here)
    monkeypatch.setattr("evolve.workers.PLAYOUTS_AT_ONCE", 1)
    assert same(arena.lessons(players, deals, np.inf, 0.5), here)


def test_lessons_that_cannot_be_had_are_refused() -> None:
    with pytest.raises(UsageError, match="lessons: expected 0, not 9, for the strategy 'es' takes none"):
        Run(Settings.of("es", lessons=9))
    with pytest.raises(UsageError, match="lessons: expected 0, not 9, for players of the rule set 'sheppard'"):
        Run(Settings.of("memetic", rules="sheppard", lessons=9))
    assert Settings.of(rules="sheppard").strategy == "ga"
    without = Run(Settings.of("memetic", rules="sheppard"))
    assert not without.taught
    why = "players of the rule set 'sheppard' do not simply take the best score"
    assert without.notes == [f"nobody takes lessons, for {why}"]
    assert Run(Settings.of()).taught
