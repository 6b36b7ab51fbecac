"""Circles as a diagram: choose both ends of a line, or one stone twice."""

from rulebots.game.position import Position
from rulebots.games.circles.game import CELLS_OF, ENDS, is_live
from rulebots.output.diagram import Diagram

CELL = 20.0
EDGE = 10.0
#: What is wanted once one end is chosen.
THEN = "choose the other end of a line, or the same stone again to take it alone"


def draw(position: Position, seat: int | None) -> Diagram:
    """The triangle; everyone sees everything."""
    state = position.state
    size = int(state.rows)
    span = size * CELL
    left = sum(is_live(state, (row, col)) for row in range(size) for col in range(row + 1))
    diagram = Diagram(EDGE + span, span + EDGE, f"{left} stones left")
    last = position.last_ply(None)
    last_line = set() if last is None else set(CELLS_OF[last.move])
    for row in range(size):
        diagram.rectangle(EDGE, row * CELL, (row + 1) * CELL, (size - row) * CELL, "board", 4)  # a step of wood
        diagram.text(4, row * CELL + CELL / 2, str(row), 4.5, "faint")
        diagram.text(EDGE + row * CELL + CELL / 2, span + 5, str(row), 4.5, "faint")
        for col in range(row + 1):
            x = EDGE + col * CELL
            y = row * CELL
            if is_live(state, (row, col)):
                what = "a stone"
                with diagram.piece(f"{row},{col}"):
                    diagram.circle(x + CELL / 2, y + CELL / 2, 7.4, "back")
            else:
                what = "taken just now" if (row, col) in last_line else "taken"
                diagram.circle(x + CELL / 2, y + CELL / 2, 3.2, "last" if (row, col) in last_line else "empty")
            diagram.place(f"{row},{col}", x, y, CELL, CELL, f"row {row} column {col}, {what}", oval=True, then=THEN)
    diagram.ways_of(position, position.mover, lambda move: [f"{row},{col}" for row, col in ENDS[move]])
    return diagram
