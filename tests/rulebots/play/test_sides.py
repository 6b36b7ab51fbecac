"""Players that follow games: the history that a seat is told, and the hooks at the beginning and the end of a game."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import sys
import threading
import time

import numpy as np
import pytest

from evolve.lessons.learner import joins
from rulebots.errors import UsageError
from rulebots.game import UNKNOWN, Game
from rulebots.game.position import Ply, Position
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.play.deals import draw_deals, mirrored
from rulebots.play.loop import Terms
from rulebots.play.match import play_deals, play_games, play_match
from rulebots.players import Needs, Observed, Player, PlayerFault, RandomPlayer, RulePlayer
from rulebots.records import play_recorded, replay
from rulebots.tournaments.tournament import play_tournament

FORFEIT = Terms(faults_lose=True)


@pytest.fixture
def game() -> Game:
    return load_game("tictactoe")


class Diary(Player):
    """Plays by chance, and writes down what it is told; `log` is shared by all its games."""

    needs = Needs.HISTORY

    def __init__(self, game, name, log):
        super().__init__(game, name)
        self.log = log

    def choose(self, seen, moves):
        assert isinstance(seen, Observed)
        assert getattr(self, "seat", seen.seat) == seen.seat
        self.log.append((id(self), seen.seat, seen.history, int(seen.view.luck)))
        return moves[int(seen.view.luck) % len(moves)]


class Guest(Diary):
    """Keeps what happens to it in the object that plays the game."""

    def begin_game(self, seat, options):
        self.seat, self.options, self.moves = seat, options, []
        self.log.append(("begin", id(self), seat, options))

    def choose(self, seen, moves):
        self.moves.append(super().choose(seen, moves))
        own = [ply.move for ply in seen.history if ply.seat == self.seat][-len(self.moves) + 1 :]
        assert len(self.moves) == 1 or own == self.moves[:-1]  # nobody else's moves are in its memory
        return self.moves[-1]

    def end_game(self, points):
        self.log.append(("end", id(self), self.seat, points))


def as_made(game, deals, schedule, games):
    """Each game's moves as (seat, move), worked out by the law alone."""
    told = []
    options = {name: int(deals.options[name]) for name in game.options}
    for row, moves, plies in zip(schedule, games.moves, games.plies, strict=True):
        position, course = Position(game, options, deals.cards[row[0]]), []
        for move in moves[:plies].tolist():
            course.append(Ply(position.mover, move))
            position.play(move)
        told.append(tuple(course))
    return told


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("name", ["tictactoe", "lost-cities"])
def test_the_history_is_that_of_the_game_move_for_move(name, jobs):
    game, log = load_game(name), []
    player, other = Diary(game, "diary", log), RandomPlayer(game)
    count = 3 if name == "tictactoe" else 1
    deals, schedule = draw_deals(game, count, 7), mirrored(count)
    games = play_games([player, other], deals, schedule, jobs, keep_moves=True)
    courses = as_made(game, deals, schedule, games)
    found = [(seat, history) for _, seat, history, _ in log]
    expected = [
        (seat, course[:ply])
        for row, course, opening in zip(schedule, courses, games.openings, strict=True)
        for ply, (seat, _) in enumerate(course)
        if row[1 + seat] == 0 and ply >= opening
    ]
    assert sorted(found) == sorted(expected)
    assert len(found) > 10


def test_a_player_with_the_history_plays_the_games_of_one_without(game):
    class Same(Player):
        def choose(self, view, moves):
            return moves[int(view.luck) % len(moves)]

    deals = draw_deals(game, 6, 3)
    diary = play_deals(Diary(game, "a", []), RandomPlayer(game), deals, keep_moves=True)
    same = play_deals(Same(game, "a"), RandomPlayer(game), deals, keep_moves=True)
    assert np.array_equal(diary.moves, same.moves)
    assert np.array_equal(diary.points, same.points)


@pytest.mark.slow
@pytest.mark.parametrize("told", [None, lambda state, move, seat: 7 if seat != int(state.mover) else move])
def test_a_seat_is_told_no_more_than_the_game_says(told):
    game, log = dataclasses.replace(load_game("lost-cities"), told=told), []
    play_match(Diary(game, "a", log), RandomPlayer(game), 1)
    others = {ply.move for _, seat, history, _ in log for ply in history if ply.seat != seat}
    own = {ply.move for _, seat, history, _ in log for ply in history if ply.seat == seat}
    assert others == {UNKNOWN if told is None else 7}
    assert UNKNOWN not in own
    assert len(own) > 7


def test_the_moves_of_lost_cities_are_public(lost_cities):
    position = Position(lost_cities, seed=4)
    for _ in range(9):
        position.push(int(position.legal_moves[-1]))
    assert position.history(0) == position.history(1) == position.history()
    assert [ply.seat for ply in position.history()] == [0, 0, 1, 1, 0, 0, 1, 1, 0]


def test_a_determinization_knows_what_the_mover_was_told(lost_cities):
    game = dataclasses.replace(lost_cities, told=None)
    position = Position(game, seed=4)
    for _ in range(6):
        position.push(int(position.legal_moves[0]))
    mover = position.mover
    twin = position.redealt(5)
    assert twin.history() == twin.history(1 - mover) == position.history(mover)
    assert UNKNOWN in {ply.move for ply in twin.history()}


def test_the_history_of_a_position(game):
    position = Position(game)
    first, second = position.legal_moves[:2].tolist()
    position.push(first)
    twin = position.copy()
    twin.push(second)
    assert position.history() == ((0, first),)
    assert twin.history(1) == ((0, first), (1, second))
    with pytest.raises(UsageError, match="expected 0 to 1 or None, not 2"):
        position.history(2)
    with pytest.raises(UsageError, match="the history of this position is not known"):
        Position.of(game, position.state.copy()).history()


@pytest.mark.parametrize("wrong", [lambda *_: "x", lambda *_: 1 // 0])
def test_what_a_game_tells_wrongly_is_one_line(lost_cities, wrong):
    position = Position(dataclasses.replace(lost_cities, told=wrong), seed=1)
    with pytest.raises(UsageError, match=r"^`told` of lost-cities: .*(py:\d+|be interpreted)"):
        position.push(int(position.legal_moves[0]))


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_seat_of_each_game_has_an_object_of_its_own(game, jobs):
    log = []
    result = play_match(Guest(game, "guest", log), RandomPlayer(game), 4, jobs=jobs)
    begun = [entry for entry in log if entry[0] == "begin"]
    ended = [entry for entry in log if entry[0] == "end"]
    assert sorted(seat for _, _, seat, _ in begun) == [0] * 4 + [1] * 4
    assert {tuple(options) for *_, options in begun} == {tuple(game.options)}
    assert len(ended) == 8
    own = [points[seat] - points[1 - seat] for _, _, seat, points in ended]
    assert sum(own) / 8 == pytest.approx(result.margin)
    assert len(set(own)) > 1


def test_a_player_that_meets_itself_sits_in_each_seat_by_itself(game):
    log, guest = [], None
    guest = Guest(game, "guest", log)
    play_match(guest, guest, 2)
    assert sorted(entry[2] for entry in log if entry[0] == "begin") == [0] * 4 + [1] * 4
    deals = draw_deals(game, 2, 1)
    log.clear()
    play_games([guest], deals, np.array([[0, 0, 0], [1, 0, 0]]))
    assert sorted(entry[2] for entry in log if entry[0] == "end") == [0, 0, 1, 1]
    assert not hasattr(guest, "seat")  # the object itself plays no game


def test_a_compiled_player_with_a_hook_is_asked_in_python(game):
    log, known = [], make_player("standard", game)

    class Counting(RulePlayer):
        def begin_game(self, seat, options):
            log.append(seat)

    counting = Counting(known.rules, known.weights, "counting")
    deals = draw_deals(game, 3, 5)
    asked = play_deals(counting, RandomPlayer(game), deals, keep_moves=True)
    compiled = play_deals(known, RandomPlayer(game), deals, keep_moves=True)
    assert sorted(log) == [0, 0, 0, 1, 1, 1]
    assert np.array_equal(asked.moves, compiled.moves)


def test_a_compiled_player_with_a_choice_of_its_own_makes_it(game):
    known = make_player("standard", game)

    class First(RulePlayer):
        def choose(self, view, moves):
            return int(moves[0])

    class SameFirst(Player):
        def choose(self, view, moves):
            return int(moves[0])

    deals = draw_deals(game, 3, 5)
    of_rules = play_deals(First(known.rules, known.weights, "first"), known, deals, keep_moves=True)
    assert np.array_equal(of_rules.moves, play_deals(SameFirst(game, "first"), known, deals, keep_moves=True).moves)
    assert not np.array_equal(of_rules.moves, play_deals(known, known, deals, keep_moves=True).moves)


def scribble(*written):
    """Change every field of these records, in the ways that NumPy does not stop."""
    for one in written:
        for name in one.dtype.names:
            with contextlib.suppress(Exception):
                np.add.at(one[name].reshape(-1), np.arange(one[name].size), 1)
            with contextlib.suppress(Exception):
                one[name] += 1


@pytest.mark.slow
@pytest.mark.parametrize("needs", [Needs.OBSERVATION, Needs.HISTORY, Needs.REDEALT, Needs.SHOWN])
@pytest.mark.parametrize("name", ["kalah", "lost-cities"])
def test_a_player_that_writes_into_what_it_is_given_changes_nobody_elses(name, needs):
    game = load_game(name)

    class Hashing(Player):
        def __init__(self, needs, writes):
            super().__init__(game, "hashing")
            self.needs, self.writes, self.seen = needs, writes, []

        def choose(self, seen, moves):
            view = seen if self.needs is Needs.OBSERVATION else getattr(seen, "view", None)
            records = [view] if isinstance(view, np.void) else [seen.state, seen.options]
            self.seen.append([hashlib.sha256(one.tobytes()).hexdigest() for one in records])
            move = int(moves[len(moves) // 2])
            if self.writes:
                scribble(*records)
            return move

    def seen_by_both(writes):
        one, other = Hashing(needs, writes), Hashing(Needs.REDEALT, False)
        games = play_deals(one, other, draw_deals(game, 1, 5), keep_moves=True)
        return one.seen, other.seen, games.moves.tolist(), games.points.tolist()

    assert seen_by_both(True) == seen_by_both(False)


class Fails(Player):
    """Fails in the hook of that name."""

    def __init__(self, game, name, hook, what=lambda: 1 // 0):
        super().__init__(game, name)
        self.hook, self.what = hook, what

    def begin_game(self, seat, options):
        if self.hook == "begin":
            self.what()

    def choose(self, view, moves):
        return moves[0]

    def end_game(self, points):
        if self.hook == "end":
            self.what()


FAULTS = [
    ("begin", lambda: 1 // 0, r"player 'bad', ply \d: .*its `begin_game` raised ZeroDivisionError: .*py:\d+"),
    ("begin", lambda: sys.exit(3), r"its `begin_game` raised SystemExit: 3"),
    ("end", lambda: 1 // 0, r"player 'bad', after the game: its `end_game` raised ZeroDivisionError: .*py:\d+"),
    ("end", lambda: sys.exit(3), r"its `end_game` raised SystemExit: 3"),
]


@pytest.mark.parametrize(("hook", "what", "line"), FAULTS)
def test_a_hook_that_fails_is_a_fault(game, hook, what, line):
    with pytest.raises(PlayerFault, match=line):
        play_match(Fails(game, "bad", hook, what), RandomPlayer(game), 3, jobs=2)
    ladder = play_tournament([Fails(game, "bad", hook, what), RandomPlayer(game)], deals=2)
    assert {row["player"]: row["faults"] for row in ladder.rows()} == {"bad": 4, "random": 0}
    assert ladder.rows()[-1]["player"] == "bad"


@pytest.mark.parametrize("hook", ["begin", "end"])
def test_a_hook_that_takes_too_long_is_a_fault(game, hook):
    late = Fails(game, "late", hook, lambda: time.sleep(0.2))
    with pytest.raises(PlayerFault, match=r"took more than 0\.05 s"):
        play_match(late, RandomPlayer(game), 1, move_seconds=0.05)


def test_who_lost_by_fault_is_not_told_the_end_and_its_opponent_is(game):
    log = []

    class Bad(Guest):
        def choose(self, seen, moves):
            return -5

    deals = draw_deals(game, 1, 1, opening_plies=0)
    play_deals(Bad(game, "bad", log), Guest(game, "good", log), deals, terms=FORFEIT)
    ended = [entry for entry in log if entry[0] == "end"]
    assert len(ended) == 2
    assert all(points[seat] > points[1 - seat] for _, _, seat, points in ended)


def test_a_recorded_match_is_the_same(game):
    log = []
    result, record = play_recorded(Guest(game, "guest", log), RandomPlayer(game), 2, 9)
    assert result.games == 4
    courses = [replay(one).positions[-1].history() for one in record.games]
    told = {entry[2] for entry in log if entry[0] not in ("begin", "end")}
    assert all(any(course[: len(history)] == history for course in courses) for history in told)
    assert len(told) > 8


def test_lessons_are_without_players_that_follow_whole_games(game):
    assert joins(RandomPlayer(game))
    assert not joins(Diary(game, "a", []))
    assert not joins(Fails(game, "a", "begin"))


def test_games_in_threads_do_not_share_a_player(game):
    seen, lock = set(), threading.Lock()

    class One(Player):
        def begin_game(self, seat, options):
            self.busy = False

        def choose(self, view, moves):
            assert not self.busy
            self.busy = True
            with lock:
                seen.add(id(self))
            self.busy = False
            return moves[0]

    play_match(One(game, "one"), RandomPlayer(game), 10, jobs=2)
    assert seen
