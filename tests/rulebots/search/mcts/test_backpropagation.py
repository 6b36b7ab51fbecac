"""What a tree search proves."""

from __future__ import annotations

from typing import Any

import numpy as np
from search_positions import SIMULATIONS, after, course, every_game, start

from rulebots.game import Game, load_game
from rulebots.position import law_of
from rulebots.search.mcts.search import Search
from rulebots.search.mcts.settings import SearchSettings


@every_game
def test_what_is_proven_is_the_outcome_of_best_play(game: Game) -> None:
    """In the last positions of random games, of which every line can be looked at."""
    proven = 0
    for deal in range(3):
        record = course(game, deal)
        for state in record.states[max(0, record.plies - 3) : record.plies]:
            settings = SearchSettings(iterations=SIMULATIONS, solve=bool(deal % 2))
            result = Search(game, settings).run(state, 1)
            expected, lines = best_outcome(game, state, 3000)
            if lines > 0 and ((result.proven[0] and abs(result.value) == 1) or result.proven.all()):
                proven += 1
                assert result.value == expected
    assert proven > 3


def best_outcome(game: Game, state: Any, lines: int) -> tuple[int, int]:
    """The outcome for the mover with best play, and how many of `lines` positions were not needed; 0 were too few."""
    law, seat, best = law_of(game), int(state.mover), -1
    if law.over(state):
        margin = game.points(state, seat) - game.points(state, 1 - seat)
        return int(np.sign(int(margin))), lines - 1
    moves = np.zeros(game.move_count, np.int64)
    for move in moves[: law.moves(state, moves)].tolist():
        if lines <= 0 or best == 1:
            break
        later = after(game, state, move)
        outcome, lines = best_outcome(game, later, lines - 1)
        best = max(best, outcome if later.mover == seat else -outcome)
    return best, lines


def test_a_win_in_one_is_proven_and_ends_the_search() -> None:
    game = load_game("tictactoe")
    a, b, c = (game.read(text, start(game)) for text in ("0,0", "0,1", "0,2"))
    d, e = (game.read(text, start(game)) for text in ("1,0", "1,1"))
    for select in ("uct", "puct"):
        result = Search(game, SearchSettings(iterations=5000, select=select)).run(after(game, start(game), a, d, b, e))
        assert (result.move, result.value, result.line) == (c, 1.0, (c,))
        assert result.simulations < 5000
        blocked = Search(game, SearchSettings(iterations=500, select=select)).run(after(game, start(game), a, d, b))
        assert blocked.move == c


def test_a_forced_loss_is_proven_too() -> None:
    game = load_game("tictactoe")
    corners = [game.read(text, start(game)) for text in ("0,0", "0,1", "2,0", "1,0", "2,2")]
    result = Search(game, SearchSettings(iterations=5000)).run(after(game, start(game), *corners))
    assert result.value == -1.0
    assert result.proven.all()


def test_solving_proves_with_fewer_simulations() -> None:
    game = load_game("tictactoe")
    state = after(game, start(game), *(game.read(text, start(game)) for text in ("0,0", "1,1", "2,2")))
    plain, solving = (Search(game, SearchSettings(iterations=20_000, solve=s)).run(state, 1) for s in (False, True))
    assert plain.proven.all()
    assert solving.proven.all()
    assert plain.value == solving.value == 0
    assert solving.simulations < plain.simulations / 2
