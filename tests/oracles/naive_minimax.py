"""Minimax as in the textbook: every move to a depth, nothing cut off or remembered; and positions to try it on."""

from __future__ import annotations

import numpy as np
from recorded import recorded

from rulebots.game import Game, State
from rulebots.play.deals import draw_deals


def legal_moves(game: Game, state: State) -> list[int]:
    moves = np.zeros(game.move_count, np.int64)
    return moves[: game.moves(state, moves)].tolist()


def after(game: Game, state: State, move: int) -> State:
    child = state.copy()
    game.play(child, move)
    return child


def margin(game: Game, state: State, seat: int) -> int:
    return int(game.points(state, seat)) - int(game.points(state, 1 - seat))


def value_of_move(game: Game, state: State, move: int, depth: int) -> int:
    """Points by which the mover will be ahead, `depth` plies from here or at the end."""
    child = after(game, state, move)
    if depth == 1 or game.over(child):
        return margin(game, child, state.mover)
    value = max(value_of_move(game, child, m, depth - 1) for m in legal_moves(game, child))
    return value if child.mover == state.mover else -value


def positions(game: Game, count: int, **options: int) -> list[State]:
    """Positions before the end of random games."""
    deals = draw_deals(game, count, 1, options=options)
    found = []
    for number in range(count):
        record = recorded(deals, number)
        found.append(record.states[min(4 * number, record.plies - 1)])
    return found


def exhaustive(game: Game, state: State, known: dict[bytes, int]) -> int:
    """The margin for the mover under best play: every move to the end, nothing cut off."""
    key = state.tobytes()
    if key not in known:
        moves = np.zeros(game.move_count, np.int64)
        values = []
        for move in moves[: game.moves(state, moves)]:
            child = state.copy()
            game.play(child, int(move))
            if game.over(child):
                values.append(int(game.points(child, state.mover)) - int(game.points(child, 1 - state.mover)))
            else:
                value = exhaustive(game, child, known)
                values.append(value if child.mover == state.mover else -value)
        known[key] = max(values)
    return known[key]


def start(game: Game, **options: int) -> State:
    state = game.new_state()
    game.setup(state, np.zeros(0, np.int64), game.option_values(options))
    return state
