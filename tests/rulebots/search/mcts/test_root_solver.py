"""A game's solver of forced wins, as a tree search asks it: here one that knows the wins of tic-tac-toe in one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from game_copies import with_parts

from rulebots.checking import check_game
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.kernel import compiling, kernel
from rulebots.kernel.user_code import CodeError
from rulebots.packages import ForcedWins, load_game
from rulebots.search.mcts import MctsResult, Search, SearchSettings

PLAIN = load_game("tictactoe")


@kernel
def one_move(state: Any, workspace: Any, nodes: int, line: Any) -> int:
    """What a stone in the middle is said to win at once."""
    workspace[0] = max(workspace[0], nodes)
    line[0] = workspace[1]
    return 1 if state.board[workspace[1]] == 0 and state.mover == 1 else 0


@kernel
def nowhere(state: Any, workspace: Any, nodes: int, line: Any) -> int:
    """A win that begins with a move that there is not."""
    line[0] = 7777
    return 1


def solved(middle: int) -> Game:
    """The game with a solver that takes the middle for a win of seat 1, whose turn it is."""
    return with_parts(PLAIN, forced_wins=ForcedWins(one_move, lambda: np.array([0, middle])))


def searched(game: Game, moves: str, **settings: Any) -> tuple[Search, MctsResult]:
    position = Position(game)
    for text in moves.split():
        position.push(position.read(text))
    search = Search(game, SearchSettings(iterations=60, **settings))
    return search, search.run(position)


MIDDLE = PLAIN.text.read("1,1", Position(PLAIN).state)


@pytest.mark.skipif(compiling(), reason="the same interpreted, without compiling one more game")
def test_the_root_is_proven_without_simulations() -> None:
    search, result = searched(solved(MIDDLE), "0,0")
    assert (result.move, result.value, result.simulations) == (MIDDLE, 1.0, 0)
    assert result.distances[0] == 1
    assert search._workspace.solver[0] == 300 * 100


@pytest.mark.skipif(compiling(), reason="the same interpreted, without compiling one more game")
def test_a_move_that_lets_the_other_side_win_is_not_made() -> None:
    _, result = searched(solved(MIDDLE), "")
    assert result.move == MIDDLE
    lost = dict(zip(result.moves.tolist(), result.proven.tolist(), strict=True))
    assert not lost.pop(MIDDLE)
    assert all(lost.values())


@pytest.mark.skipif(compiling(), reason="the same interpreted, without compiling one more game")
def test_with_an_effort_of_0_nobody_asks() -> None:
    asked, _ = searched(solved(MIDDLE), "0,0", solver=0)
    assert asked._workspace.solver[0] == 0
    _, one = searched(solved(MIDDLE), "0,0", solver=0)
    _, other = searched(PLAIN, "0,0")
    assert (one.visits == other.visits).all()


@pytest.mark.skipif(compiling(), reason="the same interpreted, without compiling one more game")
def test_the_same_seed_gives_the_same_search() -> None:
    one, other = (searched(solved(MIDDLE), "")[1] for _ in range(2))
    assert (one.visits == other.visits).all()


@pytest.mark.skipif(compiling(), reason="the same interpreted, without compiling one more game")
def test_a_win_that_begins_with_an_illegal_move_is_told() -> None:
    wrong = with_parts(PLAIN, forced_wins=ForcedWins(nowhere, lambda: np.zeros(1)))
    with pytest.raises(CodeError, match=r"`nowhere` begins a win with the move 7777, which is not legal"):
        searched(wrong, "")


def test_a_solver_is_a_kernel_of_a_game_without_chance() -> None:
    wrong = {
        "expected 4 parameters": with_parts(PLAIN, forced_wins=ForcedWins(PLAIN.over, dict)),
        "for games without hidden information and chance": with_parts(
            load_game("cant-stop"), forced_wins=ForcedWins(one_move, dict)
        ),
    }
    for message, game in wrong.items():
        (mistake,) = check_game(game, games=1).mistakes
        assert message in str(mistake)
