"""A law as machine code plays the games of the law as Python."""

from __future__ import annotations

import numpy as np
import pytest
from recorded import _recorder, recorded

from rulebots.game import Game
from rulebots.game.dtypes import records
from rulebots.play.deals import draw_deals
from rulebots.registry import game_names, load_game

GAMES = [load_game(name) for name in game_names()]
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda g: g.name)


@pytest.mark.slow
@every_game
def test_interpreted_and_compiled_law_play_the_same_games(game: Game) -> None:
    deals = draw_deals(game, 3, 10)
    for number in range(3):
        compiled = recorded(deals, number)
        states, views = records(game.state, game.ply_cap + 1), records(game.view, game.ply_cap)
        legal = np.full((game.ply_cap, game.move_count), -1, np.int64)
        counts, chosen = np.zeros(game.ply_cap, np.int64), np.zeros(game.ply_cap, np.int64)
        game.setup.function(states[0], deals.cards[number], deals.options)
        luck = int(deals.luck[number, 0])
        plies = _recorder(game).function(states, views, legal, counts, chosen, luck)
        assert plies == compiled.plies
        assert states[: plies + 1].tobytes() == compiled.states.tobytes()
        assert views[:plies].tobytes() == compiled.views.tobytes()
        assert chosen[:plies].tolist() == compiled.chosen
