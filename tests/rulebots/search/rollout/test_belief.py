"""Beliefs: against all deals that are possible, listed one by one."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest

from rulebots.game import Game
from rulebots.players import RulePlayer
from rulebots.position import Position
from rulebots.random_numbers import rng_of
from rulebots.search.rollout.belief import TEMPERATURES, Belief, Believer, past_of
from rulebots.search.rollout.replaying import BLUNDERS, Past

CARDS, HAND = 12, 4


def begun(tricks: Game, hand: RulePlayer, plies: int, seed: int) -> Position:
    """A position after some moves of the hand-tuned player, dealt again for its mover."""
    position = Position(tricks, seed=seed)
    for _ in range(plies):
        position.push(hand.decide(position))
    return position.redealt(7)


def cards_of(position: Position, past: Past, seat: int) -> set[int]:
    """What a seat was dealt, as the mover knows it of itself."""
    held = {int(card) for card in np.flatnonzero(position.state.place == seat + 1)}
    return held | {int(move) for who, move in zip(past.seats, past.moves, strict=True) if who == seat}


def exact(tricks: Game, hand: RulePlayer, position: Position, past: Past, unit: float) -> dict[frozenset[int], float]:
    """How likely each first hand of the opponent is, worked out in plain Python from the documented model."""
    me = position.mover
    mine, played = cards_of(position, past, me), {int(m) for m in past.moves[past.seats == 1 - me]}
    found: dict[frozenset[int], float] = {}
    for hidden in itertools.combinations(sorted(set(range(CARDS)) - mine - played), HAND - len(played)):
        theirs = frozenset(played) | frozenset(hidden)
        found[theirs] = sum(likelihood(tricks, hand, mine, theirs, past, me, t * unit) for t in TEMPERATURES)
    total = sum(found.values())
    return {hand: share / total for hand, share in found.items()}


def likelihood(
    tricks: Game, hand: RulePlayer, mine: set[int], theirs: Any, past: Past, me: int, temperature: float
) -> float:
    """Of the opponent's moves, if its first hand was this one."""
    from rulebots.players.explaining import explain

    deal = np.zeros(CARDS, np.int64)
    deal[me : 2 * HAND : 2], deal[1 - me : 2 * HAND : 2] = sorted(mine), sorted(theirs)
    deal[2 * HAND :] = sorted(set(range(CARDS)) - mine - set(theirs))
    position, result = Position(tricks, None, deal), 1.0
    for seat, move in zip(past.seats.tolist(), past.moves.tolist(), strict=True):
        legal = position.legal_moves.tolist()
        if seat != me and len(legal) > 1:
            explained = explain(hand, position)
            scores = dict(zip(explained.moves, explained.scores, strict=True))
            shares = {one: np.exp((score - max(scores.values())) / temperature) for one, score in scores.items()}
            result *= (1 - BLUNDERS) * shares[move] / sum(shares.values()) + BLUNDERS / len(legal)
        position.push(move)
    return result


def hands(position: Position, belief: Belief) -> Counter[frozenset[int]]:
    """The opponent's first hands in the deals of a belief."""
    first = 1 - position.mover
    return Counter(frozenset(deal[first : 2 * HAND : 2].tolist()) for deal in belief.deals)


def unit_of(believer: Believer, position: Position, past: Past) -> float:
    """What temperatures are in units of, as the belief of that seed finds it."""
    found: list[float] = []
    inverse = np.array(TEMPERATURES)
    original = believer._begin

    def noting(*given: Any) -> int:
        read = original(*given)
        logs = given[3]
        found.append(logs[:, len(inverse)].sum() / logs[:, len(inverse) + 1].sum())
        return read

    believer._begin = noting  # type: ignore[method-assign]
    believer.believe(position, past, 50, np.inf, rng_of(1))
    return found[0]


@pytest.mark.slow
def test_a_belief_is_the_posterior(tricks: Game, hand: RulePlayer) -> None:
    position = begun(tricks, hand, 4, 5)
    past = past_of(position)
    assert past is not None
    believer = Believer(hand)
    wanted = exact(tricks, hand, position, past, unit_of(Believer(hand), position, past))
    found: Counter[frozenset[int]] = Counter()
    for seed in range(20):
        belief = believer.believe(position, past, 600, np.inf, rng_of(seed))
        assert belief is not None
        found += hands(position, belief)
    count = sum(found.values())
    assert set(found) <= set(wanted)
    far = sum(abs(found[one] / count - share) for one, share in wanted.items()) / 2
    even = sum(abs(1 / len(wanted) - share) for share in wanted.values()) / 2
    assert far < even / 3


def test_every_deal_of_a_belief_leads_to_what_the_mover_sees(tricks: Game, hand: RulePlayer) -> None:
    for seed in range(1, 5):
        position = begun(tricks, hand, seed, seed)
        past = past_of(position)
        assert past is not None
        belief = Believer(hand).believe(position, past, 80, np.inf, rng_of(seed))
        assert belief is not None
        assert belief.models.sum() == pytest.approx(1.0)
        for deal in belief.deals:
            again = Position(tricks, None, deal)
            for move in past.moves.tolist():
                again.push(move)
            again.state.mover = position.mover
            seen = again.view(position.mover), position.view()
            assert all(np.array_equal(seen[0][name], seen[1][name]) for name in tricks.view.names if name != "luck")


def test_the_unread_numbers_of_a_deal_are_known(lost_cities: Game, tricks: Game, hand: RulePlayer) -> None:
    position = begun(tricks, hand, 3, 2)
    past = past_of(position)
    assert past is not None
    belief = Believer(hand).believe(position, past, 40, np.inf, rng_of(1))
    assert belief is not None
    assert belief.read == 2 * HAND  # the box is never opened


def test_chains_change_what_the_mover_cannot_know(tricks: Game, hand: RulePlayer) -> None:
    position = begun(tricks, hand, 3, 2)
    past = past_of(position)
    assert past is not None
    numbers, models = np.zeros((8, CARDS), np.int64), len(TEMPERATURES)
    _, spots = Believer(hand)._begin(position, past, numbers, np.zeros((8, models + 2)), 5)
    # The seats are dealt cards in turn.
    assert {int(spot) % 2 for spot in spots} == {1 - position.mover}


def test_a_past_with_moves_that_nobody_told_is_no_past(lost_cities: Game) -> None:
    import dataclasses

    silent = dataclasses.replace(lost_cities, told=None)
    position = Position(silent, seed=1)
    position.push(int(position.legal_moves[0]))
    position.push(int(position.legal_moves[0]))
    assert past_of(position.redealt(3)) is None
    assert past_of(Position.of(lost_cities, position.state)) is None
