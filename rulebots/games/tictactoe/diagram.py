"""Tic-tac-toe as a diagram."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulebots.games.tictactoe import text
from rulebots.games.tictactoe.points import WIDTH
from rulebots.grid.diagram import draw_stones
from rulebots.output.diagram import Diagram

if TYPE_CHECKING:
    from rulebots.game.position import Position


def draw(position: Position, seat: int | None) -> Diagram:
    """The board, row 0 on top; everyone sees everything."""
    return draw_stones(
        position.state,
        WIDTH,
        text.write,
        frozenset(position.legal_moves.tolist()),
        letters=False,
        words=text.standing(position.state),
    )
