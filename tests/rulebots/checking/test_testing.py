"""The tests that a package inherits: pytest finds them, a good game passes, and a mistake fails with its line."""

from __future__ import annotations

from dataclasses import replace

import pytest
from game_copies import with_text

from rulebots.checking.findings import Finding, Findings
from rulebots.checking.testing import GameTests, PlayerTests, none_of
from rulebots.kernel import kernel
from rulebots.packages import load_game

TICTACTOE = load_game("tictactoe")


@pytest.mark.slow
class TestTictactoe(GameTests):
    game = "tictactoe"
    games = 2
    perft = {1: 9, 2: 72, 3: 504}  # noqa: RUF012 - as a package writes it


class TestCareful(PlayerTests):
    game = TICTACTOE
    player = "careful"


class Wrong(GameTests):
    """Not found by pytest: its name does not begin with `Test`."""

    game = with_text(TICTACTOE, write=lambda move: "same")
    games = 1
    perft = {1: 8}  # noqa: RUF012 - as a package writes it


def test_a_mistake_fails_with_its_line() -> None:
    with pytest.raises(AssertionError, match=r"tictactoe/game.py:\d+: `read` refuses 'same'"):
        Wrong().test_text_reads_back()


def test_a_wrong_count_fails_with_what_was_counted() -> None:
    with pytest.raises(AssertionError, match=r"counted \{1: 9\}"):
        Wrong().test_perft_counts()


@kernel
def passes(state, move) -> None:
    pass


@pytest.mark.slow
def test_a_law_that_never_ends_a_turn_fails() -> None:
    class Stuck(GameTests):
        game = replace(TICTACTOE, play=passes)
        games = 1

    with pytest.raises(AssertionError):
        Stuck().test_random_games_keep_the_contract()


def test_notes_fail_nothing() -> None:
    found = Findings([Finding("a.py:1: note: probably not meant", note=True)])
    none_of(found)
    found.add("a.py:2: wrong")
    with pytest.raises(AssertionError, match=r"a.py:1: note: .*\na.py:2: wrong"):
        none_of(found)
