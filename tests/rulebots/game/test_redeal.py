"""Redeals: what the mover cannot know, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from recorded import recorded

from rulebots.game import Game
from rulebots.game.compiled import law_of
from rulebots.game.dtypes import records
from rulebots.packages import game_names, load_game
from rulebots.play.deals import draw_deals

ALL_GAMES = [load_game(name) for name in game_names()]
every_game = pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.name)
every_game_that_hides_something = pytest.mark.parametrize(
    "game", [game for game in ALL_GAMES if game.hidden], ids=lambda game: game.name
)


@every_game
def test_a_game_can_be_redealt_where_it_hides_something(game: Game) -> None:
    assert (game.redeal is not None) == game.hidden, f"{game.name}: lessons need a redeal"


@pytest.mark.slow
@every_game_that_hides_something
def test_a_redeal_changes_only_what_the_mover_cannot_know(game: Game) -> None:
    assert game.redeal is not None, f"{game.name} hides something: nobody can learn it from lessons"
    law, luck, differs = law_of(game), 12345, 0
    for number in range(4):
        record = recorded(draw_deals(game, 4, 8), number)
        for state in record.states[: record.plies]:
            other = records(game.state, 1)
            other[0] = state
            luck = game.redeal(other[0], luck)
            differs += other[0].tobytes() != state.tobytes()
            views = game.new_view(), game.new_view()
            law.observe(state, views[0])
            law.observe(other[0], views[1])
            assert views[0].tobytes() == views[1].tobytes()
    assert differs > 30


@every_game_that_hides_something
def test_a_redeal_tells_nothing_of_what_it_dealt_again(game: Game) -> None:
    """Positions that the mover cannot tell apart give the same redeal, byte for byte."""
    assert game.redeal is not None
    record = recorded(draw_deals(game, 2, 8), 1)
    for ply in range(0, record.plies, 5):
        one, other = records(game.state, 1), records(game.state, 1)
        one[0] = other[0] = record.states[ply]
        game.redeal(other[0], 4242)
        for luck in (1, 99):
            again = one.copy(), other.copy()
            for state in again:
                game.redeal(state[0], luck)
            assert all(np.array_equal(again[0][name], again[1][name]) for name in game.state.names or ())
