"""Kalah in one word, and the table of its endgames, against an exhaustive search."""

from __future__ import annotations

import numpy as np
import pytest
from kalah_positions import position
from naive_minimax import exhaustive
from played_positions import margin
from recorded import recorded

from rulebots.game.position import Position
from rulebots.games.kalah.endgame import (
    GAIN,
    OTHER,
    OVER,
    OWN,
    SAME,
    WORD,
    bits_of,
    crowded,
    endgames,
    make,
    positions,
    rank_of,
    ranks,
    sowing,
)
from rulebots.kernel import compiling
from rulebots.packages import load_game
from rulebots.play.deals import draw_deals

kalah = load_game("kalah")


def packed(position: Position) -> tuple[int, int, int]:
    """The word from the mover's side, and the stones on both sides."""
    state = position.state
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
        for ply, move in enumerate(record.chosen):
            before, then = record.position(ply), record.position(ply + 1)
            (word, own, other), mover = packed(before), before.mover
            pits, empty_capture = int(before.state.pits), int(before.state.empty_capture)
            make(word, move, own, other, pits, empty_capture, sowing(pits), child)
            assert child[OVER] == then.over
            assert child[GAIN] == margin(then, mover) - margin(before, mover)
            if not child[OVER]:
                assert child[SAME] == (then.mover == mover)
                assert (child[WORD], child[OWN], child[OTHER]) == packed(then)


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
        if sum(board) > stones or 0 in (sum(board[:2]), sum(board[2:])):
            continue
        sides = (" ".join(str(count) for count in side) for side in (board[:2], board[2:]))
        here = position(*sides, alone=bool(empty_capture))
        word = packed(here)[0]
        assert values[rank_of(word, bits_of(pits), ranks(pits, stones))] == exhaustive(here, known)


def test_a_pit_that_could_overflow_is_noticed() -> None:
    assert not crowded(28, 6)
    assert crowded(29, 6)
    assert crowded(29 << 5 * 7, 6)
    assert not crowded(6, 8)
    assert crowded(7, 8)
