"""The stepper: ply cap, chance and seats; forfeits, openings, and a seated player in games of others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from rulebots.checking.players import check_player
from rulebots.errors import UsageError
from rulebots.game import Game, Moves, View
from rulebots.game.position import Position
from rulebots.game.random_numbers import next_luck
from rulebots.kernel import kernel
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.play.deals import Deals, draw_deals, mirrored
from rulebots.play.loop import Batch, _forfeit, begin
from rulebots.play.match import play_games
from rulebots.play.stepper import SeatedPlayer, Stepper
from rulebots.players import KernelPlayer, Needs, Observed, Player, PlayerFault, RandomPlayer
from rulebots.search.exact.solving import mean_length

KALAH, TICTACTOE = load_game("kalah"), load_game("tictactoe")
#: In this order nobody gets three in a row: the game ends with the board full.
FULL_BOARD = tuple(12 + 11 * (cell // 3) + cell % 3 for cell in (0, 1, 2, 4, 3, 5, 7, 6, 8))


class Filling(Player):
    """Fills the board of tic-tac-toe in that order."""

    def choose(self, view: View, moves: Moves) -> int:
        return next(cell for cell in FULL_BOARD if cell in moves)


class Leftmost(Player):
    """Makes the first move, and is asked in Python."""

    def choose(self, view: View, moves: Moves) -> int:
        return int(moves[0])


@kernel
def fill_the_board(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
    for cell in FULL_BOARD:
        for i in range(n):
            if moves[i] == cell:
                return cell
    return -1


class Noting(Player):
    """Notes what it is told of its games."""

    def __init__(self, said: list[object]) -> None:
        super().__init__(KALAH, "noting")
        self.said = said

    def begin_game(self, seat, options):
        self.said.append((id(self) != 0, seat, dict(options)))

    def choose(self, seen, moves):
        self.said.append(self.clock_seconds)
        return int(moves[-1])

    def stop(self):
        self.said.append("stop")

    def end_game(self, points):
        self.said.append(points)


def test_a_player_is_told_of_each_game_and_of_its_time():
    said: list[object] = []
    seated, position = SeatedPlayer(Noting(said), KALAH), Position(KALAH)
    seated.begin(1, {"pits": 6})
    assert seated.decide(position, seconds=2.5) == position.legal_moves[-1]
    seated.stop()
    assert seated.end((3, 4)) is None
    seated.begin(0, {})
    assert seated.end(None) is None
    assert said == [(True, 1, {"pits": 6}), 2.5, "stop", (3, 4), (True, 0, {})]


def test_a_fault_is_one_line_and_the_next_game_goes_on():
    class Failing(Player):
        def choose(self, seen, moves):
            return 99

        def end_game(self, points):
            raise ValueError("my own words")

    seated = SeatedPlayer(Failing(KALAH, "failing"), KALAH)
    for _ in range(2):
        seated.begin(0, {})
        with pytest.raises(PlayerFault, match="chose 99; legal moves are"):
            seated.decide(Position(KALAH))
        fault = seated.end((0, 1))
        assert fault is not None
        assert "ValueError: my own words" in str(fault)


def test_a_player_of_another_game_is_refused():
    with pytest.raises(UsageError, match="'dumb' plays lost-cities, not kalah: choose another player"):
        SeatedPlayer(make_player("dumb", load_game("lost-cities")), KALAH)


def test_what_a_seat_observes_is_enough_for_most_players_and_not_for_searches():
    position = Position(KALAH)
    seen = Observed(0, position.view(), position.history())
    assert SeatedPlayer(make_player("leftmost", KALAH), KALAH).decide(seen, position.legal_moves) == 0

    class Searching(Noting):
        needs = Needs.POSITION

    with pytest.raises(PlayerFault, match="needs more than its seat observes"):
        SeatedPlayer(Searching([]), KALAH).decide(seen, position.legal_moves)


def capped(game: Game, plies: int) -> Game:
    return replace(game, ply_cap=plies)


@pytest.mark.parametrize("asked", [False, True])
@pytest.mark.parametrize(("cap", "stalled"), [(4, True), (5, True), (9, False)])
def test_a_game_stalls_at_its_ply_cap_and_not_before(cap: int, stalled: bool, asked: bool) -> None:
    """A board that is full at the ninth ply is over there, and has not stalled."""
    game = capped(TICTACTOE, cap)
    full = Filling(game, "filling") if asked else KernelPlayer(game, fill_the_board, "filling")
    games = play_games([full], draw_deals(game, 1, 1, opening_plies=0), np.array([[0, 0, 0]]))
    assert games.plies.tolist() == [cap]
    assert games.stalled.tolist() == [stalled]


def test_the_stepper_stops_at_the_ply_cap() -> None:
    game = Stepper(Position(capped(TICTACTOE, 3)))
    seats = []
    for seat in game.decisions():
        seats.append(seat)
        game.play(int(game.position.legal_moves[0]))
    assert seats == [0, 1, 0]
    assert game.ended
    assert game.position.stalled


def test_seated_players_move_and_the_caller_makes_all_other_moves() -> None:
    game = Stepper(Position(TICTACTOE))
    game.seat([None, Filling(TICTACTOE, "filling")], {})
    seats = []
    for seat in game.decisions():
        seats.append(seat)
        game.play(int(game.position.legal_moves[0]))
    assert set(seats) == {0}
    assert game.position.plies > len(seats)


@pytest.mark.parametrize(
    ("points", "seat", "after"),
    [([5, 9, 3], 1, [5, 2, 3]), ([5, 9, 3], 0, [2, 9, 3]), ([5, 1, 3], 1, [5, 1, 3]), ([4, 4, 4], 2, [4, 4, 3])],
)
def test_a_fault_loses_by_a_point_to_the_last_of_three_seats(points: list[int], seat: int, after: list[int]) -> None:
    batch = Batch(TICTACTOE, np.ones((2, 3), np.int64))
    batch.points[:] = points
    batch.stalled[:] = True
    _forfeit(batch, 1, PlayerFault("", seat))
    assert batch.points.tolist() == [points, after]
    assert batch.stalled.tolist() == [True, False]


def test_openings_take_nothing_from_the_random_states_of_players() -> None:
    deals = draw_deals(KALAH, 20, 3, opening_plies=4)
    which = np.arange(20)

    def opened(deals: Deals) -> Batch:
        batch = Batch(KALAH, deals.luck.copy(), np.zeros((20, 4), np.int8))
        begin(batch, deals, which)
        return batch

    batch = opened(deals)
    assert np.array_equal(batch.arrays.luck, deals.luck)
    others = draw_deals(KALAH, 20, 4)
    same = opened(replace(deals, luck=others.luck))
    assert np.array_equal(same.arrays.chosen, batch.arrays.chosen)
    another = opened(replace(deals, openings=others.openings))
    assert not np.array_equal(another.arrays.chosen, batch.arrays.chosen)
    # All seats draw from one stream, in turn.
    for g in range(3):
        position, luck = Position(KALAH, deals.named_options), int(deals.openings[g])
        for move in batch.arrays.chosen[g].tolist():
            luck = next_luck(luck)
            moves = position.legal_moves
            assert move == moves[luck % len(moves)]
            position.play(move)


def test_the_order_of_players_does_not_change_the_games() -> None:
    deals = draw_deals(KALAH, 6, 5)
    one, other, asked = RandomPlayer(KALAH), make_player("score", KALAH), Leftmost(KALAH, "asked")
    for first, second in ((one, other), (one, asked), (asked, one)):
        games = play_games([first, second], deals, mirrored(6), keep_moves=True)
        swapped = play_games([second, first], deals, mirrored(6, 1, 0), keep_moves=True)
        assert np.array_equal(games.moves, swapped.moves)
        assert np.array_equal(games.points, swapped.points)


def test_games_of_checks_and_of_estimates_begin_with_different_throws(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = Stepper.draw
    first = []

    def drawn(stepper: Stepper) -> int:
        outcome = draw(stepper)
        if stepper.position.plies == 0:
            first.append(outcome)
        return outcome

    monkeypatch.setattr(Stepper, "draw", drawn)
    game = load_game("cant-stop")
    mean_length(Position(game))
    assert len(set(first)) > len(first) / 2
    first.clear()
    check_player(Leftmost(game, "leftmost"))
    assert len(set(first)) == len(first) > 1
