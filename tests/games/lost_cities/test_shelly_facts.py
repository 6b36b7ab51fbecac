"""Shelly's facts (time, wanted piles) and weights, and how his player draws, on written positions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from lost_cities_positions import game, seen
from played_positions import after

from rulebots.game.position import Position
from rulebots.games.lost_cities.cards import LETTERS
from rulebots.games.lost_cities.shelly import see, shelly, step
from rulebots.players import RulePlayer

#: The seed's @prules and @drules: early and late.
SEED_WEIGHTS = """
play.in_sequence 0.6 0.8
play.low_card 0.1 0.0
play.low_cards 0.2 0.0
play.high_card -0.3 0.1
play.high_cards -0.2 0.2
play.investments 0.1 -0.2
play.on_investments 0.5 0.7
play.holding_investments -0.2 0.0
play.investment_with_hope 0.5 0.3
play.investment_without_hope -0.6 -1.0
play.group_10 0.5 -0.4
play.group_15 0.6 -0.3
play.group_20 0.7 -0.2
play.group_25 0.9 -0.1
play.total_20 0.35 1.0
play.total_25 0.6 1.0
play.suit_started 0.7 0.9
play.close_to_previous 0.4 0.5
play.multiplier_2 0.4 0.8
play.multiplier_3 0.5 0.9
play.on_unplayed -0.5 -1.0
play.he_has_played -0.1 0.0
play.he_has_played_10 -0.2 0.0
play.he_has_played_20 -0.3 0.0
play.hand_negative 0.5 0.9
play.must_plays -0.3 1.0
play.lower_in_hand -0.5 -0.4
play.highest_in_hand -0.1 -0.01
play.two_follows_invest 0.3 0.5
play.finish_game 0.0 2.0
play.possible_below -0.2 -0.05
play.possible_many_below -0.4 -0.1
keep.useless_to_me -0.5 0.1
keep.useless_to_him -0.2 0.1
keep.useful_to_him 0.4 0.5
keep.useful_to_me 0.3 0.3
keep.he_has_played 0.1 0.3
keep.singleton -0.2 -0.1
keep.no_partners -0.3 -0.3
keep.want_from_discard 0.3 0.5
keep.below_lowest_playable -0.2 0.0
keep.dont_discard_forever 0.5 1.0
"""


def test_the_weights_are_those_of_the_seed() -> None:
    expected = {key: (float(e), float(late)) for key, e, late in map(str.split, SEED_WEIGHTS.strip().splitlines())}
    assert len(expected) == 42
    ours = {r.key: (r.early, r.late) for r in shelly.rules if r.group != "draw"}
    assert ours == expected


def test_a_play_counts_p_less_half_d_and_a_discard_half_p_less_d() -> None:
    mixes = {kind.name: dict(kind.mix) for kind in shelly.mixes}
    assert mixes["play"] == {"play": 1.0, "keep": -0.5}
    assert mixes["discard"] == {"play": 0.5, "keep": -1.0}


def facts(hand: str, **position: Any) -> Any:
    view = shelly.seeing(seen(hand, **position))
    see(view)
    return view


def wanted(hand: str, **position: Any) -> str:
    view = facts(hand, **position)
    return "".join(LETTERS[s] for s in range(6) if view.wanted >> s & 1)


TWO_TO_PLAY = {"hand": "9O 10O 2V 3J", "mine": "8O"}


@pytest.mark.parametrize(("deck", "tight"), [(44, 0), (8, 0), (7, 1), (6, 1), (1, 1)])
def test_tight_is_when_half_the_deck_less_one_is_no_more_than_the_must_plays(deck: int, tight: int) -> None:
    view = facts(**TWO_TO_PLAY, deck=deck)
    assert view.must_play == 2
    assert view.tight == tight
    assert step(view) == tight  # early weights, then late ones, without a blend


@pytest.mark.parametrize(("deck", "super_tight"), [(3, 0), (2, 1), (1, 1)])
def test_super_tight_is_when_the_deck_is_no_more_than_the_must_plays(deck: int, super_tight: int) -> None:
    assert facts(**TWO_TO_PLAY, deck=deck).super_tight == super_tight


def test_must_plays_are_hand_cards_of_started_suits_from_the_top_up() -> None:
    assert facts("InvD 3D 5D 6D 9V InvO InvO 2O", mine="5D InvO").must_play == 4  # 6D, both InvO, 2O
    assert facts("InvD 3D", mine="").must_play == 0


@pytest.mark.parametrize(
    ("why", "suits", "position"),
    [
        ("started: the top card goes on", "D", {"mine": "5D", "piles": "6D"}),
        ("started: an investment on investments", "D", {"mine": "InvD", "piles": "InvD"}),
        ("started: too low", "", {"mine": "5D", "piles": "9D 4D"}),
        ("not started: 16 with the hand", "M", {"piles": "7M"}),
        ("not started: 15 with the hand", "", {"piles": "6M"}),
        ("not started, and tight", "", {"piles": "7M", "mine": "8V", "deck": 5}),
        ("started, and tight", "D", {"mine": "5D", "piles": "6D", "deck": 3}),
        ("five discards in a row", "D", {"mine": "5D", "piles": "6D", "streak": 5}),
        ("six discards in a row", "", {"mine": "5D", "piles": "6D", "streak": 6}),
        ("super tight: every pile", "DJ", {"mine": "8V", "piles": "2D 3J", "deck": 2}),
        ("super tight, but one is wanted", "V", {"mine": "8V", "piles": "2D 10V", "deck": 2}),
        ("super tight, six discards in a row", "", {"mine": "8V", "piles": "2D 3J", "deck": 2, "streak": 6}),
        ("empty piles", "", {"mine": "5D"}),
    ],
    ids=lambda p: p if isinstance(p, str) else "",
)
def test_wanted(why: str, suits: str, position: dict[str, Any]) -> None:
    assert wanted("9M 9V 10V 3O", **position) == suits


def test_a_pile_to_which_the_opponent_has_just_discarded_may_be_wanted() -> None:
    state = game.new_state()
    state.suits, state.deck_left, state.hand_size[:] = 5, 30, 1
    state.top[:] = -1
    state.hand[:, 0] = 8, 18  # his 9 of Deserts, my 9 of Oceans
    state.top[1, 0], state.laid[1, 0] = 5, 1 << 5
    view = shelly.seeing(after(Position.of(game, state), "d9d", "n").view())
    see(view)
    assert view.just_discarded == -1
    assert view.wanted == 1


def draws(hand: str, **position: Any) -> str:
    player = RulePlayer(shelly, shelly.hand_tuned())
    view = seen(hand, **position)
    piles = [s for s in range(5) if view.pile_size[s] and s != view.just_discarded]
    legal = np.array([120, *(121 + s for s in piles)], np.int64)
    return game.text.write(player.choose(view, legal))


@pytest.mark.parametrize(
    ("why", "drawn", "position"),
    [
        ("nothing wanted", "n", {"laid": "3o"}),
        ("the wanted pile", "m", {"laid": "3o", "piles": "2D 7M"}),
        ("the first in the order D O M J V", "d", {"laid": "3o", "mine": "5D 5V", "piles": "6D 7M 6V"}),
        ("not the suit just discarded to", "n", {"laid": "d9m", "piles": "7M"}),
        ("his slip: the 7 was wanted, the 9 that he played has made it useless", "m", {"laid": "9m", "piles": "7M"}),
        ("his slip: the hand counts as it was before the play", "m", {"laid": "9m", "mine": "", "piles": "8M"}),
        ("six discards before this play", "n", {"laid": "9v", "piles": "7M", "streak": 6}),
        ("five discards before this one", "m", {"laid": "d3o", "piles": "7M", "streak": 5}),
        ("super tight by the card just played", "d", {"laid": "9v", "mine": "8V", "piles": "2D 3J", "deck": 2}),
        (
            "super tight, but only the pile just covered was wanted",
            "n",
            {"laid": "d3v", "mine": "8V", "piles": "2D 10V", "deck": 2},
        ),
    ],
    ids=lambda p: p if isinstance(p, str) and len(p) > 1 else "",
)
def test_draw(why: str, drawn: str, position: dict[str, Any]) -> None:
    assert draws("9M 9V 10V 3O 3V", **position) == drawn
