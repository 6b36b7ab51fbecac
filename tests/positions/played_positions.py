"""Positions of any game that moves lead to, and random ones."""

from __future__ import annotations

from recorded import recorded

from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.play.deals import draw_deals


def after(position: Position, *moves: int | str) -> Position:
    """The position after these moves, as numbers or as texts, all of them legal; the given one stays."""
    later = position.copy()
    for move in moves:
        later.push(later.read(move) if isinstance(move, str) else move)
    return later


def margin(position: Position, seat: int) -> int:
    """The points by which a seat is ahead."""
    return position.points[seat] - position.points[1 - seat]


def positions(game: Game, count: int, **options: int) -> list[Position]:
    """Positions before the end of random games, in which a seat is to move."""
    deals = draw_deals(game, count, 1, options=options)
    records = [recorded(deals, number) for number in range(count)]
    decisions = [record.decisions for record in records]
    return [
        record.position(plies[min(4 * number, len(plies) - 1)])
        for number, (record, plies) in enumerate(zip(records, decisions, strict=True))
    ]
