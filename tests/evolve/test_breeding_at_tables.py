"""Runs at tables of more than two, in teams, and alone: everything that a run does, it does there."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import goofspiel
import numpy as np
import pytest

from evolve import Run, Settings
from evolve.evaluation.fitness import tally, team_tally
from evolve.lessons.rollouts import LessonSettings
from evolve.schedules import ITSELF, against, all_pairs, companions, draw_tables, in_every_seat, lesson_schedule, teams
from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.packages import load_game
from rulebots.play.results import no_games
from rulebots.rules import RuleSet

PACKAGE_FILE = """from goofspiel import {game} as game, {rules} as rules
from rulebots.packages import GamePackage
from rulebots.players import RulePlayer

package = GamePackage(
    __name__,
    game=game,
    rule_sets=(rules,),
    players={{"hand": lambda: RulePlayer(rules, rules.hand_tuned(), "hand")}},
    references=("hand", "random"),
)
"""


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The folders of the game for each and of the one for all."""
    found = {}
    for game, rules, name in (("game", "simple", "bids"), ("together", "as_a_team", "bids_together")):
        folder: Path = tmp_path_factory.mktemp("games") / name
        folder.mkdir()
        (folder / "__init__.py").write_text(PACKAGE_FILE.format(game=game, rules=rules))
        (folder / "game.py").touch()
        found[game] = str(folder)
    return found


def few(place: str, seats: int, **more: object) -> Settings:
    options = {"seats": seats, "cards": 4}
    small = {"generations": 3, "population": 8, "opponent_deals": 6, "runoff_deals": 4, "held_out_deals": 40}
    return Settings.of(game=place, options=options, **{**small, "verdict_deals": 40, **more})


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_everybody_of_a_population_sits_in_every_seat_equally_often(seats: int) -> None:
    schedule = in_every_seat(draw_tables(12, seats, 10, np.random.default_rng(1)), 2, seats)
    for seat in range(seats):
        counts = Counter(schedule[:, 1 + seat].tolist())
        assert set(counts) == set(range(12))
        assert max(counts.values()) - min(counts.values()) <= 2
    assert all(len(set(table)) == seats for table in schedule[:, 1:].tolist())
    met = Counter(frozenset((a, b)) for table in schedule[:, 1:].tolist() for a in table for b in table if a < b)
    assert len(met) > 60  # of 66 pairs


@pytest.mark.parametrize(("players", "seats"), [(7, 5), (10, 4), (16, 3), (4, 4)])
def test_everybody_sits_once_a_round_where_the_tables_are_not_even(players: int, seats: int) -> None:
    schedule = in_every_seat(draw_tables(players, seats, 1, np.random.default_rng(1)), 1, seats)
    games = Counter(schedule[:, 1:].ravel().tolist())
    assert set(games) == set(range(players))
    assert set(games.values()) <= {seats, 2 * seats}
    settings = Settings(game="cant-stop", population=players, deals=1, opponents=(), hall_of_fame=0)
    assert settings.games_a_generation(seats) == len(schedule)


def test_a_population_that_fills_no_table_is_refused() -> None:
    with pytest.raises(UsageError, match="population: a table of 5 needs at least 5 players, not 4; or say --schedule"):
        Run(few("goofspiel:game", 5, population=4))
    assert Run(few("goofspiel:game", 5, population=4, schedule="gauntlet", opponents=("hand-tuned",))).arena.seats == 5


def test_schedules_of_pairs_seat_one_among_copies_of_the_other() -> None:
    assert against(1, 1, 1, 3)[:, 1:].tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    both = all_pairs(2, 1, 3)[:, 1:].tolist()
    assert both == [[0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert teams(2, companions(2, 3, 0, 0.5), 2).tolist() == [[0, 0, 0, 0], [0, 1, 1, 1], [1, 0, 0, 0], [1, 1, 1, 1]]
    lessons = lesson_schedule(6, 1, 0.5, 3)
    assert lessons[:, 1:].tolist()[:3] == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    assert lessons[:, 1:].tolist()[3:] == [[0, 2, 2], [2, 0, 2], [2, 2, 0]]


def test_a_tally_of_tables_shares_the_first_place() -> None:
    games = no_games(goofspiel.game, 3, seats=3)
    games.points[:] = [(6, 3, 0), (4, 4, 1), (2, 2, 2)]
    games.stalled[2] = True
    found = tally(np.array([[0, 0, 1, 2], [0, 1, 2, 0], [0, 2, 0, 1]]), games, 3)
    assert found.wins.tolist() == [1, 0.5, 0.5]
    assert found.games.tolist() == [3, 3, 3]
    assert found.margin.tolist() == [4.5 - 3, 0 + 1.5, -4.5 + 1.5]
    assert found.stalled.tolist() == [1, 1, 1]


def test_a_team_wins_a_deal_with_more_points_than_the_others_make_of_it() -> None:
    games = no_games(goofspiel.together, 6, seats=3)
    games.points[:] = np.array([5, 7, 5, 9, 7, 2])[:, None]
    found = team_tally(teams(3, companions(2, 3, 0, 0.5), 3), games, 2)  # the third is the opponent: 5 and 2
    assert found.points.tolist() == [14, 14]
    assert found.wins.tolist() == [1, 2]
    assert found.draws.tolist() == [1, 0]


def test_partners_sit_beside_a_player_on_their_share_of_the_deals() -> None:
    company = companions(240, 3, 2, 0.5)
    mixed = company[(company != ITSELF).any(axis=1)]
    assert len(mixed) == 120
    for partner in (0, 1):
        tables = Counter(map(tuple, mixed[(mixed == partner).any(axis=1)].tolist()))
        alone, among = (-1, partner, partner), (partner, -1, -1)
        assert len(tables) == 6
        assert set(tables.values()) == {10}
        assert tables[alone] == tables[among] == 10
    assert companions(3, 2, 1, 0.99).tolist() == [[-1, -1], [-1, 0], [0, -1]]
    assert teams(2, companions(3, 2, 1, 0.99), 5)[2:, 1:].tolist() == [[0, 5], [1, 5], [5, 0], [5, 1]]


def test_returns_at_tables() -> None:
    settings = LessonSettings(0.5, 8, 0.01, 100)
    points, seat = np.array([[6, 3, 0], [4, 4, 1]]), np.array([0, 0])
    going = np.zeros(2, np.bool_)
    assert settings.returns(goofspiel.game, points, seat, going).tolist() == [1 + 0.045, 0.5 + 0.015]
    assert settings.returns(goofspiel.together, points, seat, going).tolist() == [6, 4]
    in_points = replace(goofspiel.game, counts="points")
    assert replace(settings, margin_cap=1).returns(in_points, points, seat + 1, going).tolist() == [3, 4]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "seats"), [("game", 3), ("game", 4), ("together", 2), ("together", 3)])
@pytest.mark.parametrize("strategy", ["memetic", "ga"])
def test_a_run_goes_on_where_it_was_stopped(places: dict[str, str], kind: str, seats: int, strategy: str) -> None:
    partners = ("hand", "random") if (kind, seats) == ("together", 3) else ()
    settings = few(places[kind], seats, strategy=strategy, hall_of_fame=2, partners=partners, **_lessons(strategy))
    whole = Run(settings)
    states = [json.loads(json.dumps(whole.state())) for _ in whole.generations()]
    resumed = Run(settings, state=states[0])
    assert [json.loads(json.dumps(resumed.state())) for _ in resumed.generations()] == states[1:]
    outcome = whole.finish()
    assert outcome.measured is not None
    assert ("with random" in outcome.measured.held_out) == ("with hand" in outcome.measured.held_out) == bool(partners)
    result = outcome.measured.held_out["hand"]
    assert result.deals == 40
    assert (result.table is None) == (seats == 2 and kind == "game")
    assert outcome.measured.verdict.deals <= 40


def _lessons(strategy: str) -> dict[str, int]:
    return {"lessons": 12, "rollouts": 4} if strategy == "memetic" else {}


def test_partners_are_for_games_for_all_together(places: dict[str, str]) -> None:
    with pytest.raises(
        UsageError, match="partners: Goofspiel is played against each other; they are for games for all"
    ):
        Run(few(places["game"], 3, partners=("random",)))
    with pytest.raises(UsageError, match=r"no player 'hant' of .*; did you mean 'hand'"):
        Run(few(places["together"], 3, partners=("hant",)))
    with pytest.raises(UsageError, match="partners: expected names of players"):
        few(places["together"], 3, partners="hand")
    state = Run(few(places["together"], 3, partners=("hand",))).state()
    state["opponents"]["hand"] = "another"
    with pytest.raises(UsageError, match="'hand' is not the player that it was when the run began"):
        Run(few(places["together"], 3, partners=("hand",)), state=json.loads(json.dumps(state)))


@pytest.mark.slow
def test_a_team_that_is_bred_makes_more_points(places: dict[str, str]) -> None:
    game: Game = load_game(places["together"])
    rules: RuleSet = goofspiel.as_a_team
    assert game is rules.game
    settings = few(places["together"], 3, strategy="ga", generations=8, population=16, opponent_deals=30, start="")
    outcome = Run(settings).breed()
    assert outcome.measured is not None
    assert outcome.measured.held_out["hand"].margin > 0.5
