"""Pages that play: they draw what the game's own code draws, and general Python means there what it means here."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from exported_pages import of_page, original

from rulebots.cli import main as cli
from rulebots.errors import UsageError
from rulebots.export.contents import contents_of
from rulebots.export.page import page_files
from rulebots.export.printing import template
from rulebots.export.scripts import Script
from rulebots.kernel import kernel
from rulebots.packages import game_names, load_game
from rulebots.packages.players import make_player
from rulebots.packages.scaffold import DICE, new_game
from rulebots.players.explaining import Term
from rulebots.players.sentences import words_of
from rulebots.rules import Rule

NODE = shutil.which("node") or ""
needs_node = pytest.mark.skipif(not NODE, reason="Node is not installed")
#: The most bytes of a page.
MOST = 200_000


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("name", game_names())
def test_a_page_draws_what_the_game_draws(name: str, tmp_path: Path) -> None:
    game = load_game(name)
    said: list[str] = []
    files = page_files(contents_of(game, {"champion": make_player("champion", game)}), tmp_path, said.append)
    for path, text in files.items():
        path.write_text(text, "utf-8")
    assert said == []
    assert sum(len(text.encode()) for text in files.values()) <= MOST
    found = list(original(game, [1, 2], 30))
    assert len(found) > 20
    assert list(of_page(tmp_path, [1, 2], 30)) == found


CASES = [
    (says, shares, values, weight)
    for says in (
        "win(s) [more|fewer|] stones with my move",
        "play(s) a [higher|lower|high] card",
        "take(s) a corner",
        "stand(s) [better|worse|better] then",
        "begin(s) what my hand [pays|does not pay] for",
        "[gain(s)|lose(s)|gain(s)] <5 points> net",
        "capture(s) <5 stones> of my rival",
        "",
    )
    for shares in ((1, 1), (1, 0), (0, 1))
    for values in ((0.6, 0.2), (0.2, 0.6), (0.6, 0), (0, -0.2))
    for weight in (1, -1)
]
TABLE = {(1, 2): "pair", "three": 3}
LETTERS = frozenset("abc")


def walk(most: int, *, by: int = 2) -> Iterator[int]:
    """Even numbers."""
    here = 0
    while True:
        if here > most:
            return
        yield here
        here += by


def general() -> list[Any]:
    """What a drawing may be made of."""
    numbers = list[int]()
    for i, (low, high) in enumerate(zip(range(3), reversed([4, 5, 6]), strict=True), start=1):
        numbers += [i * low - high, -7 // 2, -7 % 3, 7 >> 1 & 3, 1 << 40 | 1, ~i]
    numbers[-1] += 5
    numbers[0], numbers[1] = numbers[1], numbers[0]
    first, *rest = numbers[1::2]

    def nested(depth: int = 2) -> int:
        nonlocal first
        first += 1
        return nested(depth - 1) + 1 if depth else 0

    half = (n / 2 for n in rest if n % 2 == 0)
    texts = [
        f"{3.14159:.2f} {'x':>3}|{5:<3}|{-4:+d} {1234567:,} {7:03d} {0.25:.0%} {first!r}",
        " ".join(map(str, sorted(walk(6), key=lambda n: -n))),
        "ab" * 2 + "c" * (first > 0), "a-b".replace("-", "+").upper(), "{} {}".format("to", 1),
        ", ".join(f"{key} {value}" for key, value in {"a": 1, "b": 2}.items()),
    ]  # fmt: skip
    seen = {n % 3 for n in numbers} - {0}
    return [
        numbers, first, rest, nested(), first, list(half), texts, sorted(seen), 2 in seen, "b" in LETTERS,
        TABLE[1, 2], TABLE.get("three"), TABLE.get("four", 4), [*LETTERS] == [], not [], 0 < first <= 10**6 != 3,
        max(rest, key=lambda n: n % 5), min([], default=None), sum(walk(10, by=5)), any(n < 0 for n in numbers),
        (12).bit_count(), round(2.5), round(-1.75, 1), divmod(-7, 2), texts[-1][::-1][1:3], numbers[-2:],
        [[row * column for column in range(3)] for row in range(3)][1][-1], (k := 5) + k, math.floor(-1.5),
        {"a": [1, (2, 3)]} == {"a": [1, (2, 3)]}, (1, 2) < (1, 3), "abc"[1], texts[0][:0] or "none", texts is None,
    ]  # fmt: skip


@needs_node
def test_general_python_means_the_same_in_javascript(tmp_path: Path) -> None:
    script = Script(template("python.js"))
    name = script.function(general)
    whole = contents_of(load_game("tictactoe"), {"careful": make_player("careful", load_game("tictactoe"))})
    files = page_files(whole, Path(), print)
    body = "\n".join(text for _, text, _ in script.made.values())
    called = f"(() => {{ {body}\nconsole.log(JSON.stringify({name}())); }})(); }})();"
    program = tmp_path / "program.js"
    program.write_text(files[Path("game.js")].rpartition("\nreturn {")[0] + "\n" + called, "utf-8")
    done = subprocess.run([NODE, str(program)], check=True, capture_output=True, text=True)
    assert json.loads(done.stdout) == json.loads(json.dumps(general()))


def careful(position: Any, seat: int | None) -> str:
    """It tries."""
    try:
        return str(position)
    except ValueError:
        return ""


def opens(position: Any, seat: int | None) -> str:
    """It reads a file."""
    return open("board.txt").read()  # noqa: PTH123 - it is never called


@pytest.mark.parametrize(("function", "what"), [(careful, "try:"), (opens, "open"), (len, "its source text")])
def test_what_a_page_cannot_have_is_named_with_its_line(function: Any, what: str) -> None:
    with pytest.raises(UsageError, match=what) as caught:
        Script(template("python.js")).function(function)
    assert "\n" not in str(caught.value)
    assert function is len or "test_page_scripts.py:" in str(caught.value)


def test_a_page_of_a_game_without_a_drawing_does_with_its_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "page"
    own = new_game("own-roll", DICE, where=tmp_path)
    words = ["rulebots", "export", "hand", "--game", str(own), "--to", "web", "--out", str(out)]
    monkeypatch.setattr("sys.argv", words)
    assert cli.main() == 0
    assert capsys.readouterr().out == f"wrote {out}: hand of own-roll\n"
    assert sorted(path.name for path in out.iterdir()) == [
        "game.js",
        "index.html",
        "moves.js",
        "page.css",
        "page.js",
        "play.js",
    ]
    text = (out / "game.js").read_text("utf-8")
    assert "draw: null, show: d_" in text
    assert cli.main() != 0
    assert "exists already" in capsys.readouterr().err
    for flag in ("--player-only", "--search"):
        monkeypatch.setattr("sys.argv", [*words[:-1], str(tmp_path / "other"), flag])
        assert cli.main() == 2
        assert f"leave out {flag}" in capsys.readouterr().err


@needs_node
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_page_says_of_a_rule_what_rulebots_web_says(
    case: tuple[str, tuple[float, ...], tuple[float, ...], float],
) -> None:
    says, shares, values, weight = case
    rule = Rule("put", "corner", "It is a corner, in fives. More of it.", 1, 1, kernel(lambda view, item: 0), says)
    term = Term(rule, 1, 1, weight, shares, values, 1)
    function = template("play.js").partition("function reason(")[2].partition("\n}\n")[0]
    given = json.dumps({"rule": rule.key, "weight": weight, "shares": shares, "values": values, "amount": 1})
    program = f"""
        const game = {json.dumps({"says": {rule.key: (says or rule.words, 2)}})};
        function reason({function}
        }}
        console.log(reason({given}, "it", "stopping, which ends it"));
    """
    done = subprocess.run([NODE, "-e", program], capture_output=True, text=True, check=True)
    assert done.stdout == f"For it: {words_of(term, 'it', 'stopping, which ends it')}\n"
