"""Can't Stop as a diagram: columns that climb, the seats beside each other, runners across."""

from typing import Any

from rulebots.game import CHANCE
from rulebots.game.position import Position
from rulebots.games.cant_stop import text
from rulebots.games.cant_stop.moves import FIRST_ROLL, HIGH, LOW, NO_COLUMN, ROLL, ROLLS, STOP
from rulebots.output.diagram import Diagram

#: A column, a space, and the narrowest board: four dice and the seats have to find room.
WIDTH = 20.0
STEP = 10.0
LEAST = 108.0
#: For one to four seats where the first piece stands in a column, how far it is to the next, and its radius.
PLACES = ((0.5, 0.0, 3.4), (0.3, 0.4, 3.4), (0.2, 0.3, 2.8), (0.14, 0.24, 2.2))

#: Where the pips of each face are, in three rows of three.
PIPS = ((), (4,), (0, 8), (0, 4, 8), (0, 2, 6, 8), (0, 2, 4, 6, 8), (0, 2, 3, 5, 6, 8))


def draw(position: Position, seat: int | None) -> Diagram:
    """The board, the dice, and the columns that each seat has won; everyone sees everything.

    Moves are buttons, and so are the columns in which they advance.
    """
    state = position.state
    sides = int(state.sides)
    shortest = int(state.shortest)
    columns = 2 * sides - 1
    highest = shortest + 2 * (sides - 1)
    width = max(columns * WIDTH + 8, LEAST)
    bottom = 4 + highest * STEP
    diagram = Diagram(
        width,
        bottom + 62,
        f"{text.to_do(state, [f'{{{seat}}}' for seat in range(int(state.seats))])}; {text.won_text(state)}",
    )
    diagram.close = (0, 0, width, bottom + 14)
    for column in range(columns):
        _column(diagram, state, column, (width - columns * WIDTH) / 2 + column * WIDTH, bottom)
    _won(diagram, state, bottom + 23)
    if state.roll:
        for i, die in enumerate(ROLLS[int(state.roll) - FIRST_ROLL]):
            x = width / 2 - 46 + 24 * i
            diagram.rectangle(x, bottom + 39, 20, 20, "card", 4)
            for pip in PIPS[die]:
                diagram.circle(x + 4.5 + 5.5 * (pip % 3), bottom + 43.5 + 5.5 * (pip // 3), 2, "ink")
    elif not position.over:
        words = "the dice are to be rolled" if state.mover == CHANCE else "stop, or roll again?"
        diagram.text(width / 2, bottom + 49, words, 9, "faint")
    for move in () if position.over or state.mover == CHANCE else position.legal_moves.tolist():
        if move not in (ROLL, STOP):
            moved = {int(column) for column in (LOW[move], HIGH[move]) if column != NO_COLUMN}
            diagram.about(move, *(f"column {column + 2}" for column in sorted(moved)))
    return diagram


def _column(diagram: Diagram, state: Any, column: int, x: float, bottom: float) -> None:
    """A column with its spaces, its pieces and its runner."""
    first, apart, radius = PLACES[int(state.seats) - 1]
    length = text.length_of_column(state, column)
    winner = text.winner_of_column(state, column) if state.closed >> column & 1 else None
    for space in range(1, length + 1):
        look = "board" if winner is None else f"seat-{winner}"
        diagram.rectangle(x + 1.5, bottom - space * STEP + 1, WIDTH - 3, STEP - 2, look, 2)
    diagram.text(x + WIDTH / 2, bottom + 7, str(column + 2), 9, "ink")
    if winner is None and state.runner[column]:
        with diagram.piece(f"runner {column}"):
            diagram.rectangle(x + 1.5, bottom - int(state.runner[column]) * STEP + 1, WIDTH - 3, STEP - 2, "last", 2)
    for who in range(int(state.seats)):
        if winner is None and state.height[who, column]:
            with diagram.piece(f"{who} in {column}"):
                y = bottom - (int(state.height[who, column]) - 0.5) * STEP
                diagram.circle(x + WIDTH * (first + apart * who), y, radius, f"seat-{who}")
    diagram.place(
        f"column {column + 2}",
        x,
        bottom - length * STEP,
        WIDTH,
        length * STEP + 13,
        f"column {column + 2}, {text.column_text(state, column)}",
    )


def _won(diagram: Diagram, state: Any, y: float) -> None:
    """For each seat a box for each column that it needs: the number of one won, a mark for a runner at a top."""
    seats = int(state.seats)
    needed = int(state.needed)
    wide = diagram.width / seats
    step = min(12.0, wide / needed)
    closed = [column for column in range(2 * int(state.sides) - 1) if state.closed >> column & 1]
    for who in range(seats):
        x = wide * who + (wide - step * needed) / 2
        diagram.seat(wide * (who + 0.5), y - 6, who, text.SEATS[who], 7.4, "ink" if who == state.turn else "faint")
        for i in range(needed):
            topped = int(state.topped) if who == state.turn else 0
            look = f"seat-{who}" if i < state.won[who] else "last" if i < state.won[who] + topped else "empty"
            diagram.rectangle(x + step * i, y, step - 1, step - 1, look, 2)
        for i, column in enumerate(column for column in closed if text.winner_of_column(state, column) == who):
            diagram.text(x + step * (i + 0.5) - 0.5, y + step / 2, str(column + 2), 0.6 * step, f"on-{who}")
