"""A person's own code by name: what is found, what is said of each mistake, and that data never makes code run."""

from __future__ import annotations

import dataclasses
import pickle
import sys

import pytest
from user_code_files import H4, KEEP, copy_of_tictactoe, said

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.kernel.fingerprint import fingerprint
from rulebots.kernel.user_code import CodeError
from rulebots.packages import load_game
from rulebots.packages.named_code import code_name, names_from_data, origin_of
from rulebots.packages.players import make_player
from rulebots.packages.rule_sets import load_rules, rule_sets_of


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("keep.py:mine", ("keep.py", "mine", "")),
        ("a/b c/keep.py:mine:depth=3,x=a:b", ("a/b c/keep.py", "mine", "depth=3,x=a:b")),
        ("my.rules:mine", ("my.rules", "mine", "")),
        ("keep.py", ("keep.py", "", "")),
        ("C:\\x\\keep.py:mine", ("C:\\x\\keep.py", "mine", "")),
        ("champion", None),
        ("mcts:power=3", None),
        ("mine.yaml#a", None),
        ("a.pyx", None),
    ],
)
def test_a_name_of_code_is_told_from_other_names(text, found):
    named = code_name(text)
    assert (named and (named.place, named.name, named.rest)) == found


def test_a_rule_set_of_a_file_or_module(user_code, lost_cities):
    mine = load_rules("keep.py:mine", lost_cities)
    assert mine.columns["keep.low"] == len(mine.rules) - 1
    assert load_rules(str(user_code / "keep.py") + ":mine", lost_cities) is load_rules("keep:mine", lost_cities) is mine
    assert load_rules("mine", lost_cities) is mine  # by its own name, now that it is known
    assert origin_of(mine).text == "keep.py:mine"


def test_a_game_of_a_folder(user_code):
    nim = load_game("./nim")
    assert load_game("nim") is nim
    assert load_game(str(user_code / "nim")) is nim
    assert load_game("nim/game.py:game") is nim
    assert make_player("standard", nim).game is nim
    assert load_rules(game=nim).game is nim


def test_a_game_in_a_file_named_by_a_number_is_found_by_another_process(user_code):
    (user_code / "nim" / "game.py").rename(user_code / "2048.py")
    nim = load_game("2048.py:game")
    assert pickle.loads(pickle.dumps(nim)) is nim  # noqa: S301 - made here


def test_a_game_of_a_notebook_has_rule_sets(user_code, monkeypatch):
    nim = load_game("./nim")
    game = dataclasses.replace(nim, name="other")
    with monkeypatch.context() as notebook:
        notebook.delattr(sys.modules[game.setup.__module__], "__file__")
        assert rule_sets_of(game) == {}


def test_the_fingerprint_follows_a_file_and_what_it_imports(user_code, lost_cities):
    def now() -> str:
        for name in [name for name in sys.modules if name.startswith(("h4", "helper"))]:
            del sys.modules[name]
        return fingerprint(make_player("h4.py:H4", lost_cities))

    first = now()
    assert now() == first
    (user_code / "helper.py").write_text("def first_of(moves):\n    return moves[-1]\n")
    assert now() != first


MISTAKES = [
    ("keep.py", None, "keep.py: expected a rule set by name, keep.py:NAME; there is keep.py:mine"),
    ("keep.py:mien", None, "keep.py:13: no rule set 'mien'; did you mean 'mine'?"),
    ("keep.py:low", None, "keep.py:8: expected a rule set as 'low'; it is of type Rule"),
    ("kep.py:mine", None, "kep.py: expected a Python file; there is none"),
    ("kep:mine", None, "no module 'kep' for 'kep:mine': not installed, and not in this folder"),
    ("bad.py:mine", "x = (1\n", "bad.py:1: syntax error: '(' was never closed"),
    ("bad.py:mine", "import nowhere\n", "bad.py:1: cannot import: No module named 'nowhere'"),
    ("bad.py:mine", "\n\n1 / 0\n", "bad.py:3: divides by zero: write max(..., 1) below the line"),
    ("bad.py:mine", "import sys\nsys.exit(3)\n", "bad.py:2: raised SystemExit: 3"),
    (
        "bad.py:mine",
        KEEP.format(name="standard"),
        "bad.py:13: a rule set with more rules than 'standard' needs",
    ),
    ("bad.py:mine", KEEP.format(name="shelly"), "bad.py:mine: a second rule set named 'shelly': lost-cities has one"),
    ("bad.py:mine", KEEP.replace("lost-cities", "kalah").format(name="x").replace('"keep"', '"sow"'), None),
]


@pytest.mark.parametrize(("name", "text", "line"), MISTAKES)
def test_each_mistake_in_a_rule_set_is_one_line(user_code, lost_cities, name, text, line):
    if text is not None:
        (user_code / "bad.py").write_text(text)
    message = said(UsageError, lambda: load_rules(name, lost_cities))
    if line is not None:
        assert message.startswith(line)


def test_each_mistake_in_a_game_is_one_line(user_code):
    assert said(CodeError, lambda: load_game("./nix")).startswith("nix: expected the folder of a game; there is none")
    (user_code / "empty").mkdir()
    assert "expected a game.py" in said(CodeError, lambda: load_game("./empty"))
    (user_code / "empty" / "log.jsonl").touch()
    of_run = "empty: expected a game, not the folder of a run: name the game; the player is empty/champion.yaml"
    assert said(CodeError, lambda: load_game("./empty")) == of_run
    for name in ("one", "two"):
        copy_of_tictactoe(user_code / "both" / name, name)
    both = "expected a game.py in the folder of a game; there is one in both/one, both/two"
    assert both in said(CodeError, lambda: load_game("./both"))
    load_game("./nim")
    copy_of_tictactoe(user_code / "b" / "nim", "other")
    message = said(CodeError, lambda: load_game("./b/nim"))
    assert (
        message
        == f"{user_code}/b/nim: a second package named 'nim': there is {user_code}/nim already; rename the folder"
    )
    copy_of_tictactoe(user_code / "nim2", "nim")
    message = said(CodeError, lambda: load_game("./nim2"))
    assert message == f"{user_code}/nim2: a second game named 'nim': {user_code}/nim is one already; rename this one"
    copy_of_tictactoe(user_code / "mine", "kalah")
    assert "a second game named 'kalah'" in said(CodeError, lambda: load_game("./mine"))
    copy_of_tictactoe(user_code / "queue", "queue")
    assert "the name of a module of Python's own" in said(CodeError, lambda: load_game("./queue"))
    copy_of_tictactoe(user_code / "bad", "bad")
    with (user_code / "bad" / "rules.py").open("a") as file:
        file.write("\n\nfoo(\n")
    assert said(CodeError, lambda: rule_sets_of(load_game("./bad"))).endswith("'(' was never closed")
    assert "one of your own is named by its folder: ./NAME" in said(UsageError, lambda: load_game("zzz"))


def test_names_from_data_find_what_a_person_named_and_run_nothing(user_code, lost_cities):
    with names_from_data(rules="--import {}", player="the player {}", game="--game {}"):
        message = said(CodeError, lambda: load_rules("keep.py:mine", lost_cities))
        assert message.startswith("the rule set 'keep.py:mine' is not here, and code is never loaded from a file: ")
        assert message.endswith(": --import keep.py:mine brings it")
        message = said(CodeError, lambda: make_player("mcts:iterations=5,rollout=h4.py:H4", load_game("kalah")))
        assert message.endswith("the player h4.py:H4 brings it")
        assert said(CodeError, lambda: load_game("./nim")).endswith("--game ./nim brings it")
    assert not {"keep", "h4", "nim"} & set(sys.modules)
    mine, nim = load_rules("keep.py:mine", lost_cities), load_game("./nim")
    with names_from_data():
        assert load_rules("keep.py:mine", lost_cities) is load_rules("elsewhere/keep.py:mine", lost_cities) is mine
        assert load_game("./nim") is load_game("/elsewhere/nim") is nim


def test_a_game_is_a_game(user_code):
    assert isinstance(load_game("./nim"), Game)


def test_a_module_beside_a_file_is_the_one_that_it_imports(user_code, lost_cities):
    make_player("h4.py:H4", lost_cities)  # which imports the helper beside it
    (user_code / "b").mkdir()
    (user_code / "b" / "helper.py").write_text("def first_of(moves):\n    return moves[-1]\n")
    (user_code / "b" / "h4.py").write_text(H4)
    message = said(CodeError, lambda: make_player("b/h4.py:H4", lost_cities))
    here = str(user_code)
    assert message == f"{here}/b/h4.py:2: 'helper' would be {here}/helper.py, not {here}/b/helper.py: rename that file"
    (user_code / "b" / "keep.py").write_text(KEEP.format(name="other"))
    assert load_rules("b/keep.py:mine", lost_cities) is not load_rules("keep.py:mine", lost_cities)


def test_a_script_beside_a_games_project_finds_the_package_inside(user_code, monkeypatch):
    monkeypatch.syspath_prepend(user_code)  # as where `python train.py` runs: the project's folder looks like a package
    copy_of_tictactoe(user_code / "beside" / "beside", "beside")
    assert load_game("./beside").name == "beside"
