"""Positions of the game of tricks, dealt again."""

from __future__ import annotations

from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.players import RulePlayer

CARDS, HAND = 12, 4


def begun(tricks: Game, hand: RulePlayer, plies: int, seed: int) -> Position:
    """A position after some moves of the hand-tuned player, dealt again for its mover."""
    position = Position(tricks, seed=seed)
    for _ in range(plies):
        position.push(hand.decide(position))
    return position.redealt(7)
