# ruff: noqa: E501 - an edit is best seen on one line
"""Mistakes in a new package and in players beside it: each is told in one line with its place."""

from __future__ import annotations

import shutil
import tomllib
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest
from checkout import CHECKOUT
from game_copies import stranger
from new_package import CHECK, GAME, MATCH, PACKAGE, RULES, Told, assert_told, edit, own_modules, run, workplace  # noqa: F401 - a fixture

from rulebots.checking import BREEDERS
from rulebots.kernel import kernel, runnable
from rulebots.kernel.user_code import CodeError

PLAYERS_FILE = "players.py"
MADE = "game = Game("
HEAP = '[("mover", np.int32), ("heap", np.int32)]'
KINDS = 'kinds=(Kind("take", {"take": 1.0}),)'
OPTION = 'Option(21, 1, 60, "counters at the beginning")'
LOADED = (
    Told("moves", ((GAME, "move_count=MOST_TAKEN", "move_count=10**9"),), CHECK, ("plain: expected 1 to 1,000,000 as `move_count`, not 1000000000",), MADE),
    Told("plies", ((GAME, "ply_cap=100", "ply_cap=10**12"),), CHECK, ("plain: expected 1 to 1,000,000 as `ply_cap`",), MADE),
    Told("luck", ((GAME, '("luck", np.int64)', '("luck", np.int32)'),), CHECK, ("expected np.int64 as 'luck'", "not int32"), MADE),
    Told("mover", ((GAME, HEAP, HEAP.replace("int32", "bool_", 1)),), CHECK, ("expected whole numbers", "as 'mover'", "not bool"), MADE),
    Told("object", ((GAME, HEAP, '[("mover", np.int32), ("heap", object)]'),), CHECK, ("`state`: expected a field of numbers as 'heap', not object",), MADE),
    Told("mix set", ((GAME, KINDS, 'kinds=(Kind("take", {"take"}),)'),), CHECK, ("expected {group: share} as the mix of the Kind 'take'", "not {'take'}"), '{"take"}'),
    Told("mix list", ((GAME, KINDS, 'kinds=(Kind("take", ["take"]),)'),), CHECK, ("expected {group: share} as the mix of the Kind 'take'",), '["take"]'),
    Told("size", ((GAME, HEAP, '[("mover", np.int32), ("seen", np.int32, (400_000_000,)), ("heap", np.int32)]'),), CHECK, ("`state`: expected at most 16 MB, not 1,526 MB, of which the field 'seen' takes 1,526",), MADE),
    Told("default", ((GAME, OPTION, OPTION.replace("21", "70")),), MATCH, ("expected whole numbers as default, low and high of an Option, the default between the others, not (70, 1, 60)",), "Option(70"),
)  # fmt: skip

PARTS = (
    Told("half a move", ((GAME, "out[move] = move", "out[move] = move + 0.5"),), CHECK, ("`moves` raised ValueError: expected whole numbers here, not 0.5",), "move + 0.5"),
    Told("half a counter", ((GAME, "    state.heap -= move + 1", "    state.heap -= 0.5 + move"),), CHECK, ("`play` raised ValueError: expected whole numbers here, not ",), "state.heap -= 0.5"),
    Told("array of the module", ((GAME, "    state.heap -= move + 1", "    state.heap -= TAKEN[move - 1] + 1"), (GAME, "@kernel\ndef moves", "TAKEN = np.array([1, 2, 0])\n\n\n@kernel\ndef moves")), CHECK, ("`play` reads or writes out of bounds: index -1 would count from the end",), "TAKEN[move - 1]"),
    Told("tuple of the module", ((RULES, "return (move + 1) / MOST_TAKEN", "return inside(move)"), (RULES, '@rule("take", early=0.2, late', 'SHARES = ((0.3, 0.6), 1.0)\n\n\n@kernel\ndef inside(move):\n    return SHARES[0][move - 1] if move < 2 else SHARES[1]\n\n\n@rule("take", early=0.2, late')), CHECK, ("`inside` reads or writes out of bounds: index -1 would count from the end",), "SHARES[0][move - 1]"),
    Told("plain choose", ((PLAYERS_FILE, "@kernel\n", ""),), CHECK, ("`choose_first` is a plain function: put @kernel on it",), "def choose_first"),
    Told("short choose", ((PLAYERS_FILE, "(view, moves, n, weights, blended, scores)", "(view, moves, n)"),), CHECK, ("`choose_first` takes (view, moves, n): expected 6 parameters",), "def choose_first"),
    Told("object field", ((RULES, "    progress=progress,", "    progress=progress,\n    fields=[(\"near\", object)],"),), CHECK, ("rule set 'simple': expected a field of numbers as 'near', not object",), "simple = RuleSet("),
    Told("search", ((PACKAGE, "    game=game,", "    game=game,\n    mcts={\"iteration\": 100},"),), CHECK, ("no setting 'iteration' of `mcts` of plain; did you mean 'iterations'?",), ""),
    Told("blank", ((GAME, "return str(move + 1)", 'return f"take {move + 1}"'),), CHECK, ("writes the move 0 with a blank, 'take 1'",), "def write"),
    Told("write", ((GAME, "return str(move + 1)", "return move + 1"),), (*MATCH, "--record", "a.txt"), (": expected some text",), "def write"),
)  # fmt: skip
DRAWING = """from rulebots.output.diagram import Diagram


def draw(position, seat):
    diagram = Diagram(10, 10, "a heap")
    diagram.place("chip", 0, 0, 5, 5, "a chip")
    with diagram.piece("one", start="chips"):
        diagram.circle(1, 1, 1, "seed")
    return diagram
"""
DRAWN = (
    Told("no place", ((PACKAGE, "    game=game,", "    game=game,\n    draw=\"diagram:draw\","),), CHECK, ("`draw` makes a mistake: piece 'one': no place 'chips' of the diagram; did you mean 'chip'?; a place comes before what names it",), "with diagram.piece", {"plain/diagram.py": DRAWING}),
)  # fmt: skip
CHANCE = (
    Told("no chance", ((GAME, "    hidden=False,", "    chance=True,\n    hidden=False,"),), CHECK, ("note: `play` never sets state.mover = CHANCE",), "def play", code=(0,)),
    Told("chance forgotten", ((GAME, "    state.mover = 1 - state.mover", "    state.mover = -1"),), CHECK, ("`play` sets state.mover to -1", "a game with dice in play says chance=True"), "def play"),
)  # fmt: skip

PLAYER = """from rulebots.players import Needs, Player


class Mine(Player):
    def choose(self, view, moves):
        return int(moves[0])
"""
CHOICE = "    def choose(self, view, moves):\n        return int(moves[0])\n"


def about(
    name: str, what: str, *says: str, line: str = "", old: str = CHOICE, command=("check",), settings="", code=(1, 2)
):
    """A player in a file of its own, in which one text is another one."""
    text = PLAYER.replace(old, what)
    assert text != PLAYER
    return Told(name, (), (*command, f"pl.py:Mine{settings}", "--game", "./plain"), says, line, {"pl.py": text}, code)


DUEL = ("match", "hand")
OWN_INIT = f"    def __init__(self, game, name, depth: list = []):\n        super().__init__(game, name)\n\n{CHOICE}"
PLAYERS = (
    about("super", f"    def __init__(self, game, name):\n        pass\n\n{CHOICE}", "`Mine`: its `__init__` has to call super().__init__(game, name)", line="def __init__"),
    about("list setting", OWN_INIT, "no setting 'depth'", settings=":depth=3", line="def __init__"),
    about("needed list", OWN_INIT.replace(" = []", ""), "expected a setting of type bool, int, float or str as 'depth', or a default for it, not list", line="def __init__"),
    about("begin_game", f"{CHOICE}\n    def begin_game(self, seat):\n        pass\n", "its `begin_game` raised TypeError", line="def begin_game"),
    about("end_game", f"{CHOICE}\n    def end_game(self):\n        pass\n", "its `end_game` raised TypeError", line="def end_game"),
    about("no self", CHOICE.replace("self, ", ""), "raised TypeError", line="def choose"),
    about("end_game in a match", f"{CHOICE}\n    def end_game(self):\n        pass\n", "its `end_game` raised TypeError", line="def end_game", command=DUEL),
    about("history", "    needs = Needs.HISTORY\n\n    def choose(self, seen, moves):\n        return int(moves[len(seen.history) * 0])\n", "pl.py:Mine: ok", code=(0,)),
    about("misspelt", CHOICE.replace("choose", "chose"), "the class Mine, which lacks a method `choose` (did you mean that by `chose`?)", line="class Mine"),
    about("function", "def Mine(view, moves):\n    return moves[0]\n", "it makes no player, it chooses a move", line="def Mine", old=PLAYER[PLAYER.index("class"):]),
    about("game changed", CHOICE.replace("return", "self.game.move_count = 1\n        return"), "raised FrozenInstanceError", line="self.game.move_count"),
    about("chance", CHOICE.replace("return int(moves[0])", "import random\n        return int(random.choice(moves))"), "`choose` gives another move when it is asked twice", line="def choose"),
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("told", [*LOADED, *PARTS, *DRAWN, *CHANCE, *PLAYERS], ids=lambda told: told.id)
def test_it_is_told_once_with_its_place(told: Told, workplace: Path, monkeypatch, capsys) -> None:  # noqa: F811
    assert_told(told, workplace, monkeypatch, capsys)


@pytest.mark.slow
def test_a_setting_of_breeding_that_no_run_has_is_told(workplace: Path, monkeypatch, capsys) -> None:  # noqa: F811
    points = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]["entry-points"][BREEDERS]
    found = [EntryPoint(name, value, BREEDERS) for name, value in points.items()]
    monkeypatch.setattr("rulebots.checking.entry_points", lambda group: found)
    misspelt = ((PACKAGE, '"population"', '"populaton"'),)
    says = ("no setting 'populaton'", "did you mean 'population'?")
    assert_told(Told("breeding", misspelt, CHECK, says, '"populaton"'), workplace, monkeypatch, capsys)


@pytest.mark.parametrize(
    ("name", "line"), [(GAME, "    state.heap -= move + 1"), (RULES, "    return view.heap == move + 1")]
)
def test_a_print_does_not_hide_its_own_line(name: str, line: str, workplace: Path, monkeypatch, capsys) -> None:  # noqa: F811
    monkeypatch.setattr("rulebots.checking.law.compiling", lambda: True)
    edit(workplace, (name, line, f"    print(move)\n{line}"))
    code, printed = run(monkeypatch, capsys, *CHECK)
    assert (code, printed.count("\n")) == (1, 2)
    assert "uses `print`, at every call: leave it out" in printed


def test_outside_chance_is_told_in_a_match_that_runs_interpreted(workplace: Path, monkeypatch, capsys) -> None:  # noqa: F811
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    chance = (GAME, "    state.heap -= move + 1", "    state.heap -= move + 1 + np.random.default_rng().integers(1)")
    assert_told(
        Told("", (chance,), MATCH, ("so that no game can be repeated",), "default_rng()"),
        workplace,
        monkeypatch,
        capsys,
    )


def test_a_list_as_a_default_is_no_setting_and_stands(workplace: Path, monkeypatch, capsys) -> None:  # noqa: F811
    (workplace / "pl.py").write_text(PLAYER.replace(CHOICE, OWN_INIT))
    assert run(monkeypatch, capsys, "check", "pl.py:Mine", "--game", "./plain")[0] == 0


@kernel
def divides_once(box):
    box[0] += 1
    if box[0] == 1:
        return 1 // (box[0] - 1)
    return box[0] % 2


@pytest.mark.compiled
def test_what_only_the_compiled_call_meets_is_told_with_the_lines_that_can_raise_it() -> None:
    run_compiled = runnable(divides_once, np.zeros(1, np.int64))
    with pytest.raises(
        CodeError, match=r"test_package_mistakes.py:\d+: `divides_once` divides by zero in some position: "
    ):
        run_compiled(np.zeros(1, np.int64))


FORGOTTEN = CHANCE[1]


@pytest.mark.compiled
def test_a_match_tells_of_chance_that_was_forgotten(workplace: Path, monkeypatch, capsys) -> None:  # noqa: F811
    assert_told(replace(FORGOTTEN, command=MATCH), workplace, monkeypatch, capsys)


@pytest.mark.slow
@pytest.mark.parametrize("place", [".", "./plain", "../plain"])
def test_the_folder_that_new_wrote_is_the_games(place: str, workplace: Path, monkeypatch, capsys) -> None:  # noqa: F811
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert run(monkeypatch, capsys, "check", place)[1] == f"{place}: ok, 30 random games, 4 rules, 2 players\n"


def test_a_record_says_where_its_game_came_from(workplace: Path, monkeypatch, capsys) -> None:  # noqa: F811
    from rulebots.packages import named_code

    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert (
        run(monkeypatch, capsys, "match", "hand", "first", "--game", ".", "--deals", "2", "--record", "a.txt")[0] == 0
    )
    assert "game: ./plain\n" in Path("a.txt").read_text()
    monkeypatch.setattr(named_code, "_brought", {})
    code, printed = run(monkeypatch, capsys, "replay", "a.txt")
    assert (code, printed.count("\n")) == (1, 1)
    assert "--game ./plain brings it" in printed
    assert run(monkeypatch, capsys, "replay", "a.txt", "--game", ".")[0] == 0


@pytest.mark.compiled
def test_a_list_of_the_module_is_told_with_the_remedy(workplace: Path, monkeypatch, capsys) -> None:  # noqa: F811
    edits = (
        (RULES, "@rule", "SEEN = [1, 2, 3]\n\n\n@rule"),
        (RULES, "return view.heap == move + 1", "return SEEN[move]"),
    )
    assert_told(
        Told("", edits, CHECK, ("uses the list 'SEEN' of the module: make it a tuple",)), workplace, monkeypatch, capsys
    )


@pytest.mark.slow
def test_a_redeal_that_favours_some_cards_is_told(workplace: Path, monkeypatch, capsys) -> None:  # noqa: F811
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    shutil.rmtree(workplace / "plain")
    shutil.move(stranger("tricks", "plain", workplace / "other") / "plain", workplace / "plain")
    edits = ((GAME, "taken = luck % unseen < held", "taken = held > 0"),)
    says = ("`redeal` deals state.place otherwise than `draw_deals` does",)
    assert_told(Told("", edits, CHECK, says, "def redeal"), workplace, monkeypatch, capsys)
