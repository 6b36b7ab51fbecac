"""A fault ends a match, or loses a game where the terms say so; the other games are those of any match."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from contenders import Scripted

from rulebots.errors import UsageError
from rulebots.game import Game, Moves, View
from rulebots.game.position import Position
from rulebots.packages import load_game, package_of
from rulebots.play.deals import draw_deals, mirrored
from rulebots.play.loop import Terms
from rulebots.play.match import OpenMatch, play_deals, play_games, play_match
from rulebots.play.results import match_result
from rulebots.players import Needs, Player, PlayerFault, RandomPlayer, RulePlayer
from rulebots.records import parse_record, play_recorded, record_text, replay
from rulebots.records.record import Record

FORFEIT = Terms(faults_lose=True)


@pytest.fixture
def game() -> Game:
    return load_game("tictactoe")


def first_move(_: View, moves: Moves) -> int:
    return int(moves[0])


def failing_after(moves_made: int, what: Callable[[], Any] = sys.exit) -> Callable[[View, Moves], Any]:
    """The first move while there are few on the board, 9 or more squares before it; then the fault."""

    def choose(_: View, moves: Moves) -> Any:
        return what() if len(moves) <= 9 - moves_made else int(moves[0])

    return choose


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_match_ends_at_the_first_fault(game: Game, jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.play.match.BATCH", 2)
    with pytest.raises(PlayerFault, match=r"^player 'bad', ply [34]: raised SystemExit \(.*\); legal moves are "):
        play_match(Scripted(game, failing_after(2), "bad"), RandomPlayer(game), 20, jobs=jobs)


def test_an_open_match_ends_likewise(game: Game) -> None:
    with pytest.raises(PlayerFault, match="player 'bad', ply 3: raised SystemExit"):
        OpenMatch(Scripted(game, failing_after(1), "bad"), RandomPlayer(game)).play(2)
    with pytest.raises(UsageError, match="seconds a move: expected a number above 0"):
        OpenMatch(RandomPlayer(game), RandomPlayer(game), move_seconds=-1.0)


@pytest.mark.parametrize("other", ["random", "itself", "first"])
def test_by_terms_a_fault_loses_the_game_and_no_other(game: Game, other: str) -> None:
    bad = Scripted(game, failing_after(4), "bad")
    players: list[Player] = [
        bad,
        {"random": RandomPlayer(game), "itself": bad, "first": Scripted(game, first_move)}[other],
    ]
    games = play_deals(players[0], players[1], draw_deals(game, 10, 1), terms=FORFEIT, keep_moves=True)
    lost = np.flatnonzero([fault is not None for fault in games.faults])
    assert len(lost) > 10
    for number in lost:
        seat = games.faults[number].seat
        assert games.points[number, seat] < games.points[number, 1 - seat]
        assert other == "itself" or seat == number % 2
        assert games.faults[number].__traceback__ is games.faults[number].__cause__ is None
    assert not games.stalled[lost].any()
    well = Scripted(game, first_move)
    same = play_deals(well, well if other == "itself" else players[1], draw_deals(game, 10, 1), keep_moves=True)
    others = np.setdiff1d(np.arange(20), lost)
    for number in others:
        plies = games.plies[number]
        assert games.moves[number, :plies].tolist() == same.moves[number, :plies].tolist()
        assert games.points[number].tolist() == same.points[number].tolist()


def test_a_player_that_leads_loses_by_a_point_all_the_same() -> None:
    """In Lost Cities an expedition below 20 costs points, and who has none has 0."""
    game = load_game("lost-cities")

    def waiting(_: View, moves: Moves) -> int:
        return int(moves[-1]) if moves[0] < 120 else 120

    def leading(view: View, moves: Moves) -> Any:
        return None if view.opp_total.any() else waiting(view, moves)

    dumb = package_of(game).players["dumb"]()
    games = play_deals(Scripted(game, leading), dumb, draw_deals(game, 2, 1), terms=FORFEIT)
    result = match_result(games)
    assert (result.wins, result.losses, result.stalled) == (0, 4, 0)
    for number, fault in enumerate(games.faults):
        mine, his = games.points[number, fault.seat], games.points[number, 1 - fault.seat]
        assert his < 0
        assert mine == his - 1


class Unmade(Player):
    """Forgets its `super().__init__`."""

    def __init__(self) -> None:
        pass

    def choose(self, seen: Any, moves: Moves) -> int:
        return int(moves[0])


class UnmadeOfRules(RulePlayer):
    def __init__(self) -> None:
        pass


class Unready(Scripted):
    """Cannot begin a game."""

    needs = Needs.POSITION

    def for_one_game(self) -> Player:
        raise OSError("no engine")


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda game: Unmade(), r"^player 'Unmade', ply \d: raised TypeError: its `__init__` has to call super"),
        (lambda game: UnmadeOfRules(), r"^player 'UnmadeOfRules', ply \d: raised TypeError: its `__init__` has to"),
        (
            lambda game: Unready(game, first_move, "slow"),
            r"^player 'slow', ply \d: .*its `for_one_game` raised OSError: no",
        ),
    ],
    ids=["no super().__init__", "a rule player without it", "for_one_game fails"],
)
def test_a_player_that_cannot_begin_loses_by_fault(game: Game, make: Callable[[Game], Player], what: str) -> None:
    with pytest.raises(PlayerFault, match=what):
        play_match(make(game), RandomPlayer(game), 1)
    games = play_deals(RandomPlayer(game), make(game), draw_deals(game, 1, 1), terms=FORFEIT)
    assert [fault.seat for fault in games.faults] == [1, 0]
    with pytest.raises(
        UsageError, match=r"'Unmade' has no game: its `__init__` has to call super\(\).__init__\(game, name\)"
    ):
        play_match(Unmade(), Unmade(), 1)


def test_with_a_limit_of_time_all_are_asked_in_this_thread(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.play.match.BATCH", 1)
    asked = set[int]()

    def noting(_: View, moves: Moves) -> int:
        asked.add(threading.get_ident())
        return int(moves[0])

    play_games([Scripted(game, noting), RandomPlayer(game)], draw_deals(game, 4, 1), mirrored(4), 2, terms=Terms(5.0))
    assert asked == {threading.get_ident()}


def for_ever() -> int:
    while True:
        pass


def test_who_thinks_too_long_loses(game: Game) -> None:
    slow = Scripted(game, failing_after(0, for_ever), "slow")
    with pytest.raises(PlayerFault, match=r"player 'slow', ply \d: thought for more than the 0.01 s of a move"):
        play_match(slow, RandomPlayer(game), 1, move_seconds=0.01)
    games = play_deals(slow, RandomPlayer(game), draw_deals(game, 2, 1), terms=Terms(0.01, faults_lose=True))
    assert [fault.seat for fault in games.faults] == [0, 1, 0, 1]


def saved(first: Player, second: Player, jobs: int = 1) -> list[Record]:
    kept = list[Record]()
    with pytest.raises(PlayerFault):
        play_recorded(first, second, 4, rescue=kept.append, jobs=jobs)
    return kept


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_games_so_far_can_be_recorded(game: Game, jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.play.match.BATCH", 2)
    bad = Scripted(game, failing_after(6), "bad")
    (record,) = saved(bad, RandomPlayer(game), jobs)
    again = parse_record(record_text(record))
    assert record_text(again) == record_text(record)
    assert {g.result.points is None for g in again.games} >= {True}
    assert again.names == ("bad", "random")
    whole = {replay(g).moves for g in play_recorded(Scripted(game, first_move), RandomPlayer(game), 4)[1].games}
    for g in again.games:
        moves = replay(g).moves
        assert any(other[: len(moves)] == moves for other in whole)


def test_of_a_fault_before_the_first_move_there_is_nothing_to_record(game: Game) -> None:
    assert saved(Scripted(game, failing_after(0), "bad"), RandomPlayer(game)) == []


def test_a_position_is_as_before_after_a_fault(game: Game) -> None:
    position = Position(game, seed=1)
    before = position.state.tobytes(), position.plies, list(position.luck or ())
    with pytest.raises(PlayerFault):
        Scripted(game, failing_after(0)).decide(position)
    assert (position.state.tobytes(), position.plies, list(position.luck or ())) == before
