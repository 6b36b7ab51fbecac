"""What people type instead means what they mean: help, synonyms, other letters, the latest run, nothing at all."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from run_logs import begin, generation, line

from evolve.cli import commands as of_evolve
from rulebots.cli import commands as of_rulebots
from rulebots.cli.app import load_commands, run_app
from rulebots.cli.lookup import game_name
from rulebots.packages import game_names, load_game
from rulebots.packages.players import shipped_files

Run = Callable[..., tuple[int, str, str]]

load_commands(of_rulebots)
load_commands(of_evolve)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(program: str, *words: str) -> tuple[int, str, str]:
        code = run_app({"rulebots": of_rulebots.app, "evolve": of_evolve.app}[program], program, words)
        return code, *capsys.readouterr()

    return run


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("rulebots", "help", "match"), ("rulebots", "match", "--help")),
        (("rulebots", "help"), ("rulebots", "--help")),
        (("rulebots", "--help", "match"), ("rulebots", "match", "--help")),
        (("rulebots", "match", "help"), ("rulebots", "match", "--help")),
        (("rulebots", "-V"), ("rulebots", "--version")),
        (("rulebots", "version"), ("rulebots", "--version")),
        (("rulebots", "list"), ("rulebots", "games")),
        (("rulebots", "list", "games"), ("rulebots", "games")),
        (("rulebots", "game"), ("rulebots", "games")),
        (("evolve", "show", "kalah"), ("evolve", "show", "champion", "--game", "kalah")),
        (("evolve", "show", "kalah", "--json"), ("evolve", "show", "champion", "--game", "kalah", "--json")),
        (("evolve", "show", "--json", "kalah"), ("evolve", "show", "champion", "--game", "kalah", "--json")),
        (("rulebots", "games", "Tic-Tac-Toe"), ("rulebots", "games", "tictactoe")),
        (("rulebots", "rules", "lostcities"), ("rulebots", "rules", "lost-cities")),
        (("evolve", "help", "run"), ("evolve", "run", "--help")),
    ],
)
def test_it_means_what_is_meant(typed: tuple[str, ...], meant: tuple[str, ...], run: Run) -> None:
    assert run(*typed) == run(*meant)
    assert run(*typed)[0] == 0


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("evolve", "doctor"), "rulebots doctor"),
        (("evolve", "list"), "rulebots games"),
        (("rulebots", "train", "kalah"), "evolve run"),
        (("rulebots", "evolve"), "evolve --help"),
        (("rulebots", "resume"), "evolve resume"),
        (("rulebots", "Kalah"), "rulebots play kalah"),
        (("evolve", "kalah"), "evolve run kalah"),
        (("rulebots", "gomku"), "rulebots play gomoku"),
    ],
)
def test_a_command_of_the_other_program_is_named(typed: tuple[str, ...], meant: str, run: Run) -> None:
    message = f"{typed[0]}: no command '{typed[1]}'; did you mean '{meant}'?\n"
    assert run(*typed) == (2, "", message)


def test_who_asks_for_runs_does_not_begin_one(run: Run) -> None:
    assert run("evolve", "runs") == (2, "", "evolve: no command 'runs'; did you mean 'run'?\n")


def test_a_match_counts_deals(run: Run) -> None:
    said = "rulebots: no option '--games'; did you mean '--deals'?\n"
    assert run("rulebots", "match", "champion", "random", "--games", "100") == (2, "", said)
    assert "'game'" not in run("evolve", "report", "kalah", "--gamed", "20")[2]


def test_the_time_of_a_run_may_be_called_seconds(run: Run) -> None:
    assert (
        run("evolve", "run", "kalah", "--seconds", "9")[2] == "evolve: no option '--seconds'; did you mean '--time'?\n"
    )


def test_a_game_of_openspiel_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspiel")
    for typed, meant in (("chess", "chess"), ("connect4", "connect_four")):
        said = f"rulebots: no game '{typed}' here; did you mean 'openspiel:{meant}'?\n"
        assert run("rulebots", "play", typed) == (2, "", said)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "one of OpenSpiel's openspiel:NAME\n" in run("rulebots", "play", "chess")[2]


def test_players_without_a_file_are_compared_as_well(run: Run) -> None:
    table = run("evolve", "diff", "champion", "hand_tuned", "--game", "tictactoe")
    said = run("evolve", "diff", "champion", "standard", "--game", "tictactoe")
    assert said == (0, table[1].replace("champion and hand_tuned", "champion and standard"), "")
    assert (
        "'random' is a player without a file" in run("evolve", "diff", "champion", "random", "--game", "tictactoe")[2]
    )


def test_a_command_that_nobody_has_gets_a_list(run: Run) -> None:
    assert run("evolve", "paint")[2].startswith("evolve: no command 'paint'; there are: ablate, check, ")


def test_a_game_of_ones_own_may_stand_first(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("rulebots", "new", "stones")[0] == 0
    code, out, said = run("rulebots", "match", "./stones", "random", "random", "--deals", "2")
    assert (code, said) == (0, "")
    assert out.startswith("random against random (2) at Stones: 2 deals")
    assert run("rulebots", "match", "random", "random", "./stones", "--deals", "2") == (0, out, "")


def test_a_file_that_is_called_as_a_game_is_not_a_saved_game(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tictactoe").touch()
    assert run("rulebots", "play", "tictactoe", "--size", "99")[2].startswith("rulebots: option 'size' of tictactoe")


def test_a_folder_that_is_called_as_a_player_is_not_a_game(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "random").mkdir()
    assert run("rulebots", "match", "random", "random", "--deals", "1")[0] == 0
    (tmp_path / "runs").mkdir()
    assert "expected the folder of a run" in run("evolve", "resume", "./runs")[2]


def test_a_game_may_be_a_word_in_every_command_that_has_it_as_an_option(run: Run) -> None:
    match = ("standard", "random", "--deals", "2", "--json")
    assert run("rulebots", "match", "Tic-Tac-Toe", *match) == run("rulebots", "match", *match, "--game", "tictactoe")
    why = ("careful", "--seed", "1", "--ply", "5")
    assert run("rulebots", "why", "tictactoe", *why) == run("rulebots", "why", *why, "--game", "tictactoe")
    assert run("rulebots", "why", *why, "tictactoe") == run("rulebots", "why", *why, "--game", "tictactoe")


def test_the_value_of_an_option_is_not_the_game(run: Run) -> None:
    said = run("rulebots", "why", "careful", "--replay", "kalah", "--ply", "1", "--number", "1")[2]
    assert said == "rulebots: kalah: there is no such file\n"


def test_a_tournament_of_a_game_is_one_of_its_known_players(run: Run) -> None:
    few = ("--deals", "1")
    known = ("standard", "newell-simon", "careful", "random", "champion")
    table = run("rulebots", "tournament", *known, "--game", "tictactoe", *few)
    assert run("rulebots", "tournament", "tictactoe", *few) == table
    assert table[0] == 0


def test_two_games_are_one_too_many(run: Run) -> None:
    code, _, said = run("rulebots", "match", "hearts", "standard", "--game", "kalah")
    assert (code, said) == (2, "rulebots: 'hearts' is a game: name it first, or as --game hearts\n")


def test_a_game_that_is_an_argument_stays_one(run: Run) -> None:
    said = "evolve: GAME and --game each say the game: give one of them\n"
    assert run("evolve", "run", "kalah", "--game", "kalah")[::2] == (2, said)
    assert run("rulebots", "check", "kalah", "--option", "pits=4")[2].endswith("it only goes with --perft\n")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (("new",), "expected the game's name, such as connect-four. {such} new nim"),
        (
            ("match",),
            "expected a player: a name, path.yaml or path.yaml#player. {such} match champion random",
        ),
        (
            ("match", "kalah", "champion"),
            ("expected another player, the opponent. {such} match champion random --game kalah"),
        ),
        (("doctor", "me"), "did not expect 'me'. {such} doctor"),
        (("games", "kalah", "gomoku"), "did not expect 'gomoku'. {such} games"),
        (("why", "champion", "kalha"), "did not expect 'kalha'; did you mean 'kalah'? {such} why champion"),
        (("match", "a", "b", "--deal", "3"), "no option '--deal'; did you mean '--deals'?"),
        (("check", "kalah", "--import", "a.py:b"), "no option '--import'; did you mean '--rules'?"),
        (("match", "a", "b", "--level", "3"), "no option '--level'; all options: rulebots match --help"),
        (
            ("match", "a", "b", "--sprt", "0"),
            "expected ELO0 ELO1 after --sprt. {such} match champion.yaml champion --sprt 0 10",
        ),
        (("match", "a", "b", "--deals", "1k"), "--deals: expected a whole number from 1 to 1,000,000, not '1k'"),
        (
            ("play", "kalah", "champion"),
            "did not expect 'champion' after the game: name an opponent by --against champion",
        ),
        (("play", "kalah", "--pit", "4"), "no option '--pit' of kalah; did you mean '--pits'?"),
        (("solve", "tictactoe", "x"), "did not expect 'x' after the game"),
        (
            ("new", "My Game"),
            "expected a name of small letters, digits and single hyphens, such as my-game, not 'My Game'",
        ),
        (("match", "a", "b", "--json=1"), "--json takes no value. {such} match champion random"),
        (("match", "a", "b", "-deals", "3"), "no option '-deals'; did you mean '--deals'?"),
        (("export", "champion", "--to", "js", "--search", "200"), "--search takes no value: leave out '200'"),
        (("matches",), "no command 'matches'; did you mean 'match'?"),
    ],
)
def test_a_slip_gets_one_line_with_a_command_to_copy(typed: tuple[str, ...], said: str, run: Run) -> None:
    assert run("rulebots", *typed) == (2, "", f"rulebots: {said}\n".format(such="For example: rulebots"))


def test_a_guess_that_is_far_off_is_not_made(run: Run) -> None:
    _, _, said = run("rulebots", "play", "kalah", "--level", "hardd")
    assert "did you mean" not in said
    assert "did you mean 'casual'?" in run("rulebots", "play", "kalah", "--against", "casul")[2]


def test_the_games_have_a_line_each(run: Run) -> None:
    lines = run("rulebots", "games")[1].splitlines()
    assert len(lines) == len(game_names()) + 3  # headings, and two lines about more
    assert max(map(len, lines)) <= 80
    assert "kalah        2       sow stones, capture, move again" in lines


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Gomoku", "gomoku"),
        ("tic_tac_toe", "tictactoe"),
        ("Lost Cities", "lost-cities"),
        ("./Kalah", "./Kalah"),  # a folder
        ("kalahh", "kalahh"),
        ("kalah", "kalah"),
    ],
)
def test_a_game_in_other_letters(typed: str, meant: str) -> None:
    assert game_name(typed) == meant


def test_one_game_is_shown_with_its_players_and_rule_sets(run: Run) -> None:
    lines = run("rulebots", "games", "kalah")[1].splitlines()
    assert lines[0] == "kalah: Kalah"
    assert lines[1] == "  --option pits=6 (1 to 12: pits a side)"
    assert lines[-4].startswith("players: standard, ")
    assert lines[-3] == "levels: beginner, casual, club, strong, expert"
    assert lines[-2] == "rule sets: standard; what they say: rulebots rules kalah"
    assert lines[-1] == "to play it: rulebots play kalah", "what to do next comes last"


@pytest.mark.slow
def test_a_game_to_breed_is_named_once(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    few = ("--generations", "1", "--population", "4", "--deals", "1", "--strategy", "ga", "--opponents", "none")
    code, out, _ = run("evolve", "run", "tictactoe", *few, "--out", "bred.yaml", "--quiet")
    assert (code, out) == (0, "bred.yaml\n")
    assert "game: tictactoe" in Path("bred.yaml").read_text()
    assert run("evolve", "resume", "kalah")[2].startswith("evolve: there is no run of kalah in ")
    assert "expected the folder of a run" in run("evolve", "resume", "bred.yaml")[2]
    finished = run("evolve", "resume")  # the latest run: there is one
    assert finished[0] == 0
    assert re.fullmatch(r"the latest run: runs/tictactoe-\S+-seed1\n", finished[2])


@pytest.mark.parametrize("command", ["resume", "watch", "plot"])
def test_without_any_run_there_is_no_latest_one(command: str, run: Run, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = "evolve: there is no run in 'runs' of this folder: name the folder of one\n"
    assert run("evolve", command)[::2] == (2, said)


def test_the_latest_run_is_the_one_that_wrote_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from evolve.storage.folder import latest_run

    monkeypatch.chdir(tmp_path)
    for seconds, name in ((30, "b"), (20, "c"), (10, "a")):
        log = tmp_path / "runs" / name / "log.jsonl"
        log.parent.mkdir(parents=True)
        log.touch()
        os.utime(log, (seconds, seconds))
    assert latest_run() == Path("runs/b")


def test_a_game_means_its_latest_run_and_a_run_its_champion(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for seconds, game in ((30, "tictactoe"), (20, "kalah"), (10, "kalah")):
        folder = tmp_path / "runs" / f"{game}{seconds}"
        folder.mkdir(parents=True)
        about = begin()
        about["settings"] = {**about["settings"], "game": game}
        (folder / "log.jsonl").write_text(line("r", "begin", **about) + line("r", "generation", **generation(3)))
        os.utime(folder / "log.jsonl", (seconds, seconds))
    code, out, err = run("evolve", "watch", "Kalah", "--once")
    assert (code, err) == (0, "the latest run of kalah: runs/kalah20\n")
    assert out.startswith("generation 3: ")
    assert run("evolve", "resume", "kalah")[2].startswith("the latest run of kalah: runs/kalah20\n")
    code, _, err = run("evolve", "watch", "hanabi", "--once")
    assert (code, err) == (2, "evolve: there is no run of hanabi in 'runs' of this folder: name the folder of one\n")
    shipped = shipped_files(load_game("kalah"))["champion"]
    (tmp_path / "runs" / "kalah20" / "champion.yaml").write_text(Path(shipped).read_text())
    code, out, err = run("evolve", "show", "runs/kalah20")
    assert (code, err) == (0, "")
    assert out.startswith("champion, of Kalah with the rules")


def test_a_move_to_explain_is_drawn_and_can_be_shown_again(run: Run) -> None:
    code, out, _ = run("rulebots", "why", "standard", "--game", "tictactoe")
    drawn = re.match(r"a new game, which (--seed \d+ --ply \d+) shows again\n", out)
    assert code == 0
    assert drawn
    again = run("rulebots", "why", "standard", "--game", "tictactoe", *drawn[1].split())
    assert again == (0, out[drawn.end() :], "")
    once, twice = (run("rulebots", "why", "level:casual", "--game", "tictactoe", "--seed", "7") for _ in range(2))
    assert once == twice, "a seed draws the same move"
    assert once[0] == 0, "a level has the reasons of its rules"


def test_a_person_without_a_game_is_asked_for_one(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    answers = iter(["Circle", "2", "0,0", "q", "q"])
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    code, out, _ = run("rulebots", "play", "--against", "random")
    assert code == 0
    assert out.startswith("  1  cant-stop\n  2  circles\n")
    assert "\nexpected a name or a number from 1 to 8, not 'Circle'\nCircles, seed " in out
    kept = "circles-unfinished.txt"
    assert out.endswith(
        f"\nYou left the game; the game so far is in {kept}; to continue: rulebots play --resume {kept}\n"
    )
    assert run("rulebots", "play") == (130, out[: out.index("expected")], "rulebots: no game was named\n")


def test_the_page_opens_in_a_browser(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from rulebots.web.commands import _served

    opened = list[str]()
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or len(opened) == 1)
    for asked in (True, False, True):
        _served(asked, "http://here")
    assert opened == ["http://here"] * 2
    assert capsys.readouterr().out.splitlines()[-1] == "--open: there is no browser here"


def test_a_bare_run_breeds_nothing_and_lists_the_games(run: Run) -> None:
    code, out, err = run("evolve", "run")
    assert (code, out) == (2, "")
    assert err.startswith(f"evolve: which game? {', '.join(game_names())}, or one of your own")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("evolve gate", "evolve: expected --base, the old version: what {second} stands for"),
        ("rulebots match kalah", "For example: rulebots match champion random --game kalah\n"),
        ("rulebots hlp match", "rulebots: no command 'hlp'; did you mean 'help'?"),
        (
            "rulebots why chmpion kalah",
            "no player 'chmpion' of kalah; did you mean 'champion'? All: rulebots players kalah\n",
        ),
    ],
)
def test_a_slip_is_answered_with_what_is_meant(words: str, said: str, run: Run) -> None:
    code, out, err = run(*words.split())
    assert (code, out) == (2, "")
    assert said in err
