"""The Python that is written: plain, short, without a complaint by ruff, and the same rules as were found."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

from evolve.analysis.discovery.expressions import AT_LEAST, Expression, Made, Operand, product, rule_operand
from evolve.analysis.discovery.rules_file import rules_text
from rulebots.registry import load_game, parts_of
from rulebots.rules import load_rules

TICTACTOE = load_game("tictactoe")
RULES = parts_of(TICTACTOE).rule_set()


def found() -> list[Expression]:
    first, second, third = map(rule_operand, RULES.rules[:3])
    inside = Operand("board_of_item", "the field board of the item", text="view.board[item] if 0 <= item < 9 else 0")
    left = Operand("left", "the field left", text="view.left")
    return [
        Expression("put", Made(AT_LEAST, (first,), 0.5)),
        Expression("put", product(first, second)),
        Expression("put", product(third, Made(AT_LEAST, (inside,), 0.5))),
        Expression("put", product(left, Made(AT_LEAST, (inside,), 0.5)), 10),
    ]


def weights(count: int) -> np.ndarray:
    return np.arange(2.0 * (len(RULES.rules) + count)).reshape(2, -1)


def test_the_file_holds_the_rules_with_their_weights(tmp_path: Path) -> None:
    path = tmp_path / "made.py"
    path.write_text(rules_text(RULES, found(), weights(4), "made", tmp_path))
    made = load_rules(f"{path}:discovered")
    assert made.name == "made"
    assert [r.key for r in made.rules] == [r.key for r in RULES.rules] + [f"put.{e.name}" for e in found()]
    assert np.array_equal(made.hand_tuned()[:, len(RULES.rules) :], weights(4)[:, len(RULES.rules) :])
    for written, expression in zip(made.rules[-4:], found(), strict=True):
        assert written.meaning == expression.meaning
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "ruff",
            "check",
            "--isolated",
            "--select",
            "E,F,I,W,N,B,UP,SIM,RUF",
            "--line-length",
            "120",
            path,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "No module named ruff" in done.stderr or done.returncode == 0, done.stdout


def test_a_set_of_a_persons_own_is_found_from_where_the_file_is(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "new").mkdir()
    own = tmp_path / "own_set.py"
    own.write_text(
        "from rulebots import load_game, load_rules\n\n"
        'mine = load_rules(game=load_game("tictactoe")).extended("own-set", [])\n'
    )
    mine = load_rules(f"{own}:mine")
    chosen = [Expression("put", product(rule_operand(mine.rules[0]), rule_operand(mine.rules[1])))]
    path = tmp_path / "new" / "more.py"
    path.write_text(rules_text(mine, chosen, weights(1), "more", path.parent))
    assert str(tmp_path) not in path.read_text()
    assert "load_rules(f\"{Path(__file__).resolve().parent / '../own_set.py'}:mine\")" in path.read_text()
    monkeypatch.chdir("/")
    assert load_rules(f"{path}:discovered").rules[-1].name == chosen[0].name
