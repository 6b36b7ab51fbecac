"""Exact values for one seat and two, and what is said of more."""

from __future__ import annotations

from typing import Any

import numpy as np
import payoffs
import pytest
from payoffs import POINTS, THROWN, TOGETHER, WINS, backed_up, best_move, clear

from rulebots.errors import UsageError
from rulebots.game import CHANCE, Game, GameText, Kind
from rulebots.game.position import Position
from rulebots.kernel import kernel
from rulebots.play.match import play_match
from rulebots.players import Player, RandomPlayer
from rulebots.search.exact import PerfectPlayer, solve, solve_position, tablebase_finder
from rulebots.search.exact.accuracy import accuracy, judge
from rulebots.search.mcts.search import Search
from rulebots.search.mcts.settings import SearchSettings
from rulebots.search.minimax.search import Limits, Minimax

THROWS, STOP, AGAIN = 3, 6, 7


def dice_game() -> Game:
    """A solitaire: throw a die up to three times, and stop when you like it; it is worth 14/3 points."""

    @kernel
    def setup(state, deal, options):
        state.mover = CHANCE

    @kernel
    def moves(state, out):
        if state.mover == CHANCE:
            for face in range(6):
                out[face] = face
            return 6
        out[0], out[1] = STOP, AGAIN
        return 2

    @kernel
    def play(state, move):
        if move < STOP:
            state.face, state.mover = move + 1, 0
            state.thrown += 1
            state.done = state.thrown == THROWS
        elif move == STOP:
            state.done = 1
        else:
            state.mover = CHANCE

    @kernel
    def over(state):
        return state.done == 1

    @kernel
    def points(state, seat):
        return state.face

    @kernel
    def observe(state, view):
        view.face = state.face

    return Game(
        name="dice",
        title="Dice",
        state=np.dtype([(name, np.int32) for name in ("mover", "face", "thrown", "done")]),
        view=np.dtype([("luck", np.int64), ("face", np.int32)]),
        seats=1,
        move_count=8,
        ply_cap=8,
        kinds=(Kind("step", {"step": 1.0}),),
        setup=setup,
        moves=moves,
        play=play,
        over=over,
        points=points,
        observe=observe,
        chance=True,
        hidden=False,
        text=GameText(
            show=lambda state, seat: f"a {state.face}",
        ),
    )


DICE = dice_game()


def test_a_solitaire_with_chance_has_an_expected_value() -> None:
    """After the second throw keep 4 and more, (4 + 5 + 6) / 6 + 3.5 / 2 = 4.25; after the first keep 5 and 6."""
    assert solve(DICE).value == pytest.approx(14 / 3)
    for face, move in enumerate((AGAIN, AGAIN, AGAIN, AGAIN, STOP, STOP)):
        position = Position(DICE)
        position.play(face)
        assert PerfectPlayer(DICE).choose(position, position.legal_moves) == move
        assert Minimax(DICE).best(position, Limits(depth=8)).move == move
        if face + 1 != 4:  # which is close: 4 points against 4.25
            assert Search(DICE, SearchSettings(iterations=1000)).run(position).move == move


@pytest.mark.parametrize(
    ("game", "seats"),
    [(POINTS, 1), (THROWN, 1), (TOGETHER, 1), (TOGETHER, 2)],
    ids=lambda part: getattr(part, "name", part),
)
def test_alone_and_together_the_value_is_the_points(game: Game, seats: int) -> None:
    perfect = PerfectPlayer(game)
    for deal in range(4):
        position = clear(game, seats, deal)
        assert solve_position(position).value == pytest.approx(backed_up(position)[0])
        assert tablebase_finder(game)(position).value(position) == pytest.approx(backed_up(position)[0])
        assert perfect.choose(position, position.legal_moves) == best_move(position)
        found = judge(Fixed(game, best_move(position)), position)
        assert (found.kept, found.value) == (True, pytest.approx(backed_up(position)[0]))
        assert not judge(Fixed(game, 1 - best_move(position)), position).kept


class Fixed(Player):
    """Makes one move, whatever happens."""

    def __init__(self, game: Game, move: int) -> None:
        super().__init__(game, "fixed")
        self.move = move

    def choose(self, seen: Any, moves: Any) -> int:
        return self.move


def test_two_seats_of_a_game_for_more_have_a_margin() -> None:
    position = clear(WINS, 2, 4)

    def margin(here: Position) -> int:
        if here.over:
            return here.points[0] - here.points[1]
        below = []
        for move in (0, 1):
            child = here.copy()
            child.play(move)
            below.append(margin(child))
        return max(below) if here.mover == 0 else min(below)

    assert solve_position(position).value == tablebase_finder(WINS)(position).value(position) == margin(position)


def test_more_than_two_seats_are_refused_in_one_line() -> None:
    fewer = "expected one or two seats for exact values, not the 3 of Points: choose fewer"
    position, options = clear(POINTS, 3, 1), {"seats": 3}
    for ask in (
        lambda: solve(POINTS, options),
        lambda: solve_position(position),
        lambda: tablebase_finder(POINTS)(position),
        lambda: PerfectPlayer(POINTS).check_seats(3),
        lambda: play_match(PerfectPlayer(POINTS), RandomPlayer(POINTS), 1, options=options),
        lambda: accuracy(RandomPlayer(POINTS), options),
        lambda: judge(RandomPlayer(POINTS), position),
    ):
        with pytest.raises(UsageError) as caught:
            ask()
        assert str(caught.value) == fewer
    with pytest.raises(UsageError, match="not the 3 of Many: ask mcts or minimax"):
        PerfectPlayer(payoffs.tree_game("many", low=3))


@pytest.mark.parametrize(("game", "how"), [(POINTS, "alone"), (TOGETHER, "together")], ids=["alone", "together"])
def test_no_win_is_kept_where_nobody_is_beaten(game: Game, how: str) -> None:
    with pytest.raises(UsageError, match="is won for certain: ask about one"):
        accuracy(RandomPlayer(game), {"seats": 1 if how == "alone" else 2})
