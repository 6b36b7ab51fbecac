"""What moves of Hanabi mean by convention: the same for all who know the same course of the game."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from hanabi_positions import PLAIN, cards, position

from rulebots.game.position import Position
from rulebots.games.hanabi.conventions import chop_of, follow, ready_cards
from rulebots.games.hanabi.game import game
from rulebots.games.hanabi.rules import PLAYERS

ONES = "R1 Y1 G1 W1 B1"
THREE = (*PLAIN, "R3 Y4 G5 W2 B1")


def meant(seat: int, place: int, **where: Any) -> int:
    """What the card at a place, 1 for the oldest, is by convention."""
    return int(position(**where).state.meant[seat, place - 1])


def test_a_hint_says_that_its_newest_new_card_can_be_played() -> None:
    assert meant(1, 4, moves="h1w") == cards("W1")
    assert meant(1, 3, moves="h1w") & cards("W1") == 0
    hands = ("R5 Y5 G5 W5 B5", "R1 Y1 G4 W1 B4")
    assert meant(1, 4, hands=hands, moves="h11") == cards(ONES)
    assert meant(1, 1, hands=hands, moves="h11") == cards(ONES)  # all 1s can be played
    focused = {"hands": ("R5 Y5 G5 W5 B5", "B2 Y1 G4 W2 B4"), "fireworks": "W1"}
    assert meant(1, 4, moves="h12", **focused) == cards("W2")
    assert meant(1, 1, moves="h12", **focused) == cards("R2 Y2 G2 W2 B2")


def test_a_focus_may_wait_for_cards_that_all_know() -> None:
    hands = ("R1 Y2 G3 W4 B4", "W2 Y3 G4 B5 R4", "R3 Y4 G5 W1 R2")
    known = position(hands=hands, moves="h2w").state
    assert known.meant[2, 3] == cards("W1")
    assert ready_cards(known) == cards(f"{ONES} W2")
    assert meant(1, 1, hands=hands, moves="h2w d3 d1 h12", tokens=7) == cards("W2")
    assert meant(1, 1, hands=hands, moves="h12") == cards("R2 Y2 G2 W2 B2")


def test_a_rank_hint_that_touches_the_next_seats_chop_warns_of_the_last_of_its_kind() -> None:
    hands = ("R1 Y2 G3 W4 B4", "Y3 B3 G4 W1 B5")
    assert meant(1, 1, hands=hands, gone="Y3", moves="h13") == cards("Y3")
    assert meant(1, 1, hands=hands, gone="Y3", moves="h1y") & cards("Y3 Y1") == cards("Y1")
    assert meant(1, 1, hands=(PLAIN[0], "B5 Y3 G4 W1 B1"), moves="h15") == cards("R5 Y5 G5 W5 B5")


def test_who_does_not_warn_says_that_the_chop_is_not_the_last_of_its_kind() -> None:
    fives = "R5 Y5 G5 W5 B5"
    assert meant(1, 1, tokens=7, moves="d1") & cards(fives) == 0
    assert meant(1, 2, tokens=7, moves="d1") & cards(fives) == cards(fives)
    assert meant(1, 1, tokens=0, moves="d1") & cards(fives) == cards(fives)  # it could not have warned
    assert meant(1, 1, hands=THREE, moves="h2r") & cards(fives) == 0
    assert meant(2, 2, hands=THREE, moves="h2r") & cards("Y5") == cards("Y5")  # it is not the next seat


def test_silence_says_nothing_of_a_touched_chop_which_is_to_be_played() -> None:
    hands = ("R4 Y2 G3 W4 B4", "R4 Y3 G4 W1 B5")
    told = "h14 h13 d1 h12"  # no 4 can be played soon, and the other red 4 goes
    assert chop_of(position(hands=hands, moves=told).state, 1) == 0
    assert meant(1, 1, hands=hands, moves=f"{told} d1") & cards("R4") == cards("R4")
    untold = "h15 h13 d1 h12"
    assert chop_of(position(hands=hands, moves=untold).state, 1) == 0
    assert meant(1, 1, hands=hands, moves=f"{untold} d1") & cards("R4") == 0


def test_newly_touched_cards_are_not_useless() -> None:
    hands = ("R5 Y5 G5 W5 B4", "R3 Y3 G4 W1 R4")
    assert meant(1, 1, hands=hands, fireworks="R2", moves="h1r") == cards("R3 R4 R5")


def test_no_card_is_one_of_which_all_copies_are_known() -> None:
    assert meant(1, 1, gone="B5", moves="h1w") & cards("B5") == 0
    assert meant(1, 1, moves="h1w") & cards("B5") == cards("B5")
    assert meant(0, 2, moves="h15 d2 h1b") & cards("B5") == 0  # the other hand has it, as all know


def test_the_chop_is_the_card_that_is_most_likely_useless_the_oldest_of_them() -> None:
    assert chop_of(position().view(), 1) == 0
    assert chop_of(position(fireworks="R3", moves="h15").state, 1) == 0
    assert chop_of(position(fireworks="R3 Y4", moves="h1r h1r h1y").state, 1) == -1
    assert chop_of(position(moves="h1w").state, 1) == -1  # it has a card to play
    warned = position(hands=(PLAIN[0], "B5 Y3 G4 W2 B1"), moves="h15").state
    assert chop_of(warned, 1) == 1


@pytest.mark.parametrize(
    ("hand", "where", "move", "said"),
    [
        (PLAIN[1], {}, "h1w", "tells b that card 4 is white, which means: play card 4"),
        (PLAIN[1], {}, "h11", "tells b that card 4 is a one, which means: play card 4"),  # it is a 1 for certain
        ("R1 Y1 G4 W1 B4", {}, "h11", "tells b that cards 1, 2 and 4 are ones, which means: play cards 1, 2, 4"),
        (
            "Y3 B3 G4 W1 B5",
            {"gone": "Y3"},
            "h13",
            "tells b that cards 1 and 2 are threes, which means: keep card 1, the last of its kind",
        ),
        (
            "R1 Y3 G4 W4 B5",
            {"fireworks": "R1 Y1 G1 W1 B1"},
            "h11",
            "tells b that card 1 is a one, which means: no use for card 1",
        ),
        ("R1 Y3 G4 W4 B5", {}, "h13", "tells b that card 2 is a three"),  # no 3 can be played soon
        (PLAIN[1], {"tokens": 7}, "d1", "discards card 1, the red 1"),
    ],
)
def test_a_hint_is_told_with_what_it_means(hand: str, where: dict[str, Any], move: str, said: str) -> None:
    here = position(hands=(PLAIN[0], hand), **where)
    before = here.state.tobytes()
    assert here.sentence(here.read(move), ("a", "b")) == f"a {said}"
    assert here.state.tobytes() == before


def test_what_a_hint_meant_is_shown_where_the_card_is_now() -> None:
    for moves, seat, said in (
        ("h1w", 0, "You hinted white to player 1: card 4*; meant: play card 4"),
        ("h1w d1", 1, "Player 1 hinted white to you: card 3*; meant: play card 3"),
        ("h1w p4", 1, "Player 1 hinted white to you: cards that are gone"),
    ):
        assert said in position(moves=moves, tokens=7).text(seat).splitlines()


@pytest.mark.parametrize("seats", [3, *(pytest.param(seats, marks=pytest.mark.slow) for seats in (2, 5))])
def test_every_seat_reads_the_same_whatever_it_sees(seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Signals computed without a look at any hidden card are those of the game; and each seat is shown these."""
    followed = 0

    def blindly(state, seat):
        nonlocal followed
        blind = state.copy()
        blind.hands[:], blind.deck[:] = np.where(blind.hands >= 0, 0, -1), 0
        follow(state, seat)
        follow(blind, seat)
        assert np.array_equal(blind.meant, state.meant)
        for name in ("wanted", "useless", "last", "gone_ones", "gone_twos"):
            assert blind[name] == state[name]
        followed += 1

    monkeypatch.setattr(sys.modules[game.play.function.__module__], "follow", blindly)
    player = PLAYERS["standard"]()
    here = Position(game, {"seats": seats}, seed=5)
    while not here.over:
        view, mover = here.view(), int(here.state.mover)
        for k in range(seats):
            known = [int(m) for m in here.state.meant[(mover + k) % seats]]
            shown = [int(m) for m in view.meant[k]]
            assert shown == known or here.plies == 0
        here.push(int(player.choose(view, here.legal_moves)))
    assert followed == here.plies > 30
