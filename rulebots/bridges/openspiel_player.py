"""OpenSpiel's Monte Carlo tree search as a player: `openspiel:mcts:simulations=1000`."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import metadata
from typing import Any

import numpy as np

from rulebots.errors import UsageError, optional_module
from rulebots.game import Game, Moves
from rulebots.game.position import Position
from rulebots.players import Needs, Player
from rulebots.players.specs import check_numbers, number, settings_of

_NAME = "openspiel:mcts"


@dataclass(frozen=True)
class SpielMctsSettings:
    """How OpenSpiel's MCTS searches: UCT with random rollouts, which proves what it can."""

    simulations: int = number(1000, 1, 10**9, "simulations per decision")
    c: float = number(2.0, 0.0, 1000.0, "exploration constant")
    rollouts: int = number(1, 1, 10**6, "random games that evaluate a leaf")

    def __post_init__(self) -> None:
        check_numbers(self, _NAME)


class SpielMctsPlayer(Player):
    """Searches each position from scratch, by the law of the package's game.

    Raises:
        UsageError: the game hides something, or OpenSpiel is not installed.
    """

    needs = Needs.POSITION

    def __init__(self, game: Game, settings: SpielMctsSettings, name: str) -> None:
        super().__init__(game, name)
        optional_module("pyspiel", "open-spiel", f"'{name}'")
        self.settings = settings

    def identity(self) -> object:
        """The settings decide, and OpenSpiel's version."""
        return type(self), self.game, self.settings, metadata.version("open_spiel")

    def choose(self, seen: Position, moves: Moves) -> int:
        """The move with the most visits; the position's random state is the seed."""
        from open_spiel.python.algorithms import mcts

        from rulebots.bridges.openspiel import SpielPosition

        game = self._spiel(seen.seats)
        state = game.new_initial_state()
        state.at = SpielPosition(seen)
        # The search in C++ ends the process if a game's law is in Python; the one in Python is the same algorithm.
        chance = np.random.RandomState(seen.random_state)
        evaluator = mcts.RandomRolloutEvaluator(self.settings.rollouts, chance)
        bot = mcts.MCTSBot(game, self.settings.c, self.settings.simulations, evaluator, random_state=chance)
        return int(bot.step(state))

    def _spiel(self, seats: int) -> Any:
        import pyspiel

        from rulebots.bridges.openspiel import register, spiel_name

        register(self.game)
        chosen = f"(seats={seats})" if "seats" in self.game.options else ""
        return pyspiel.load_game(f"{spiel_name(self.game)}{chosen}")


def player_of(spec: str, game: Game, seats: int | None = None) -> SpielMctsPlayer:
    """The player of that name.

    Raises:
        UsageError: not `openspiel:mcts:NAME=VALUE,...`, a game that hides something, or OpenSpiel is not installed.
    """
    if spec != _NAME and not spec.startswith(f"{_NAME}:"):
        raise UsageError(f"'{spec}': expected openspiel:mcts, or openspiel:mcts:simulations=1000")
    settings = settings_of(spec.removesuffix(":"), SpielMctsSettings, head=_NAME)
    return SpielMctsPlayer(game, settings, spec)
