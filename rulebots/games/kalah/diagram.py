"""Kalah as a diagram: that seat's pits below, its store at the right, and seeds that are sown one by one."""

import math

from rulebots.game.position import Position
from rulebots.output.diagram import Diagram

#: The side of a pit's square, the width of a store, the height between the rows, where the stones are counted, and
#: where the board begins, below a name.
CELL = 22.0
STORE = 24.0
MIDDLE = 22.0
TOP = 15.0
#: The seeds that are drawn of a pit and of a store; the number beside them says how many there are.
MOST = 12
MOST_STORED = 48
SEED = 1.7
#: The angle between two seeds that follow each other in a sunflower: those around them are never in line.
GOLDEN = math.pi * (3 - math.sqrt(5))


def draw(position: Position, seat: int | None) -> Diagram:
    """The board, that seat's side below, or seat 0's; everyone sees everything."""
    state = position.state
    below = seat or 0
    pits = int(state.pits)
    width = pits * CELL + 2 * STORE
    height = 2 * CELL + MIDDLE + 2 * TOP + 2
    stores = [int(state.board[side * (pits + 1) + pits]) for side in (0, 1)]
    mover = "lower" if position.mover == below else "upper"
    who = "the game is over" if position.over else f"{mover} side to move"
    diagram = Diagram(width, height, f"lower store {stores[below]}, upper store {stores[1 - below]}, {who}")
    diagram.rectangle(0, TOP, width, 2 * CELL + MIDDLE + 2, "board", 8)
    last = position.last_ply(None)
    seeds = list[tuple[int, float, float]]()
    for side in (below, 1 - below):
        lower = side == below
        row = "lower" if lower else "upper"
        x = width - STORE + 4 if lower else 4
        name = f"{row} store"
        diagram.seat(2, height - 4 if lower else 4, side, f"Player {side + 1}", 6.5, "ink", "start")
        diagram.rectangle(x - 1.5, TOP + 1.5, STORE - 5, 2 * CELL + MIDDLE - 1, f"seat-{side}", 8)
        diagram.rectangle(x, TOP + 3, STORE - 8, 2 * CELL + MIDDLE - 4, "cell", 7)
        diagram.text(x + STORE / 2 - 4, TOP + 9, str(stores[side]), 8)
        diagram.place(name, x, TOP + 3, STORE - 8, 2 * CELL + MIDDLE - 4, f"{name}, {_stones(stores[side])}")
        for i in range(min(stores[side], MOST_STORED)):
            # Rows of three and four by turns, heaped from the lower end.
            line, at = divmod(2 * i, 7)
            seeds.append((side * (pits + 1) + pits, x + 2.6 + at * 1.8, TOP + 2 * CELL + MIDDLE - 6 - 3.3 * line))
        for pit in range(pits):
            x = STORE + (pit if lower else pits - 1 - pit) * CELL
            y = TOP + 1 + (CELL + MIDDLE if lower else 0)
            stones = int(state.board[side * (pits + 1) + pit])
            middle = x + CELL / 2, y + CELL / 2
            moved = last is not None and (last.seat, last.move) == (side, pit)
            if moved:
                diagram.circle(*middle, CELL / 2 - 0.6, "last")
            diagram.circle(*middle, CELL / 2 - 2, "cell")
            diagram.text(middle[0], y - 4 if lower else y + CELL + 4, str(stones), 7.0)
            diagram.text(middle[0], y + CELL + 4.5 if lower else y - 5, str(pit), 5.8, "faint")
            name = f"{row} pit {pit}"
            diagram.place(name, x, y, CELL, CELL, f"{name}, {_stones(stones)}{', the last move' * moved}", oval=True)
            for i in range(min(stones, MOST)):
                seeds.append((side * (pits + 1) + pit, *_lying(i, *middle)))
    diagram.ways_of(position, position.mover, lambda move: [f"{mover} pit {move}"])
    for cell, x, y in seeds:
        # Seeds that the last move brought come from its pit, in order.
        step = (cell - last.seat * (pits + 1) - last.move - 1) % (2 * pits + 2) if last else 0
        start = f"{'lower' if last.seat == below else 'upper'} pit {last.move}" if last else ""
        with diagram.piece("seed", step=step, start=start):
            diagram.circle(x, y, SEED, "seed")
    return diagram


def _lying(i: int, x: float, y: float) -> tuple[float, float]:
    """Where the seed of that number lies in a pit around a point: from the middle outwards, as a sunflower's seeds."""
    far = 2.15 * math.sqrt(i + 0.5)
    return x + far * math.sin(GOLDEN * i), y - far * math.cos(GOLDEN * i)


def _stones(count: int) -> str:
    return f"{count} stone{'s' * (count != 1)}"
