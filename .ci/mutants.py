"""Mutation testing: change one operator, constant or call at a time, and count the changes that the quick tier notices.

    python .ci/mutants.py                         50 mutants of each room, with the tests nearest to it
    python .ci/mutants.py --each 20 --seed 2 rulebots/play evolve/storage
    python .ci/mutants.py --wide                  give survivors a second chance: all tests of the quick tier

A mutant is drawn at random from all that a room allows. It is killed if a test fails or takes more than ten times as
long as usual. Each worker changes its own copy of the tree, so the checkout stays as it is. Survivors are printed with
their line: equivalent code, or a test that is missing. The rate of the last full run stands in CONTRIBUTING.md.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import queue
import random
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: Each room with the tests nearest to it.
ROOMS = {
    "rulebots/play": ("tests/rulebots/play", "tests/games/test_games.py"),
    "rulebots/rules": ("tests/rulebots/rules",),
    "rulebots/players": ("tests/rulebots/players",),
    "rulebots/ratings": ("tests/rulebots/ratings",),
    "evolve/evaluation": ("tests/evolve/evaluation", "tests/evolve/test_run.py"),
    "evolve/strategies": ("tests/evolve/strategies",),
    "evolve/storage": ("tests/evolve/storage",),
}
QUICK = ("tests/evolve", "tests/games", "tests/rulebots")
COPIED = ("rulebots", "evolve", "populations", "tests", "pyproject.toml", "README.md", "docs")
OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any", "argmin": "argmax", "argmax": "argmin"}


@dataclass(frozen=True)
class Mutant:
    """A changed file: `source` instead of what stands at `path`, in whose `line` `what` was changed."""

    path: Path
    line: int
    what: str
    source: str


def changeable(path: Path) -> list[int]:
    """The nodes of a file that can be changed, by their numbers in its syntax tree."""
    tree = ast.parse(path.read_text("utf-8"))
    skipped = _not_behaviour(tree)
    nodes = enumerate(ast.walk(tree))
    # A copy is changed, so that the walk meets the nodes that the file has.
    return [number for number, node in nodes if id(node) not in skipped and _change(copy.copy(node))]


def mutant_of(path: Path, number: int) -> Mutant:
    """The file with its node of that number changed."""
    tree = ast.parse(path.read_text("utf-8"))
    node = list(ast.walk(tree))[number]
    before = _first_line(node)
    _change(node)
    return Mutant(path, getattr(node, "lineno", 0), f"{before} -> {_first_line(node)}", ast.unparse(tree))


def _first_line(node: ast.AST) -> str:
    return ast.unparse(node).partition("\n")[0]


def _not_behaviour(tree: ast.Module) -> set[int]:
    """The nodes whose change no test should notice: annotations, docstrings, messages, `strict=` and `frozen=`."""
    nodes: set[int] = set()
    for node in ast.walk(tree):
        parts: list[ast.AST | None] = []
        if isinstance(node, ast.FunctionDef):
            parts += [node.returns, *(arg.annotation for arg in node.args.args + node.args.kwonlyargs)]
        elif isinstance(node, ast.AnnAssign):
            parts.append(node.annotation)
        elif isinstance(node, ast.keyword) and node.arg in {"strict", "frozen"}:
            # They say what the code around them sees to: that two lists are as long, that nobody assigns.
            parts.append(node.value)
        elif isinstance(node, ast.Raise | ast.JoinedStr) or (isinstance(node, ast.Expr) and _is_text(node.value)):
            parts.append(node)
        nodes |= {id(inner) for part in parts if part is not None for inner in ast.walk(part)}
    return nodes


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _change(node: ast.AST) -> bool:
    """Change a node in place; False if nothing about it can be changed."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in OPERATORS:
        node.ops[0] = OPERATORS[type(node.ops[0])]()  # type: ignore[assignment]
    elif isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp) and type(node.op) in OPERATORS:
        node.op = OPERATORS[type(node.op)]()  # type: ignore[assignment]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node.op, node.operand = ast.UAdd(), ast.Call(ast.Name("bool"), [node.operand], [])
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        node.value = not node.value
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        node.value += 1
    elif isinstance(node, ast.Name) and node.id in NAMES:
        node.id = NAMES[node.id]
    elif isinstance(node, ast.Attribute) and node.attr in NAMES:
        node.attr = NAMES[node.attr]
    elif isinstance(node, ast.If | ast.While | ast.IfExp) and not isinstance(node.test, ast.Name):
        node.test = ast.UnaryOp(ast.Not(), node.test)
    else:
        return False
    ast.fix_missing_locations(node)
    return True


def drawn(rooms: list[str], each: int, seed: int) -> list[tuple[str, Mutant]]:
    """At most `each` mutants of every room, drawn without replacement."""
    chosen = []
    for room in rooms:
        every = [(path, number) for path in sorted((ROOT / room).rglob("*.py")) for number in changeable(path)]
        rng = random.Random(f"{seed} {room}")  # noqa: S311 (a sample, not a secret)
        chosen += [(room, mutant_of(*place)) for place in rng.sample(every, min(each, len(every)))]
    return chosen


def passes(tree: Path, tests: tuple[str, ...], seconds: float | None) -> bool:
    """Whether the tests pass in a tree, in that time."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-m", "not slow", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(tree)}
    try:
        run = subprocess.run(command, cwd=tree, env=environment, capture_output=True, timeout=seconds, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        return False
    return run.returncode == 0


class Tree:
    """A copy of the checkout in which one worker changes files and runs tests."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir()
        for name in COPIED:
            source = ROOT / name
            shutil.copytree(source, path / name) if source.is_dir() else shutil.copy(source, path / name)
        #: Seconds that the tests of a room take without a mutant.
        self.usual: dict[str, float] = {}


def survives(tree: Tree, room: str, mutant: Mutant, *, wide: bool) -> bool:
    """Whether the tests of its room, and if `wide` the quick tier, pass with a mutant."""
    if room not in tree.usual:
        start = time.monotonic()
        assert passes(tree.path, ROOMS[room], None), f"the tests of {room} fail without a mutant"
        tree.usual[room] = time.monotonic() - start
    changed = tree.path / mutant.path.relative_to(ROOT)
    original = changed.read_text("utf-8")
    changed.write_text(mutant.source, "utf-8")
    alive = passes(tree.path, ROOMS[room], 10 * tree.usual[room] + 30)
    alive = alive and not (wide and not passes(tree.path, QUICK, None))
    changed.write_text(original, "utf-8")
    if alive:
        print(f"survived: {mutant.path.relative_to(ROOT)}:{mutant.line}: {mutant.what}", flush=True)
    return alive


def main() -> int:
    """Draw, change, test, count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rooms", nargs="*", default=list(ROOMS))
    parser.add_argument("--each", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--wide", action="store_true")
    chosen = parser.parse_args()
    mutants = drawn(chosen.rooms, chosen.each, chosen.seed)
    trees = queue.SimpleQueue[Tree]()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(chosen.jobs) as workers:
        for number in range(chosen.jobs):
            trees.put(Tree(Path(folder) / str(number)))

        def tested(entry: tuple[str, Mutant]) -> bool:
            tree = trees.get()
            try:
                return survives(tree, *entry, wide=chosen.wide)
            finally:
                trees.put(tree)

        alive = list(workers.map(tested, mutants))
    for room in [*chosen.rooms, "all"]:
        here = [survived for (other, _), survived in zip(mutants, alive, strict=True) if room in (other, "all")]
        killed = here.count(False)
        print(f"{room:20} {killed:4} of {len(here):4} killed, {100 * killed / max(1, len(here)):.0f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
