"""Tic-tac-toe as a diagram."""

from rulebots.game.grid import point_of
from rulebots.game.position import Position
from rulebots.games.tictactoe.game import WIDTH, goal, write
from rulebots.output.diagram import Diagram
from rulebots.output.stones import draw_stones


def draw(position: Position, seat: int | None) -> Diagram:
    """The board, row 1 at the bottom; everyone sees everything."""
    size = int(position.state.side)
    return draw_stones(
        position.state,
        [[point_of(row, column, WIDTH) for column in range(size)] for row in range(size)],
        write,
        frozenset(position.legal_moves.tolist()),
        goal=goal(position.state),
    )
