"""Tasks of plain data."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evolve.schedules import TRAINING, DealSource, all_pairs
from evolve.workers import Workers
from evolve.workers.processes import BACKENDS, Processes, Reference, do, reference_to, tasks_of
from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.packages import load_game
from rulebots.packages.players import content_hash, make_player
from rulebots.packages.rule_sets import load_rules
from rulebots.play.match import play_games
from rulebots.play.results import Games
from rulebots.players import Player, RandomPlayer, RulePlayer
from rulebots.rules import rule

DEALS = DealSource(20, (3, TRAINING, 0))


@pytest.fixture
def players(lost_cities: Game) -> list[Player]:
    rules = load_rules("sheppard", lost_cities)
    return [*(RulePlayer(rules, rules.hand_tuned() * k, f"p{k}") for k in (1, 2, -1)), RandomPlayer(lost_cities)]


@pytest.fixture
def expected(lost_cities: Game, players: list[Player]) -> Games:
    return play_games(players, DEALS.draw(lost_cities), all_pairs(4, DEALS.count))


@pytest.mark.slow
def test_a_schedule_in_pieces_is_the_same_games(lost_cities: Game, players: list[Player], expected: Games) -> None:
    pieces = tasks_of(lost_cities, players, DEALS, all_pairs(4, DEALS.count), 7)
    assert len(pieces) == 7
    points = np.concatenate([do(play_games, piece).points for piece in pieces])
    assert np.array_equal(points, expected.points)


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_empty_schedule_needs_no_process(lost_cities: Game, players: list[Player], backend: str) -> None:
    workers = Workers() if backend == "threads" else Processes(backend, 2)
    nothing = np.zeros((0, 3), np.int64)
    assert len(workers.play(lost_cities, players, DEALS, nothing)) == 0
    assert len(workers.map(play_games, lost_cities, players, DEALS, nothing, 9)) == 0


@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5])
def test_a_piece_has_every_seat_of_its_tables(lost_cities: Game, players: list[Player], seats: int) -> None:
    schedule = np.column_stack([np.arange(9) // 3, np.random.default_rng(seats).integers(0, 3, (9, seats))])
    pieces = tasks_of(lost_cities, players, DEALS, schedule, 4)
    sat = [[game[0], *(piece.players[i] for i in game[1:])] for piece in pieces for game in piece.schedule]
    whole = tasks_of(lost_cities, players[:3], DEALS, np.array([[0, 0, 1, 2]]), 1)[0].players
    assert [[game[0], *(whole[i] for i in game[1:])] for game in schedule] == sat


@rule("play", early=0.5)
def odd(view, item):
    """A rule of this test only."""
    return item % 2


def test_rules_that_another_process_could_not_import_are_refused_at_once(lost_cities: Game) -> None:
    mine = load_rules("sheppard", lost_cities).extended("mine", [odd])
    player = RulePlayer(mine, mine.hand_tuned())
    with pytest.raises(UsageError, match="cannot import the rule set 'mine': make it a name of a module"):
        tasks_of(lost_cities, [player], DEALS, all_pairs(2, 1), 1)


def test_a_worker_with_other_rules_says_so(lost_cities: Game) -> None:
    reference = reference_to(load_rules("sheppard", lost_cities))
    assert reference.find() is load_rules("sheppard", lost_cities)
    with pytest.raises(UsageError, match="has another version of the rules 'sheppard' of lost-cities"):
        replace(reference, meaning="0").find()
    with pytest.raises(UsageError, match=r"a worker lacks the rules 'mine' of lost-cities: No module named 'no_such'"):
        replace(reference, module="no_such", name="mine").find()


def test_a_player_without_a_name_cannot_travel(lost_cities: Game) -> None:
    class Mine(Player):
        def choose(self, view, moves):
            return moves[0]

    with pytest.raises(UsageError, match="cannot make the player 'mine'"):
        tasks_of(lost_cities, [Mine(lost_cities, "mine")], DEALS, all_pairs(2, 1), 1)


def test_a_worker_with_another_player_law_or_library_says_so(lost_cities: Game) -> None:
    player = make_player("dumb", lost_cities)
    task = tasks_of(lost_cities, [player, player], DEALS, all_pairs(2, 1), 1)[0]
    reference = task.players[0]
    assert isinstance(reference, Reference)
    assert reference.find().name == "dumb"
    assert task.game.find() is lost_cities
    with pytest.raises(UsageError, match="has another version of the player 'dumb' of lost-cities: install the same"):
        replace(reference, meaning="0").find()
    with pytest.raises(UsageError, match="has another version of the law of lost-cities: install the same"):
        replace(task.game, meaning="0").find()
    for package in ("rulebots", "numpy", "numba"):
        other = replace(task, versions={**task.versions, package: "0.0"})
        with pytest.raises(
            UsageError, match=rf"a worker has {package} [0-9.]+, and the run has {package} 0.0: install"
        ):
            do(play_games, other)


def test_a_player_that_only_has_the_name_of_another_cannot_travel(lost_cities: Game) -> None:
    class Mine(Player):
        def choose(self, view, moves):
            return moves[0]

    with pytest.raises(UsageError, match="cannot make the player 'dumb'"):
        tasks_of(lost_cities, [Mine(lost_cities, "dumb")], DEALS, all_pairs(2, 1), 1)


class Last(RulePlayer):
    """A player of rules that chooses otherwise."""

    def choose(self, seen, moves):
        """The last move."""
        return int(moves[-1])


def test_a_player_with_a_choice_of_its_own_is_not_sent_as_its_weights(lost_cities: Game) -> None:
    rules = load_rules("sheppard", lost_cities)
    with pytest.raises(UsageError, match="mine"):
        tasks_of(lost_cities, [Last(rules, rules.hand_tuned(), "mine")], DEALS, all_pairs(2, 1), 1)


def test_a_worker_makes_the_champion_of_the_table() -> None:
    game = load_game("cant-stop")
    careless = make_player("careless:player=champion", game, 4)
    (task,) = tasks_of(game, [careless], DEALS, np.zeros((1, 5), np.int64), 1)
    (made,) = (player.find() for player in task.players if isinstance(player, Reference))
    assert content_hash(made) == content_hash(careless) != content_hash(make_player("careless:player=champion", game))
