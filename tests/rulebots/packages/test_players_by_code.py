"""Players that a person names by their code."""

from __future__ import annotations

import pytest
from user_code_files import said

from rulebots.errors import UsageError
from rulebots.packages import load_game, package_of
from rulebots.packages.players import make_player
from rulebots.players import PlayerFault


def test_players_of_a_file(user_code, lost_cities):
    player = make_player("h4.py:H4", lost_cities)
    assert (player.name, player.depth, player.greedy) == ("h4.py:H4", 2, False)
    player = make_player("h4.py:H4:depth=5,greedy=yes,label=a:b", lost_cities)
    assert (player.depth, player.greedy, player.label) == (5, True, "a:b")
    assert make_player("h4.py:tuned", lost_cities).name == "h4.py:tuned"


PLAYER_MISTAKES = [
    ("h4.py:H5", "h4.py: no player 'H5'; there are: H4, tuned, nothing, broken"),
    ("h4.py:Odd", "h4.py:28: expected a player as 'Odd'; it is the class Odd"),
    ("h4.py:nothing", "player 'h4.py:nothing' cannot be made: expected a Player from h4.py:nothing, not int"),
    ("h4.py:broken", "player 'h4.py:broken' cannot be made: it raised ZeroDivisionError: "),
    ("h4.py:H4:dept=3", "'h4.py:H4:dept=3': no setting 'dept' of h4.py:H4; did you mean 'depth'?"),
    ("h4.py:H4:depth=x", "'h4.py:H4:depth=x': expected a whole number for 'depth', not 'x'"),
]


@pytest.mark.parametrize(("name", "line"), PLAYER_MISTAKES)
def test_each_mistake_in_a_player_is_one_line(user_code, lost_cities, name, line):
    assert said(UsageError, lambda: make_player(name, lost_cities)).startswith(line)


def test_a_player_of_another_game_is_refused(user_code, lost_cities):
    with (user_code / "h4.py").open("a") as file:
        file.write("\n\nfrom rulebots import load_game\nready = H4(load_game('kalah'), 'ready')\n")
    assert "plays kalah, not lost-cities" in said(UsageError, lambda: make_player("h4.py:ready", lost_cities))
    assert make_player("h4.py:ready", load_game("kalah")).name == "h4.py:ready"
    assert "takes no settings" in said(UsageError, lambda: make_player("h4.py:ready:a=1", load_game("kalah")))


def test_a_player_that_can_be_called_is_a_player_already(user_code, lost_cities):
    with (user_code / "h4.py").open("a") as file:
        file.write("\n\nclass Called(H4):\n    def __call__(self):\n        return 1\n\n\n")
        file.write("from rulebots import load_game\nready = Called(load_game('lost-cities'), 'ready')\n")
    assert make_player("h4.py:ready", lost_cities).name == "h4.py:ready"


def test_what_cannot_be_asked_for_its_settings_makes_no_player(monkeypatch, lost_cities):
    monkeypatch.setitem(package_of(lost_cities).players, "number", int)
    assert "player 'number' cannot be made" in said(PlayerFault, lambda: make_player("number", lost_cities))


def test_a_fault_of_a_maker_says_where(user_code, lost_cities):
    assert "(h4.py:25)" in said(PlayerFault, lambda: make_player("h4.py:broken", lost_cities))
