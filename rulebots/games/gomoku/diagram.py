"""Gomoku as a diagram: stones stand where the lines cross."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulebots.game.grid import point_of
from rulebots.games.gomoku.game import WIDTH, to_do, write
from rulebots.output.diagram import Diagram
from rulebots.output.stones import draw_stones

if TYPE_CHECKING:
    from rulebots.game.position import Position


def draw(position: Position, seat: int | None) -> Diagram:
    """The board, row 1 at the bottom; everyone sees everything."""
    size = int(position.state.side)
    return draw_stones(
        position.state,
        [[point_of(row, column, WIDTH) for column in range(size)] for row in range(size)],
        write,
        frozenset(position.legal_moves.tolist()),
        letters=True,
        words=to_do(position.state),
        crossings=True,
    )


#: Moves that lead to the position that stands for the game: the champion against itself.
EXAMPLE = "h8 i9 g8 h7 i8 f8 e7 e6 k7 k8 l9 j6 j9 j11 g11 g10 d10 d8 d7 e11 e12 l6"
