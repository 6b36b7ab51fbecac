"""Games of four plies between two moves, for one to four seats, with any payoffs at the 16 ends: trees to search.

`tree_game` makes one; a deal is the payoffs, by end and seat. `backed_up` values a position by plain recursion.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rulebots.game import CHANCE, Game, GameText, Kind
from rulebots.game.position import Position
from rulebots.game.seats import seat_after
from rulebots.kernel import kernel

PLIES, ENDS, SEATS, MOST = 4, 16, 4, 100
#: With chance, the ply that chance makes.
DRAWN = 2
#: How much better the better move is in `clear`.
CLEAR = 12

STATE = np.dtype(
    [
        ("mover", np.int32),
        ("seats", np.int32),
        ("ply", np.int32),
        ("end", np.int32),
        ("payoff", np.int32, (ENDS, SEATS)),
    ]
)
VIEW = np.dtype([("luck", np.int64), ("end", np.int32)])


@kernel
def setup(state, deal, options):
    state.seats = options.seats
    for k in range(ENDS * SEATS):
        state.payoff[k // SEATS, k % SEATS] = deal[k]


@kernel
def moves(state, out):
    out[0], out[1] = 0, 1
    return 2


@kernel
def over(state):
    return state.ply == PLIES


@kernel
def observe(state, view):
    view.end = state.end


def draw_deals(rng, count, options):
    return rng.integers(MOST, size=(count, ENDS * SEATS))


def tree_game(name: str, *, chance: bool = False, aim: str = "against", counts: str = "points", low: int = 1) -> Game:
    """A game of this kind; seats take turns, and with chance it makes the third ply."""
    together = aim == "together"

    @kernel
    def play(state, move):
        state.end = 2 * state.end + move
        state.ply += 1
        state.mover = seat_after(0, state.ply, state.seats)
        if chance and state.ply == DRAWN:
            state.mover = CHANCE

    @kernel
    def points(state, seat):
        return state.payoff[state.end, 0 if together else seat]

    return Game(
        name=name,
        title=name.title(),
        state=STATE,
        view=VIEW,
        seats=(low, SEATS),
        aim=aim,
        counts=counts,
        move_count=2,
        ply_cap=PLIES,
        kinds=(Kind("step", {"step": 1.0}),),
        setup=setup,
        moves=moves,
        play=play,
        over=over,
        points=points,
        observe=observe,
        draw_deals=draw_deals,
        chance=chance,
        hidden=False,
        text=GameText(
            show=lambda state, seat: f"end {state.end} after {state.ply} plies",
        ),
    )


POINTS = tree_game("points")
WINS = tree_game("wins", counts="wins")
TOGETHER = tree_game("together", aim="together")
THROWN = tree_game("thrown", chance=True)


def dealt(game: Game, seats: int, payoffs: Any) -> Position:
    """The game with these payoffs: 16 rows, a number for each seat in each."""
    deal = np.zeros((ENDS, SEATS), np.int64)
    deal[:, :seats] = payoffs
    return Position(game, {"seats": seats}, deal.ravel())


def clear(game: Game, seats: int, seed: int, *, against: bool = False) -> Position:
    """The game with payoffs by which no decision is close, also where all others play against seat 0."""
    rng = np.random.default_rng(seed)
    while True:
        ends = values = rng.integers(MOST, size=(ENDS, 1 if game.together(seats) else seats))
        near = MOST
        for ply in reversed(range(PLIES)):
            pairs = values.reshape(-1, 2, values.shape[1])
            if game.chance and ply == DRAWN:
                values = pairs.mean(axis=1)
                continue
            seat = ply % seats % values.shape[1]
            own = -pairs[:, :, 0] if against and seat else pairs[:, :, seat]
            near = min(near, abs(own[:, 0] - own[:, 1]).min())
            values = np.take_along_axis(pairs, own.argmax(axis=1)[:, None, None], axis=1)[:, 0]
        if near >= CLEAR:
            return dealt(game, seats, ends)


def returns_of(position: Position) -> list[float]:
    """What the end of a game is worth to each seat."""
    points = position.points
    if position.game.together(position.seats) or position.game.counts == "points":
        return list(map(float, points))
    return [(one == max(points)) / points.count(max(points)) for one in points]


def backed_up(position: Position, against: int | None = None) -> list[float]:
    """The value of a position for each seat: of max^n, or where all others play against one."""
    if position.over:
        return returns_of(position)
    after = []
    for move in position.legal_moves.tolist():
        child = position.copy()
        child.play(move)
        after.append(backed_up(child, against))
    if position.chance_to_move:
        return np.mean(after, axis=0).tolist()
    if against is not None and position.mover != against:
        return min(after, key=lambda values: values[against])
    return max(after, key=lambda values: values[position.mover])


def best_move(position: Position, against: int | None = None) -> int:
    """The move that leads to that value."""
    after = []
    for move in position.legal_moves.tolist():
        child = position.copy()
        child.play(move)
        after.append(backed_up(child, against)[position.mover])
    return int(np.argmax(after))
