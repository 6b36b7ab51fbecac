"""Kalah in one word, against the law."""

from __future__ import annotations

import numpy as np
import pytest
from played_positions import margin
from recorded import recorded

from rulebots.game.position import Position
from rulebots.games.kalah.solver import GAIN, OTHER, OVER, OWN, SAME, WORD, bits_of, crowded, make, sowing
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


def test_a_pit_that_could_overflow_is_noticed() -> None:
    assert not crowded(28, 6)
    assert crowded(29, 6)
    assert crowded(29 << 5 * 7, 6)
    assert not crowded(6, 8)
    assert crowded(7, 8)
