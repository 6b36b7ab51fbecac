"""What the last move changed on a board."""

from __future__ import annotations

from rulebots.cli.dialogue import changes


def marked(before: str, now: str) -> list[str]:
    return [now[start:end] for start, end in changes(before, now)]


def test_what_changed_on_the_board_is_found() -> None:
    assert list(changes("abc\ndef", "abx\ndef")) == [(2, 3)]
    assert list(changes("abc\ndef", "abc\nd f g")) == [(4, 9)]
    assert list(changes("", "abc\ndef")) == []


def test_on_a_grid_what_changed_is_marked_where_it_stands() -> None:
    before, now = "   0   6   1   0   5   5", "   1   7   2   1   0   5"
    assert [start for start, _ in changes(before, now)] == [3, 7, 11, 15, 19], "not what looks alike further on"


def test_brackets_that_go_are_no_change() -> None:
    assert marked("1  .  . (X)\nO to move", "1  . (O) X\nX to move") == ["(O)", "X"]
    assert marked("1  . (O) X\nX to move, 3 in a row win", "1 (X) O  X\nX has won") == ["(X)", "has won"]


def test_along_a_hand_only_what_came_in_is_marked() -> None:
    assert marked("Hand: 3D InvJ 5J 2V", "Hand: 2D 3D InvJ 5J 2V") == ["2D"]
    assert marked("Hand: 3D InvJ 5J 2V", "Hand: 3D 5J 2V") == []
