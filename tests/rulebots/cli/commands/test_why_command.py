"""`rulebots why`."""

from __future__ import annotations

import random
import re
import sys

import pytest
from checkout import GOLDEN

from rulebots.cli import main as cli
from rulebots.packages import game_names, load_game
from rulebots.packages.population import Entry, Population, population_text
from rulebots.packages.rule_sets import load_rules


def why(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["rulebots", "why", *words])
    code = cli.main()
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_a_move_is_explained_in_every_game(name: str, tmp_path, capsys, monkeypatch) -> None:
    game = load_game(name)
    rules = load_rules(game=game)
    file = tmp_path / "p.yaml"
    file.write_text(population_text(Population(game, rules, {"hand": Entry(rules.hand_tuned())})))
    told = {
        ply: why(capsys, monkeypatch, str(file), "--seed", "3", "--ply", str(ply), "--against", "random")
        for ply in (4, 5, 6)
    }
    ply, (code, out, err) = next(item for item in told.items() if "chance decides" not in item[1][1])
    assert (code, err) == (0, "")
    assert f"game 1 of {game.title}, ply {ply}: " in out
    assert f"{file} would play " in out
    assert "score" in out


def test_a_sentence_comes_first_and_all_rules_only_where_they_are_asked_for(capsys, monkeypatch) -> None:
    words = ("standard", "--game", "kalah", "--seed", "3", "--ply", "5")
    lines = why(capsys, monkeypatch, *words)[1].splitlines()
    at = next(i for i, line in enumerate(lines) if " would play " in line)
    assert lines[at + 1].startswith("It ")
    assert "sowing pit " in lines[at + 1], "it is compared with another move"
    moves = lines[at + 3 : lines.index("", at + 3)]
    assert len(moves) == 5
    assert moves[-1].endswith(" more moves")
    assert len(lines[lines.index("", at + 3) + 1 :]) == 7, "title, heads, three rules, the rest, the sum"
    everything = why(capsys, monkeypatch, *words, "--all")[1].splitlines()
    assert everything[: at + 2] == lines[: at + 2]
    assert everything[-1] == lines[-1]
    assert len(everything) > len(lines)
    assert any(line.split()[:4] == ["rule", "early", "late", "now"] for line in everything)


@pytest.mark.slow
def test_the_hidden_hand_is_not_shown(capsys, monkeypatch) -> None:
    _, out, _ = why(capsys, monkeypatch, "shelly", "--seed", "7", "--ply", "5")
    assert " Hand:" in out
    assert "Other:" not in out


WRONG = {
    ("random", "--seed", "1", "--ply", "1"): (2, "'random' is not made of rules"),
    ("shelly", "--seed", "1", "--ply", "999"): (2, "--ply: expected 1 to "),
    ("shelly", "--seed", "1", "--ply", "0"): (2, "expected a whole number of at least 1, not '0'"),
    ("shelly", "--replay", "no.txt", "--ply", "1"): (2, "expected the number of a game of the record"),
    ("shelly", "--replay", "no.txt", "--number", "1", "--ply", "1"): (1, "no.txt: there is no such file"),
    ("shelly", "--replay", "x", "--number", "1", "--ply", "1", "--seed", "1"): (2, "it does not go with --replay"),
    ("shelly", "--replay", "x", "--number", "1", "--ply", "1", "--opening-plies", "1"): (
        2,
        "--opening-plies: it does not go",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_a_mistake_ends_in_one_line(words, capsys, monkeypatch) -> None:
    code, message = WRONG[words]
    found, out, err = why(capsys, monkeypatch, *words)
    assert (found, out) == (code, "")
    assert message in err
    assert err.count("\n") == 1


def test_the_move_that_is_compared_stands_among_the_scores(capsys, monkeypatch) -> None:
    """At Hearts the three best are near twins: the reasons compare with a fourth."""
    out = why(capsys, monkeypatch, "champion", "--game", "hearts", "--seed", "1", "--ply", "20")[1]
    scores, _, reasons = out.partition("\nwhy ")
    other = reasons.partition("\n")[0].split()[-1]
    rows = scores.partition("\nmove ")[2].splitlines()[1:]
    assert [row.split()[0] for row in rows if row][3:4] == [other]


def test_reasons_speak_against_the_move_that_is_named(capsys, monkeypatch) -> None:
    words = ("standard", "--game", "kalah", "--seed", "3", "--ply", "5", "--not")
    _, out, _ = why(capsys, monkeypatch, *words, "5")
    assert re.search(r"\n.*sowing pit 5.*\n\nmove", out), "the sentence compares with it"
    assert re.search(r"\nwhy \d and not 5\n", out)
    code, _, err = why(capsys, monkeypatch, *words, "9")
    assert (code, err) == (2, "rulebots: --not: expected one of your pits, 0 (the leftmost) to 5, not '9'\n")


def test_a_move_at_a_table_of_three_is_explained(capsys, monkeypatch) -> None:
    words = ("matching", "--game", "goofspiel:game", "--seed", "7", "--against", "contrary", "--option", "seats=3")
    code, out, err = why(capsys, monkeypatch, *words, "--ply", "5")
    assert (code, err) == (0, "")
    assert "game 1 of Goofspiel, ply 5: contrary to move\n" in out
    assert "contrary plays 0\n" in out


def test_the_seats_of_copies_are_told_apart_by_their_place_on_the_board(capsys, monkeypatch) -> None:
    _, out, _ = why(capsys, monkeypatch, "hand_tuned", "--game", "hearts", "--seed", "3396", "--ply", "6")
    assert "game 1 of Hearts, ply 6: hand_tuned to move\n" in out
    passed = re.search(r"(?m)^hand_tuned passes the .* to hand_tuned \((left|across|right)\)", out)
    assert passed, "it does not pass to itself"
    assert "seat " not in out
    assert "passing would" not in out, "a move with a colon in its name is quoted whole"


def test_the_reason_of_the_sentence_heads_the_rules_with_for_and_against(capsys, monkeypatch) -> None:
    out = why(capsys, monkeypatch, "champion", "--seed", "12", "--ply", "7")[1]
    lines = out.splitlines()
    at = next(i for i, line in enumerate(lines) if line.split() == ["adds", "rule", "meaning"])
    reason = re.split(r"  +", lines[at + 1])[-1]
    assert reason in out.partition(" would play ")[2].partition("\n")[2].partition("\n")[0].lower()
    for line in lines[at + 1 : at + 4]:
        side, amount = line.split()[:2]
        assert (side, float(amount) > 0) in (("for", True), ("against", False))


def test_what_is_hard_to_believe_stands_among_the_other_reasons(capsys, monkeypatch) -> None:
    """A weight against the author of its rule contradicts the reasons beside it, and the sum has it."""
    out = why(capsys, monkeypatch, "champion", "--seed", "5", "--ply", "1")[1]
    table = out.partition("meaning\n")[2]
    assert "which this player" not in table
    assert re.search(r"and \d+ more reasons: -\d", table)


def test_a_record_in_the_place_of_a_player_is_named(capsys, monkeypatch) -> None:
    code, _, err = why(capsys, monkeypatch, str(GOLDEN / "circles.txt"))
    assert code == 2
    assert "circles.txt' is a record of games, not a player: rulebots why champion --replay " in err
    assert err.endswith("circles.txt --number 1 --ply 1\n")


def test_a_player_without_rules_is_refused_before_a_game_is_shown(capsys, monkeypatch) -> None:
    code, out, err = why(capsys, monkeypatch, "random", "--game", "tictactoe")
    assert (code, out) == (2, "")
    assert err.endswith("rulebots: 'random' is not made of rules, so no rules explain it: name a rule player\n")


def test_a_position_at_random_leaves_a_choice(capsys, monkeypatch) -> None:
    for seed in range(6):
        random.seed(seed)
        _, out, _ = why(capsys, monkeypatch, "tictactoe")
        assert "the only legal move" not in out
        assert "see no difference" not in out
    code, out, _ = why(capsys, monkeypatch, "--seed", "3", "--ply", "2", "tictactoe", "--all")
    assert (code, "champion would play " in out) == (0, True), "a game alone stands for its champion"
