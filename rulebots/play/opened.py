"""A game of a deal from the outside of the match loop: its position after the opening moves."""

from __future__ import annotations

import numpy as np

from rulebots.game.position import Position
from rulebots.play.deals import Deals
from rulebots.play.loop import Batch, begin, room_for_moves


def opened(deals: Deals, which: int = 0) -> tuple[Position, int]:
    """The position of that deal after its opening moves, and the random state that outcomes of chance come from then.

    It is the one from which a match plays that deal.
    """
    game = deals.game
    batch = Batch(game, deals.luck[which : which + 1].copy(), room_for_moves(game, 1, deals.opening_plies))
    begin(batch, deals, np.array([which]))
    position = Position(game, batch.options, deals.cards[which], luck=batch.luck[0], compiled=True)
    for move in batch.chosen[0, : batch.plies[0]].tolist():
        position.play(move, chosen=False)
    return position, int(batch.outcomes[0])
