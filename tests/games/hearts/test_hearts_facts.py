"""The facts of Hearts: chances by dealing the cards that are out in every way, sets by the hands of random games."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hearts_views import GAME, card_of, sets_of, view_of
from written_positions import facts_of

from rulebots.game.position import Position
from rulebots.games.hearts.cards import QUEEN, RANKS, SPADES, SUITS
from rulebots.games.hearts.facts import LACKS, OTHERS, STAYS, lost_tricks
from rulebots.games.hearts.rules import standard
from rulebots.kernel import compiling


def dealt(holders: int, after: int, higher: int, lower: int) -> Fraction:
    """How often none of the first `after` of the holders has higher cards only, over all deals of the cards."""
    deals = list(itertools.product(range(holders), repeat=higher + lower))
    stays = 0
    for deal in deals:
        over, under = set(deal[:higher]), set(deal[higher:])
        stays += not any(who in over and who not in under for who in range(after))
    return Fraction(stays, len(deals))


@pytest.mark.parametrize("holders", [1, 2, 3])
def test_the_chance_that_a_card_stays_highest_counts_all_deals(holders: int) -> None:
    for after in range(holders + 1):
        for higher, lower in itertools.product(range(4), range(4)):
            found = STAYS[holders, after, higher, lower]
            assert found == pytest.approx(float(dealt(holders, after, higher, lower))), (after, higher, lower)


def test_where_nobody_has_the_suit_a_card_stays_highest() -> None:
    assert (STAYS[0] == 1).all()
    assert (LACKS[0] == 1).all()


def test_the_chance_to_lack_a_suit_falls_with_each_card_that_is_out() -> None:
    assert LACKS[1].tolist() == [1, *[0] * RANKS]
    assert LACKS[3, 2] == pytest.approx(4 / 9)


#: My cards of a suit, those of the others, and the tricks that I lose.
SUIT = [
    ("AC KC QC", "2C 3C 4C", 0),
    ("KC", "AC", 1),
    ("KC QC JC", "AC 2C", 1),
    ("AC QC", "KC 2C 3C", 1),
    ("AC QC", "KC 2C", 0),
    ("AC KC 2C", "9C 8C", 0),
    ("AC KC 2C", "9C 8C 7C 6C 5C", 1),
    ("4C 3C 2C", "AC KC QC JC TC 9C", 3),
    ("2C", "", 0),
    ("", "AC", 0),
]


@pytest.mark.parametrize(("mine", "out", "lost"), SUIT)
def test_tricks_that_a_suit_loses_from_the_top(mine: str, out: str, lost: int) -> None:
    assert lost_tricks(sets_of(mine)[0], sets_of(out)[0]) == lost


def test_what_i_passed_is_out_while_others_still_choose() -> None:
    seen = facts_of(standard, view_of("AC 2C", passing=True, passed="QS"), card_of("AC"))
    assert seen.queen_out == 0
    seen = facts_of(standard, view_of("AC 2C", passed="QS", direction=2), card_of("AC"))
    assert (seen.queen_out, seen.queen_after) == (1, 1)


@pytest.mark.parametrize(
    ("taken", "clean", "shooter", "threat"),
    [
        ((0, 0, 0, 0), 1, 0, 0),
        ((4, 0, 0, 0), 1, 0, 0),
        ((0, 1, 0, 0), 0, 0, 0),
        ((0, 0, 0, 13), 0, 3, 1 / 4),
        ((0, 6, 0, 0), 0, 1, 6 / 9),
        ((0, 2, 0, 13), 0, 0, 0),
        ((1, 0, 0, 13), 0, 0, 0),
    ],
)
def test_who_may_be_shooting(taken: tuple[int, int, int, int], clean: int, shooter: int, threat: float) -> None:
    seen = facts_of(standard, view_of("AC 2C", taken=taken, tricks=5), card_of("AC"))
    assert (seen.shooter, seen.threat) == (shooter, threat)
    assert (seen.moon > 0) == clean


def test_those_who_come_after_and_may_follow() -> None:
    seen = facts_of(standard, view_of("AC 2C", trick="3C", void="1C 3C"), card_of("AC"))
    assert (seen.after, seen.able, seen.holders.tolist()) == (2, 1, [1, OTHERS, OTHERS, OTHERS])


def test_what_is_out_is_what_the_others_hold() -> None:
    rng = np.random.default_rng(3)
    for seed in range(10 if compiling() else 1):
        position = Position(GAME, seed=seed)
        while not position.over:
            state, me = position.state, int(position.state.mover)
            seen = facts_of(standard, position.view(), GAME.item(position.view(), position.legal_moves[0]))
            for suit in range(SUITS):
                theirs = {
                    rank
                    for seat in range(4)
                    for rank in range(RANKS)
                    if seat != me
                    and (int(state.hand[seat, suit]) | int(state.passed[seat, suit]) * int(state.passing)) >> rank & 1
                }
                assert {rank for rank in range(RANKS) if int(seen.out[suit]) >> rank & 1} == theirs
                assert int(seen.length[suit]) == int(state.hand[me, suit]).bit_count()
            hers = [seat for seat in range(4) if int(state.hand[seat, SPADES]) >> QUEEN & 1]
            assert int(seen.queen_mine) == int(hers == [me])
            if not state.passing:
                assert int(seen.queen_out) == int(hers not in ([], [me]))
            position.push(int(rng.choice(position.legal_moves)))


def test_a_deal_goes_from_early_to_late() -> None:
    assert standard.progress is not None
    assert [standard.progress(view_of("AC", tricks=done)) for done in (0, 6, 12)] == [0, 0.5, 1]
