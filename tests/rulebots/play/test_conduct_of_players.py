"""Who plays what with whom: the players of a match, what it demands of them, and players in games of others."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from chorus import good, wild
from numbers_game import game, high, low, middle, namer

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.game.random_numbers import next_luck
from rulebots.kernel import kernel
from rulebots.kernel.user_code import CodeError
from rulebots.packages import load_game
from rulebots.play import trial_games
from rulebots.play.deals import DealStream, draw_deals, mirrored, opening_plies_of, ordered
from rulebots.play.loop import Terms, finish_kernel
from rulebots.play.match import (
    BATCH,
    OpenMatch,
    SprtResult,
    batches_of,
    decided,
    game_of,
    narrow,
    next_block,
    play_games,
    play_match,
    play_sprt,
    play_table,
    sides_of,
    sprt_result,
    styles_of,
    unless_repeating,
)
from rulebots.play.results import Games, MatchResult, no_games
from rulebots.play.stepper import SeatedPlayer, Stepper, after_opening, warm_up
from rulebots.players import Needs, Player, PlayerFault, RandomPlayer
from rulebots.ratings import Sprt

TICTACTOE = load_game("tictactoe")


class Asked(Player):
    """Makes the last move, in Python."""

    def __init__(self, law: Game = game, name: str = "asked") -> None:
        super().__init__(law, name)
        self.calls: list[Any] = []

    def choose(self, seen: Any, moves: Any) -> int:
        self.calls.append(self.clock_seconds)
        return int(moves[-1])


class Wrong(Asked):
    """Chooses no legal move."""

    def choose(self, seen: Any, moves: Any) -> int:
        return 99


class Told(Asked):
    """Is told of the end of each game."""

    def end_game(self, points: tuple[int, ...]) -> None:
        self.calls.append(points)
        if points == (0, 9):
            raise ValueError("no")


class Searching(Asked):
    """Looks at positions."""

    needs = Needs.POSITION


class Stoppable(Searching):
    """A search that goes on with its tree."""

    result = "a tree"
    own_seconds = 2.5

    def stop(self) -> None:
        self.calls.append("stop")


def test_a_match_is_of_one_game() -> None:
    class Nameless(Asked):
        def __init__(self) -> None:
            self.calls = []

    other = replace(game, name="others")
    assert game_of([Nameless(), low(), high()]) is game
    with pytest.raises(UsageError, match=r"expected a player, such as .*, not 3"):
        game_of([low(), 3])  # type: ignore[list-item]
    with pytest.raises(UsageError, match="'Nameless' has no game"):
        game_of([Nameless()])
    with pytest.raises(UsageError, match="'low' plays numbers, 'high' plays others"):
        game_of([low(), high(other)])


def test_players_of_one_style_are_one_side_and_asked_ones_are_one_each() -> None:
    one, other, asked = namer(1), namer(2), Asked()
    players = [one, asked, other, low(), asked]
    sides = sides_of(players)
    rows = [[0, -1, 1, -1, -1], [-1, 0, -1, -1, -1], [-1, -1, -1, 0, -1], [-1, -1, -1, -1, 0]]
    assert [side.row.tolist() for side in sides] == rows
    assert [getattr(side, "player", None) is asked for side in sides] == [False, True, False, False]  # then a copy
    assert styles_of(players) == (one.style, low().style)
    assert [side.faults_lose for side in sides_of([asked], Terms(faults_lose=True))] == [True]


def test_games_advance_together_but_those_of_players_that_follow_games() -> None:
    assert batches_of([low()], BATCH) == [slice(0, BATCH)]
    assert batches_of([low()], BATCH + 1) == [slice(0, BATCH), slice(BATCH, BATCH + 1)]
    assert batches_of([low(), Told()], 3) == [slice(0, 1), slice(1, 2), slice(2, 3)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_neither_batches_nor_threads_change_the_games(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    deals, schedule = draw_deals(game, 5, 1, options={"seats": 3}), ordered(5, 3)
    players = [low(), Asked(), high()]
    whole = play_games(players, deals, schedule, keep_moves=True)
    monkeypatch.setattr("rulebots.play.match.BATCH", 4)
    parts = play_games(players, deals, schedule, jobs, keep_moves=True)
    for name in ("points", "plies", "courses", "moves", "stalled", "openings", "behaviour"):
        assert np.array_equal(getattr(parts, name), getattr(whole, name)), name
    assert whole.plies.tolist() == [3] * 30
    assert whole.behaviour["seat"].tolist() == [[0.0, 1.0, 2.0]] * 30
    assert whole.behaviour["dealt"].tolist() == [deals.cards[d][:3].tolist() for d in schedule[:, 0]]
    room = no_games(game, 30, seats=3)
    assert play_games(players, deals, schedule, room=room) is room
    assert room.points.tolist() == whole.points.tolist()


def test_threads_are_counted() -> None:
    deals = draw_deals(game, 2, 1)
    for jobs in (0, 1.5):
        with pytest.raises(UsageError, match="jobs"):
            play_games([low(), high()], deals, mirrored(2), jobs)  # type: ignore[arg-type]


def test_the_seed_is_1_unless_it_is_said() -> None:
    one = play_match(high(), low(), 6)
    assert one == play_match(high(), low(), 6, 1) == play_match(high(), low(), 6, seed=1)
    assert one.points != play_match(high(), low(), 6, seed=2).points
    match = OpenMatch(high(), low())
    assert [match.play(deals).deals for deals in (1, 2, 3)] == [1, 3, 6]
    assert match.result == one
    players = [high(), low(), middle()]
    assert play_table(players, 2) == play_table(players, 2, seed=1)


def test_a_table_has_a_seat_for_each_player() -> None:
    twice = high()
    result = play_table([twice, twice, low()], 3)
    assert result.table is not None
    assert (result.table.seats, result.table.shares[2], result.games) == (3, 0.0, 18)
    with pytest.raises(UsageError, match=r"Numbers has 3 seats here: .*, or 3, not 2"):
        play_table([high(), low()], 1, options={"seats": 3})
    with pytest.raises(UsageError):
        play_table([high()] * 5, 1)


def test_what_is_played_together_has_no_table() -> None:
    for seats, how in ((1, "alone"), (2, "by teams of copies")):
        with pytest.raises(UsageError, match=f"Chorus is played {how}: expected two players, not 2"):
            play_table([good(), wild()], 1, options={"seats": seats})


def test_nobody_is_told_of_the_end_of_a_match_that_a_fault_ends() -> None:
    told = Told()
    with pytest.raises(PlayerFault, match="chose 99"):
        play_match(Wrong(), told, 1)
    assert not any(isinstance(call, tuple) for call in told.calls)
    play_match(low(), told, 1)
    assert sum(isinstance(call, tuple) for call in told.calls) == 2


@pytest.mark.parametrize(("plies", "named"), [(0, 2), (3, 1), (4, 0)])
def test_a_game_is_finished_up_to_its_end_or_its_cap(plies: int, named: int) -> None:
    last = kernel(lambda state, moves, n, row, arrays: moves[n - 1])
    finish = finish_kernel(game, last)
    state = Position(game).state
    finish(state, plies, np.zeros(3, np.int64), np.ones(1, np.int64), 0, ())
    assert state.named == named


def test_a_table_keeps_its_games_also_after_a_fault() -> None:
    seen: list[tuple[int, Games]] = []

    def keep(deals: Any, schedule: Any, games: Games) -> None:
        seen.append((len(schedule), games))

    play_table([high(), middle(), low()], 2, keep=keep)
    with pytest.raises(PlayerFault, match="chose 99"):
        play_table([high(), Wrong(), low()], 2, keep=keep)
    with pytest.raises(PlayerFault):
        play_table([high(), Wrong(), low()], 2)
    (count, games), (_, broken) = seen
    assert (count, games.moves[0, :3].tolist()) == (12, [2, 1, 0])
    assert sum(fault is not None for fault in broken.faults) >= 1


def of_deals(
    deals: int, distinct: int = 0, interval: tuple[float, float] = (0.0, 1.0), stalled: int = 0
) -> MatchResult:
    """What those who look at a result read of it."""
    seen = {"games": 2 * deals, "stalled": stalled, "distinct_deals": distinct, "win_rate_95": interval}
    return SimpleNamespace(deals=deals, **seen)  # type: ignore[return-value]


def test_the_longer_a_match_the_longer_its_blocks() -> None:
    assert [next_block(deals) for deals in (0, 39, 40, 48, 800)] == [4, 4, 5, 6, 100]


def test_a_match_that_only_repeats_itself_is_enough() -> None:
    never = unless_repeating(lambda _: False)
    assert [never(of_deals(deals, 7)) for deals in (400, 999, 1000)] == [False, False, True]
    growing = unless_repeating(lambda _: False)
    looks = [(600, 7), (1100, 8), (2199, 8), (2200, 8)]
    assert [growing(of_deals(*look)) for look in looks] == [False, False, False, True]
    assert unless_repeating(lambda _: True)(of_deals(1, 1))


def test_a_match_whose_games_all_stall_is_enough() -> None:
    never = unless_repeating(lambda _: False)
    assert [never(of_deals(deals, deals, stalled=2 * deals)) for deals in (999, 1000)] == [False, True]
    assert not unless_repeating(lambda _: False)(of_deals(1000, 1000, stalled=1999))


@pytest.mark.parametrize(("interval", "enough"), [((0.25, 0.5), True), ((0.25, 0.5000001), False), ((0.4, 0.5), True)])
def test_an_interval_is_narrow_at_twice_the_half_width(interval: tuple[float, float], enough: bool) -> None:
    assert narrow(0.125)(of_deals(1, interval=interval)) is enough


@pytest.mark.parametrize("width", [0.0, 0.5, -0.1, float("nan")])
def test_a_width_of_nothing_or_of_everything_is_refused(width: float) -> None:
    with pytest.raises(UsageError, match="until: expected a half-width between 0 % and 50 %"):
        narrow(width)


def test_a_test_counts_deals_as_often_as_they_tell_something_new() -> None:
    result = play_match(high(), low(), 12)
    test = Sprt(0, 50)
    found = sprt_result(test, result)
    assert found.llr == pytest.approx(test.llr(np.array([0, 0, 0, 0, 12]), np.arange(5) / 4))
    halved = replace(result, effective_deals=6.0)
    assert sprt_result(test, halved).accepted == "undecided"
    assert sprt_result(test, halved).llr == pytest.approx(test.llr(np.array([0, 0, 0, 0, 6]), np.arange(5) / 4))
    assert decided(test)(replace(result, effective_deals=9.0)) is False
    figures = found.summary()
    assert list(figures) == ["elo0", "elo1", "alpha", "beta", "lower", "upper", "llr", "accepted"]
    assert (figures["elo1"], figures["alpha"], figures["upper"]) == (50, 0.05, test.bounds[1])


def test_a_test_ends_where_its_watch_says_so() -> None:
    ended = play_sprt(high(), low(), Sprt(0, 50), watch=lambda _: False)
    assert isinstance(ended, SprtResult)
    assert (ended.match.deals, ended.accepted) == (4, "undecided")


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan")])
def test_the_time_of_a_move_is_above_nothing(seconds: float) -> None:
    with pytest.raises(UsageError):
        OpenMatch(high(), low(), move_seconds=seconds)


def test_openings_leave_a_ply_to_play() -> None:
    options = game.option_values()
    assert [opening_plies_of(game, options, plies) for plies in (None, 0, 3)] == [0, 0, 3]
    for plies in (4, -1):
        with pytest.raises(UsageError, match="opening plies"):
            opening_plies_of(game, options, plies)
    for count in (0, 10**9):
        with pytest.raises(UsageError, match="deals"):
            DealStream(game, 1).take(count)
    with pytest.raises(UsageError, match="seed"):
        DealStream(game, -1)


def test_chance_of_each_kind_has_random_numbers_of_its_own() -> None:
    deals = draw_deals(game, 3, 1)
    streams = [deals.luck[:, 0], deals.luck[:, 1], deals.openings, deals.outcomes, deals.cards[:, 4]]
    assert len({tuple(stream.tolist()) for stream in streams}) == 5
    assert draw_deals(game, 3, 1, 0).luck.tolist() != deals.luck.tolist()


def test_a_game_goes_on_after_its_opening_as_matches_play_it() -> None:
    deals = draw_deals(TICTACTOE, 4, 3, opening_plies=3)
    player = Asked(TICTACTOE)
    games = play_games([player], deals, np.array([[which, 0, 0] for which in range(4)]), keep_moves=True)
    assert games.openings.tolist() == [3] * 4
    for which in (0, 3):
        stepper = after_opening(deals, which)
        moves = [ply.move for ply in stepper.position.history()]
        assert moves == games.moves[which, :3].tolist()
        assert (stepper.position.plies, stepper.chance) == (3, deals.outcomes[which])
        assert np.array_equal(stepper.position.luck, deals.luck[which])
        assert deals.luck[which].tolist() == draw_deals(TICTACTOE, 4, 3).luck[which].tolist()
    assert [ply.move for ply in after_opening(deals).position.history()] == games.moves[0, :3].tolist()


def test_chance_moves_by_its_own_random_state(pig: Game) -> None:
    deals = draw_deals(pig, 2, 5)
    stepper = after_opening(deals, 1)
    brought: list[tuple[int, int]] = []

    def bring(outcome: int) -> None:
        brought.append((outcome, stepper.chance))
        stepper.play(outcome)

    for _ in stepper.decisions(bring):
        stepper.play(int(stepper.position.legal_moves[0]))
        if len(brought) == 3:
            break
    states = [int(deals.outcomes[1])]
    for _ in brought:
        states.append(next_luck(states[-1]))
    assert [state for _, state in brought] == states[1 : len(brought) + 1]
    assert Stepper(stepper.position).chance == 1


def test_the_end_is_told_to_all_but_the_one_that_lost_by_fault() -> None:
    players = [Told(), None, Told()]
    stepper = Stepper(Position(game, {"seats": 3}), players=players)
    points = stepper.position.points
    assert stepper.tell_end() == []
    assert [player.calls for player in players if player] == [[points]] * 2
    assert stepper.tell_end((1, 2, 3), PlayerFault("lost", 2)) == []
    assert [len(player.calls) for player in players if player] == [2, 1]
    (fault,) = Stepper(Position(game), players=[None, Told()]).tell_end((0, 9))
    assert fault.seat == 1
    assert stepper.tell_end((0, 9), PlayerFault("lost", 0))[0].seat == 2


def test_seats_without_a_player_stay_the_callers() -> None:
    stepper = Stepper(Position(game))
    assert stepper.players == [None, None]
    stepper.seat([None, Told()], {})
    assert stepper.players[0] is None
    assert [stepper.position.mover for _ in stepper.decisions() if stepper.play(0) is None] == [1]


@pytest.mark.parametrize(
    ("player", "decisions"),
    [
        (Asked(TICTACTOE), 0),
        (Searching(TICTACTOE), 1),
        (Stoppable(TICTACTOE), 2),
        (Told(TICTACTOE), 0),
    ],
    ids=lambda value: type(value).__name__,
)
def test_searches_warm_up_before_a_clock_runs(player: Asked, decisions: int) -> None:
    warm_up(player)
    assert player.calls == [0.01] * decisions
    assert player.clock_seconds is None


def test_a_compiled_player_warms_up(monkeypatch: pytest.MonkeyPatch) -> None:
    player, seen = high(), []
    monkeypatch.setattr(player, "decide", lambda position: seen.append(position.plies) or 0)
    warm_up(player)
    assert seen == [0]


def test_a_seated_player_knows_what_it_is() -> None:
    search, plain = SeatedPlayer(Stoppable(TICTACTOE), TICTACTOE), SeatedPlayer(Asked(TICTACTOE), TICTACTOE)
    assert (search.result, search.own_seconds, search.name) == ("a tree", 2.5, "asked")
    assert (plain.result, plain.own_seconds) == (None, None)
    assert plain.stop is None
    assert search.stop is not None
    told = Told(TICTACTOE)
    seated = SeatedPlayer(told, TICTACTOE)
    seated.begin(1, {})
    assert seated.decide(Position(TICTACTOE), seconds=1.5) == Position(TICTACTOE).legal_moves[-1]
    fault = seated.end((0, 9))
    assert fault is not None
    assert fault.seat == 1
    assert told.calls == [1.5, (0, 9)]
    assert seated.end(None) is None


class Following(Asked):
    """Keeps the history that it is given."""

    needs = Needs.HISTORY

    def choose(self, seen: Any, moves: Any) -> int:
        self.calls.append([tuple(ply) for ply in seen.history])
        return int(moves[-1])

    def begin_game(self, seat: int, options: Mapping[str, int]) -> None:
        self.calls.append((seat, options["seats"]))


def test_each_seat_of_a_player_that_follows_games_is_told_of_its_own() -> None:
    law = replace(game, told=lambda state, move, seat: move)
    player = Following(law)
    deals = draw_deals(law, 1, 1, options={"seats": 3})
    play_games([player, low(law)], deals, np.array([[0, 0, 1, 0]]))
    assert player.calls == [(0, 3), (2, 3), [], [(0, 2), (1, 0)]]


@pytest.mark.parametrize(
    ("moves", "points", "what"),
    [
        (0, None, None),
        (1, None, "goes on with 2 compiled, and with 0 interpreted at ply 1"),
        (2, None, r"ends with \(\d+, \d+\) compiled, and with None interpreted"),
        (0, (77, 77), r"ends with \(\d+, \d+\) compiled, and with \(77, 77\) interpreted"),
    ],
)
def test_the_first_difference_of_a_trial_is_named(
    moves: int, points: tuple[int, int] | None, what: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    (first, *_) = trial_games.trial_games(high().style, openings=False)
    assert (first.seed, first.moves, len(first.points or ())) == (0, [2, 2], 2)
    played = [[2, 2], [0, 2], [2, 2, 1]][moves]
    changed = replace(first, moves=played, points=points or (None if moves else first.points))
    monkeypatch.setattr(trial_games, "trial_games", lambda *_, **__: (changed,))
    said = trial_games.difference_of(high().style, openings=False)
    if what is None:
        assert said is None
    else:
        assert re.search(f"a game of seed 0 {what}: a function of numbers depends", said or "")


def test_what_is_not_ours_is_compared_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    note, tried = tmp_path / "note", list[str]()
    said: list[str | None] = ["a difference"]

    def difference_of(style: Any, *_: Any, **__: Any) -> str | None:
        tried.append(style.game.name)
        return said[0]

    monkeypatch.setattr(trial_games, "compiling", lambda: True)
    monkeypatch.setattr(trial_games, "note_of", lambda *_: note)
    monkeypatch.setattr(trial_games, "difference_of", difference_of)
    with pytest.raises(CodeError, match="a difference"):
        trial_games.compare(high().style, openings=False)
    assert not note.exists()
    said[0] = None
    for _ in range(2):
        trial_games.compare(high().style, openings=False)
    assert (note.exists(), tried) == (True, ["numbers"] * 2)
    note.unlink()
    trial_games.compare(RandomPlayer(game).style, openings=False)
    trial_games.compare(RandomPlayer(TICTACTOE).style, openings=False)
    assert tried == ["numbers"] * 3
    note.unlink()
    monkeypatch.setattr(trial_games, "compiling", lambda: False)
    trial_games.compare(high().style, openings=False)
    assert tried == ["numbers"] * 3, "interpreted, there is nothing to compare"


def test_trial_games_are_broken_off_after_twice_as_many_plies_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial_games, "SECONDS", 60.0)
    law = replace(game, over=kernel(lambda state: state.named == 20), ply_cap=40)
    played = trial_games.trial_games(high(law).style, openings=False)
    assert [len(one.moves) for one in played] == [4, 8, 16, *[20] * 9]
    assert [one.points is None for one in played] == [True] * 3 + [False] * 9
    assert [one.seed for one in played] == list(range(12))
