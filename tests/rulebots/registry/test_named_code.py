"""A person's own code by name: what is found, what is said of each mistake, and that data never makes code run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.kernel.fingerprint import fingerprint
from rulebots.kernel.user_code import CodeError
from rulebots.players import PlayerFault
from rulebots.players.names import make_player
from rulebots.registry import load_game, parts_of
from rulebots.registry.named_code import code_name, names_from_data, origin_of

KEEP = """
from rulebots import load_game, load_rules, rule

game = load_game("lost-cities")


@rule("keep", early=0.1)
def low(view, card):
    \"\"\"It is low.\"\"\"
    return 1.0 * (card < 3)


mine = load_rules("standard", game).extended("{name}", [low])
"""
H4 = """
from helper import first_of
from rulebots import Player, RulePlayer, load_rules


class H4(Player):
    def __init__(self, game, name, depth=2, greedy: bool = False, label: str = ""):
        super().__init__(game, name)
        self.depth, self.greedy, self.label = depth, greedy, label

    def choose(self, view, moves):
        return first_of(moves)


def tuned(game):
    rules = load_rules(game=game)
    return RulePlayer(rules, rules.hand_tuned(), "tuned")


def nothing():
    return 3


def broken(game):
    return 1 // 0


class Odd:
    pass
"""


@pytest.fixture
def folder(tmp_path, monkeypatch, forget):
    """A folder of a person's own, in which names are relative; what it brings is forgotten after the test."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def own(folder):
    """A rule set, players and a game in files."""
    (folder / "keep.py").write_text(KEEP.format(name="mine"))
    (folder / "helper.py").write_text("def first_of(moves):\n    return moves[0]\n")
    (folder / "h4.py").write_text(H4)
    copy_of_tictactoe(folder / "nim", "nim")
    return folder


def copy_of_tictactoe(folder: Path, name: str) -> None:
    """A game of that name in a folder: tic-tac-toe, with absolute imports of its own package."""
    source = Path(sys.modules[load_game("tictactoe").setup.function.__module__].__file__).parent
    folder.mkdir(parents=True)
    for file in source.glob("*.py"):
        text = file.read_text().replace("rulebots.games.tictactoe", folder.name)
        (folder / file.name).write_text(text.replace('name="tictactoe"', f'name="{name}"'))


def said(kind: type[UsageError], what) -> str:
    with pytest.raises(kind) as caught:
        what()
    assert "\n" not in str(caught.value)
    return str(caught.value)


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


def test_a_rule_set_of_a_file_or_module(own, lost_cities):
    mine = parts_of(lost_cities).rule_set("keep.py:mine")
    assert mine.columns["keep.low"] == len(mine.rules) - 1
    assert (
        parts_of(lost_cities).rule_set(str(own / "keep.py") + ":mine")
        is parts_of(lost_cities).rule_set("keep:mine")
        is mine
    )
    assert parts_of(lost_cities).rule_set("mine") is mine  # by its own name, now that it is known
    assert origin_of(mine).text == "keep.py:mine"


def test_players_of_a_file(own, lost_cities):
    player = make_player("h4.py:H4", lost_cities)
    assert (player.name, player.depth, player.greedy) == ("h4.py:H4", 2, False)
    player = make_player("h4.py:H4:depth=5,greedy=yes,label=a:b", lost_cities)
    assert (player.depth, player.greedy, player.label) == (5, True, "a:b")
    assert make_player("h4.py:tuned", lost_cities).name == "h4.py:tuned"


def test_a_game_of_a_folder(own):
    nim = load_game("./nim")
    assert load_game("nim") is nim
    assert load_game(str(own / "nim")) is nim
    assert load_game("nim/game.py:game") is nim
    assert make_player("standard", nim).game is nim
    assert parts_of(nim).rule_set().game is nim


def test_the_fingerprint_follows_a_file_and_what_it_imports(own, lost_cities):
    def now() -> str:
        for name in [name for name in sys.modules if name.startswith(("h4", "helper"))]:
            del sys.modules[name]
        sys.modules["rulebots.registry.importing"]._modules.clear()
        return fingerprint(make_player("h4.py:H4", lost_cities))

    first = now()
    assert now() == first
    (own / "helper.py").write_text("def first_of(moves):\n    return moves[-1]\n")
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
def test_each_mistake_in_a_rule_set_is_one_line(own, lost_cities, name, text, line):
    if text is not None:
        (own / "bad.py").write_text(text)
    message = said(UsageError, lambda: parts_of(lost_cities).rule_set(name))
    if line is not None:
        assert message.startswith(line)


PLAYER_MISTAKES = [
    ("h4.py:H5", "h4.py: no player 'H5'; it has H4, tuned, nothing, broken"),
    ("h4.py:Odd", "h4.py:28: expected a player as 'Odd'; it is the class Odd"),
    ("h4.py:nothing", "player 'h4.py:nothing' cannot be made: expected a Player from h4.py:nothing, not int"),
    ("h4.py:broken", "player 'h4.py:broken' cannot be made: it raised ZeroDivisionError: "),
    ("h4.py:H4:dept=3", "'h4.py:H4:dept=3': no setting 'dept' of h4.py:H4; did you mean 'depth'?"),
    ("h4.py:H4:depth=x", "'h4.py:H4:depth=x': expected a whole number for 'depth', not 'x'"),
]


@pytest.mark.parametrize(("name", "line"), PLAYER_MISTAKES)
def test_each_mistake_in_a_player_is_one_line(own, lost_cities, name, line):
    assert said(UsageError, lambda: make_player(name, lost_cities)).startswith(line)


def test_a_module_beside_a_file_is_the_one_that_it_imports(own, lost_cities):
    make_player("h4.py:H4", lost_cities)  # which imports the helper beside it
    (own / "b").mkdir()
    (own / "b" / "helper.py").write_text("def first_of(moves):\n    return moves[-1]\n")
    (own / "b" / "h4.py").write_text(H4)
    message = said(CodeError, lambda: make_player("b/h4.py:H4", lost_cities))
    assert message == f"{own}/b/h4.py:2: 'helper' would be {own}/helper.py, not {own}/b/helper.py: rename that file"
    (own / "b" / "keep.py").write_text(KEEP.format(name="other"))
    assert parts_of(lost_cities).rule_set("b/keep.py:mine") is not parts_of(lost_cities).rule_set("keep.py:mine")


def test_each_mistake_in_a_game_is_one_line(own):
    assert said(CodeError, lambda: load_game("./nix")).startswith("nix: expected the folder of a game; there is none")
    (own / "empty").mkdir()
    assert "expected a game.py" in said(CodeError, lambda: load_game("./empty"))
    for name in ("one", "two"):
        copy_of_tictactoe(own / "both" / name, name)
    both = "expected a game.py in the folder of a game; there is one in both/one, both/two"
    assert both in said(CodeError, lambda: load_game("./both"))
    load_game("./nim")
    copy_of_tictactoe(own / "b" / "nim", "other")
    message = said(CodeError, lambda: load_game("./b/nim"))
    assert message == f"{own}/b/nim: a second package named 'nim': there is {own}/nim already; rename the folder"
    copy_of_tictactoe(own / "nim2", "nim")
    message = said(CodeError, lambda: load_game("./nim2"))
    assert message == f"{own}/nim2: a second game named 'nim': {own}/nim is one already; rename this one"
    copy_of_tictactoe(own / "mine", "kalah")
    assert "a second game named 'kalah'" in said(CodeError, lambda: load_game("./mine"))
    copy_of_tictactoe(own / "queue", "queue")
    assert "the name of a module of Python's own" in said(CodeError, lambda: load_game("./queue"))
    copy_of_tictactoe(own / "bad", "bad")
    with (own / "bad" / "rules.py").open("a") as file:
        file.write("\n\nfoo(\n")
    assert said(CodeError, lambda: parts_of(load_game("./bad")).rule_sets).endswith("'(' was never closed")
    assert "one of your own is named by its folder: ./NAME" in said(UsageError, lambda: load_game("zzz"))


def test_a_script_beside_a_games_project_finds_the_package_inside(own, monkeypatch):
    monkeypatch.syspath_prepend(own)  # as where `python train.py` runs: the project's folder looks like a package
    copy_of_tictactoe(own / "beside" / "beside", "beside")
    assert load_game("./beside").name == "beside"


def test_names_from_data_find_what_a_person_named_and_run_nothing(own, lost_cities):
    with names_from_data(rules="--rules {}", player="the player {}", game="--game {}"):
        message = said(CodeError, lambda: parts_of(lost_cities).rule_set("keep.py:mine"))
        assert message.startswith("the rule set 'keep.py:mine' is not here, and code is never loaded from a file: ")
        assert message.endswith(": --rules keep.py:mine brings it")
        message = said(CodeError, lambda: make_player("mcts:iterations=5,rollout=h4.py:H4", load_game("kalah")))
        assert message.endswith("the player h4.py:H4 brings it")
        assert said(CodeError, lambda: load_game("./nim")).endswith("--game ./nim brings it")
    assert not {"keep", "h4", "nim"} & set(sys.modules)
    mine, nim = parts_of(lost_cities).rule_set("keep.py:mine"), load_game("./nim")
    with names_from_data():
        assert (
            parts_of(lost_cities).rule_set("keep.py:mine")
            is parts_of(lost_cities).rule_set("elsewhere/keep.py:mine")
            is mine
        )
        assert load_game("./nim") is load_game("/elsewhere/nim") is nim


def test_a_player_of_another_game_is_refused(own, lost_cities):
    with (own / "h4.py").open("a") as file:
        file.write("\n\nfrom rulebots import load_game\nready = H4(load_game('kalah'), 'ready')\n")
    assert "plays kalah, not lost-cities" in said(UsageError, lambda: make_player("h4.py:ready", lost_cities))
    assert make_player("h4.py:ready", load_game("kalah")).name == "h4.py:ready"
    assert "takes no settings" in said(UsageError, lambda: make_player("h4.py:ready:a=1", load_game("kalah")))


def test_a_fault_of_a_maker_says_where(own, lost_cities):
    assert "(h4.py:25)" in said(PlayerFault, lambda: make_player("h4.py:broken", lost_cities))


def test_a_game_is_a_game(own):
    assert isinstance(load_game("./nim"), Game)
