"""What a tree search proves."""

from __future__ import annotations

import numpy as np
import pytest
from played_positions import after, margin
from search_positions import GAME, SIMULATIONS, course, every_game_without_chance, start, tree_of

from rulebots.game import Game
from rulebots.game.position import Position
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
            settings = SearchSettings(iterations=SIMULATIONS)
            result = Search(game, settings).run(position)
            if (result.proven[0] and abs(result.value) == 1) or result.proven.all():
                expected, lines = best_outcome(position, 3000)
                if lines > 0:
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


@pytest.mark.slow
def test_a_lost_position_is_defended_longest_and_a_won_one_is_ended() -> None:
    """A loss in one is never chosen over a longer one, and a win in one is never put off."""
    lost = longer = won = 0
    for deal in range(150):
        record = course(GAME, deal)
        position = record.position(min(3 + deal % 2, record.plies - 1))
        outcome, plies = by_all_lines(position)
        if outcome == 0:
            continue
        result = Search(GAME, SearchSettings(iterations=20_000)).run(position)
        assert (result.value, result.proven[0]) == (outcome, True)
        chosen = after(position, result.move)
        left = 1 if chosen.over else 1 + by_all_lines(chosen)[1]
        lost, won, longer = lost + (outcome < 0), won + (outcome > 0), longer + (outcome < 0 and plies > 2)
        assert result.distances[0] >= left
        assert left > 2 or plies <= 2, "it could have lasted longer"
        assert outcome < 0 or left == 1 or plies > 1, "it could have won at once"
    assert min(lost, longer, won) > 0


def by_all_lines(position: Position) -> tuple[int, int]:
    """The outcome for the mover with best play, and in how many plies: soon for the winner, late for the loser."""
    found = []
    for move in position.legal_moves.tolist():
        later = after(position, move)
        if later.over:
            found.append((int(np.sign(margin(later, position.mover))), 1))
        else:
            outcome, plies = by_all_lines(later)
            found.append((-outcome, plies + 1))
    return max(found, key=lambda one: (one[0], -one[0] * one[1]))


def test_proofs_hold_wherever_a_position_occurs() -> None:
    """A position that another order of moves has proven is proven as soon as it is reached."""
    position = after(start(GAME), "0,0", "1,1", "2,2")
    search = Search(GAME, SearchSettings(iterations=20_000))
    result = search.run(position)
    assert result.proven.all()
    assert result.value == 0
    workspace, tree = search._workspace, tree_of(search)
    assert np.count_nonzero(workspace.proofs[:, 1]) < np.count_nonzero(tree.proven[: tree.size[0]])
