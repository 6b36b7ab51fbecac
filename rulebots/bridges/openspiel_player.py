"""OpenSpiel's bots as players: `openspiel:mcts:simulations=1000`, of any game; and some for games of OpenSpiel itself.

Those are asked with OpenSpiel's own state. Where something is hidden, that is one in which it was dealt again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from typing import Any

import numpy as np

from rulebots.errors import demand, optional_module
from rulebots.game import Game, Moves
from rulebots.game.position import Position
from rulebots.players import Needs, Player
from rulebots.players.specs import check_numbers, number, settings_of

_NAME = "openspiel:mcts"
#: How the names of OpenSpiel's own games begin (rulebots/live/openspiel.py).
_OWN = "openspiel:"
#: Megabytes of a search's tree.
MEMORY = 1000


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
        import pyspiel
        from open_spiel.python.algorithms import mcts

        settings = self.settings
        if seen.game.name.startswith(_OWN):
            state = _live_state(seen)
            game = state.get_game()
            if not game.get_type().short_name.startswith("python_"):
                seed = seen.random_state % 2**31
                rollouts = pyspiel.RandomRolloutEvaluator(settings.rollouts, seed)
                fast = pyspiel.MCTSBot(game, rollouts, settings.c, settings.simulations, MEMORY, True, seed, False)
                return int(fast.step(state))
        else:
            game, state = self._bridged(seen)
        # The search in C++ ends the process if a game's law is in Python; the one in Python is the same algorithm.
        chance = np.random.RandomState(seen.random_state)
        evaluator = mcts.RandomRolloutEvaluator(settings.rollouts, chance)
        bot = mcts.MCTSBot(game, settings.c, settings.simulations, evaluator, random_state=chance)
        return int(bot.step(state))

    def _bridged(self, seen: Position) -> tuple[Any, Any]:
        """A position of this package's as OpenSpiel's game and state."""
        import pyspiel

        from rulebots.bridges.openspiel import register, spiel_name

        register(self.game)
        chosen = f"(seats={seen.seats})" if "seats" in self.game.options else ""
        game = pyspiel.load_game(f"{spiel_name(self.game)}{chosen}")
        state = game.new_initial_state()
        state.position = seen
        return game, state


class GinPlayer(Player):
    """OpenSpiel's simple bot for gin rummy, in OpenSpiel's own game.

    It is asked in a position in which what it cannot know was dealt again; it looks at its own cards and the discards.
    """

    needs = Needs.REDEALT
    bot: Any = None

    def identity(self) -> object:
        """OpenSpiel's version decides."""
        return type(self), self.game, metadata.version("open_spiel")

    def begin_game(self, seat: int, options: Mapping[str, int]) -> None:
        """A bot for this game: when it knocks, it plans how it lays down its hand."""
        self.bot = None

    def choose(self, seen: Position, moves: Moves) -> int:
        """The bot's move."""
        import pyspiel

        state = _live_state(seen)
        if self.bot is None:
            self.bot = pyspiel.make_simple_gin_rummy_bot(state.get_game().get_parameters(), seen.mover)
        return int(self.bot.step(state))


def _live_state(position: Position) -> Any:
    """OpenSpiel's state of a position of one of its own games, for the caller to change."""
    assert position.game.live is not None
    return position.game.live.taken(position.state)


def player_of(spec: str, game: Game, seats: int | None = None) -> Player:
    """The player of that name.

    Raises:
        UsageError: not `openspiel:mcts:NAME=VALUE,...`, nor the bot of this game; a game that hides something; or
            OpenSpiel is not installed.
    """
    if spec == "openspiel:simple_gin_rummy" and game.name.startswith(f"{_OWN}gin_rummy"):
        return GinPlayer(game, spec)
    demand(
        spec == _NAME or spec.startswith(f"{_NAME}:"),
        f"'{spec}': expected openspiel:mcts, or openspiel:mcts:simulations=1000",
    )
    return SpielMctsPlayer(game, settings_of(spec.removesuffix(":"), SpielMctsSettings, head=_NAME), spec)
