"""Hearts for people: text, moves as they are typed, why a move is not legal, and the picture."""

from __future__ import annotations

import re
from typing import Any

import pytest

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.games.hearts.cards import CARDS, FOLLOW, LEAD, PASS, QUEEN_POINTS, THROW, card_text
from rulebots.games.hearts.diagram import draw
from rulebots.games.hearts.game import game

#: Seat 0 has all clubs, seat 1 all diamonds, seat 2 all spades and seat 3 all hearts; then the lot: nobody passes, or
#: all pass to the left.
SORTED = list(range(CARDS))
UNPASSED, TO_THE_LEFT = [*SORTED, 52, 53, 54, 55], [*SORTED, 53, 52, 54, 55]


def at(*moves: str, deal: list[int] = UNPASSED, **options: int) -> Position:
    position = Position(game, options, deal)
    for text in moves:
        position.push(position.read(text))
    return position


def card(text: str) -> int:
    return next(one for one in range(CARDS) if card_text(one) == text)


@pytest.mark.parametrize("text", ["QS", "qs", " q s ", "Q♠", "pass QS", "pass:QS", "PASS Q♠"])
def test_a_card_to_pass_is_read_with_or_without_the_word(text: str) -> None:
    assert at(deal=TO_THE_LEFT).read(text) == CARDS * PASS + card("QS")


@pytest.mark.parametrize("text", ["10H", "th", "10♥", "T H"])
def test_a_ten_is_read_in_two_ways(text: str) -> None:
    position = at("2C")
    assert position.read(text) == CARDS * THROW + card("10H")


def test_what_is_done_with_a_card_is_known_from_the_trick() -> None:
    assert at().read("2C") == CARDS * LEAD
    assert at("2C").read("3C") == CARDS * FOLLOW + card("3C")
    assert at("2C").read("2D") == CARDS * THROW + card("2D")


@pytest.mark.parametrize("text", ["", "1S", "11S", "QX", "queen of spades", "S", "passQ", "QSS"])
def test_what_is_no_card_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(UsageError, match="expected a card, such as 'QS' for the queen of spades or '10H', not"):
        at().read(text)


def refused(position: Position, text: str) -> str:
    assert game.text.refusal is not None
    move = position.read(text)
    assert move not in position.legal_moves
    return game.text.refusal(position.state, move)


def test_it_says_why_a_move_is_not_legal() -> None:
    assert refused(at(), "3D") == "the 3 of diamonds is not in your hand"
    assert refused(at(), "3C") == "the two of clubs is led first"
    assert refused(at(), "pass 3C") == "all cards are passed: play one"
    mixed = [*range(3, 13), 13, 14, 39, *range(1, 3), *range(15, 26), 0, *range(26, 38), 38, *range(40, 52)]
    # Seat 2 has the two of clubs and spades, seat 3 the ace of spades and hearts.
    after = at(deal=[*mixed, 52, 53, 54, 55])
    assert after.mover == 2
    after.push(after.read("2C"))
    assert refused(after, "3H") == "no penalty card goes on the first trick while you have another one"
    for text in ("AS", "AC", "3C"):
        after.push(after.read(text))
    assert refused(after, "2H") == "hearts are not broken: lead another suit"
    after.push(after.read("5C"))
    assert refused(after, "4D") == "you have to follow suit: clubs were led"


def test_the_text_shows_what_a_seat_may_see() -> None:
    position = at("2C", "3D", "4S")
    assert game.text.show(position.state, 3).splitlines() == [
        "trick 1 of 13, hearts are not broken",
        "*    you:   -  0 points, 0 tricks",
        "    left:  2♣  0 points, 0 tricks",
        "  across:  3♦  0 points, 0 tricks, no ♣",
        "   right:  4♠  0 points, 0 tricks, no ♣",
        "    hand: ♥ A K Q J 10 9 8 7 6 5 4 3 2",
    ]
    position.push(position.read("AH"))
    assert game.text.show(position.state, None).splitlines()[:6] == [
        "trick 2 of 13, hearts are broken",
        "* seat 0:   -  -1 point, 1 trick",
        "  seat 1:   -  0 points, 0 tricks, no ♣",
        "  seat 2:   -  0 points, 0 tricks, no ♣",
        "  seat 3:   -  0 points, 0 tricks, no ♣",
        "  before: seat 0 2♣, seat 1 3♦, seat 2 4♠, seat 3 A♥",
    ]


def test_the_text_shows_what_was_passed_and_received() -> None:
    passes = ["AC", "KC", "QC", "AD", "KD", "QD", "AS", "KS", "QS"]
    position = at(*passes, deal=TO_THE_LEFT)
    assert game.text.show(position.state, 3).startswith("three cards are passed to the left")
    assert "passed: ♠ A K Q" in game.text.show(position.state, 2)
    assert "received" not in game.text.show(position.state, 2)
    for text in ("AH", "KH", "QH"):
        position.push(position.read(text))
    assert "received: ♥ A K Q" in game.text.show(position.state, 0)
    assert "  passed: ♣ A K Q" in game.text.show(position.state, 0)


def shapes(position: Position, seat: int | None) -> list[str]:
    return [shape.words for shape in draw(position, seat).shapes if shape.words]


def test_the_picture_has_a_place_for_each_of_ones_own_cards() -> None:
    position = at("2C", "3D", "4S")
    diagram = draw(position, 3)
    own = {name for name, place in diagram.places.items() if place.label.startswith("your ")}
    assert own == {card_text(one) for one in range(card("2H"), CARDS)}
    assert diagram.places["left"].label == "{0}, left: 12 cards"
    assert diagram.places["card of left"].label == "{0}: 2 of clubs, the best card"
    assert diagram.ways == {int(move): (card_text(int(move) % CARDS),) for move in position.legal_moves}
    assert diagram.places["QH"].label == "your queen of hearts"
    assert "{0}: 0 points, 0 tricks, played the 2 of clubs" in diagram.words
    assert draw(position, 2).ways == {}


def test_no_card_of_a_trick_covers_a_name() -> None:
    """What moves across the table stays below what is drawn after it."""
    diagram = draw(at("2C", "3D", "4S"), 3)
    names = [number for number, shape in enumerate(diagram.shapes) if shape.seat is not None]
    tricks = [piece for piece in diagram.pieces if piece.start]
    assert len(tricks) == 3
    assert max(piece.end for piece in tricks) <= min(names)


def test_a_hand_lies_in_rows_whose_cards_a_finger_finds_on_a_phone() -> None:
    diagram = draw(at("2C", "3D", "4S"), 3)
    hand = [place for place in diagram.places.values() if place.label.startswith("your ")]
    assert [[place.y for place in hand].count(y) for y in sorted({place.y for place in hand})] == [6, 7]
    # A board is 340 pixels wide on a phone of 360.
    assert min(min(place.width, place.height) for place in hand) * 340 / diagram.width >= 40


def test_the_picture_hides_the_cards_of_others_but_not_from_the_referee() -> None:
    position = at("2C", "3D", "4S")
    assert "A♣" not in shapes(position, 3)
    assert {"A♣", "A♦", "A♠"} & set(shapes(position, None)) == {"A♦", "A♠"}, "those of seat 0 lie large below"


def test_the_picture_marks_what_was_passed_to_one() -> None:
    position = at("AC", "KC", "QC", "AD", "KD", "QD", "AS", "KS", "QS", deal=TO_THE_LEFT)
    assert "three cards are passed to the left" in shapes(position, 0)
    for text in ("AH", "KH", "QH"):
        position.push(position.read(text))
    diagram: Any = draw(position, 0)
    assert diagram.places["AH"].label == "your ace of hearts, passed to you"
    assert sum(shape.look == "last" for shape in diagram.shapes) == 3


def test_four_open_hands_leave_each_other_the_corners() -> None:
    for position in (at(), at("2C")):
        hands = [place for name, place in draw(position, None).places.items() if name.startswith("seat")]
        for one in hands:
            for other in hands:
                apart = one.x + one.width <= other.x or one.y + one.height <= other.y
                apart = apart or other.x + other.width <= one.x or other.y + other.height <= one.y
                assert one is other or apart, (one, other)


def test_a_card_that_is_passed_is_learned_by_its_receiver_alone_once_all_have_passed() -> None:
    passes = [f"pass:{rank}{suit}" for suit in "CDSH" for rank in (2, 3, 4)]
    position = at(*passes[:-1], deal=TO_THE_LEFT)
    assert all(position.known(seat) == position.history(seat) for seat in range(4))
    position.push(passes[-1])
    texts = [position.write(move) for _, move in position.history()]
    for seat in range(4):
        giver = (seat - 1) % 4
        known = [text for text, (_, move) in zip(texts, position.known(seat), strict=True) if move >= 0]
        assert sorted(known) == sorted(text for text in texts if text[-1] in {"CDSH"[seat], "CDSH"[giver]})
        assert sum(move >= 0 for _, move in position.history(seat)) == 3, "players are told no more than before"


def test_a_moon_counts_on_the_board_as_it_does_by_the_law() -> None:
    position = at()
    while not position.over:
        position.push(int(position.legal_moves[0]))
    assert position.points == (0, -26, -26, -26)
    assert re.findall(r"-?\d+ points", position.text()) == ["0 points", "-26 points", "-26 points", "-26 points"]


def test_a_suit_is_not_broken_where_the_hand_can_be_parted_elsewhere() -> None:
    """And cards that are not legal are dim, as only a club may be played to a club."""
    low = [*range(6), *range(13, 20)]
    deal = [*low, *(one for one in range(26) if one not in low), *range(26, 56)]
    diagram = draw(at("2C", deal=deal), 1)
    clubs, diamonds = ({diagram.places[f"{rank}{suit}"].y for rank in ("9", "J", "A")} for suit in "CD")
    assert len(clubs) == len(diamonds) == 1
    assert min(clubs) < min(diamonds)
    assert sum(shape.look == "empty" for shape in diagram.shapes) == 6


def test_the_picture_says_at_the_end_who_took_the_queen_of_spades() -> None:
    position = Position(game, seed=3)
    while not position.over:
        assert "took the queen of spades" not in shapes(position, 0)
        position.push(int(position.legal_moves[0]))
    taken = position.state.taken.tolist()
    words = shapes(position, 0)
    assert "the latest trick" in words
    (taker,) = (seat for seat in range(4) if taken[seat] >= QUEEN_POINTS)
    assert words[words.index("took the queen of spades") - 1] == f"Player {taker + 1}"
