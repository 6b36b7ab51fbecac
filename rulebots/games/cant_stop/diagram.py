"""Can't Stop as a diagram: columns that climb, the seats beside each other, runners across."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulebots.game import CHANCE
from rulebots.games.cant_stop import text
from rulebots.games.cant_stop.moves import FIRST_ROLL, ROLLS
from rulebots.output.diagram import Diagram

if TYPE_CHECKING:
    from rulebots.game.position import Position

WIDTH, STEP = 20.0, 10.0
#: What the pieces of the seats look like; and for one to four seats where the first piece stands in a column, how far
#: it is to the next, and its radius.
LOOKS = ("seat-0", "seat-1", "seat-2", "seat-3")
PLACES = ((0.5, 0.0, 3.4), (0.3, 0.4, 3.4), (0.2, 0.3, 2.8), (0.14, 0.24, 2.2))


def draw(position: Position, seat: int | None) -> Diagram:
    """The board and the dice; everyone sees everything. Moves are buttons: a column may be part of several."""
    state = position.state
    sides, shortest = int(state.sides), int(state.shortest)
    columns = 2 * sides - 1
    highest = shortest + 2 * (sides - 1)
    top, width = 4.0, columns * WIDTH + 8
    bottom = top + highest * STEP
    diagram = Diagram(width, bottom + 42, text.to_do(state))
    first, apart, radius = PLACES[int(state.seats) - 1]
    for column in range(columns):
        length, x = shortest + 2 * min(column, 2 * sides - 2 - column), 4 + column * WIDTH
        winner = text.winner_of_column(state, column) if state.closed >> column & 1 else None
        for space in range(1, length + 1):
            y = bottom - space * STEP
            diagram.rectangle(x + 1.5, y + 1, WIDTH - 3, STEP - 2, "board" if winner is None else LOOKS[winner], 2)
            runner = winner is None and int(state.runner[column]) == space
            if runner:
                diagram.rectangle(x + 1.5, y + 1, WIDTH - 3, STEP - 2, "last", 2)
            for who in range(int(state.seats)):
                if winner is None and int(state.height[who, column]) == space:
                    diagram.circle(x + WIDTH * (first + apart * who), y + STEP / 2, radius, LOOKS[who])
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
