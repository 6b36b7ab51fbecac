"""Minimax as in the textbook: every move to a depth, or to the end; nothing is cut off."""

from __future__ import annotations

from played_positions import after, margin

from rulebots.game.position import Position


def value_of_move(position: Position, move: int, depth: int) -> int:
    """Points by which the mover will be ahead, `depth` plies from here or at the end."""
    child = after(position, move)
    if depth == 1 or child.over:
        return margin(child, position.mover)
    value = max(value_of_move(child, answer, depth - 1) for answer in child.legal_moves.tolist())
    return value if child.mover == position.mover else -value


def exhaustive(position: Position, known: dict[bytes, int]) -> int:
    """The margin for the mover under best play."""
    key = position.state.tobytes()
    if key not in known:
        values = []
        for move in position.legal_moves.tolist():
            child = after(position, move)
            value = margin(child, child.mover) if child.over else exhaustive(child, known)
            values.append(value if child.mover == position.mover else -value)
        known[key] = max(values)
    return known[key]
