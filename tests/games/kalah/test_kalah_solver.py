"""Kalah's solver: its packed law is the game's, its endgames are exhaustive, its values are the published ones."""

from __future__ import annotations

import math

import numpy as np
import pytest
from naive_minimax import exhaustive, legal_moves, start
from recorded import recorded

from rulebots.errors import UsageError
from rulebots.game import State, load_game
from rulebots.games.kalah import solver
from rulebots.games.kalah.endgame import endgames, positions, rank_of, ranks
from rulebots.games.kalah.packed import GAIN, OTHER, OVER, OWN, SAME, WORD, bits_of, crowded, make, sowing
from rulebots.kernel import compiling
from rulebots.play.deals import draw_deals
from rulebots.search.exact.solving import solve

kalah = load_game("kalah")


def packed(state: State) -> tuple[int, int, int]:
    """The word from the mover's side, and the stones on both sides."""
    pits = int(state.pits)
    sides = [[int(n) for n in state.board[s : s + pits]] for s in (0, pits + 1)]
    mine, other = sides if state.mover == 0 else sides[::-1]
    word = sum(stones << bits_of(pits) * cell for cell, stones in enumerate(mine + other))
    return word, sum(mine), sum(other)


@pytest.mark.parametrize(
    "options", [{}, {"empty_capture": 0}, {"pits": 3, "stones": 6}, {"pits": 1, "stones": 12}], ids=str
)
def test_a_packed_move_is_the_move_of_the_law(options: dict[str, int]) -> None:
    deals, child = (
        draw_deals(kalah, 20 if compiling() else 3, 1, options=options, opening_plies=0),
        np.zeros(8, np.int64),
    )
    for number in range(len(deals)):
        record = recorded(deals, number)
        for before, after, move in zip(record.states, record.states[1:], record.chosen, strict=False):
            pits, mover = int(before.pits), int(before.mover)
            make(*[packed(before)[0], move, *packed(before)[1:]], pits, int(before.empty_capture), sowing(pits), child)
            margin = [int(kalah.points(s, mover)) - int(kalah.points(s, 1 - mover)) for s in (before, after)]
            assert child[OVER] == kalah.over(after)
            assert child[GAIN] == margin[1] - margin[0]
            if not child[OVER]:
                assert child[SAME] == (after.mover == mover)
                assert (child[WORD], child[OWN], child[OTHER]) == packed(after)


@pytest.mark.parametrize(("pits", "stones"), [(1, 5), (2, 4), (3, 2)])
def test_every_position_has_a_rank_of_its_own(pits: int, stones: int) -> None:
    boards = [b for b in np.ndindex(*[stones + 1] * (2 * pits)) if sum(b) <= stones]
    words = [sum(n << bits_of(pits) * cell for cell, n in enumerate(board)) for board in boards]
    found = sorted(rank_of(word, bits_of(pits), ranks(pits, stones)) for word in words)
    assert found == list(range(positions(pits, stones)))


@pytest.mark.parametrize("empty_capture", [0, 1])
def test_endgames_have_the_values_of_an_exhaustive_search(empty_capture: int) -> None:
    pits, stones = 2, 5 if compiling() else 3
    values = endgames(pits, stones, empty_capture, sowing(pits))
    known: dict[bytes, int] = {}
    for board in np.ndindex(*[stones + 1] * 4):
        mine, other = sum(board[:2]), sum(board[2:])
        if mine + other > stones or 0 in (mine, other):
            continue
        state = start(kalah, pits=pits, stones=1, empty_capture=empty_capture)
        state.board[:6] = [*board[:2], 0, *board[2:], 0]
        state.left[:] = mine, other
        word = packed(state)[0]
        assert values[rank_of(word, bits_of(pits), ranks(pits, stones))] == exhaustive(kalah, state, known)


def test_a_pit_that_could_overflow_is_noticed() -> None:
    assert not crowded(28, 6)
    assert crowded(29, 6)
    assert crowded(29 << 5 * 7, 6)
    assert not crowded(6, 8)
    assert crowded(7, 8)


def test_a_size_that_does_not_fit_is_searched_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    def bound(*_: object) -> int:
        raise solver.Crowded

    options = {"pits": 2, "stones": 1}
    expected = solve(kalah, options)
    monkeypatch.setattr(solver.Solver, "bound", bound)
    found = solve(kalah, options)
    assert (found.value, found.nodes == expected.nodes) == (expected.value, False)


@pytest.mark.skipif(not compiling(), reason="seconds compiled, minutes interpreted")
@pytest.mark.parametrize(("stones", "value"), [(1, 2), (2, 10)])
def test_published_values_of_six_pits(stones: int, value: int) -> None:
    """Irving, Donkers and Uiterwijk, Solving Kalah, ICGA Journal 23(3), 2000."""
    solution, state = solve(kalah, {"pits": 6, "stones": stones}), start(kalah, pits=6, stones=stones)
    assert solution.value == value
    for text in solution.line:
        move = kalah.read(text, state)
        assert move in legal_moves(kalah, state)
        kalah.play(state, move)
    assert kalah.over(state)
    assert kalah.points(state, 0) - kalah.points(state, 1) == value


def test_counts_of_endgames() -> None:
    assert positions(6, 12) == math.comb(24, 12)
    with pytest.raises(UsageError):
        solve(kalah, {"pits": 0})
