"""Hearts dealt again: only what the mover cannot know changes, and every deal that fits is equally likely."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from recorded import recorded
from scipy.stats import chisquare

from rulebots.game import UNKNOWN
from rulebots.game.compiled import law_of
from rulebots.game.position import Position
from rulebots.game.random_numbers import rng_of
from rulebots.games.hearts.cards import CARDS, CLUBS, PASSED, RANKS, SEATS, SUITS
from rulebots.games.hearts.game import game
from rulebots.packages.rule_sets import load_rules
from rulebots.play.deals import draw_deals
from rulebots.players import RulePlayer
from rulebots.search.rollout.belief import Believer, past_of
from rulebots.search.rollout.replaying import ROOT


def cards_of(ranks: Any) -> set[int]:
    """The cards of a hand."""
    return {RANKS * suit + rank for suit in range(SUITS) for rank in range(RANKS) if int(ranks[suit]) >> rank & 1}


def known_by(state: Any, me: int) -> dict[int, set[int]]:
    """What the mover knows of the hands of the others."""
    known = {seat: set[int]() for seat in range(SEATS) if seat != me}
    if not state.passing:
        if state.direction:
            to = (me + int(state.direction)) % SEATS
            known[to] |= cards_of(state.passed[me]) & cards_of(state.hand[to])
        if state.opener != me:
            known[int(state.opener)] |= cards_of(state.hand[state.opener]) & {RANKS * CLUBS}
    return known


def random_state(rng: np.random.Generator) -> int:
    """A random state of its own: those in a row of one stream share numbers, as a redeal goes on along it."""
    return int(rng.integers(1, 2**32))


def redealt(state: Any, luck: int) -> Any:
    twin = state.copy()
    law_of(game).redeal(twin, luck)
    return twin


@pytest.mark.slow
def test_what_the_mover_knows_stays() -> None:
    deals, rng, others = draw_deals(game, 40, 5), np.random.default_rng(77), 0
    for number in range(40):
        for state in recorded(deals, number).states[:-1]:
            luck, me = random_state(rng), int(state.mover)
            twin = redealt(state, luck)
            view, again = game.new_view(), game.new_view()
            law_of(game).observe(state, view)
            law_of(game).observe(twin, again)
            assert view.tobytes() == again.tobytes()
            every = [cards_of(twin.hand[seat]) | cards_of(twin.laid[seat]) for seat in range(SEATS)]
            if state.passing:
                every = [held | cards_of(twin.passed[seat]) for seat, held in enumerate(every)]
            assert set.union(*every) == set(range(CARDS))
            for seat, known in known_by(state, me).items():
                hand = cards_of(twin.hand[seat])
                assert len(hand) == len(cards_of(state.hand[seat]))
                assert known <= hand
                assert not any(state.void[seat, card // RANKS] for card in hand)
                had = len(cards_of(twin.passed[seat]))
                assert had == len(cards_of(state.passed[seat]))
                assert had in (0, PASSED)
                others += hand != cards_of(state.hand[seat])
    assert others > 1000


def possible_hands(state: Any, me: int) -> list[tuple[frozenset[int], ...]]:
    """Every way to deal what the mover has not seen, of those that fit: the hands of the others in order of play."""
    known, order = known_by(state, me), [(me + step) % SEATS for step in range(1, SEATS)]
    unseen = set.union(*(cards_of(state.hand[seat]) for seat in order)) - set.union(*known.values())
    room = [len(cards_of(state.hand[seat])) - len(known[seat]) for seat in order]
    found = []
    for first in itertools.combinations(sorted(unseen), room[0]):
        for second in itertools.combinations(sorted(unseen - set(first)), room[1]):
            third = unseen - set(first) - set(second)
            dealt = [set(first), set(second), third]
            if not any(state.void[seat, c // RANKS] for seat, new in zip(order, dealt, strict=True) for c in new):
                found.append(tuple(frozenset(new | known[seat]) for seat, new in zip(order, dealt, strict=True)))
    return found


@pytest.mark.slow
def test_every_deal_that_fits_is_equally_likely() -> None:
    deals, tried, rng = draw_deals(game, 30, 6), 0, np.random.default_rng(5)
    for number in range(30):
        for state in recorded(deals, number).states[-15:-1]:
            me = int(state.mover)
            possible = possible_hands(state, me)
            if not 5 <= len(possible) <= 60:
                continue
            counts = Counter(dict.fromkeys(possible, 0))
            for _ in range(40 * len(possible)):
                twin = redealt(state, random_state(rng))
                counts[tuple(frozenset(cards_of(twin.hand[(me + step) % SEATS])) for step in range(1, SEATS))] += 1
            assert len(counts) == len(possible)
            assert chisquare(list(counts.values())).pvalue > 1e-5
            tried += 1
    assert tried >= 20


@pytest.mark.slow
def test_deals_of_a_belief_lead_to_what_the_mover_sees() -> None:
    """Nobody tells the mover what others passed to each other: a deal of a belief has passes that fit, too."""
    player = RulePlayer(rules := load_rules(game=game), rules.hand_tuned(), "standard")
    believer, worlds, told = Believer([player]), 0, 0
    for seed in range(4):
        position = Position(game, seed=seed)
        for _ in range(30):
            position.push(player.decide(position))
        position = position.redealt(seed + 1)
        past = past_of(position)
        assert past is not None
        belief = believer.believe(position, past, 400, np.inf, rng_of(seed))
        assert belief is not None
        told += past.hidden
        for deal in belief.deals:
            again, made = game.new_state(), past.moves.copy()
            made[made == UNKNOWN] = deal[CARDS + SEATS :]
            game.setup(again, deal[: CARDS + SEATS], position.options)
            for seat, move in zip(past.seats, made, strict=True):
                assert again.mover == seat
                law_of(game).play(again, move)
            one, other = game.new_view(), game.new_view()
            law_of(game).observe(position.state, one)
            law_of(game).observe(again, other)
            assert one.tobytes() == other.tobytes()
        worlds += len({deal.tobytes() for deal in belief.deals})
    assert told in (0, 9, 18, 27, 36)
    assert worlds > 40


@pytest.mark.slow
def test_chains_change_all_hidden_hands_and_what_was_passed() -> None:
    """Whoever moves: the hand that is dealt last is read like any other, though its order means nothing."""
    player = RulePlayer(rules := load_rules(game=game), rules.hand_tuned(), "standard")
    believer = Believer([player])
    for seat in range(SEATS):
        position = Position(game, seed=1)
        while position.plies < 20 or position.mover != seat:
            position.push(player.decide(position))
        position = position.redealt(3)
        past = past_of(position)
        assert past is not None
        assert past.hidden == (SEATS - 1) * PASSED
        believer._scratch.states[ROOT] = position.state
        deals, luck = believer._imagined(8, CARDS + SEATS + past.hidden, past, 5)
        read, spots = believer._begin(position, past, deals, luck)
        # The lots come first, then hand after hand.
        hands = Counter((spot - SEATS) // RANKS for spot in spots.tolist() if spot >= SEATS)
        assert read == CARDS + SEATS
        assert set(hands) == set(range(SEATS)) - {seat}
        belief = believer.believe(position, past, 300, np.inf, rng_of(seat))
        assert belief is not None
        passes = {row.tobytes() for row in belief.deals[:, CARDS + SEATS :]}
        for _ in range(5):
            belief.go_on()
        assert {row.tobytes() for row in belief.deals[:, CARDS + SEATS :]} - passes


def test_what_nobody_knows_does_not_matter() -> None:
    """States that look alike to the mover are dealt again alike."""
    deals = draw_deals(game, 5, 7)
    for number in range(5):
        record = recorded(deals, number)
        for ply in (0, 4, 20, 40):
            state = record.states[ply]
            twin = redealt(state, 12345)
            assert redealt(twin, 99).tobytes() == redealt(state, 99).tobytes()
