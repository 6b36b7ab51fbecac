"""What the moves so far mean by convention: part of the state, because it depends on the course of the game.

It is computed from what every seat knows alike: never from the cards of a hand, nor from the deck.
"""

from __future__ import annotations

import numpy as np

from rulebots.game import State, View
from rulebots.game.seats import seat_after
from rulebots.games.hanabi.cards import MOST_CARDS, MOST_SEATS
from rulebots.kernel import kernel

_PER_CARD = (np.int8, (MOST_SEATS, MOST_CARDS))
#: Fields that the state has besides those of the law: of each seat and place of its hand, oldest card first.
STATE_FIELDS = [("signals", *_PER_CARD)]
#: The same of the view: of each place in the order of play, the mover first.
VIEW_FIELDS = [("signals", *_PER_CARD)]


@kernel
def remove(state: State, seat: int, place: int) -> None:
    """A card has left its hand: the newer ones move up, and nothing is signalled about the last place."""
    for i in range(place, MOST_CARDS - 1):
        state.signals[seat, i] = state.signals[seat, i + 1]
    state.signals[seat, MOST_CARDS - 1] = 0


@kernel
def follow(state: State, seat: int) -> None:
    """Read the move that `seat` has just made: `state.last_...[seat]` and what all know of every card."""


@kernel
def observe_signals(state: State, view: View) -> None:
    """Write into a view what is signalled."""
    for k in range(state.seats):
        seat = seat_after(state.mover, k, state.seats)
        for i in range(MOST_CARDS):
            view.signals[k, i] = state.signals[seat, i]
