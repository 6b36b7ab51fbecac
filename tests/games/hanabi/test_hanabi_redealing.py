"""Hanabi dealt again: the own hands that hints leave possible, each as likely as the unseen cards make it."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from openspiel_hanabi import careful
from played_positions import after

from rulebots.game.compiled import law_of
from rulebots.game.dtypes import records
from rulebots.game.position import Position
from rulebots.games.hanabi.game import game

SEEDS = (1, 4, 10, 12)


def near_the_end(seed: int) -> Position:
    """A position of two seats in which four cards are left in the deck, with some hints given."""
    rng, position = np.random.default_rng(seed), Position(game, seed=seed)
    while position.state.deck_left > 4:
        position.push(careful(position.state, sorted(position.legal_moves.tolist()), rng))
    return position


def possible_hands(position: Position) -> Counter[tuple[int, ...]]:
    """Every own hand that all hints allow, by how many ways to take single cards from the unseen ones make it."""
    state, me = position.state, position.mover
    held = int(state.held[me])
    unseen = [*state.hands[me, :held].tolist(), *state.deck[: state.deck_left].tolist()]
    fits = [
        [i for i, c in enumerate(unseen) if state.colours[me, p] >> c // 5 & 1 and state.ranks[me, p] >> c % 5 & 1]
        for p in range(held)
    ]
    hands = (taken for taken in itertools.product(*fits) if len(set(taken)) == held)
    return Counter(tuple(unseen[i] for i in taken) for taken in hands)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_hands_are_as_likely_as_counting_them_all_says(seed: int) -> None:
    position = near_the_end(seed)
    expected, trials, luck = possible_hands(position), 4000, 17 + seed
    dealt, ways = Counter[tuple[int, ...]](), expected.total()
    made = records(game.state, 1)
    for _ in range(trials):
        made[0] = position.state
        luck = law_of(game).redeal(made[0], luck)
        dealt[tuple(made[0].hands[position.mover, : made[0].held[position.mover]].tolist())] += 1
    assert set(dealt) <= set(expected)
    hands = [hand for hand, count in expected.items() if trials * count / ways > 5]
    square = sum((dealt[hand] - (mean := trials * expected[hand] / ways)) ** 2 / mean for hand in hands)
    # Six standard deviations of chi square, about.
    assert square < len(hands) + 6 * np.sqrt(2 * len(hands)) + 10


def test_the_examples_are_not_all_alike() -> None:
    """Some hands are more likely than others, and hints exclude most orders of the cards."""
    found = [possible_hands(near_the_end(seed)) for seed in SEEDS]
    assert [len(hands) for hands in found] == [6, 93, 42, 205]
    assert [max(hands.values()) / min(hands.values()) for hands in found] == [2, 2, 2, 4]


@pytest.mark.parametrize("seats", [2, 5])
def test_a_redeal_keeps_every_hint_and_every_card_that_is_seen(seats: int) -> None:
    rng, position = np.random.default_rng(seats), Position(game, {"seats": seats}, seed=3)
    while not position.over:
        state, again = position.state, position.redealt(int(rng.integers(1, 2**32))).state
        me = position.mover
        for place in range(state.held[me]):
            card = int(again.hands[me, place])
            assert state.colours[me, place] >> card // 5 & 1
            assert state.ranks[me, place] >> card % 5 & 1
        for seat in range(seats):
            assert seat == me or again.hands[seat].tolist() == state.hands[seat].tolist()
        assert sorted(again.deck.tolist()) == sorted(state.deck.tolist())
        position.push(careful(state, sorted(position.legal_moves.tolist()), rng))


def test_a_hand_that_hints_have_named_is_dealt_as_it_is() -> None:
    """Also where two places may hold the last copies of one card only."""
    position = Position(game, deal=[0, 0, 0, 4, 9, *range(5, 9), 5, *rest([0, 0, 0, 4, 9, *range(5, 9), 5])])
    position = after(position, "h1y", "h1r", "h1y", "h11", "h1y", "h15", "h1y", "h1y")
    for luck in range(1, 30):
        assert position.redealt(luck).state.hands[0].tolist() == [0, 0, 0, 4, 9]


def rest(first: list[int]) -> list[int]:
    """The cards of a pack but these."""
    cards = [5 * colour + rank for colour in range(5) for rank in (0, 0, 0, 1, 1, 2, 2, 3, 3, 4)]
    for card in first:
        cards.remove(card)
    return cards


@pytest.mark.parametrize("seats", [2, 4])
def test_the_moves_lead_from_the_deal_that_is_taken_back_to_the_redeal(seats: int) -> None:
    rng, position = np.random.default_rng(seats), Position(game, {"seats": seats}, seed=5)
    course = []
    for _ in range(30):
        course.append(careful(position.state, sorted(position.legal_moves.tolist()), rng))
        position.push(course[-1])
    again, deal = position.redealt(77), np.zeros(50, np.int64)
    moves, movers = np.array(course, np.int64), np.arange(30) % seats
    assert game.undeal is not None
    game.undeal(again.state, movers, moves, position.options, deal, 1)
    assert after(Position(game, {"seats": seats}, deal), *course).state.tobytes() == again.state.tobytes()
    assert deal.tolist() != Position(game, {"seats": seats}, seed=5).state.deck[::-1].tolist()
