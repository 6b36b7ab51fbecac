"""What a tree search proves."""

from __future__ import annotations

import numpy as np
import pytest
from played_positions import after, margin
from search_positions import GAME, SIMULATIONS, course, every_game_without_chance, start

from rulebots.game import Game
from rulebots.position import Position
from rulebots.search.mcts.search import Search
from rulebots.search.mcts.settings import SearchSettings

pytestmark = pytest.mark.interpreted


@every_game_without_chance
def test_what_is_proven_is_the_outcome_of_best_play(game: Game) -> None:
    """In the last positions of random games, of which every line can be looked at."""
    proven = 0
    for deal in range(3):
        record = course(game, deal)
        for position in map(record.position, range(max(0, record.plies - 3), record.plies)):
            settings = SearchSettings(iterations=SIMULATIONS, solve=bool(deal % 2))
            result = Search(game, settings).run(position)
            expected, lines = best_outcome(position, 3000)
            if lines > 0 and ((result.proven[0] and abs(result.value) == 1) or result.proven.all()):
                proven += 1
                assert result.value == expected
    assert proven > 3


def best_outcome(position: Position, lines: int) -> tuple[int, int]:
    """The outcome for the mover with best play, and how many of `lines` positions were not needed; 0 were too few."""
    best = -1
    if position.over:
        return int(np.sign(margin(position, position.mover))), lines - 1
    for move in position.legal_moves.tolist():
        if lines <= 0 or best == 1:
            break
        later = after(position, move)
        outcome, lines = best_outcome(later, lines - 1)
        best = max(best, outcome if later.mover == position.mover else -outcome)
    return best, lines


def test_a_win_in_one_is_proven_and_ends_the_search() -> None:
    threatened = after(start(GAME), "0,0", "1,0", "0,1")
    wins = after(threatened, "1,1")
    third = wins.read("0,2")
    for select in ("uct", "puct"):
        result = Search(GAME, SearchSettings(iterations=5000, select=select)).run(wins)
        assert (result.move, result.value, result.line) == (third, 1.0, (third,))
        assert result.simulations < 5000
        blocked = Search(GAME, SearchSettings(iterations=500, select=select)).run(threatened)
        assert blocked.move == third


def test_a_forced_loss_is_proven_too() -> None:
    three_corners = after(start(GAME), "0,0", "0,1", "2,0", "1,0", "2,2")
    result = Search(GAME, SearchSettings(iterations=5000)).run(three_corners)
    assert result.value == -1.0
    assert result.proven.all()


def test_solving_proves_with_fewer_simulations() -> None:
    position = after(start(GAME), "0,0", "1,1", "2,2")
    plain, solving = (Search(GAME, SearchSettings(iterations=20_000, solve=s)).run(position) for s in (False, True))
    assert plain.proven.all()
    assert solving.proven.all()
    assert plain.value == solving.value == 0
    assert solving.simulations < plain.simulations / 2
