"""Hanabi by its law: what both ways of counting say, and what hints leave behind."""

from __future__ import annotations

import numpy as np
import pytest
from openspiel_hanabi import careful
from played_positions import after

from rulebots.errors import UsageError
from rulebots.game.compiled import law_of
from rulebots.game.position import Position
from rulebots.games.hanabi.cards import NO_CARD
from rulebots.games.hanabi.conventions import STATE_FIELDS
from rulebots.games.hanabi.game import game, move_numbers
from rulebots.kernel import compiling

TABLES = (2, 3, 4, 5)
#: The first cards of a deal: R1 R2 R3 R4 R5 to seat 0, Y1 Y1 Y2 Y3 B5 to seat 1; W1 and W2 are drawn first.
HANDS = [0, 1, 2, 3, 4, 5, 5, 6, 7, 24, 15, 16]


def dealt(*first: int, **options: int) -> Position:
    """A position whose deal begins with these cards; the others follow in order."""
    rest = [5 * colour + rank for colour in range(5) for rank in (0, 0, 0, 1, 1, 2, 2, 3, 3, 4)]
    for card in first:
        rest.remove(card)
    return Position(game, options, [*first, *rest])


def test_it_counts_hints_and_how_likely_the_cards_played_were_not_playable() -> None:
    position = after(dealt(*HANDS), "p1", "h12", "p1")
    hints, risk = (position.game.behaviour[name] for name in ("hints", "risk"))
    assert [hints(position.state, seat) for seat in range(2)] == [0, 1]
    # Of 50 cards 15 are 1s, and of ten 2s two are red: conventions do not count.
    assert risk(position.state, 0) == pytest.approx((1 - 15 / 50 + 1 - 2 / 10) / 2)
    assert risk(position.state, 1) == 0


def test_moves_of_a_table_are_numbered_as_openspiel_numbers_them() -> None:
    assert [len(move_numbers(seats)) for seats in TABLES] == [20, 30, 38, 48]
    assert move_numbers(2) == [*range(15), *range(30, 35)]


def test_a_hint_tells_of_all_cards_and_touches_some() -> None:
    position = after(dealt(*HANDS), "h1y")
    state = position.state
    assert state.tokens == 7
    assert state.touched[1].tolist() == [1, 1, 1, 1, 0]
    assert state.colours[1].tolist() == [0b00010] * 4 + [0b11101]
    assert state.ranks[1].tolist() == [0b11111] * 5
    assert state.touched_at[1].tolist() == [0, 0, 0, 0, -1]
    assert (state.last_kind[0], state.last_target[0], state.last_value[0]) == (2, 1, 1)
    assert (state.last_touched[0], state.last_new[0]) == (0b01111, 0b01111)
    again = after(position, "h11", "h11").state
    assert (again.last_touched[0], again.last_new[0]) == (0b00011, 0)
    assert again.touched[1].tolist() == [3, 3, 1, 1, 0]


def test_what_is_known_of_a_card_moves_with_it() -> None:
    position = after(dealt(*HANDS), "h1y", "p2")
    state = position.state
    assert state.fireworks.tolist() == [0, 1, 0, 0, 0]
    assert state.hands[1].tolist() == [5, 6, 7, 24, 15]
    assert state.touched[1].tolist() == [1, 1, 1, 0, 0]
    assert state.drawn_at[1].tolist() == [0, 0, 0, 0, 1]
    assert state.colours[1].tolist() == [2, 2, 2, 0b11101, 31]
    assert state.last_touched[0] == 0b00111, "the hint touched four cards, of which three are held"
    view = position.view()
    assert view.hands[0].tolist() == [NO_CARD] * 5
    assert view.hands[1].tolist() == state.hands[1].tolist()
    assert view.last_target.tolist()[:2] == [1, NO_CARD], "the mover hinted to the next seat"


def test_a_completed_firework_gives_a_token_and_the_third_lost_life_counts_nothing() -> None:
    position = after(dealt(*HANDS), "h1y", "h1r", "p1", "h1r", "p1", "h1r", "p1", "h1r", "p1", "h1r")
    assert position.state.tokens == 2
    assert after(position, "p1").state.tokens == 3
    for bombs, points in ((0, 0), (1, 1)):
        lost = after(dealt(*HANDS, bombs=bombs), "p1", "p5", "p3", "p4")
        assert lost.state.lives == 0
        assert lost.over
        assert lost.points == (points, points)
        assert lost.state.held.tolist()[:2] == [5, 4], "nothing is drawn when the game is over"


def test_everyone_has_a_turn_after_the_last_card_is_drawn() -> None:
    rng, position = np.random.default_rng(1), dealt(*HANDS, seats=5)
    while position.state.deck_left:
        position.push(careful(position.state, sorted(position.legal_moves.tolist()), rng))
    assert position.state.turns_left == 5
    for left in (4, 3, 2, 1):
        position.push(int(position.legal_moves[0]))
        assert (position.state.turns_left, position.over) == (left, False)
    position.push(int(position.legal_moves[0]))
    assert position.over


@pytest.mark.slow
@pytest.mark.parametrize("seats", TABLES)
def test_conventions_follow_from_what_all_know(seats: int) -> None:
    """Other hands and another deck, with which the same hints and laid cards go, leave the same signals."""
    law, rng, compared = law_of(game), np.random.default_rng(seats), 0
    names = [field[0] for field in STATE_FIELDS]
    public = ("last_touched", "last_card", "fireworks")
    for number in range(20 if compiling() else 1):
        position = Position(game, {"seats": seats}, seed=number, compiled=True)
        while not position.over:
            move = careful(position.state, sorted(position.legal_moves.tolist()), rng)
            later = after(position, move).state
            for _ in range(200 if compiling() else 4):
                twin = position.copy()
                for seat in rng.permutation(seats):
                    twin.state.mover = seat
                    law.redeal(twin.state, int(rng.integers(1, 2**32)))
                twin.state.mover = position.mover
                if move in twin.legal_moves:
                    twin.push(move)
                    if all((twin.state[name] == later[name]).all() for name in public):
                        compared += (twin.state.hands != later.hands).any()
                        assert all(twin.state[name].tolist() == later[name].tolist() for name in names)
                        break
            position.push(move)
    assert compared > (200 if compiling() else 0)


@pytest.mark.parametrize(
    ("text", "move"),
    [("p1", 5), ("Play 5", 9), ("d 2", 1), ("discard 3", 2), ("h1r", 10), ("hint 1 blue", 14), ("hr", 10), ("h3", 32)],
)
def test_moves_as_a_person_types_them(text: str, move: int) -> None:
    assert dealt(*HANDS).read(text) == move


def test_who_is_told_has_to_be_said_where_there_are_several() -> None:
    position = dealt(*HANDS, seats=3)
    assert position.read("h23") == 37
    with pytest.raises(UsageError, match="players 1 to 2"):
        position.read("h3")


@pytest.mark.parametrize(
    ("played", "move", "why"),
    [
        ((), "d1", "all tokens are there"),
        ((), "h1r", "player 1 holds no red card"),
        ((), "h14", "player 1 holds no 4s"),
        ((), "h2r", "there is one player beside you"),
        (["h1y", "h1r"] * 4, "h1y", "there is no token left"),
    ],
)
def test_why_a_move_is_not_legal(played: list[str], move: str, why: str) -> None:
    position = after(dealt(*HANDS), *played)
    number = position.read(move)
    assert number not in position.legal_moves
    assert position.refusal(number).startswith(why)


def test_the_table_says_what_is_known_and_hides_the_own_hand() -> None:
    position = after(dealt(*HANDS), "h1y", "p2")
    mine, theirs = position.text(0), position.text(1)
    assert "You       ??" in mine
    assert "Player 1  Y1          Y2          Y3          B5          W1" in mine
    assert "Y?          Y?          Y?          ??          ??" in mine
    assert "You hinted yellow to player 1: card 1* 2* 3*" in mine
    assert "Player 1 played Y1" in mine
    assert mine.endswith("You to move")
    assert "Player 1  R1" in theirs
    assert "R2" not in mine
    assert "Y2" not in theirs
    assert theirs.endswith("Player 1 to move")
