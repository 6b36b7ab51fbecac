"""Can't Stop as a diagram: columns that climb, X and O beside each other, runners across."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulebots.game import CHANCE
from rulebots.games.cant_stop import text
from rulebots.games.cant_stop.moves import FIRST_ROLL, ROLLS
from rulebots.output.diagram import Diagram

if TYPE_CHECKING:
    from rulebots.game.position import Position

WIDTH, STEP = 20.0, 10.0


def draw(position: Position, seat: int | None) -> Diagram:
    """The board and the dice; everyone sees everything. Moves are buttons: a column may be part of several."""
    state = position.state
    sides, shortest = int(state.sides), int(state.shortest)
    columns = 2 * sides - 1
    highest = shortest + 2 * (sides - 1)
    top, width = 4.0, columns * WIDTH + 8
    bottom = top + highest * STEP
    diagram = Diagram(width, bottom + 42, text.to_do(state))
    for column in range(columns):
        length, x = shortest + 2 * min(column, 2 * sides - 2 - column), 4 + column * WIDTH
        winner = (0 if state.height[0, column] else 1) if state.closed >> column & 1 else None
        for space in range(1, length + 1):
            y = bottom - space * STEP
            diagram.rectangle(x + 1.5, y + 1, WIDTH - 3, STEP - 2, "board" if winner is None else f"seat-{winner}", 2)
            runner = winner is None and int(state.runner[column]) == space
            if runner:
                diagram.rectangle(x + 1.5, y + 1, WIDTH - 3, STEP - 2, "last", 2)
            for who in (0, 1):
                if winner is None and int(state.height[who, column]) == space:
                    diagram.circle(x + WIDTH * (0.3 + 0.4 * who), y + STEP / 2, 3.4, f"seat-{who}")
        diagram.text(x + WIDTH / 2, bottom + 7, str(column + 2), 9, "ink" if winner is None else "faint")
    if state.roll:
        for i, die in enumerate(ROLLS[int(state.roll) - FIRST_ROLL]):
            x = width / 2 - 46 + 24 * i
            diagram.rectangle(x, bottom + 18, 20, 20, "card", 4)
            diagram.text(x + 10, bottom + 28, str(die), 12, "ink")
    elif not position.over:
        said = "the dice are to be rolled" if state.mover == CHANCE else "stop, or roll again?"
        diagram.text(width / 2, bottom + 28, said, 9, "faint")
    return diagram
