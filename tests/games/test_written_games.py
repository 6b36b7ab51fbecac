"""Every game's perft counts and golden games, written down in text files.

`perft/<game>.txt`: a line is `seed opening depth leaves`, then options as `name=value`: deal 0 of that
seed, after as many opening plies as it says (the lowest legal move each), has that many sequences of
`depth` moves; an outcome of chance counts as a move. `golden/*.txt`: records of whole games, as
docs/reference/record-file.md describes them. Write one by hand, or let players make one:
`rulebots match A B --game GAME --deals 1 --record tests/golden/NAME.txt`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from checkout import CHECKOUT, GOLDEN as GOLDEN_FILES

from rulebots.game import Game
from rulebots.game.compiled import law_of
from rulebots.packages import game_names, load_game
from rulebots.play.deals import draw_deals
from rulebots.records import Record, load_record, replay

TESTS = CHECKOUT / "tests"


@dataclass
class Perft:
    seed: int
    opening: int
    depth: int
    leaves: int
    options: dict[str, int]


def written(name: str) -> list[str]:
    file = TESTS / "perft" / f"{name.replace('-', '_')}.txt"
    assert file.exists(), f"the game '{name}' has no {file.relative_to(CHECKOUT)}"
    lines = [line.split("#")[0].strip() for line in file.read_text().splitlines()]
    return [line for line in lines if line]


def options_in(words: list[str]) -> dict[str, int]:
    return {name: int(value) for name, value in (word.split("=") for word in words)}


def perfts(name: str) -> list[Perft]:
    found = []
    for line in written(name):
        words = line.split()
        seed, opening, depth, leaves = map(int, words[:4])
        found.append(Perft(seed, opening, depth, leaves, options_in(words[4:])))
    return found


def dealt(game: Game, seed: int, options: dict[str, int]) -> Any:
    deals = draw_deals(game, 1, seed, options=options)
    state = game.new_state()
    game.setup(state, deals.cards[0], deals.options)
    return state


def legal(game: Game, state: Any) -> list[int]:
    out = np.zeros(game.move_count, np.int64)
    return [int(m) for m in out[: law_of(game).moves(state, out)]]


def after(game: Game, state: Any, move: int) -> Any:
    twin = state.copy()
    law_of(game).play(twin, move)
    return twin


def leaves(game: Game, state: Any, depth: int) -> int:
    if depth == 0:
        return 1
    if law_of(game).over(state):
        return 0
    moves = legal(game, state)
    return len(moves) if depth == 1 else sum(leaves(game, after(game, state, m), depth - 1) for m in moves)


def divide(game: Game, state: Any, depth: int) -> str:
    moves = legal(game, state)
    return "\n".join(f"  {game.text.write(m)}: {leaves(game, after(game, state, m), depth - 1)}" for m in moves)


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_perft_counts(name: str) -> None:
    game = load_game(name)
    expected = perfts(name)
    assert max(p.depth for p in expected) >= 3
    for perft in expected:
        state = dealt(game, perft.seed, perft.options)
        for _ in range(perft.opening):
            law_of(game).play(state, min(legal(game, state)))
        counted = leaves(game, state, perft.depth)
        assert counted == perft.leaves, f"{perft}: counted {counted}\n{divide(game, state, perft.depth)}"


GOLDEN = [load_record(path) for path in sorted(GOLDEN_FILES.glob("*.txt"))]


@pytest.mark.parametrize("record", GOLDEN, ids=lambda record: Path(record.source).name)
def test_golden_games_end_as_written(record: Record) -> None:
    for game in record.games:
        replayed = replay(game)
        assert replayed.positions[-1].over
        written = [text for row in game.rows for text in row.moves]
        assert [record.game.text.write(move) for move in replayed.moves] == written
        assert game.rows[-1].points == game.result.points


@pytest.mark.parametrize("name", game_names())
def test_every_game_has_golden_games(name: str) -> None:
    assert name in {record.game.name for record in GOLDEN}, f"the game '{name}' has no record in {GOLDEN_FILES}"
