"""Boards of stones as diagrams."""

from collections.abc import Callable, Sequence
from typing import Any

from rulebots.output.diagram import Diagram

#: The side of a cell, the room for the names of rows and columns by their size, and how large a stone is.
CELL = 20.0
EDGE = 1.75
#: The size of the names of rows and columns, as a share of the side: they are drawn alike on boards of all sizes.
NAME_SHARE = 0.036
STONE = 8.6
#: How large a star point is, and the smallest boards with star points on the third line and on the fourth.
STAR = 1.7
STARRED = (9, 13)


def draw_stones(
    state: Any,
    points: Sequence[Sequence[int]],
    write: Callable[[int], str],
    legal: frozenset[int],
    *,
    goal: str,
    crossings: bool = False,
) -> Diagram:
    """A square board with the fields `board`, `last` and `winner`; a click on an empty point is that move.

    `points[row][column]` is the place of a point in `board`. Columns are named by letters, and row 1 is at the
    bottom. With `crossings` stones stand where lines cross, and large boards have star points. `legal` are the points
    that are moves now. A line is drawn through the stones that have won.
    """
    # Fields of a record take their time: each is read once.
    size = len(points)
    last = int(state.last)
    board = [state.board[list(row)].tolist() for row in points]
    name_size = NAME_SHARE * size * CELL
    edge = EDGE * name_size
    span = edge + size * CELL
    words = f"{{{state.mover}}} to move, {goal}" if state.left else "a draw"
    diagram = Diagram(span + 4, span + 4, f"won by {{{state.winner - 1}}}" if state.winner else words)
    diagram.rectangle(edge, 0, size * CELL, size * CELL, "board", 3)
    for k in range(size):
        middle = k * CELL + CELL / 2
        if crossings:
            diagram.line(edge + CELL / 2, middle, edge + size * CELL - CELL / 2, middle)
            diagram.line(edge + middle, CELL / 2, edge + middle, size * CELL - CELL / 2)
        elif k:
            diagram.line(edge, k * CELL, edge + size * CELL, k * CELL)
            diagram.line(edge + k * CELL, 0, edge + k * CELL, size * CELL)
        diagram.text(edge - 0.8 * name_size, middle, str(size - k), name_size, "faint")
        diagram.text(edge + middle, size * CELL + name_size, chr(ord("a") + k), name_size, "faint")
    if crossings and size >= STARRED[0]:
        near = 2 if size < STARRED[1] else 3
        stars = [(row, column) for row in (near, size - 1 - near) for column in (near, size - 1 - near)]
        for row, column in [*stars, *[(size // 2, size // 2)] * (size % 2)]:
            diagram.circle(edge + (column + 0.5) * CELL, (row + 0.5) * CELL, STAR, "line")
    at_last = [(row, list(line).index(last)) for row, line in enumerate(points) if last in line]
    won = _winning_line(board, at_last[0]) if state.winner and at_last else []
    for row in range(size):
        for column in range(size):
            point = points[row][column]
            x = edge + column * CELL
            y = (size - 1 - row) * CELL
            stone = board[row][column]
            name = write(point)
            if stone:
                with diagram.piece(name):
                    diagram.circle(x + CELL / 2, y + CELL / 2, STONE, f"seat-{stone - 1}")
                    if point == last:
                        diagram.circle(x + CELL / 2, y + CELL / 2, min(STONE / 2.4, name_size), "last")
            label = f"{name}, " + (f"{{{stone - 1}}}{', the last move' * (point == last)}" if stone else "empty")
            if (row, column) in won:
                diagram.circle(x + CELL / 2, y + CELL / 2, STONE / 4, "won")
                label += ", in the winning line"
            diagram.place(name, x, y, CELL, CELL, label, oval=True)
            if point in legal:
                diagram.way(point, name)
    if won:
        ends = [(edge + (column + 0.5) * CELL, (size - row - 0.5) * CELL) for row, column in won]
        diagram.line(*ends[0], *ends[-1], "won")
    return diagram


def _winning_line(board: Sequence[Sequence[int]], last: tuple[int, int]) -> list[tuple[int, int]]:
    """Rows and columns of the longest line of like stones through the last one, from end to end."""
    stones = {(row, column): stone for row, line in enumerate(board) for column, stone in enumerate(line)}

    def run(down: int, right: int) -> list[tuple[int, int]]:
        """The like stones beside the last one in a direction, the nearest first."""
        row, column = last
        points = []
        while stones.get((row + down, column + right)) == stones[last]:
            row += down
            column += right
            points.append((row, column))
        return points

    directions = ((0, 1), (1, 0), (1, 1), (1, -1))
    return max(([*reversed(run(-down, -right)), last, *run(down, right)] for down, right in directions), key=len)
