"""Chance in play on the command line: the board throws the dice, and records, `replay` and `why` name them."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest

from rulebots.cli import main as cli
from rulebots.game import Game
from rulebots.records import load_record

pytestmark = pytest.mark.usefixtures("pig")


@pytest.fixture
def rulebots(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.chdir(tmp_path)

    def called(*words: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["rulebots", *words])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = cli.main()
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return called


def dice(text: str) -> list[str]:
    return re.findall(r"^Chance brings (die:\d)$", text, re.MULTILINE)


def test_the_board_throws_the_dice_and_names_them(rulebots) -> None:
    typed = "roll\nroll\nroll\nroll\nquit\n"
    code, out, err = rulebots("play", "pig", "--against", "timid", "--seed", "3", typed=typed)
    assert (code, err) == (0, "")
    assert len(dice(out)) >= 4
    assert dice(rulebots("play", "pig", "--against", "timid", "--seed", "3", typed=typed)[1]) == dice(out)
    assert dice(rulebots("play", "pig", "--against", "timid", "--seed", "4", typed=typed)[1]) != dice(out)
    _, watched, _ = rulebots("play", "pig", "--player", "hand", "--against", "timid", "--goal", "20", "--seed", "3")
    assert "timid plays hold" in watched
    assert re.search(r"(hand|timid) won, \d+ to \d+", watched)


def test_who_has_thrown_dice_does_not_take_them_back(rulebots) -> None:
    _, out, _ = rulebots("play", "pig", "--against", "timid", "--seed", "3", typed="roll\nundo\nroll\nundo\nquit\n")
    assert out.count("cannot be taken back: what was drawn or thrown since then has been seen") == 2


def test_a_saved_game_goes_on_with_the_dice_that_it_would_have_had(rulebots) -> None:
    whole = rulebots("play", "pig", "--against", "timid", "--seed", "8", typed="roll\nroll\nroll\nquit\n")[1]
    first = rulebots("play", "pig", "--against", "timid", "--seed", "8", typed="roll\nsave a.txt\nquit\n")[1]
    code, rest, err = rulebots("play", "--resume", "a.txt", typed="roll\nroll\nquit\n")
    assert (code, err) == (0, "")
    assert [*dice(first), *dice(rest)] == dice(whole)
    # A record by hand need not say what its dice come from: the game goes on with others.
    text = Path("a.txt").read_text()
    Path("b.txt").write_text(re.sub("chance: .*\n", "", text))
    assert load_record("b.txt").games[0].chance is None
    assert dice(rulebots("play", "--resume", "b.txt", typed="roll\nquit\n")[1])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("chance: 0", "expected a number from 1 to 4294967295, not '0'"),
        ("chance: five", "expected a number from 1 to 4294967295, not 'five'"),
        ("chance: 4294967296", "expected a number from 1 to 4294967295, not '4294967296'"),
    ],
)
def test_a_wrong_random_state_is_refused_with_its_line(rulebots, line: str, message: str) -> None:
    rulebots("play", "pig", "--against", "timid", "--seed", "8", typed="roll\nsave a.txt\nquit\n")
    Path("a.txt").write_text(re.sub("chance: .*", line, Path("a.txt").read_text()))
    code, _, err = rulebots("replay", "a.txt")
    assert code == 1
    assert re.fullmatch(rf"rulebots: a\.txt:\d+: {message}\n", err)


def test_a_game_without_chance_has_no_random_state_for_it(rulebots) -> None:
    rulebots("match", "random", "random", "--game", "tictactoe", "--deals", "1", "--record", "a.txt")
    text = Path("a.txt").read_text()
    assert "chance" not in text
    Path("a.txt").write_text(text.replace("luck:", "chance: 5\nluck:", 1))
    code, _, err = rulebots("replay", "a.txt")
    assert code == 1
    assert "Tic-tac-toe has no chance in play: leave out 'chance'" in err


def test_replay_and_why_tell_outcomes_from_decisions(rulebots, pig: Game) -> None:
    rulebots("match", "hand", "timid", "--game", "pig", "--deals", "1", "--seed", "2", "--record", "a.txt")
    _, out, _ = rulebots("replay", "a.txt", "1")
    assert "\nply 1, seat 0: hand plays roll\n" in out
    assert re.search(r"^ply 2: Chance brings die:\d$", out, re.MULTILINE)
    code, out, _ = rulebots("why", "hand", "--replay", "a.txt", "--number", "1", "--ply", "3")
    assert code == 0
    assert "hand would play" in out
    at_chance = rulebots("why", "hand", "--replay", "a.txt", "--number", "1", "--ply", "2")
    assert at_chance == (0, f"chance decides ply 2; the next decision is at ply 3\n{out}", "")
    as_json = [rulebots("why", "hand", "--replay", "a.txt", "--number", "1", "--ply", ply, "--json") for ply in "23"]
    assert as_json[0] == as_json[1]
    assert json.loads(as_json[0][1])["ply"] == 3


def test_solve_gives_an_expected_value_or_says_why_there_is_none(rulebots) -> None:
    words = ("solve", "pig", "--goal", "6", "--turns", "2", "--sides", "3", "--loaded", "1")
    code, out, err = rulebots(*words)
    assert (code, err) == (0, "")
    assert re.match(r"value  [+-]\d\.\d{4} for the first player\nline   roll\n", out)
    words = ("solve", "pig", "--goal", "2-4", "--turns", "1", "--sides", "3", "--loaded", "1", "--table")
    first, again = rulebots(*words)[1], rulebots(*words)[1]
    assert len(first.splitlines()) == 3
    assert again.count("(from the file)") == 3
