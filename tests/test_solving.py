"""Exact values: those of an exhaustive search, and clear refusals."""

from __future__ import annotations

import numpy as np
import pytest

from rulebots.errors import UsageError
from rulebots.game import Game, State, load_game
from rulebots.kernel import compiling
from rulebots.position import law_of
from rulebots.search.exact.solving import solve, solve_by_search

kalah = load_game("kalah")
SMALL = [(1, 1), (1, 3), (2, 1), (2, 2), (3, 1)]


def exhaustive(game: Game, state: State, known: dict[bytes, int]) -> int:
    """The margin for the mover under best play: every move to the end, nothing cut off."""
    key = state.tobytes()
    if key not in known:
        moves = np.zeros(game.move_count, np.int64)
        values = []
        for move in moves[: game.moves(state, moves)]:
            child = state.copy()
            game.play(child, int(move))
            if game.over(child):
                values.append(int(game.points(child, state.mover)) - int(game.points(child, 1 - state.mover)))
            else:
                value = exhaustive(game, child, known)
                values.append(value if child.mover == state.mover else -value)
        known[key] = max(values)
    return known[key]


def start(game: Game, **options: int) -> State:
    state = game.new_state()
    game.setup(state, np.zeros(0, np.int64), game.option_values(options))
    return state


@pytest.mark.parametrize("rule", [0, 1])
@pytest.mark.parametrize(("pits", "stones"), SMALL)
def test_the_value_is_that_of_an_exhaustive_search(pits: int, stones: int, rule: int) -> None:
    options = {"pits": pits, "stones": stones, "empty_capture": rule}
    value = exhaustive(kalah, start(kalah, **options), {})
    assert solve_by_search(kalah, options).value == value
    assert solve(kalah, options).value == value


@pytest.mark.parametrize("solver", [solve, solve_by_search])
def test_the_line_is_legal_and_leads_to_the_value(solver: object) -> None:
    options = {"pits": 3, "stones": 2 if compiling() else 1}
    solution, state, law = solver(kalah, options), start(kalah, **options), law_of(kalah)  # type: ignore[operator]
    moves = np.zeros(kalah.move_count, np.int64)
    for text in solution.line:
        move = kalah.read(text, state)
        assert move in moves[: law.moves(state, moves)]
        law.play(state, move)
    assert law.over(state)
    assert kalah.points(state, 0) - kalah.points(state, 1) == solution.value


def test_a_game_of_chance_has_no_value(lost_cities: Game) -> None:
    with pytest.raises(UsageError, match="Lost Cities depends on chance or hides something: it has no exact value"):
        solve(lost_cities)
