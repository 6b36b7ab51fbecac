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


def deal_hearts_anew(state: State, rng: np.random.Generator) -> State:
    """Other hands of the others, each of as many cards, by trying until all fit what the mover knows of them.

    Who has chosen what to pass holds it still, as far as the mover knows, and chooses any three again.
    """
    twin, me = state.copy(), int(state.mover)
    others = [(me + step) % 4 for step in (1, 2, 3)]
    to, known, hidden = (me + int(state.direction)) % 4, {}, {}
    for seat in others:
        held = [13 * s + r for s in range(4) for r in range(13) if int(state.hand[seat, s]) >> r & 1]
        held += [
            13 * s + r for s in range(4) for r in range(13) if state.passing and int(state.passed[seat, s]) >> r & 1
        ]
        sure = [c for c in held if not state.passing and seat == to and int(state.passed[me, c // 13]) >> c % 13 & 1]
        sure += [c for c in held if not state.passing and seat == state.opener and c == 0 and c not in sure]
        known[seat], hidden[seat] = sure, [card for card in held if card not in sure]
    pool = [card for cards in hidden.values() for card in cards]
    while True:
        order, dealt = rng.permutation(pool).tolist(), {}
        for seat in others:
            dealt[seat], order = order[: len(hidden[seat])], order[len(hidden[seat]) :]
        if not any(state.void[seat, card // 13] for seat, cards in dealt.items() for card in cards):
            break
    for seat in others:
        twin.hand[seat] = 0
        given = rng.permutation(dealt[seat]).tolist()
        chosen = given[:3] if state.passing and state.passed[seat].any() else []
        if chosen:
            twin.passed[seat] = 0
        for card in [*known[seat], *given]:
            where = twin.passed if card in chosen else twin.hand
            where[seat, card // 13] |= 1 << card % 13
    return twin


def deal_hanabi_anew(state: State, rng: np.random.Generator) -> State:
    """Another own hand, such that all its hints stay true, and another deck."""
    twin, me = state.copy(), int(state.mover)
    held, left = int(state.held[me]), int(state.deck_left)
    pool = np.concatenate((state.hands[me, :held], state.deck[:left])).astype(int)
    while True:
        rng.shuffle(pool)
        if all(state.colours[me, i] >> pool[i] // 5 & 1 and state.ranks[me, i] >> pool[i] % 5 & 1 for i in range(held)):
            twin.hands[me, :held], twin.deck[:left] = pool[:held], pool[held:]
            twin.deck[twin.number[me, :held]] = pool[:held]
            return twin


REDEALT: dict[str, Callable[[State, np.random.Generator], Any]] = {
    "hanabi": deal_hanabi_anew,
    "hearts": deal_hearts_anew,
    "lost-cities": deal_lost_cities_anew,
}
