"""All shipped players decide 1,000,000 positions of their games in exports as they do here, for the same reasons.

The first games of each are also in digests.txt, which the quick tier compares C with: RECORD=1 in the environment
writes them there, compiled.
"""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from exported_digests import Digest, here, in_c, in_node, in_python
from exported_games import of_c, original, plies_of, written

from rulebots.game import Game
from rulebots.packages import load_game
from rulebots.packages.players import make_player, player_names

RECORDED = Path(__file__).with_name("digests.txt")
#: Decisions in C by game, and the shares of them in Node and in Python, which are slower, of a game each at least.
POSITIONS = {
    "cant-stop": 290_000, "circles": 10_000, "gomoku": 30_000, "hanabi": 30_000, "hearts": 280_000, "kalah": 150_000,
    "lost-cities": 200_000, "tictactoe": 10_000,
}  # fmt: skip
IN_NODE, IN_PYTHON = 1 / 40, 1 / 1000
#: Decisions of each game in the quick tier.
QUICK = 1_250
needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler is installed")


def shipped(game: Game) -> dict[str, Any]:
    return {name: make_player(name, game) for name in player_names(game)}


def first(games: Iterable[Digest], decisions: float) -> list[Digest]:
    """The first games with so many decisions."""
    taken: list[Digest] = []
    for game in games:
        taken.append(game)
        decisions -= game[1]
        if decisions <= 0:
            break
    return taken


def seeds_of(games: Sequence[Digest]) -> list[int]:
    return [seed for seed, _, _ in games]


def recorded(name: str) -> list[Digest]:
    """The games of that name in digests.txt."""
    lines = (line.split() for line in RECORDED.read_text("utf-8").splitlines())
    return [[*map(int, numbers)] for game, *numbers in lines if game == name]


def test_there_are_a_million_positions_of_all_games() -> None:
    assert sum(POSITIONS.values()) >= 1_000_000
    assert sum(decisions for name in POSITIONS for _, decisions, _ in recorded(name)) >= 10_000


@needs_cc
@pytest.mark.parametrize("name", POSITIONS)
def test_c_decides_the_recorded_positions(name: str, tmp_path: Path) -> None:
    game = load_game(name)
    file = written(tmp_path, shipped(game), {}, ["c"])["c"]
    assert in_c(file, plies_of(game, {}), seeds_of(recorded(name)), "-O0") == recorded(name)


@needs_cc
@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("name", POSITIONS)
def test_exports_decide_as_the_original(name: str, tmp_path: Path) -> None:
    game = load_game(name)
    players = shipped(game)
    files = written(tmp_path, players, {}, ["python", "js", "c"])
    plies = plies_of(game, {})
    games = first(here(players, itertools.count(1)), POSITIONS[name])
    if os.environ.get("RECORD"):
        lines = [line for line in RECORDED.read_text("utf-8").splitlines() if line.split()[0] != name]
        lines += [" ".join(map(str, [name, *one])) for one in first(games, QUICK)]
        RECORDED.write_text("\n".join(sorted(lines, key=lambda line: line.split()[0])) + "\n", "utf-8")
    assert recorded(name) == first(games, QUICK)
    in_other = in_c(files["c"], plies, seeds_of(games), "-O2")
    for ours, others in zip(games, in_other, strict=True):
        if ours != others:  # the first line in which the game differs says more
            seed = ours[0]
            pairs = zip(original(players, {}, [seed], compiled=True), of_c(files["c"], plies, [seed]), strict=True)
            for one, other in pairs:
                assert one == other
        assert ours == others
    if shutil.which("node"):
        short = first(games, IN_NODE * POSITIONS[name])
        assert in_node(files["js"], plies, seeds_of(short)) == short
    short = first(games, IN_PYTHON * POSITIONS[name])
    assert in_python(files["python"], plies, seeds_of(short)) == short
