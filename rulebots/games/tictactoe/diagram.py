"""Tic-tac-toe as a diagram."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulebots.games.tictactoe.game import WIDTH, to_do, write
from rulebots.output.diagram import Diagram
from rulebots.output.stones import draw_stones

if TYPE_CHECKING:
    from rulebots.game.position import Position


def draw(position: Position, seat: int | None) -> Diagram:
    """The board, row 0 on top; everyone sees everything."""
    return draw_stones(
        position.state,
        WIDTH,
        write,
        frozenset(position.legal_moves.tolist()),
        letters=False,
        words=to_do(position.state),
    )
