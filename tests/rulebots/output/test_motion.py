"""What moves between diagrams, in what order, and how long."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.output.diagram import Diagram
from rulebots.output.motion import LONGEST, Motion, motion_of
from rulebots.packages import load_game, parts_of


def drawn(*pieces: tuple[str, float], step: Sequence[int] = (), start: str = "") -> Diagram:
    """Pieces of these keys at these x; there is a place `bag` around x = 90."""
    diagram = Diagram(100, 10, "a row")
    diagram.place("bag", 85, 0, 10, 10, "a bag")
    for i, (key, x) in enumerate(pieces):
        with diagram.piece(key, step=step[i] if step else 0, start=start):
            diagram.circle(x, 5, 2, "seat-0")
    return diagram


def moves(motion: Motion) -> list[tuple[str, float, bool]]:
    """Of each piece that has moved last: its key, from how far, and whether it is new."""
    return [(t.piece.key, t.legs[-1].dx, t.legs[-1].new) for t in motion.pieces if t.legs]


def test_pieces_that_stay_are_told_apart_from_those_that_move_appear_and_go() -> None:
    motion = motion_of([drawn(("a", 10), ("b", 20), ("c", 30)), drawn(("a", 10), ("b", 50), ("d", 70))])
    assert moves(motion) == [("b", -30, False), ("d", 0, True)]
    assert [track.piece.key for track in motion.gone] == ["c"]
    film = motion.film(0)
    assert film.pieces[0] == ()
    assert [(f.dx, f.there) for f in film.pieces[1]] == [(-30, 1), (-30, 1), (0, 1), (0, 1)]
    assert [f.there for f in film.pieces[2]] == [0, 0, 1, 1]
    assert [[f.there for f in frames] for _, frames in film.gone] == [[1, 1, 0, 0]]
    assert motion_of([drawn(("a", 10))]).film(0).milliseconds == 260


def test_pieces_of_one_key_are_alike_and_go_in_the_order_of_their_steps() -> None:
    old = drawn(*[("seed", x) for x in (1, 2, 3, 40)])
    new = drawn(*[("seed", x) for x in (40, 70, 60, 50)], step=(0, 3, 2, 1))
    motion = motion_of([old, new])
    assert moves(motion) == [("seed", 3 - 70, False), ("seed", 2 - 60, False), ("seed", 1 - 50, False)]
    begins = [frames[1].time for frames in motion.film(0).pieces[1:]]
    assert begins == sorted(begins, reverse=True)
    assert begins[-1] == 0


def test_what_is_new_comes_from_its_place_and_likes_are_taken_from_there_first() -> None:
    new = drawn(("card", 30), start="bag")
    assert moves(motion_of([drawn(), new])) == [("card", 60, True)]
    assert moves(motion_of([drawn(("card", 10), ("card", 90)), new])) == [("card", 60, False)]


def test_a_place_that_moves_takes_its_pieces_along() -> None:
    def hand(x: float, width: float) -> Diagram:
        diagram = Diagram(100, 10, "a hand")
        diagram.place("hand", x, 0, width, 10, "a hand")
        with diagram.piece("card"):
            diagram.rectangle(x + width - 5, 2, 4, 4, "card")
        return diagram

    assert moves(motion_of([hand(10, 20), hand(30, 20)])) == []
    assert moves(motion_of([hand(10, 20), hand(10, 40)])) == [], "a place that has grown to the right"
    far = hand(10, 20)
    far.places.clear()
    assert moves(motion_of([far, hand(30, 20)])) == [("card", -20, False)]


def test_two_moves_of_one_piece_are_seen_one_after_the_other() -> None:
    motion = motion_of([drawn(("a", 10)), drawn(("a", 30), ("b", 5)), drawn(("a", 70))])
    film = motion.film(0)
    assert film.milliseconds == 520
    assert [(f.time, f.dx) for f in film.pieces[0]] == [(0, -60), (0, -60), (0.5, -40), (0.5, -40), (1, 0), (1, 0)]
    [(track, frames)] = film.gone
    assert (track.piece.key, [f.there for f in frames]) == ("b", [0, 0, 1, 1, 0, 0])
    assert [f.dx for f in motion.film(1).pieces[0]] == [-40, -40, 0, 0], "the first is known already"
    assert motion.pieces[0].moved_in(1, 2)
    assert not motion.pieces[0].moved_in(0, 1), "it has moved since"


def test_however_much_moves_it_takes_six_tenths_of_a_second_at_most() -> None:
    diagrams = [drawn(*[("seed", x + turn) for x in range(0, 80, 2)], step=range(40)) for turn in range(9)]
    film = motion_of(diagrams).film(0)
    assert film.milliseconds == LONGEST
    for frames in film.pieces:
        times = [frame.time for frame in frames]
        assert times == sorted(times)
        assert (times[0], times[-1]) == (0, 1)


def test_seeds_are_sown_from_their_pit_one_by_one() -> None:
    draw, position = parts_of(load_game("kalah")).draw, Position(load_game("kalah"), {"stones": 4})
    assert draw is not None
    position.push("2")  # the last of them comes into the store
    motion = motion_of([draw(Position(load_game("kalah")), 0), draw(position, 0)])
    sown = sorted((track.legs[-1].step, track.legs[-1].dx < 0) for track in motion.pieces if track.legs)
    assert sown == [(step, True) for step in range(4)], "all to the right of the pit"
    assert motion.gone == ()


@pytest.mark.parametrize(("name", "kinds"), [("lost-cities", ("d", "n")), ("hanabi", ("p",))])
def test_a_card_that_was_drawn_comes_from_the_deck(name: str, kinds: tuple[str, ...]) -> None:
    game = load_game(name)
    draw, position = parts_of(game).draw, Position(game, seed=5)
    assert draw is not None
    seen = [draw(position, 0)]
    for kind in kinds:
        position.push(next(int(move) for move in position.legal_moves if position.write(int(move)).startswith(kind)))
        seen.append(draw(position, 0))
    [drawn_card] = [t for t in motion_of(seen).pieces if t.piece.start == "deck" and t.legs and t.legs[-1].new]
    deck, leg = seen[-1].places["deck"], drawn_card.legs[-1]
    card = dict(drawn_card.shapes[0].numbers)
    assert card["x"] + card["width"] / 2 + leg.dx == pytest.approx(deck.x + deck.width / 2)
    assert card["y"] + card["height"] / 2 + leg.dy == pytest.approx(deck.y + deck.height / 2)


def test_pieces_that_are_not_complete_or_come_from_nowhere_are_refused() -> None:
    diagram = Diagram(10, 10, "nothing")
    diagram.place("deck", 0, 0, 5, 5, "the deck")
    with (
        pytest.raises(UsageError, match=r"piece 'a': no place 'dek'.*did you mean 'deck'"),
        diagram.piece("a", start="dek"),
    ):
        pass
    with pytest.raises(UsageError, match="piece 'a': expected a shape within"), diagram.piece("a"):
        pass
    with (
        pytest.raises(UsageError, match=r"piece 'b': .* not a piece within a piece"),
        diagram.piece("a"),
        diagram.piece("b"),
    ):
        diagram.circle(1, 1, 1, "cell")
    with pytest.raises(UsageError, match="no symbol 'heart'"):
        diagram.symbol(1, 1, 1, "heart")
    with pytest.raises(UsageError, match="move 3: no place 'pile'"):
        diagram.about(3, "pile")
