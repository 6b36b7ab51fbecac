"""`rulebots play` once the game is over."""

from __future__ import annotations

import io
import re

from test_play_in_a_terminal import Keyboard

from rulebots.records import load_record

WORDS = ("tictactoe", "--against", "careful", "--seed", "1")
LOST = "a1\na3\nc3\nc2\n"


def test_after_the_game_there_is_more_than_leaving(play) -> None:
    _, out, _ = play(*WORDS, typed=LOST + "?\nhistory\nboard\nsave over.txt\nquit\n")
    after = out.partition("You lost: careful won\n")[2]
    assert "  again       a new game of the same players\n" in after
    assert "  1  You play a1\n" in after
    assert after.endswith("O has won\nsaved\n")
    assert load_record("over.txt").games[0].result.points is not None


def test_a_move_is_taken_back_after_the_game(play) -> None:
    _, out, _ = play(*WORDS, typed=LOST + "undo\nhistory\nquit\n")
    after = out.partition("You lost: careful won\n")[2]
    assert "your move (? for help): history\n  1  You play" in after
    assert "You left the game; the game so far is in" in after
    typed = "1\n2\n3\n4\n5\n0\nundo\nboard\n"
    _, out, _ = play("goofspiel:game", "--against", "matching", "--seed", "1", typed=typed)
    assert "nothing is hidden any more, so no move can be taken back: 'again' begins a new game\n" in out


def test_the_same_players_play_again(play) -> None:
    _, out, _ = play(*WORDS, typed=f"{LOST}again\n{LOST}again\nquit\n")
    games = re.findall(r"Tic-tac-toe, seed (\d+): you begin against careful", out)
    assert len(set(games)) == len(games) == 3


def test_a_word_that_is_unknown_there_is_refused(play, monkeypatch) -> None:
    monkeypatch.setattr(io, "StringIO", Keyboard)
    _, out, _ = play(*WORDS, typed=f"{LOST}story\n\n")
    assert "the game is over: 'story' is not known here (? for help)\n" in out
