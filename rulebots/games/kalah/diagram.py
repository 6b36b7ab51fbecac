"""Kalah as a diagram: that seat's pits below, its store at the right, and seeds that are sown one by one."""

import math

from rulebots.game.position import Position
from rulebots.output.diagram import Diagram

#: The side of a pit's square, the width of a store, and the height between the rows, where the stones are counted.
CELL = 22.0
STORE = 24.0
MIDDLE = 19.0
#: The seeds that are drawn of a pit and of a store; the number beside them says how many there are.
MOST = 12
MOST_STORED = 48
SEED = 1.7


def draw(position: Position, seat: int | None) -> Diagram:
    """The board, that seat's side below, or seat 0's; everyone sees everything."""
    state = position.state
    below = 0 if seat is None else seat
    pits = int(state.pits)
    width = pits * CELL + 2 * STORE
    height = 2 * CELL + MIDDLE + 20
    stores = [int(state.board[side * (pits + 1) + pits]) for side in (0, 1)]
    who = "the game is over" if position.over else f"{'lower' if position.mover == below else 'upper'} side to move"
    diagram = Diagram(width, height, f"lower store {stores[below]}, upper store {stores[1 - below]}, {who}")
    diagram.rectangle(0, 9, width, 2 * CELL + MIDDLE + 2, "board", 8)
    last = position.last_ply(None)
    legal = set() if position.over else {int(move) for move in position.legal_moves}
    seeds = list[tuple[int, float, float]]()
    for side in (below, 1 - below):
        lower = side == below
        x = width - STORE + 4 if lower else 4
        name = f"{'lower' if lower else 'upper'} store"
        diagram.rectangle(x - 1.5, 10.5, STORE - 5, 2 * CELL + MIDDLE - 1, f"seat-{side}", 8)
        diagram.rectangle(x, 12, STORE - 8, 2 * CELL + MIDDLE - 4, "cell", 7)
        diagram.text(x + STORE / 2 - 4, 18, str(stores[side]), 9)
        diagram.place(name, x, 12, STORE - 8, 2 * CELL + MIDDLE - 4, f"{name}, {_stones(stores[side])}")
        for i in range(min(stores[side], MOST_STORED)):
            seeds.append((side * (pits + 1) + pits, x + 2.6 + i % 4 * 3.6, 26 + i // 4 * 3.8))
        for pit in range(pits):
            x = STORE + (pit if lower else pits - 1 - pit) * CELL
            y = 10 + CELL + MIDDLE if lower else 10.0
            stones = int(state.board[side * (pits + 1) + pit])
            moved = last is not None and (last.seat, last.move) == (side, pit)
            if moved:
                diagram.circle(x + CELL / 2, y + CELL / 2, CELL / 2 - 0.6, "last")
            diagram.circle(x + CELL / 2, y + CELL / 2, CELL / 2 - 2, "cell")
            diagram.text(x + CELL / 2, y - 4 if lower else y + CELL + 4, str(stones), 7.5, "ink" if stones else "faint")
            diagram.text(x + CELL / 2, y + CELL + 4.5 if lower else y - 5, str(pit), 5.5, "faint")
            name = f"{'lower' if lower else 'upper'} pit {pit}"
            diagram.place(name, x, y, CELL, CELL, f"{name}, {_stones(stones)}{', the last move' * moved}", oval=True)
            if position.mover == side and pit in legal:
                diagram.way(pit, name)
            for i in range(min(stones, MOST)):
                seeds.append((side * (pits + 1) + pit, *_lying(i, x + CELL / 2, y + CELL / 2)))
    _sow(diagram, pits, seeds, None if last is None else (last.seat, last.move), below)
    return diagram


def _sow(
    diagram: Diagram, pits: int, seeds: list[tuple[int, float, float]], last: tuple[int, int] | None, below: int
) -> None:
    """The seeds, as (cell of the ring, x, y): those that the last move brought come from its pit, in order."""
    for cell, x, y in seeds:
        step = 0
        start = ""
        if last is not None:
            step = (cell - last[0] * (pits + 1) - last[1] - 1) % (2 * pits + 2)
            start = f"{'lower' if last[0] == below else 'upper'} pit {last[1]}"
        with diagram.piece("seed", step=step, start=start):
            diagram.circle(x, y, SEED, "seed")


def _lying(i: int, x: float, y: float) -> tuple[float, float]:
    """Where the seed of that number lies in a pit around a point: three in the middle, and nine around them."""
    inner, around = (2.1, i / 3) if i < 3 else (6.1, (i - 3) / 9)
    return x + inner * math.sin(2 * math.pi * around), y - inner * math.cos(2 * math.pi * around)


def _stones(count: int) -> str:
    return f"{count} stone{'s' * (count != 1)}"
