"""Kalah as a diagram: that seat's pits below, its store at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulebots.output.diagram import Diagram

if TYPE_CHECKING:
    from rulebots.game.position import Position

#: The side of a pit's square and the width of a store.
CELL, STORE = 22.0, 24.0


def draw(position: Position, seat: int | None) -> Diagram:
    """The board, that seat's side below, or seat 0's; everyone sees everything."""
    state, below = position.state, 0 if seat is None else seat
    pits = int(state.pits)
    width, height = pits * CELL + 2 * STORE, 2 * CELL + 22
    stores = [int(state.board[side * (pits + 1) + pits]) for side in (0, 1)]
    who = "the game is over" if position.over else f"{'lower' if position.mover == below else 'upper'} side to move"
    diagram = Diagram(width, height, f"lower store {stores[below]}, upper store {stores[1 - below]}, {who}")
    diagram.rectangle(0, 9, width, 2 * CELL + 4, "board", 8)
    last = position.last_ply(None)
    legal = set() if position.over else {int(move) for move in position.legal_moves}
    for side in (below, 1 - below):
        lower = side == below
        x = width - STORE + 4 if lower else 4
        diagram.rectangle(x, 14, STORE - 8, 2 * CELL - 6, f"seat-{side}", 7)
        diagram.text(x + STORE / 2 - 4, 11 + CELL, str(stores[side]), 10, f"on-{side}")
        for pit in range(pits):
            x = STORE + (pit if lower else pits - 1 - pit) * CELL
            y = 11 + CELL if lower else 11.0
            stones = int(state.board[side * (pits + 1) + pit])
            moved = last is not None and (last.seat, last.move) == (side, pit)
            if moved:
                diagram.circle(x + CELL / 2, y + CELL / 2, CELL / 2 - 0.6, "last")
            diagram.circle(x + CELL / 2, y + CELL / 2, CELL / 2 - 2, "cell")
            diagram.text(x + CELL / 2, y + CELL / 2, str(stones), 9, "ink" if stones else "faint")
            diagram.text(x + CELL / 2, y + CELL + 6.5 if lower else y - 6, str(pit), 5.5, "faint")
            name = f"{'lower' if lower else 'upper'} pit {pit}"
            count = f"{stones} stone{'s' * (stones != 1)}{', the last move' if moved else ''}"
            diagram.place(name, x, y, CELL, CELL, f"{name}, {count}", oval=True)
            if position.mover == side and pit in legal:
                diagram.way(pit, name)
    return diagram
