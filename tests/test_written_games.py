"""Every game's perft counts and golden games, written down in text files.

`perft/<game>.txt`: a line is `seed opening depth leaves`, then options as `name=value`: deal 0 of that
seed, after as many opening plies as it says (the lowest legal move each), has that many sequences of
`depth` moves. `golden/<game>.txt`: `game <title> / seed N / options`, then lines `moves = points`, the
points of seat 0 and seat 1 after these moves.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rulebots.game import Game, game_names, load_game
from rulebots.loop import law_of
from rulebots.matches import draw_deals

HERE = Path(__file__).parent


@dataclass
class Perft:
    seed: int
    opening: int
    depth: int
    leaves: int
    options: dict[str, int]


@dataclass
class GoldenGame:
    title: str
    seed: int
    options: dict[str, int]
    lines: list[tuple[list[str], list[int]]] = field(default_factory=list)


def written(kind: str, name: str) -> list[str]:
    file = HERE / kind / f"{name.replace('-', '_')}.txt"
    assert file.exists(), f"the game '{name}' has no {file.relative_to(HERE.parent)}"
    lines = [line.split("#")[0].strip() for line in file.read_text().splitlines()]
    return [line for line in lines if line]


def options_in(words: list[str]) -> dict[str, int]:
    return {name: int(value) for name, value in (word.split("=") for word in words)}


def perfts(name: str) -> list[Perft]:
    found = []
    for line in written("perft", name):
        words = line.split()
        seed, opening, depth, leaves = map(int, words[:4])
        found.append(Perft(seed, opening, depth, leaves, options_in(words[4:])))
    return found


def golden_games(name: str) -> list[GoldenGame]:
    games: list[GoldenGame] = []
    for line in written("golden", name):
        if line.startswith("game "):
            match = re.fullmatch(r"game (.+) / seed (\d+) /(.*)", line)
            assert match, f"golden/{name}: expected 'game TITLE / seed N / options', not {line!r}"
            games.append(GoldenGame(match[1], int(match[2]), options_in(match[3].split())))
        else:
            moves, points = line.split("=")
            games[-1].lines.append((moves.split(), [int(p) for p in points.split()]))
    return games


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
    return "\n".join(f"  {game.write(m)}: {leaves(game, after(game, state, m), depth - 1)}" for m in moves)


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


@pytest.mark.parametrize("name", game_names())
def test_golden_games(name: str) -> None:
    game = load_game(name)
    games = golden_games(name)
    assert games
    for golden in games:
        state = dealt(game, golden.seed, golden.options)
        for moves, points in golden.lines:
            for text in moves:
                assert not game.over(state), f"{golden.title}: over before {text}"
                move = game.read(text, state)
                assert move in legal(game, state), f"{golden.title}: {text} is illegal in\n{game.show(state, None)}"
                assert game.write(move) == text
                game.play(state, move)
            shown = f"{golden.title}, after {' '.join(moves)}:\n{game.show(state, None)}"
            assert [game.points(state, 0), game.points(state, 1)] == points, shown
        assert game.over(state), f"{golden.title}: the game is not over"
