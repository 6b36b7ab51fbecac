"""The law of Kalah: on written positions, and against the oracle over random games."""

from __future__ import annotations

import pytest
from kalah_positions import position, written
from naive_kalah import NaiveGame
from played_positions import after
from recorded import recorded

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.games.kalah.game import MAX_CELLS
from rulebots.kernel import compiling
from rulebots.packages import load_game
from rulebots.play.deals import draw_deals

OPTIONS = [
    {},
    {"empty_capture": 0},
    {"pits": 1, "stones": 12},
    {"pits": 3, "stones": 5, "empty_capture": 0},
    {"pits": 4, "stones": 10},
    {"pits": 8, "stones": 12},
    {"pits": 12, "stones": 12, "empty_capture": 0},
]


@pytest.fixture(scope="module")
def kalah() -> Game:
    return load_game("kalah")


def as_naive(position: Position) -> tuple[list[list[int]], list[int]]:
    mine, theirs, stores = written(position)
    return [[int(n) for n in side.split()] for side in (mine, theirs)], list(stores)


@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: " ".join(f"{k}={v}" for k, v in o.items()) or "default")
def test_the_oracle_plays_the_same_random_games(kalah: Game, options: dict[str, int]) -> None:
    count = (150 if options.get("stones") == 12 else 600) if compiling() else 3
    deals = draw_deals(kalah, count, 1, options=options)
    values = {name: int(getattr(deals.options, name)) for name in ("pits", "stones", "empty_capture")}
    for number in range(count):
        record = recorded(deals, number)
        naive = NaiveGame(values["pits"], values["stones"], empty_capture=bool(values["empty_capture"]))
        for ply, (legal, chosen) in enumerate(zip(record.legal, record.chosen, strict=True)):
            here = record.position(ply)
            assert as_naive(here) == (naive.pits, naive.stores)
            assert (here.mover, legal, naive.over()) == (naive.mover, naive.legal(), False)
            naive.play(chosen)
        assert naive.over()
        end = record.position(record.plies)
        assert end.over
        assert end.points == (naive.points(0), naive.points(1))
        assert sum(end.points) == 2 * values["pits"] * values["stones"]


def test_the_board_begins_with_four_stones_in_each_of_six_pits(kalah: Game) -> None:
    deals = draw_deals(kalah, 1, 1)
    assert deals.cards.shape == (1, 0)
    assert deals.opening_plies == 4
    first = recorded(deals, 0).position(0)
    assert written(first) == ("4 4 4 4 4 4", "4 4 4 4 4 4", (0, 0))
    assert first.mover == 0


def test_sowing_goes_on_along_the_other_side() -> None:
    here = after(position("4 4 4 4 4 4", "4 4 4 4 4 4"), 3)
    assert written(here) == ("4 4 4 0 5 5", "5 4 4 4 4 4", (1, 0))
    assert here.mover == 1


def test_sowing_passes_the_opponents_store_by() -> None:
    here = after(position("0 0 3 0 0 10", "1 1 1 1 1 1", (3, 5)), 5)
    assert written(here) == ("1 1 4 0 0 0", "2 2 2 2 2 2", (4, 5))
    assert here.mover == 1


def test_seat_1_sows_the_same_way_from_its_own_side() -> None:
    here = after(position("0 0 3 0 0 10", "1 1 1 1 1 1", (3, 5), mover=1), 5)
    assert written(here, 1) == ("1 1 4 0 0 0", "2 2 2 2 2 2", (4, 5))
    assert here.mover == 0


def test_thirteen_stones_come_round_to_the_emptied_pit_and_capture() -> None:
    here = after(position("0 13 0 0 0 0", "0 0 0 0 2 0"), 1)
    assert written(here) == ("1 0 1 1 1 1", "1 1 1 1 0 1", (1 + 1 + 3, 0))
    assert here.mover == 1


def test_many_stones_go_round_more_than_once() -> None:
    here = after(position("0 0 0 0 0 28", "0 0 0 0 0 0"), 5)
    # Two laps of 13, then the store and one pit more.
    assert written(here) == ("2 2 2 2 2 2", "3 2 2 2 2 2", (3, 0))


@pytest.mark.parametrize("mover", [0, 1])
def test_a_last_stone_in_ones_own_store_moves_again(mover: int) -> None:
    here = after(position("4 4 4 4 4 4", "4 4 4 4 4 4", mover=mover), 2)
    assert here.mover == mover
    assert written(here, mover) == ("4 4 0 5 5 5", "4 4 4 4 4 4", (1, 0))


def test_a_last_stone_in_the_store_after_a_lap_moves_again() -> None:
    here = after(position("0 18 0 0 0 1", "1 1 1 1 1 1"), 1)
    assert here.mover == 0
    assert written(here)[2] == (2, 0)


@pytest.mark.parametrize("mover", [0, 1])
def test_a_last_stone_in_ones_own_empty_pit_captures_it_and_the_opposite(mover: int) -> None:
    here = after(position("2 5 0 0 0 1", "1 1 1 7 1 1", (3, 4), mover=mover), 0)
    assert written(here, mover) == ("0 6 0 0 0 1", "1 1 1 0 1 1", (3 + 8, 4))
    assert here.mover == 1 - mover


def test_a_last_stone_in_ones_own_filled_pit_captures_nothing() -> None:
    assert written(after(position("2 5 1 0 0 1", "1 1 1 7 1 1"), 0)) == ("0 6 2 0 0 1", "1 1 1 7 1 1", (0, 0))


def test_a_last_stone_in_an_empty_pit_of_the_opponents_captures_nothing() -> None:
    assert written(after(position("2 2 2 2 2 2", "0 5 5 5 5 5"), 5)) == ("2 2 2 2 2 0", "1 5 5 5 5 5", (1, 0))


@pytest.mark.parametrize(("alone", "mine", "store"), [(True, "0 6 0 0 0 1", 4), (False, "0 6 1 0 0 1", 3)])
def test_opposite_an_empty_pit_the_last_stone_is_won_only_with_empty_capture(
    alone: bool, mine: str, store: int
) -> None:
    here = after(position("2 5 0 0 0 1", "1 1 1 0 1 1", (3, 4), alone=alone), 0)
    assert written(here) == (mine, "1 1 1 0 1 1", (store, 4))
    assert here.mover == 1


def test_when_my_side_is_empty_the_rest_is_the_opponents() -> None:
    here = after(position("0 0 0 0 0 1", "2 0 3 0 0 1", (20, 21)), 5)
    assert here.over
    assert written(here) == ("0 0 0 0 0 0", "0 0 0 0 0 0", (21, 27))
    assert here.points == (21, 27)


def test_when_the_opponents_side_is_captured_empty_the_rest_is_mine() -> None:
    here = after(position("0 1 0 4 0 0", "0 0 0 9 0 0", (20, 14)), 1)
    assert here.over
    assert here.points == (20 + 10 + 4, 14)


def test_the_game_is_played_out_when_more_than_half_is_won() -> None:
    assert not position("0 0 0 0 0 1", "1 0 0 0 0 1", (45, 0)).over


def test_points_are_what_is_in_the_stores() -> None:
    assert position("1 1 1 1 1 1", "2 2 2 2 2 2", (10, 20)).points == (10, 20)


@pytest.mark.parametrize("mover", [0, 1])
def test_the_view_is_turned_so_that_the_mover_sits_below(mover: int) -> None:
    view = position("1 2 3 4", "5 6 7 8", (9, 10), mover=mover, alone=False).view()
    assert view.board.tolist() == [1, 2, 3, 4, 9, 5, 6, 7, 8, 10, *[0] * (MAX_CELLS - 10)]
    assert (view.pits, view.empty_capture) == (4, 0)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_the_board_is_shown_with_the_seats_side_below(seat: int | None) -> None:
    here = position("1 2 3 4 5 6", "11 12 13 14 15 16", (7, 17), mover=seat or 0)
    assert here.text(seat).splitlines() == [
        "      5   4   3   2   1   0",
        "     16  15  14  13  12  11",
        " 17                           7",
        "      1   2   3   4   5   6" + "    yours" * (seat is not None),
        "      0   1   2   3   4   5",
    ]


@pytest.mark.parametrize(
    ("mine", "theirs", "move", "said"),
    [
        ("1 2 3 4 5 6", "1 1 1 1 1 1", 1, "You sow pit 1"),
        ("0 0 0 3 0 1", "1 1 1 1 1 1", 5, "You sow pit 5 and move again"),
        ("0 0 1 0 1 1", "1 5 1 1 1 1", 2, "You sow pit 2 and capture 1"),
        ("0 0 1 0 1 1", "1 1 0 1 1 1", 2, "You sow pit 2 and store its last stone"),
        (
            "0 0 0 0 0 1",
            "1 1 1 1 1 1",
            5,
            "You sow pit 5 and end the game: each side keeps the stones left in its pits",
        ),
        ("0 0 0 1 0 0", "0 4 0 0 0 0", 3, "You sow pit 3, capture 4 and end the game"),
    ],
)
def test_a_move_is_told_with_what_it_does(mine: str, theirs: str, move: int, said: str) -> None:
    here = position(mine, theirs)
    assert here.sentence(move, ("you", "other")) == said
    assert here.state.tobytes() == position(mine, theirs).state.tobytes()


def test_a_wide_board_has_pits_of_two_digits(kalah: Game) -> None:
    wide = Position(kalah, {"pits": 12, "stones": 1})
    assert [wide.read(text) for text in ("9", "10", "11")] == [9, 10, 11]
    wide.push(11)
    assert wide.to_text() == "1,1,1,1,1,1,1,1,1,1,1,0,1/1,1,1,1,1,1,1,1,1,1,1,1,0 0"
    assert wide.text(0).splitlines()[0] == "   " + "".join(f"{pit:>4}" for pit in range(11, -1, -1))
    for text in ("12", "011", "19"):
        with pytest.raises(UsageError, match=r"0 \(the leftmost\) to 11, not"):
            wide.read(text)


def test_a_pit_may_be_called_one() -> None:
    here = position("1 2 3 4 5 6", "1 1 1 1 1 1")
    assert [here.read(word) for word in ("pit 3", "Pit3", "3")] == [3, 3, 3]


@pytest.mark.parametrize("word", ["6", "12", "pit", "x", "1 2", "½", "-0"])
def test_a_text_that_is_no_pit_is_refused_with_what_was_expected(word: str) -> None:
    with pytest.raises(UsageError, match=r"expected one of your pits, 0 \(the leftmost\) to 5, not '.*'"):
        position("1 2 3 4 5 6", "1 1 1 1 1 1").read(word)


def test_an_empty_pit_is_no_legal_move() -> None:
    assert position("0 2 0 0 5 6", "1 1 1 1 1 1", mover=1).legal_moves.tolist() == [1, 4, 5]
