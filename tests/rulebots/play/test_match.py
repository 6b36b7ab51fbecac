"""The match loop: the same games from any caller, compiled or interpreted, alone or together."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from checkout import CHECKOUT
from contenders import Asked, contender, contenders_of

import rulebots
from rulebots.errors import UsageError
from rulebots.game import Game, Moves, View
from rulebots.game.dtypes import fields_of
from rulebots.game.position import Position
from rulebots.kernel import compiling, kernel
from rulebots.packages import game_names, load_game
from rulebots.packages.players import make_player
from rulebots.packages.rule_sets import rule_sets_of
from rulebots.play.deals import Deals, draw_deals, mirrored
from rulebots.play.loop import Batch, begin
from rulebots.play.match import play_games, play_match
from rulebots.play.results import Games
from rulebots.players import KernelPlayer, Needs, Player, PlayerFault, RandomPlayer, RulePlayer
from rulebots.rules import RuleSet, rule

#: Deals of a test that plays games of every contender; interpreted, they are few.
FEW = 3 if compiling() else 1

ALL_GAMES = [load_game(name) for name in game_names()]
every_game = pytest.mark.parametrize("game", ALL_GAMES, ids=lambda g: g.name)
every_game_with_options = pytest.mark.parametrize("game", [g for g in ALL_GAMES if g.options], ids=lambda g: g.name)


def same(games: Games, others: Games) -> bool:
    return (
        games.points.tolist() == others.points.tolist()
        and games.plies.tolist() == others.plies.tolist()
        and games.stalled.tolist() == others.stalled.tolist()
        and games.behaviour.tobytes() == others.behaviour.tobytes()
    )


@pytest.mark.parametrize(
    "game",
    [pytest.param(g, marks=[pytest.mark.slow] if g.name in ("hanabi", "hearts") else []) for g in ALL_GAMES],
    ids=lambda g: g.name,
)
def test_kept_moves_are_those_that_were_played_by_any_player(game: Game) -> None:
    player, deals = everyone(game)[0], draw_deals(game, FEW, 6, opening_plies=2)
    schedule = deals.mirrored()
    games = play_games([player, Asked(player)], deals, schedule, keep_moves=True)
    alike = play_games([player, player], deals, schedule, keep_moves=True)
    assert games.moves.tolist() == alike.moves.tolist()
    assert games.openings.tolist() == [2] * len(schedule)
    for number, (deal, *_) in enumerate(schedule):
        position = Position(game, deal=deals.cards[deal])
        for move in games.moves[number, : games.plies[number]].tolist():
            position.push(move)
        assert list(position.points) == games.points[number].tolist()
    assert play_games([player, player], deals, schedule).moves.shape == (len(schedule), 0)


def contenders(game: Game) -> list[Player]:
    return [contender(game, who) for who in contenders_of(game)]


def everyone(game: Game) -> list[Player]:
    """All contenders; interpreted, two that differ and cost little: `games_of` plays the others so."""
    if compiling():
        return contenders(game)
    return [KernelPlayer(game, choose_first, "first"), RandomPlayer(game)]


@kernel
def choose_first(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
    """The first of the legal moves."""
    return moves[0]


def test_mirrored_games_use_each_deal_twice_with_seats_changed() -> None:
    assert mirrored(2, 3, 5).tolist() == [[0, 3, 5], [0, 5, 3], [1, 3, 5], [1, 5, 3]]


@every_game
def test_a_deal_does_not_depend_on_how_many_are_drawn(game: Game) -> None:
    few, many = draw_deals(game, 3, 7, 11), draw_deals(game, 50, 7, 11)
    assert few.cards.tolist() == many.cards[:3].tolist()
    assert few.luck.tolist() == many.luck[:3].tolist()
    assert len(few) == 3


@every_game
def test_other_identities_give_other_games(game: Game) -> None:
    deals = [draw_deals(game, 5, *identity) for identity in ((1,), (2,), (1, 0), (1, 1))]
    luck = [d.luck.tolist() for d in deals]
    assert all(luck[i] != luck[j] for i in range(4) for j in range(i))


def test_less_than_one_deal_is_refused(lost_cities: Game) -> None:
    with pytest.raises(UsageError, match="deals: expected a whole number from 1 to 1,000,000, not 0"):
        draw_deals(lost_cities, 0, 1)


@pytest.mark.slow
@every_game
def test_the_compiled_loop_and_the_loop_around_a_python_player_play_the_same_games(game: Game) -> None:
    players = everyone(game)
    deals = draw_deals(game, 1, 1)
    for player in players:
        for opponent in (players[-1], player):
            compiled = play_games([player, opponent], deals, deals.mirrored())
            assert same(play_games([Asked(player), opponent], deals, deals.mirrored()), compiled)
            assert same(play_games([Asked(player), Asked(opponent)], deals, deals.mirrored()), compiled)


@pytest.mark.slow
@every_game
def test_a_schedule_of_all_pairs_gives_the_games_of_each_pair(game: Game) -> None:
    players = everyone(game)
    deals = draw_deals(game, FEW, 2)
    pairs = [(i, j) for i in range(len(players)) for j in range(len(players))]
    schedule, size = np.concatenate([deals.mirrored(i, j) for i, j in pairs]), len(deals.mirrored())
    together = play_games(players, deals, schedule)
    for n, (i, j) in enumerate(pairs):
        part = slice(size * n, size * (n + 1))
        alone = play_games([players[i], players[j]], deals, deals.mirrored())
        assert same(Games(**{f.name: getattr(together, f.name)[part] for f in dataclasses.fields(Games)}), alone)


@pytest.mark.slow
@every_game
@pytest.mark.parametrize("size", [1, 7, 10**6] if compiling() else [7])
def test_neither_workers_nor_the_size_of_a_batch_change_the_results(
    game: Game, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = everyone(game)
    deals = draw_deals(game, 4 if compiling() else 1, 3)
    schedule = np.concatenate([deals.mirrored(i, (i + 1) % len(players)) for i in range(len(players))])
    games = play_games(players, deals, schedule)
    monkeypatch.setattr("rulebots.play.match.BATCH", size)
    assert same(play_games(players, deals, schedule, jobs=1), games)
    assert same(play_games(players, deals, schedule, jobs=2), games)


@pytest.mark.slow
@every_game_with_options
def test_options_reach_the_games(game: Game) -> None:
    player = contender(game, "random")
    others = {
        name: option.high if option.high != option.default else option.low for name, option in game.options.items()
    }
    usual, other = (draw_deals(game, 4, 4, options=options) for options in ({}, others))
    games, others_games = (play_games([player, player], deals, deals.mirrored()) for deals in (usual, other))
    assert not same(games, others_games)


class Cheat(Player):
    """Plays legal moves until the third, then one that is not."""

    def __init__(self, game: Game, move: int) -> None:
        super().__init__(game, "cheat")
        self.move = move
        self.decisions = 0

    def choose(self, view: View, moves: Moves) -> int:
        self.decisions += 1
        return int(moves[0]) if self.decisions < 3 else self.move


@every_game
@pytest.mark.parametrize("move", [-1, 10**6])
def test_an_illegal_move_ends_in_a_clear_error(game: Game, move: int) -> None:
    deals = draw_deals(game, 1, 5)
    players = [Cheat(game, move), contender(game, "random")]
    with pytest.raises(PlayerFault, match=rf"player 'cheat', ply \d+: chose {move}; legal moves are \d+ \(.+\)"):
        play_games(players, deals, deals.mirrored())


@pytest.mark.slow
@every_game
def test_a_stalled_game_is_one_that_reached_the_cap(game: Game) -> None:
    deals = draw_deals(game, 50 if compiling() else 3, 6)
    player = contender(game, "random")
    games = play_games([player, player], deals, deals.mirrored())
    ended = games.plies < game.ply_cap
    assert not games.stalled.all()
    assert not games.stalled[ended].any()
    assert games.plies.max() <= game.ply_cap


class PileDrawer(Player):
    """Discards, and draws from the piles: nobody ends such a game of Lost Cities."""

    def choose(self, view: View, moves: Moves) -> int:
        return int(moves[-1])


@pytest.mark.slow
def test_lost_cities_stalls_when_both_draw_from_the_piles(lost_cities: Game) -> None:
    player = PileDrawer(lost_cities, "pile drawer")
    games = play_games([player, player], draw_deals(lost_cities, 2, 7), mirrored(2))
    assert games.stalled.all()
    assert games.plies.tolist() == [600] * 4


FOLDERS = [Path(__file__).parent, *(CHECKOUT / "tests" / folder for folder in ("", "oracles", "positions"))]
INTERPRETED = """
import json, sys
sys.path[:0] = sys.argv[1].split(":")
from test_match import games_of
print(json.dumps(games_of(sys.argv[2])))
"""


def games_of(name: str) -> list[list[Any]]:
    """Every contender against the next one, on one mirrored deal."""
    game = load_game(name)
    players, found = contenders(game), []
    for i, player in enumerate(players):
        deals = draw_deals(game, 1, 8, i)
        games = play_games([player, players[i - 1]], deals, deals.mirrored())
        found.append([games.points.tolist(), games.plies.tolist(), games.stalled.tolist()])
    return found


@pytest.mark.compiled
@pytest.mark.parametrize("name", game_names())
def test_interpreted_and_compiled_games_are_the_same(name: str) -> None:
    """The same source under NUMBA_DISABLE_JIT=1, in a process that never compiles."""
    command = [sys.executable, "-c", INTERPRETED, os.pathsep.join(map(str, FOLDERS)), name]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == games_of(name)


@every_game
def test_a_rule_set_sees_the_view_and_then_its_own_fields(game: Game) -> None:
    for rules in rule_sets_of(game).values():
        view, seen = game.view.names or (), rules.record.names or ()
        assert (*view, *(name for name, _ in fields_of(rules.fields))) == seen


def test_facts_of_one_decision_are_gone_at_the_next() -> None:
    """One's own, too: else a player could remember, and two players of one rule set could talk to each other."""
    game, seen = load_game("tictactoe"), []

    @kernel
    def count(view: Any) -> None:
        view.times += 1

    @rule("put", early=1.0)
    def spies(view: Any, point: int) -> float:
        """What the facts hold."""
        seen.append(int(view.times))
        return 0.0

    rules = RuleSet("spying", game, (spies,), fields=[("times", np.int64)], facts=count)
    one, other = (RulePlayer(rules, rules.hand_tuned(), name) for name in ("one", "other"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        play_games([one, other], draw_deals(game, 2, 1), mirrored(2))
    assert set(seen) == {1}


def opened(game: Game, plies: int, count: int = 20) -> tuple[Deals, Batch]:
    deals = draw_deals(game, count, 9, opening_plies=plies)
    batch = Batch(game, deals.luck)
    begin(batch, deals, np.arange(count))
    return deals, batch


@every_game
def test_games_begin_with_random_moves_that_belong_to_the_deal(game: Game) -> None:
    _, batch = opened(game, 3)
    _, again = opened(game, 3)
    assert batch.arrays.states.tobytes() == again.arrays.states.tobytes()
    assert batch.arrays.plies.tolist() == [3] * 20
    assert not any(game.over(state) for state in batch.arrays.states)
    assert len({state.tobytes() for state in batch.arrays.states}) > 3
    _, fewer = opened(game, 3, count=2)
    assert fewer.arrays.states.tobytes() == batch.arrays.states[:2].tobytes()


@pytest.mark.parametrize("plies", [-1, 10**6, True])
def test_a_wrong_number_of_opening_plies_is_refused(lost_cities: Game, plies: int) -> None:
    with pytest.raises(UsageError, match="opening plies: expected a whole number from 0 to"):
        draw_deals(lost_cities, 1, 1, opening_plies=plies)


class Counting(Player):
    """Reads the position, and counts its decisions in one game."""

    needs = Needs.POSITION

    def __init__(self, game: Game) -> None:
        super().__init__(game, "counting")
        self.decisions = 0

    def choose(self, position: Position, moves):
        self.decisions += 1
        return int(moves[self.decisions % len(moves)])

    def for_one_game(self):
        return Counting(self.game)


@pytest.mark.slow
def test_a_player_that_reads_the_state_plays_each_game_afresh_at_any_number_of_jobs(lost_cities: Game) -> None:
    with pytest.raises(UsageError, match="'counting' searches positions, but Lost Cities hides"):
        Counting(lost_cities)
    open_game = dataclasses.replace(lost_cities, hidden=False)
    players = [Counting(open_game), RandomPlayer(open_game)]
    deals = draw_deals(open_game, 3, 1)
    one, two = (play_games(players, deals, mirrored(3), jobs) for jobs in (1, 2))
    assert one.points.tolist() == two.points.tolist()
    assert players[0].decisions == 0


@pytest.mark.parametrize(
    ("deals", "more", "line"),
    [
        (10**12, {}, "deals: expected a whole number from 1 to 1,000,000, not 1000000000000"),
        (True, {}, "deals: expected a whole number from 1 to 1,000,000, not True"),
        (5, {"options": 3}, "options: expected a map such as {'size': 4}, not 3"),
        (5, {"options": [1]}, "options: expected a map such as {'size': 4}, not [1]"),
        (5, {"seed": True}, "seed: expected a whole number from 0 to 4,294,967,295, not True"),
        (5, {"jobs": "2"}, "jobs: expected a whole number from 1 to 1,024, not '2'"),
        (5, {"jobs": 0}, "jobs: expected a whole number from 1 to 1,024, not 0"),
        (5, {"move_seconds": "x"}, "seconds a move: expected a number above 0, at most 1,000,000, not 'x'"),
    ],
)
def test_an_argument_of_another_kind_is_one_line(deals: Any, more: dict[str, Any], line: str) -> None:
    player = make_player("random", load_game("tictactoe"))
    with pytest.raises(UsageError) as caught:
        play_match(player, player, deals, **more)
    assert str(caught.value) == line


def test_a_name_of_another_kind_is_one_line() -> None:
    with pytest.raises(UsageError, match="expected the name of a game, such as 'kalah', not 3"):
        load_game(3)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"expected a game, such as load_game\('kalah'\), not 'kalah'"):
        make_player("random", "kalah")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wrong", "line"),
    [
        ("play_sprt(player, player, Sprt(0, 10), most_deals=True)", "deals: expected a whole number .*, not True"),
        ("play_tournament(player)", "a tournament needs at least 2 players, not <"),
        ("play_tournament([player, player], 'swiss', rounds='3')", "swiss: 2 players need 1 to 1 rounds, not 3"),
        ("Position('kalah')", r"expected a game, such as load_game\('kalah'\), not 'kalah'"),
        ("load_rules('standard', 'kalah')", r"expected a game, such as load_game\('kalah'\), not 'kalah'"),
        ("load_rules(3)", "expected a rule set as module:name or path.py:name, not '3'"),
        ("bring_player(3)", "expected a player as module:name or path.py:name, not '3'"),
        ("explain(3, None)", "'3' is not made of rules"),
    ],
)
def test_a_thing_of_another_kind_is_one_line(wrong: str, line: str) -> None:
    names = {name: getattr(rulebots, name) for name in rulebots.__all__}
    with pytest.raises(UsageError, match=line):
        eval(wrong, {**names, "player": make_player("random", load_game("tictactoe"))})  # noqa: S307 - our own
