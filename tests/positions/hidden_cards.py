"""For every game that hides something: the same position with what the mover cannot know dealt anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rulebots.game import State


def deal_lost_cities_anew(state: State, rng: np.random.Generator) -> State:
    """Another opponent's hand and another deck; the cards that it was seen to take stay where they are."""
    twin = state.copy()
    opp = 1 - int(state.mover)
    hand = state.hand[opp, : state.hand_size[opp]].tolist()
    seen = []
    for suit in range(6):
        seen += [10 * suit + v - 1 for v in range(2, 11) if state.known[opp, suit] >> v & 1]
        seen += [10 * suit] * int(state.known_invested[opp, suit])
    for card in seen:
        hand.remove(card)
    pool = rng.permutation([*hand, *state.deck[: state.deck_left].tolist()]).tolist()
    anew = sorted(seen + pool[: len(hand)])
    twin.hand[opp, : len(anew)] = anew
    twin.deck[: state.deck_left] = pool[len(hand) :]
    return twin


REDEALT: dict[str, Callable[[State, np.random.Generator], Any]] = {"lost-cities": deal_lost_cities_anew}
