"""Perft: how many sequences of so many moves there are, the count by which laws are compared."""

from __future__ import annotations

from rulebots.game.position import Position


def perft(position: Position, depth: int) -> int:
    """The number of sequences of `depth` plies from a position; outcomes of chance count as moves."""
    if depth == 0:
        return 1
    legal = position.legal_moves.tolist()
    if depth == 1:
        return len(legal)
    count = 0
    for move in legal:
        after = position.copy()
        after.play(move)
        count += perft(after, depth - 1)
    return count
