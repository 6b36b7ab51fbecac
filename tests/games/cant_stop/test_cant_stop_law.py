"""The law of Can't Stop: against the oracle, on written positions, and in text."""

from __future__ import annotations

import copy
import itertools
from typing import Any

import naive_cant_stop as naive
import pytest
from cant_stop_positions import GAME, legal, position
from hypothesis import given, settings, strategies as st
from recorded import recorded

from rulebots.errors import UsageError
from rulebots.game import CHANCE
from rulebots.game.position import Position
from rulebots.games.cant_stop import diagram
from rulebots.games.cant_stop.moves import length_of
from rulebots.kernel import compiling
from rulebots.packages import package_of
from rulebots.play.deals import draw_deals
from rulebots.web.pages import named

SMALL = {"sides": 3, "shortest": 1, "needed": 2}


@settings(max_examples=60 if compiling() else 6, deadline=None)
@given(
    sides=st.integers(2, 6),
    shortest=st.integers(1, 3),
    needed=st.integers(1, 3),
    both=st.integers(0, 1),
    seats=st.integers(1, 4),
    seed=st.integers(0, 2**32 - 1),
)
def test_random_games_go_as_the_oracle_says(
    sides: int, shortest: int, needed: int, both: int, seats: int, seed: int
) -> None:
    most = max(n for n in (1, 2, 3) if seats * (n - 1) < 2 * sides - 1)
    options = {"sides": sides, "shortest": shortest, "needed": min(needed, most), "both": both, "seats": seats}
    record = recorded(draw_deals(GAME, 1, seed, options=options), 0)
    board = naive.Board(**options)
    for ply, chosen in enumerate(record.chosen):
        state = record.states[ply]
        assert (state.mover == CHANCE) == board.rolling
        assert state.turn == board.turn
        assert {GAME.text.write(move) for move in record.legal[ply]} == board.choices()
        before = copy.deepcopy(board)
        board.do(GAME.text.write(chosen))
        assert marks(record.states[ply + 1]) == (*board.marks, board.runners)
        if state.mover != CHANCE:
            assert_seen(record.views[ply], before)
        assert GAME.over(record.states[ply + 1]) == board.over
    last = record.states[-1]
    assert board.over
    for seat in range(seats):
        assert GAME.points(last, seat) == board.points(seat)
        assert GAME.behaviour["columns"](last, seat) == board.won(seat)
        assert GAME.behaviour["spaces"](last, seat) == sum(board.marks[seat].values())


def marks(state: Any) -> tuple[dict[int, int], ...]:
    """What each seat and the runners have climbed."""
    rows = (*state.height[: state.seats], state.runner)
    assert not state.height[state.seats :].any()
    return tuple({c + 2: int(n) for c, n in enumerate(row) if n} for row in rows)


def assert_seen(view: Any, board: naive.Board) -> None:
    """The mover sees its own side first, then the others in the order of play, the next one first."""
    others, columns = board.others(), range(2, 2 * board.sides + 1)
    who = [(board.turn + k) % len(board.marks) for k in range(len(board.marks))]
    assert (view.seats, view.my_won) == (len(who), board.won(board.turn))
    assert [view.others_won[k] for k in range(len(others))] == [board.won(seat) for seat in who[1:]]
    assert view.their_won == max([board.won(seat) for seat in who[1:]], default=0)
    for column in columns:
        heights = [marks.get(column, 0) for marks in others]
        assert view.mine[column - 2] == board.marks[board.turn].get(column, 0)
        assert view.others[: len(others), column - 2].tolist() == heights
        assert view.theirs[column - 2] == max(heights, default=0)
    assert not view.others[len(others) :].any()


def test_the_board_has_the_published_columns() -> None:
    assert [length_of(6, 3, column) for column in range(11)] == [3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3]


# --- the published rules, case by case


def test_the_rules_own_example_of_a_roll() -> None:
    """1-5-4-6 makes 6 and 10, 5 and 11, or 9 and 7."""
    assert legal(position(dice="1-4-5-6")) == ["5+11", "6+10", "7+9"]


def test_the_rules_own_example_with_one_runner_left() -> None:
    """Runners in 6 and 10, a roll of 2-4-3-5: 6+8 moves one and places the last; 5 and 9 are either, not both."""
    assert legal(position(runners="6:1 10:1", dice="2-3-4-5")) == ["5", "9", "6+8", "7+7"]


def test_both_columns_of_a_pairing_advance_where_they_can() -> None:
    assert legal(position(runners="7:1", dice="1-2-3-4")) == ["3+7", "4+6", "5+5"]
    assert legal(position(runners="7:1", dice="1-2-3-4", both=0)) == ["3+7", "3", "7", "4+6", "4", "6", "5+5"]


def test_a_roll_that_fits_one_runner_advances_that_one() -> None:
    assert legal(position(runners="2:1 7:1 12:1", dice="1-3-4-6")) == ["7+7"]
    assert legal(position(runners="2:1 7:1 12:1", dice="2-3-4-5")) == ["7+7"]
    assert legal(position(runners="2:1 8:1 12:1", dice="1-2-2-6")) == ["8"]


def test_a_won_column_is_closed_to_both() -> None:
    for mine, theirs in (("7:13", ""), ("", "7:13")):
        assert legal(position(mine, theirs, dice="1-1-6-6")) == ["2+12"]
        assert legal(position(mine, theirs, dice="1-2-5-5")) == ["3+10", "6"]


def test_two_runners_may_share_a_space_with_the_other_side() -> None:
    assert legal(position(theirs="6:1 8:1", dice="2-4-4-4")) == ["6+8"]


def test_a_column_takes_no_more_than_its_spaces() -> None:
    assert legal(position(mine="7:12", dice="1-1-6-6")) == ["2+12", "7"]
    assert legal(position(mine="7:12", runners="7:13", dice="1-1-6-6")) == ["2+12"]


def test_a_bust_loses_the_turn_and_nothing_else() -> None:
    found = position(mine="7:3", theirs="6:2", runners="2:1 7:5 12:1")
    found.push(found.read("roll"))
    assert found.mover == CHANCE
    found.push(found.read("2-2-3-3"))
    assert found.mover == CHANCE
    assert int(found.state.turn) == 1
    assert marks(found.state) == ({7: 3}, {6: 2}, {})


def test_to_stop_keeps_what_the_runners_climbed() -> None:
    found = position(mine="7:3", theirs="2:2", runners="2:3 7:5", seat=1)
    found.push(found.read("stop"))
    assert marks(found.state) == ({}, {7: 5, 2: 3}, {})
    assert found.state.won.tolist() == [0, 1, 0, 0]
    assert int(found.state.turn) == 0


def test_a_top_that_is_not_kept_is_not_won() -> None:
    found = position(mine="12:2", runners="12:3 6:1 8:1")
    found.push(found.read("roll"))
    found.push(found.read("1-1-1-1"))
    assert marks(found.state) == ({12: 2}, {}, {})
    assert not found.state.won.any()


def test_the_third_column_wins_at_once() -> None:
    found = position(mine="2:3 3:5 12:2", dice="6-6-6-6")
    assert legal(found) == ["12"]
    found.push(found.read("12"))
    assert found.over
    assert found.points == (1, 0)


def test_alone_each_turn_takes_a_point() -> None:
    """Busts and the winning turn are turns, too; nobody else takes one between them."""
    found = Position(GAME, {"seats": 1, "needed": 1})
    turns = (
        ("1-1-1-1", "2+2", "stop"),
        ("3-4-4-4", "7+8", "roll", "6-6-6-6", "12+12", "roll", "1-1-1-1"),
        ("1-1-1-1", "2"),
    )
    for number, turn in enumerate(turns):
        assert found.points == (-number,)
        for move in turn:
            assert int(found.state.turn) == 0
            found.push(move)
    assert found.over
    assert found.points == (-3,)
    assert found.text().endswith("won by X, in turn 3")


def test_each_in_turn_and_a_column_is_closed_to_all() -> None:
    found = Position(GAME, {"seats": 3})
    for moves in (("3-3-3-3", "6+6", "stop"), ("1-1-5-5", "2+10", "stop"), ("3-3-3-3", "6+6", "stop"), ("3-3-3-3",)):
        for move in moves:
            found.push(move)
    assert (found.seats, int(found.state.turn), found.points) == (3, 0, (0, 0, 0))
    found.state.runner[:3], found.state.free = (3, 5, 2), 0
    found.state.roll, found.state.topped = 0, 2
    found.push("stop")
    assert marks(found.state) == ({2: 3, 3: 5, 4: 2, 6: 2}, {10: 1}, {6: 2}, {})
    assert int(found.state.turn) == 1
    found.push("1-1-6-6")
    assert legal(found) == ["12", "7+7"]


def test_too_many_columns_for_the_dice_are_refused() -> None:
    said = (
        "option 'needed' of cant-stop: expected 1 to {} with dice of {} sides, so that the {} columns are enough for "
    )
    for options, numbers, who in (
        ({"sides": 2}, (2, 2, 3), "one of the two to win, not 3"),
        ({"sides": 3, "seats": 3}, (2, 3, 5), "one of the three to win, not 3"),
        ({"sides": 4, "seats": 4}, (2, 4, 7), "one of the four to win, not 3"),
    ):
        with pytest.raises(UsageError) as caught:
            Position(GAME, options)
        assert str(caught.value) == said.format(*numbers) + who
    assert Position(GAME, {"sides": 2, "seats": 1}).seats == 1


@pytest.mark.parametrize("seats", [0, 5, 2.0])
def test_a_wrong_number_of_seats_is_one_line(seats: Any) -> None:
    with pytest.raises(
        UsageError, match=rf"^option 'seats' of cant-stop takes a whole number from 1 to 4, not {seats}$"
    ):
        Position(GAME, {"seats": seats})


# --- text


def test_the_board_is_drawn() -> None:
    found = position(mine="2:3 7:4", theirs="7:4 8:2", runners="6:1 7:6", dice="1-2-3-4")
    assert found.text() == (
        " 2 XXX\n"
        " 3 .....\n"
        " 4 .......\n"
        " 5 .........\n"
        " 6 *..........\n"
        " 7 ...&.*.......\n"
        " 8 .O.........\n"
        " 9 .........\n"
        "10 .......\n"
        "11 .....\n"
        "12 ...\n"
        "X to use 1-2-3-4, 1 of 3 runners left"
    )


def test_each_seats_boxes_say_which_columns_it_has_won() -> None:
    shapes = diagram.draw(position(mine="2:3 7:4", theirs="12:3 8:2"), None).shapes
    assert [shape.words for shape in shapes if shape.look == "on-0"] == ["2"]
    assert [shape.words for shape in shapes if shape.look == "on-1"] == ["12"]


def test_more_than_two_who_share_a_space_are_told_beside_it() -> None:
    text = "0,0,0,1,0,3,0,0,0,0,0/0,0,0,0,0,3,0,0,0,0,0/0,0,0,0,2,0,0,0,0,0,3/0,0,0,0,2,3,0,0,0,0,0"
    found = Position.from_text(GAME, f"{text}/0,0,0,1,0,0,0,0,0,0,0 V decide", {"seats": 4})
    assert found.text().splitlines()[3:6] == [" 5 *........  X*", " 6 .&.........  TV", " 7 ..&..........  XOV"]
    assert found.text().splitlines()[-2:] == ["12 TTT", "V to stop or roll, 2 of 3 runners left"]


@pytest.mark.parametrize(
    ("text", "means"),
    [("6+8", "6+8"), ("8 6", "6+8"), (" 8,6 ", "6+8"), ("7", "7"), ("STOP", "stop"), ("4 1 2 3", "1-2-3-4")],
)
def test_moves_are_read(text: str, means: str) -> None:
    found = Position(GAME)
    assert found.write(found.read(text)) == means


@pytest.mark.parametrize("text", ["13", "1", "6+8+7", "0-1-2-3", "1-2-3-7", "halt", "6 x", "6+"])
def test_what_is_no_move_says_what_was_expected(text: str) -> None:
    with pytest.raises(UsageError, match=r"expected 'stop', 'roll', the columns to advance in, from 2 to 12"):
        Position(GAME).read(text)


@pytest.mark.parametrize(
    ("where", "text", "why"),
    [
        ({"dice": "1-4-5-6"}, "6", r"1-4-5-6 makes 5\+11, 6\+10 or 7\+9: expected the columns of one of them, both if"),
        ({"dice": "1-1-1-1"}, "7", r"1-1-1-1 makes 2\+2: expected"),
        ({"dice": "1-1-1-2"}, "stop", "1-1-1-2 must be used before you stop or roll again"),
        ({"runners": "7:1"}, "7", "the last roll has been used: expected 'stop' or 'roll'"),
    ],
)
def test_a_refusal_says_what_the_dice_make(where: dict[str, str], text: str, why: str) -> None:
    found = position(**where)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=why):
        found.push(found.read(text))


def test_only_dice_answer_when_the_dice_are_to_be_rolled() -> None:
    found = Position(GAME)
    with pytest.raises(UsageError, match="the dice are to be rolled: expected four dice such as '1-1-2-2'"):
        found.push(found.read("7"))


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_every_seat_has_a_piece_of_its_own_in_the_picture(seats: int) -> None:
    found = Position(GAME, {"seats": seats})
    draw = package_of(GAME).draw
    assert draw is not None
    found.state.height[:seats, 5] = 4
    found.state.turns = 2 if seats == 1 else 0
    circles = [(dict(s.numbers), s.look) for s in draw(found, None).shapes if s.kind == "circle"]
    assert len({look for _, look in circles}) == len(circles) == seats
    assert {numbers["cy"] for numbers, _ in circles} == {circles[0][0]["cy"]}
    middles = [numbers["cx"] for numbers, _ in circles]
    assert all(b - a >= 2 * circles[0][0]["r"] for a, b in itertools.pairwise(middles))
    assert 104 + circles[0][0]["r"] <= middles[0] <= middles[-1] <= 124 - circles[0][0]["r"]
    found.state.height[:seats, 0], found.state.closed = 0, 1
    found.state.height[seats - 1, 0] = 3
    assert [s.look for s in draw(found, None).shapes][:3] == [circles[-1][1]] * 3
    heard = named(draw(found, None).words, "XOTV")
    assert heard.startswith(f"{found.text().splitlines()[-1]}; columns won: X 0")
    assert draw(found, None).places["column 2"].label == f"column 2, won by {{{seats - 1}}}"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_task_names_the_risk_of_another_roll(seed: int) -> None:
    begun = Position(GAME, seed=seed)
    risks = set[str]()
    for draw in range(1, 60):
        if begun.over:
            break
        if begun.chance_to_move:
            begun.play(begun.drawn(draw))
            continue
        if begun.task.startswith("stop"):
            rolled = begun.copy()
            rolled.push("roll")
            busts = sum(
                odds
                for roll, odds in zip(*rolled.outcomes, strict=True)
                if "bust" in rolled.sentence(int(roll), ("X", "O"))
            )
            risks.add(begun.task)
            share = "under 1" if busts < 0.005 else f"{100 * busts:.0f}"
            assert begun.task == f"stop, or roll again ({f'{share} % bust' if busts else 'no risk'})"
        begun.play(begun.legal_moves[draw % len(begun.legal_moves)])
    assert len(risks) > 1
