"""Whatever a player does when it is asked, there is a legal move or one line that says what it did."""

from __future__ import annotations

import pickle
import re
import signal
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from contenders import Choose, Scripted

from rulebots.errors import UsageError
from rulebots.game import Game, Moves, View
from rulebots.game.position import Position
from rulebots.kernel.user_code import place
from rulebots.packages import load_game
from rulebots.players import Needs, Player, PlayerFault


@pytest.fixture
def game() -> Game:
    return load_game("tictactoe")


def fault_of(player: Player, position: Position | None = None) -> str:
    with pytest.raises(PlayerFault) as caught:
        player.decide(position or Position(player.game, seed=1))
    line = str(caught.value)
    assert "\n" not in line
    assert len(line) < 800
    return line


def overwriting(_: View, moves: Moves) -> int:
    moves[:] = 9999
    return 9999


def counting_up(_: View, moves: Moves) -> int:
    moves[0] += 1
    return int(moves[0])


def rewriting(_: View, moves: Moves) -> int:
    moves %= 60
    return int(moves[-1])


def unlocking(_: View, moves: Moves) -> int:
    moves.setflags(write=True)
    moves[:] = 9999
    return 9999


def interrupted(_: View, moves: Moves) -> int:
    signal.raise_signal(signal.SIGINT)
    return int(moves[0])


def interrupted_and_tidy(_: View, moves: Moves) -> int:
    try:
        return interrupted(_, moves)
    except KeyboardInterrupt:
        moves = np.zeros(1, np.int64)
        raise


@pytest.mark.parametrize("choose", [interrupted, interrupted_and_tidy])
def test_ctrl_c_is_not_a_fault(game: Game, choose: Choose) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            Scripted(game, choose).decide(Position(game, seed=1))
    finally:
        signal.signal(signal.SIGINT, before)


def scribbling(view: View, moves: Moves) -> int:
    view.luck = 1
    return int(moves[0])


def scribbling_on_the_board(view: View, moves: Moves) -> int:
    view.board[0] = 1
    return int(moves[0])


def unlocking_the_view(view: View, moves: Moves) -> int:
    np.void.base.__get__(view).setflags(write=True)
    view.luck = 1
    return int(moves[0])


def misspelling(view: View, moves: Moves) -> int:
    return int(moves[view.bord[0]])


def misnaming(view: View, moves: Moves) -> int:
    return int(moves[veiw.luck % len(moves)])  # type: ignore[name-defined]  # noqa: F821 - the mistake


READ_ONLY = "raised ValueError: assignment destination is read-only (FILE)"


@pytest.mark.parametrize(
    ("choose", "what"),
    [
        (overwriting, READ_ONLY),
        (counting_up, READ_ONLY),
        (rewriting, "raised ValueError: output array is read-only (FILE)"),
        (unlocking, "chose 9999"),
        (scribbling, READ_ONLY),
        (scribbling_on_the_board, READ_ONLY),
        (unlocking_the_view, "raised "),
        (misnaming, "uses the name 'veiw', which is not defined; did you mean 'view'? (FILE)"),
        (misspelling, "uses view.bord, which is not a field; did you mean 'view.board'? the fields are luck"),
    ],
    ids=lambda case: getattr(case, "__name__", ""),
)
def test_what_a_player_does_to_its_arrays_does_not_decide(game: Game, choose: Choose, what: str) -> None:
    position = Position(game, seed=1)
    before, legal = position.state.tobytes(), position.legal_moves.tolist()
    line = fault_of(Scripted(game, choose), position)
    assert re.sub(r"\([^()]*test_players_faults.py:\d+\)", "(FILE)", line).startswith(
        f"player 'scripted', ply 1: {what}"
    )
    assert "; legal moves are " in line
    assert (position.state.tobytes(), position.legal_moves.tolist()) == (before, legal)


def test_a_position_that_a_player_is_given_is_its_own(game: Game) -> None:
    class Searcher(Scripted):
        needs = Needs.POSITION

    def spoiling(position: Position, moves: Moves) -> int:
        position.state.mover = 1
        position.luck = None
        position.push(int(moves[-1]))
        return int(moves[0])

    position = Position(game, seed=1)
    before, luck = position.state.tobytes(), list(position.luck or ())
    Searcher(game, spoiling).decide(position)
    assert (position.state.tobytes(), list(position.luck or ())) == (before, luck)


class Sneaky(int):
    """A whole number that claims to be every other one."""

    def __eq__(self, _: object) -> bool:
        return True

    def __int__(self) -> int:
        return 12

    __hash__ = int.__hash__


class Unprintable:
    def __repr__(self) -> str:
        raise KeyError("no")


class Hostile:
    """Leaves the program at whatever is done with it."""

    def _leave(self, *_: object) -> Any:
        sys.exit(3)

    __repr__ = __str__ = __eq__ = __ne__ = __hash__ = __bool__ = __len__ = __iter__ = _leave  # type: ignore[assignment]


class Nameless(type):
    @property
    def __name__(cls) -> str:  # type: ignore[override]
        sys.exit(3)


class Anonymous(metaclass=Nameless):
    """Not even its class can be named."""


class Unindexed:
    def __index__(self) -> int:
        raise RuntimeError("not today")


ODD = {
    "None": (None, "chose None (does `choose` return its move?)"),
    "a list": ([12], "chose [12], of type list"),
    "an array": (np.array([12, 13]), "chose array([12, 13]), of type ndarray"),
    "an array of one": (np.array([12]), "chose array([12]), of type ndarray"),
    "a complex number": (12 + 0j, "chose (12+0j), of type complex"),
    "a fraction": (12.5, "chose 12.5, of type float"),
    "a float": (12.0, "chose 12.0, of type float"),
    "True": (True, "chose True, of type bool"),
    "NumPy's True": (np.True_, "chose np.True_, of type bool"),
    "a text": ("12", "chose '12', of type str"),
    "a long text": ("12\n" * 1000, "chose '12\\n12\\n"),
    "a number below": (-1, "chose -1"),
    "a number beyond int64": (10**30, f"chose {10**30}"),
    "a number beyond printing": (10**5000, "chose (not printable)"),
    "a number that lies": (Sneaky(9999), "chose 9999, of type Sneaky"),
    "what cannot be printed": (Unprintable(), "chose (not printable), of type Unprintable"),
    "what leaves when it is printed": (Hostile(), "chose (not printable), of type Hostile"),
    "what cannot be named": (Anonymous(), "(not printable)"),
    "what fails as a number": (Unindexed(), "raised RuntimeError: not today ("),
}


@pytest.mark.parametrize("case", ODD)
def test_an_answer_that_is_no_legal_move_is_named(game: Game, case: str) -> None:
    answer, what = ODD[case]
    line = fault_of(Scripted(game, lambda _, __: answer))
    assert line.startswith(f"player 'scripted', ply 1: {what}")
    assert re.search(r"; legal moves are 12 \(a1\), 13 \(b1\), .* and 1 more$", line)


def test_the_view_as_an_answer_is_cut_short(game: Game) -> None:
    assert " ..., of type record; legal moves" in fault_of(Scripted(game, lambda view, _: view))


@pytest.mark.parametrize("kind", [int, np.int8, np.int64, np.uint8, np.intp, np.array])
def test_whole_numbers_of_python_and_numpy_are_moves(game: Game, kind: Callable[[int], Any]) -> None:
    move = Scripted(game, lambda _, moves: kind(int(moves[0]))).decide(Position(game, seed=1))
    assert (type(move), move) == (int, 12)


class Own(BaseException):
    """Not an Exception."""


class HostileError(Hostile, RuntimeError):
    """Leaves the program when its text is asked for."""


class HostileMistake(Hostile, UsageError):
    """The same, as a mistake of which the text is the message."""


class HostileName(NameError):
    """Leaves the program when it is asked what is missing."""

    name = property(lambda _: sys.exit(3))  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("error", "what"),
    [
        (HostileError(), "raised HostileError: (not printable) ("),
        (HostileMistake(), "(not printable); legal moves are"),
        (HostileName(), "(not printable); legal moves are"),
    ],
)
def test_an_error_that_leaves_when_it_is_printed_is_a_fault_of_the_player(
    game: Game, error: BaseException, what: str
) -> None:
    def failing(_: View, __: Moves) -> int:
        raise error

    assert fault_of(Scripted(game, failing)).startswith(f"player 'scripted', ply 1: {what}")


def failing(_: View, __: Moves) -> int:
    return [0][1:][0]


def failing_elsewhere(_: View, __: Moves) -> int:
    return int(np.zeros(3).reshape(2, 2)[0, 0])


def leaving(_: View, __: Moves) -> int:
    sys.exit(3)


def leaving_for_good(_: View, __: Moves) -> int:
    raise Own("two\nlines")


@pytest.mark.parametrize(
    ("choose", "cause", "what"),
    [
        (failing, IndexError, "list index out of range"),
        (failing_elsewhere, ValueError, "cannot reshape array of size 3 into shape (2,2)"),
        (leaving, SystemExit, "3"),
        (leaving_for_good, Own, "two lines"),
    ],
    ids=lambda case: getattr(case, "__name__", ""),
)
def test_a_player_that_fails_is_named_with_its_line(
    game: Game, choose: Choose, cause: type[BaseException], what: str
) -> None:
    player = Scripted(game, choose)
    where = place(__file__, choose.__code__.co_firstlineno + 1)
    assert f"ply 1: raised {cause.__name__}: {what} ({where}); legal" in fault_of(player)
    with pytest.raises(PlayerFault) as caught:
        player.decide(Position(game, seed=1))
    assert isinstance(caught.value.__cause__, cause)


class Unmade(Player):
    """Forgets its `super().__init__`."""

    def __init__(self) -> None:
        self.plies = 0

    def choose(self, seen: Any, moves: Moves) -> int:
        return int(moves[0])


def test_a_class_without_super_init_is_told_what_to_call(game: Game) -> None:
    line = fault_of(Unmade(), Position(game, seed=1))
    assert line.startswith("player 'Unmade', ply 1: raised TypeError: its `__init__` has to call super().__init__(game")


def test_the_fault_knows_the_seat_and_counts_plies_from_1(game: Game) -> None:
    position = Position(game, seed=1)
    position.push(int(position.legal_moves[0]))
    with pytest.raises(PlayerFault, match="player 'late', ply 2: chose 0;") as caught:
        Scripted(game, lambda _, __: 0, "late").decide(position)
    assert caught.value.seat == 1
    assert (caught.value.exit_code, isinstance(caught.value, UsageError)) == (1, True)


def test_a_fault_comes_back_whole_from_another_process(game: Game) -> None:
    fault = PlayerFault("what happened", 1)
    again = pickle.loads(pickle.dumps(fault))  # noqa: S301 - our own bytes
    assert (type(again), str(again), again.seat) == (PlayerFault, "what happened", 1)
