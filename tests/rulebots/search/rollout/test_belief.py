"""Beliefs: against all deals that are possible, listed one by one."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from trick_positions import CARDS, HAND, begun

from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.game.random_numbers import rng_of
from rulebots.players import RulePlayer
from rulebots.search.rollout.belief import TEMPERATURES, Belief, Believer, Models, past_of
from rulebots.search.rollout.replaying import BLUNDERS, KnownPast


def cards_of(position: Position, past: KnownPast, seat: int) -> set[int]:
    """What a seat was dealt, as the mover knows it of itself."""
    held = {int(card) for card in np.flatnonzero(position.state.place == seat + 1)}
    return held | {int(move) for who, move in zip(past.seats, past.moves, strict=True) if who == seat}


def exact(
    tricks: Game, players: list[RulePlayer], position: Position, past: KnownPast, units: list[float]
) -> tuple[dict[frozenset[int], float], list[float]]:
    """How likely each first hand of the opponent is, and each of its models, player by player.

    Worked out in plain Python from what is documented.
    """
    me = position.mover
    mine, played = cards_of(position, past, me), {int(m) for m in past.moves[past.seats == 1 - me]}
    found: dict[frozenset[int], float] = {}
    models = [(player, level * unit) for player, unit in zip(players, units, strict=True) for level in TEMPERATURES]
    of_models = np.zeros(len(models))
    for hidden in itertools.combinations(sorted(set(range(CARDS)) - mine - played), HAND - len(played)):
        theirs = frozenset(played) | frozenset(hidden)
        likely = [likelihood(tricks, player, mine, theirs, past, me, level) for player, level in models]
        found[theirs] = sum(likely)
        of_models += likely
    total = sum(found.values())
    return {hand: share / total for hand, share in found.items()}, (of_models / total).tolist()


def likelihood(
    tricks: Game, hand: RulePlayer, mine: set[int], theirs: Any, past: KnownPast, me: int, temperature: float
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


def units_of(players: list[RulePlayer], position: Position, past: KnownPast) -> list[float]:
    """What temperatures of each player are in units of, as a belief finds it from its first deals."""
    from unittest.mock import patch

    found: list[float] = []
    measure = Models.measure

    def noting(models: Models, deals: Any) -> None:
        measure(models, deals)
        found.extend(1.0 / (one.inverses[0] * TEMPERATURES[0]) for one in models._replayed)

    with patch.object(Models, "measure", noting):
        Believer(players).believe(position, past, 50, np.inf, rng_of(1))
    return found


def contrary(hand: RulePlayer) -> RulePlayer:
    """A player that likes what the other one dislikes."""
    return RulePlayer(hand.rules, -hand.weights, "contrary")


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2])
def test_a_belief_is_the_posterior(tricks: Game, hand: RulePlayer, count: int) -> None:
    players = [hand, contrary(hand)][:count]
    position = begun(tricks, hand, 4, 5)
    past = past_of(position)
    assert past is not None
    believer = Believer(players)
    wanted, of_models = exact(tricks, players, position, past, units_of(players, position, past))
    found: Counter[frozenset[int]] = Counter()
    models = np.zeros(count * len(TEMPERATURES))
    for seed in range(20):
        belief = believer.believe(position, past, 600 * count, np.inf, rng_of(seed))
        assert belief is not None
        found += hands(position, belief)
        models += belief.models.ravel() / 20
    shares = sum(found.values())
    assert set(found) <= set(wanted)
    far = sum(abs(found[one] / shares - share) for one, share in wanted.items()) / 2
    even = sum(abs(1 / len(wanted) - share) for share in wanted.values()) / 2
    assert far < even / 3
    assert models == pytest.approx(of_models, abs=0.1)


@pytest.mark.slow
def test_a_belief_says_as_whom_the_opponent_plays(tricks: Game, hand: RulePlayer) -> None:
    players, right, seen = [hand, contrary(hand)], np.zeros(2), 0
    for seed in range(1, 7):
        for number, opponent in enumerate(players):
            position = Position(tricks, seed=seed)
            for _ in range(5):
                position.push((hand if position.mover == 1 else opponent).decide(position))
            if position.mover == 0:
                continue
            position = position.redealt(3)
            past = past_of(position)
            assert past is not None
            belief = Believer(players).believe(position, past, 400, np.inf, rng_of(seed))
            assert belief is not None
            assert belief.models.shape == (2, len(TEMPERATURES))
            assert np.bincount(belief.players, minlength=2) / len(belief.players) == pytest.approx(belief.models.sum(1))
            right[number] += belief.models[number].sum()
            seen += 1
    assert seen > 3
    assert right.sum() / seen > 0.6


def test_a_past_of_which_a_seat_was_told_something_else_than_moves_is_no_past(lost_cities: Game) -> None:
    import dataclasses

    vague = dataclasses.replace(lost_cities, told=lambda state, move, seat: lost_cities.move_count)
    position = Position(vague, seed=1)
    position.push(int(position.legal_moves[0]))
    position.push(int(position.legal_moves[0]))
    assert past_of(position.redealt(3)) is None
    assert past_of(Position.of(lost_cities, position.state)) is None
