"""Exports play as the game's own code does, in every language: the same decisions for the same reasons."""

from __future__ import annotations

import dataclasses
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from exported_games import (
    module,
    node,
    of_c,
    of_node,
    of_python,
    original,
    plies_of,
    run,
    searched,
    searched_in_c,
    searched_in_node,
    searched_in_python,
    written,
)

from rulebots.cli import main as cli
from rulebots.errors import UsageError
from rulebots.export.contents import contents_of
from rulebots.export.files import levels_of
from rulebots.export.javascript import javascript_file, packed
from rulebots.export.printing import template
from rulebots.game import Game, GameText, Kind
from rulebots.kernel import kernel
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.packages.scaffold import FOLDERS, new_game
from rulebots.players import RandomPlayer, RulePlayer
from rulebots.players.compiled import KernelPlayer
from rulebots.rules import RuleSet, rule

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler is installed")
#: Of each game: its players, small options, and decisions that the interpreted original makes.
GAMES: dict[str, tuple[list[str], dict[str, int], int]] = {
    "cant-stop": (["champion", "rule_of_28"], {}, 20),
    "circles": (["champion"], {"size": 4}, 4),
    "gomoku": (["champion", "careful"], {"size": 6}, 6),
    "hanabi": (["champion", "holmes"], {}, 6),
    "hearts": (["champion", "duck"], {}, 12),
    "kalah": (["champion", "apessimistic", "deep-score"], {"pits": 4, "stones": 3}, 6),
    "lost-cities": (["champion", "shelly", "sheppard", "risk"], {}, 16),
    "tictactoe": (["champion", "newell-simon", "careful"], {}, 9),
}


def alike(folder: Path, players: dict[str, Any], options: dict[str, int], decisions: int) -> None:
    """Compares a game of the original and of each language, and longer ones among the languages."""
    languages = ["python", *(["js"] if shutil.which("node") else []), *(["c"] if shutil.which("cc") else [])]
    files = written(folder, players, options, languages)
    plies = plies_of(next(iter(players.values())).game, options)
    game = list(original(players, options, [3], decisions))
    assert list(of_python(files["python"], plies, [3], decisions)) == game
    longer = list(of_python(files["python"], plies, [1, 2], 30))
    if "js" in files:
        assert list(of_node(files["js"], plies, [1, 2], 30)) == longer
    if "c" in files:
        assert list(of_c(files["c"], plies, [1, 2], 30)) == longer


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_language_plays_as_the_original(name: str, tmp_path: Path) -> None:
    names, options, decisions = GAMES[name]
    game = load_game(name)
    alike(tmp_path, {one: make_player(one, game, game.seats_with(options)) for one in names}, options, decisions)


#: Of each game in which `rollout` searches: the rollouts of a decision, and decisions of a game.
SEARCHED = {"cant-stop": (300, 12), "hearts": (200, 8), "lost-cities": (200, 12), "hanabi": (120, 6)}


@needs_node
@needs_cc
@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("name", SEARCHED)
def test_searches_of_exports_move_as_rollouts_do_here(name: str, tmp_path: Path) -> None:
    game = load_game(name)
    simulations, most = SEARCHED[name]
    champion = make_player("champion", game)
    files = written(tmp_path, {"champion": champion}, {}, ["python", "js", "c"], search=True)
    plies = plies_of(game, {})
    search = make_player(f"rollout:simulations={simulations},belief=no,opponents=none", game)
    here = searched(champion, search, [1, 2], most)
    assert searched_in_c(files["c"], plies, simulations, [1, 2], most) == here
    assert searched_in_node(files["js"], plies, simulations, [1], most) == here[:most]
    # A search of the original in so few rollouts takes the player's own move.
    fewer = searched_in_c(files["c"], plies, 60, [1], 2)
    assert searched_in_python(files["python"], plies, 60, [1], 2) == fewer


#: The most bytes of a module of JavaScript with a champion: 60 kB, and room for a rule or two.
MOST = 59_000


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_javascript_with_a_champion_is_small(name: str) -> None:
    game = load_game(name)
    text = javascript_file(contents_of(game, {"champion": make_player("champion", game)}))
    assert len(text.encode()) <= MOST


@pytest.mark.slow
@pytest.mark.parametrize("variant", sorted(FOLDERS))
def test_a_new_package_is_exported(variant: str, tmp_path: Path) -> None:
    game = load_game(str(new_game(f"own-{variant}", variant, where=tmp_path)))
    alike(tmp_path, {"first": RandomPlayer(game), "second": make_player("hand", game)}, {}, 8)


# Whole numbers at their edges, in a law of nothing else.

EDGES = (0, 1, -1, 2, -7, 31, 63, 2**31 - 1, -(2**31), 2**32, 2**53, -(2**53) - 3, 2**63 - 1, -(2**63))
STATE = np.dtype(
    [("mover", np.int64), ("plies", np.int64), ("narrow", np.int8), ("word", np.int32), ("table", np.int64, (64,))]
)
VIEW = np.dtype([("luck", np.int64), ("narrow", np.int64), ("last", np.int64)])
NUMBERS = np.array(EDGES, np.int64)


COUNT = len(EDGES)


@kernel
def list_pairs(state: Any, out: Any) -> int:
    """A pair of edges is a move."""
    for i in range(COUNT * COUNT):
        out[i] = i
    return COUNT * COUNT


@kernel
def points(number: int) -> int:
    """Not those of the law, which is exported by that name."""
    return number % 1000


@kernel
def compute(state: Any, move: int) -> None:
    """Every operation, with two edges."""
    a = NUMBERS[move // COUNT]
    b = NUMBERS[move % COUNT]
    state.table[0] = a + b
    state.table[1] = a - b
    state.table[2] = a * b
    if b != 0 and not (b == -1 and a < -5):
        state.table[3] = a // b
        state.table[4] = a % b
    state.table[5] = a & b
    state.table[6] = a | b
    state.table[7] = a ^ b
    state.table[8] = ~a
    state.table[9] = -a
    state.table[10] = a << (b & 31)
    state.table[11] = a >> (b & 63)
    state.table[12] = min(a, b)
    state.table[13] = max(a, b) + (a > b) + (a == b)
    state.table[63] = (a < b) | (a != b) & (b >= 0)
    state.table[14] = a and b
    state.table[15] = a or b
    state.table[16] = int(a / 3.0) & 0xFFFF if -(2**40) < a < 2**40 else 0
    state.narrow = (a & 255) - 128
    state.word = (a ^ b) & 0x3FFFFFFF
    state.table[17] = state.narrow + state.word
    low, high = min(a, 5), max(b, 5)
    low, high = high, low
    for step in (1, 2, low & 3):
        state.table[18] += step
    state.table[19] = low % 1000 - high % 1000
    found = 0
    for i in range(9, -1, -2):
        if i in (1, 5):
            continue
        found = 10 * found + i
    state.table[20] = found + i
    state.table[21] = points(a)
    n = 3 + (low & 3)
    for n in range(n):  # noqa: B020  # its own end
        state.table[22] += 10 * n + 1
    for i in range(2):
        for i in range(3):  # noqa: PLW2901  # one name in two loops
            state.table[23] += i
        state.table[23] += 100 * i
    state.plies += 1


@kernel
def over(state: Any) -> bool:
    """After some moves."""
    return state.plies >= 40


@kernel
def checksum(state: Any, seat: int) -> int:
    """Of all numbers, in a safe range."""
    total = 0
    for i in range(64):
        total = (total * 31 + state.table[i] % 1000003) % 1000003
    return total + state.narrow + state.word % 1000


@kernel
def observe(state: Any, view: Any) -> None:
    """A little."""
    view.narrow = state.narrow
    view.last = checksum(state, 0)


def edges() -> Game:
    return Game(
        name="edges", title="Edges", state=STATE, view=VIEW, move_count=COUNT * COUNT, ply_cap=100, hidden=False,
        kinds=(Kind("any", {"any": 1.0}),), moves=list_pairs, play=compute, over=over, points=checksum, observe=observe,
        text=GameText(show=lambda state, seat: ""), opening_plies=0,
    )  # fmt: skip


@rule("any", early=1.0)
def remainder(view: Any, item: int) -> float:
    """Its remainder, as floats have it."""
    return (view.last % 7 - item % 11) // 2.5 + (item - 90) % 3.5


@pytest.mark.slow
@pytest.mark.interpreted
def test_whole_numbers_wrap_floor_and_shift_as_here(tmp_path: Path) -> None:
    game = edges()
    rules = RuleSet("rests", game, (remainder,))
    with np.errstate(over="ignore"):
        alike(tmp_path, {"rests": RulePlayer(rules, rules.hand_tuned()), "random": RandomPlayer(game)}, {}, 30)


# What is refused.


@kernel
def recurses(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
    """It calls itself."""
    return recurses(view, moves, n, weights, blended, scores)


@kernel
def sorts(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
    """It calls what only Python has."""
    return moves[sorted(moves)[1]]


@kernel
def adds_nothing(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
    """It has a plus that does nothing."""
    return +moves[n - 1]


REFUSED = [(recurses, "in a circle"), (sorts, "expected kernels"), (adds_nothing, "leave out the plus")]


@pytest.mark.parametrize(("body", "why"), REFUSED)
def test_what_is_not_in_the_subset_is_named_with_its_line(body: Any, why: str) -> None:
    game = load_game("tictactoe")
    with pytest.raises(UsageError, match=rf"test_exports.py:\d+: cannot export .*{why}") as caught:
        contents_of(game, {"mine": KernelPlayer(game, body, "mine")})
    assert "\n" not in str(caught.value)


@needs_node
def test_long_tables_are_packed_with_large_and_small_numbers() -> None:
    numbers = [1.5, 1e-7, 2.5e30, -3e-300, 0.1, 1e22] * 60
    text = packed(numbers)
    found = subprocess.run(
        [shutil.which("node") or "", "-e", f"{template('numbers.js')}; console.log(JSON.stringify({text}))"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert json.loads(found.stdout) == numbers


def test_a_search_needs_the_law_and_a_redeal() -> None:
    game = load_game("hearts")
    players = {"duck": make_player("duck", game)}
    with pytest.raises(UsageError, match="leave out --player-only"):
        contents_of(game, players, law_too=False, search=True)
    with pytest.raises(UsageError, match="hearts hides something but has no `redeal`"):
        contents_of(dataclasses.replace(game, redeal=None), players, search=True)


def test_a_player_without_rules_is_not_exported_with_a_search(monkeypatch, capsys, tmp_path) -> None:
    words = ["export", "champion", "random", "--game", "kalah", "--to", "c", "--out", str(tmp_path / "k.h"), "--search"]
    monkeypatch.setattr("sys.argv", ["rulebots", *words])
    assert cli.main() == 2
    assert "a search needs players made of rules: leave out --search" in capsys.readouterr().err
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(("spec", "search"), [("mcts:iterations=9", "mcts:iterations=9"), ("expert", "mcts:power=")])
def test_a_search_is_refused_before_it_is_made(
    spec: str, search: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["export", spec, "--game", "kalah", "--to", "c", "--out", "k.h"]
    monkeypatch.setattr("sys.argv", ["rulebots", *words])
    monkeypatch.setattr("rulebots.search.mcts.player.player_of", lambda *_: pytest.fail("it has been made"))
    assert cli.main() == 2
    assert f"cannot export '{spec}': it is {search}" in capsys.readouterr().err


def test_searches_are_refused_and_levels_leave_them_out() -> None:
    game = load_game("tictactoe")
    with pytest.raises(UsageError, match="is a MctsPlayer: only players made of rules"):
        contents_of(game, {"search": make_player("mcts:power=1", game)})
    levels, refused = levels_of(game, 2)
    assert [*levels] == ["beginner", "casual", "club", "strong"]
    assert [*refused] == ["expert"]


@needs_node
def test_an_unknown_player_is_named_with_those_that_there_are(tmp_path: Path) -> None:
    game = load_game("tictactoe")
    files = written(tmp_path, {"careful": make_player("careful", game)}, {}, ["python", "js"])
    message = "no player 'wild'; there are: careful"
    for call in ("choose", "explain"):
        with pytest.raises(ValueError, match=message):
            getattr(module(files["python"]).Position(), call)("wild")
        lines = f"const M = await import(process.argv[2]); try {{ new M.Position().{call}('wild'); }}"
        lines += "catch (error) { console.log(JSON.stringify(error.message)); }"
        assert list(run(node(files["js"], lines))) == [message]


@pytest.mark.slow
def test_careless_levels_err_alike(tmp_path: Path) -> None:
    game = load_game("tictactoe")
    alike(tmp_path, levels_of(game, 2)[0], {}, 9)


@pytest.mark.slow
def test_the_command_writes_a_player_over_a_view(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "player.js"
    words = ["export", "champion", "--game", "hearts", "--to", "js", "--out", str(out), "--player-only"]
    monkeypatch.setattr("sys.argv", ["rulebots", *words])
    assert cli.main() == 0
    assert capsys.readouterr().out == f"wrote {out}: champion of hearts\n"
    assert "class Position" not in out.read_text("utf-8")
    assert "/** int32, -1 to 3 */\n    led: number;" in (tmp_path / "player.d.ts").read_text("utf-8")
    monkeypatch.setattr("sys.argv", ["rulebots", *words[:4], "--to", "rust"])
    assert cli.main() == 2
    assert "no language 'rust' of rulebots export; there are: python, js, c" in capsys.readouterr().err, "first of all"


def test_games_of_python_objects_are_refused_with_what_can_be_done() -> None:
    game = load_game(f"{Path(__file__).parents[1] / 'live' / 'small_games.py'}:Nim")
    with pytest.raises(UsageError, match=r"nim is made of Python objects.*write its law as kernels.*rulebots engine"):
        contents_of(game, {"random": RandomPlayer(game)})
