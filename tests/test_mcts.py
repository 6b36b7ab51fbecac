"""What Monte Carlo tree search promises, in every game in which nothing is hidden."""

from __future__ import annotations

from typing import Any

import pytest
from recorded import recorded

from rulebots.game import Game, game_names, load_game
from rulebots.matches import draw_deals
from rulebots.search.mcts import Search
from rulebots.search.mcts_settings import SearchSettings

OPEN_GAMES = [game for name in game_names() if not (game := load_game(name)).hidden]
every_game = pytest.mark.parametrize("game", OPEN_GAMES, ids=lambda g: g.name)


def small(game: Game) -> dict[str, int]:
    """Options that make a game short."""
    return {name: value for name, value in {"size": 5, "pits": 3, "stones": 2}.items() if name in game.options} | (
        {"size": 3, "win": 3} if game.name == "tictactoe" else {}
    )


def positions(game: Game, every: int) -> list[tuple[Any, list[int]]]:
    """States of a random game with their legal moves."""
    record = recorded(draw_deals(game, 1, 1, options=small(game)), 0)
    return list(zip(record.states, record.legal, strict=False))[::every]


@every_game
def test_moves_are_legal_and_the_simulations_are_counted(game: Game) -> None:
    search = Search(game, SearchSettings(iterations=40))
    for state, legal in positions(game, 5):
        before = state.tobytes()
        result = search.run(state, 1)
        assert result.move == result.moves[0]
        assert sorted(result.moves.tolist()) == sorted(legal)
        assert result.simulations == result.visits.sum() == 40 or result.proven[0]
        assert state.tobytes() == before


@every_game
def test_the_same_seed_gives_the_same_search(game: Game) -> None:
    (state, _), *_ = positions(game, 5)
    results = [Search(game, SearchSettings(iterations=60)).run(state, seed) for seed in (1, 1, 2)]
    visits = [dict(zip(r.moves.tolist(), r.visits.tolist(), strict=True)) for r in results]
    assert visits[0] == visits[1]
    assert visits[0] != visits[2]
