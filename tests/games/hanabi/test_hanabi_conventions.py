"""The conventions of Hanabi: what a move says, read alike by all who know the same course."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hanabi_positions import cards_of, set_of, table

from rulebots.game.position import Position
from rulebots.game.random_numbers import rng_of
from rulebots.games.hanabi.cards import MOST_SEATS
from rulebots.games.hanabi.conventions import STATE_FIELDS
from rulebots.players.names import make_player
from rulebots.registry import load_game

GAME = load_game("hanabi")
SIGNALS = [name for name, *_ in STATE_FIELDS]


def course(seats: int, seed: int) -> list[Position]:
    """A game by `standard`, every fifth move at random, as the positions before each of its moves and at the end."""
    player, rng = make_player("standard", GAME), rng_of(seed)
    position, found = Position(GAME, {"seats": seats}, seed=seed, compiled=True), list[Position]()
    while not position.over:
        found.append(position.copy())
        at_random = rng.random() < 0.2
        position.play(int(rng.choice(position.legal_moves)) if at_random else player.decide(position))
    return [*found, position]


def replayed(state: object, moves: list[int], seats: int) -> Position:
    """The position after these moves, from the deal that a state's deck says."""
    position = Position(GAME, {"seats": seats}, deal=state.deck[::-1].astype(np.int64), compiled=True)
    for move in moves:
        position.play(move)
    return position


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_who_knows_the_same_course_reads_the_same_whatever_it_sees(seats: int) -> None:
    """What a seat cannot see is dealt again, and the course replayed: all that is signalled stays the same."""
    dealt_otherwise = 0
    for seed in (3, 4):
        positions = course(seats, seed)
        moves = [ply.move for ply in positions[-1].history()]
        for plies in range(1, len(positions), 7):
            state = positions[plies].state
            for seat in range(seats):
                other = state.copy()
                other.mover = seat
                GAME.redeal(other, 1000 * seed + plies)
                again = replayed(other, moves[:plies], seats).state
                dealt_otherwise += not np.array_equal(again.hands[seat], state.hands[seat])
                assert again.hands[seat].tolist() == other.hands[seat].tolist()
                for name in SIGNALS:
                    assert np.array_equal(again[name], state[name]), (seed, plies, seat, name)
    assert dealt_otherwise > 20


@pytest.mark.parametrize("seats", [2, 5])
def test_what_a_card_means_is_possible_by_hints(seats: int) -> None:
    for position in course(seats, 5)[1:]:
        state = position.state
        for seat in range(seats):
            for place in range(state.held[seat]):
                possible = set_of(
                    5 * c + r
                    for c in range(5)
                    for r in range(5)
                    if state.colours[seat, place] >> c & 1 and state.ranks[seat, place] >> r & 1
                )
                assert state.meant[seat, place]
                assert state.meant[seat, place] & ~possible == 0
        assert not state.meant[seats:].any() or seats == MOST_SEATS


def meant(place: int, **position: Any) -> set[str]:
    """What all take a card of the mover's for, places counted from 1, in a position that `table` takes."""
    return cards_of(int(table(**position).state.meant[0, place - 1]))


MINE, NEXT, LAST = "R2 G3 W4 B4 R1", "Y1 Y2 W3 G4 B5", "W1 W2 Y3 Y4 G1"
THREE = {"mine": MINE, "others": (NEXT, LAST)}


def test_a_hint_says_that_the_newest_of_the_cards_it_touches_first_can_be_played() -> None:
    assert meant(5, **THREE, said="h1r") == {"R1"}
    assert meant(1, **THREE, said="h1r") == {"R1", "R2", "R3", "R4", "R5"}


def test_a_focus_may_wait_for_a_card_that_all_know_to_be_played_before() -> None:
    """Y1 was named by colour and by rank; so the yellow card of the next hint can be the 2 as well."""
    told = {"mine": "R2 G3 W4 B4 Y2", "others": ("Y1 R3 W3 G4 B5", "W1 W2 Y3 Y4 G1")}
    assert meant(5, **told, said="h2y h2y h1y", tokens=6) == {"Y1", "Y2"}
    assert meant(5, **told, said="h1y", tokens=6) == {"Y1"}


def test_a_rank_hint_on_the_next_chop_warns_where_it_could_be_the_last_of_its_kind() -> None:
    chop = {"mine": "B5 G3 W4 B4 R1", "others": (NEXT.replace("B5", "B3"), LAST)}
    assert meant(1, **chop, said="h15") == {"R5", "Y5", "G5", "W5", "B5"}
    assert meant(1, **chop, said="h1b") - {"B1"} != set()


def test_a_rank_of_which_no_card_is_the_last_is_no_warning() -> None:
    """No 4 can be played; on the chop it can be the last of its kind once the other one of a colour is discarded."""
    four = {"mine": "W4 G3 B5 B3 R1", "others": ("Y1 Y2 W3 G4 R5", "W1 W2 Y3 Y4 G1")}
    assert meant(1, **four, said="h14") == {"R4", "Y4", "G4", "W4", "B4"}
    assert meant(1, **four, said="h14", discards="W4") == {"W4"}


def test_who_does_not_warn_says_that_the_next_chop_is_not_the_last_of_its_kind() -> None:
    fives = {"R5", "Y5", "G5", "W5", "B5"}
    assert meant(1, **THREE) & fives == fives
    assert meant(1, **THREE, said="d1", tokens=4) & fives == set()
    assert meant(2, **THREE, said="d1", tokens=4) & fives == fives


def test_who_could_not_warn_says_nothing_of_the_chop() -> None:
    assert {"R5", "B5"} <= meant(1, **THREE, said="d1", tokens=0)


def test_a_card_all_copies_of_which_are_gone_is_meant_by_nobody() -> None:
    gone = meant(2, **THREE, discards="R3 R3", fireworks="W1")
    assert "R3" not in gone
    assert {"W1", "R4"} <= gone


def test_a_newly_touched_card_is_not_useless() -> None:
    assert meant(1, **THREE, said="h1r", fireworks="Y1") == {"R1", "R2", "R3", "R4", "R5"}
    assert meant(1, **{**THREE, "mine": "R2 G3 W4 B4 R3"}, said="h1r", fireworks="R1") == {"R2", "R3", "R4", "R5"}


def test_a_card_that_its_holder_knows_is_no_other_card() -> None:
    """The 5 of the next seat, named by rank and by colour, is the only one of its kind."""
    assert "B5" in meant(2, **THREE, said="h15 h1w h1r")
    assert "B5" not in meant(2, **THREE, said="h15 h1w h2b")


def test_a_card_takes_along_what_is_known_of_it_when_an_older_one_leaves() -> None:
    later = {**THREE, "said": "h1r d1 h1w h2y", "draws": "W4"}
    assert meant(5, **THREE, said="h1r") == meant(4, **later) == {"R1"}
    assert "R1" in meant(5, **later) != {"R1"}
