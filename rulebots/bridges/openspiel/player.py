"""A player that decides by OpenSpiel's Monte Carlo tree search."""

from __future__ import annotations

from functools import cached_property
from importlib import metadata
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from rulebots.bridges.openspiel.games import Place, register, spiel_name
from rulebots.bridges.openspiel.spec import SpielMctsSettings
from rulebots.game import Game, Moves
from rulebots.game.position import Position
from rulebots.players import Needs, Player


class SpielMctsPlayer(Player):
    """Searches each position anew, by the law of our game.

    Raises:
        UsageError: the game hides something.
    """

    needs = Needs.POSITION

    def __init__(self, game: Game, settings: SpielMctsSettings, name: str) -> None:
        super().__init__(game, name)
        self.settings = settings

    def identity(self) -> object:
        """The settings decide, and OpenSpiel's version."""
        return type(self), self.game, self.settings, metadata.version("open_spiel")

    def choose(self, seen: Position, moves: Moves) -> int:
        """The move with the most visits; the position's random state is the seed."""
        state = self._spiel.new_initial_state()
        state.at = Place(seen)
        # Its search in C++ ends the process where a game's law is in Python; the one in Python is the same algorithm.
        chance = np.random.RandomState(seen.random_state)
        evaluator = mcts.RandomRolloutEvaluator(self.settings.rollouts, chance)
        bot = mcts.MCTSBot(self._spiel, self.settings.c, self.settings.simulations, evaluator, random_state=chance)
        return int(bot.step(state))

    @cached_property
    def _spiel(self) -> Any:
        register(self.game)
        return pyspiel.load_game(spiel_name(self.game))
