"""A player that decides by Monte Carlo tree search."""

from __future__ import annotations

from rulebots.errors import UsageError
from rulebots.game import Game, Moves
from rulebots.game.position import Position
from rulebots.kernel.time_limit import afterwards
from rulebots.players import Needs, Player, RulePlayer
from rulebots.search.mcts.evaluators import EvaluatorFunction
from rulebots.search.mcts.parallel import ParallelSearch
from rulebots.search.mcts.search import MctsResult, Search
from rulebots.search.mcts.settings import SearchSettings


class MctsPlayer(Player):
    """Searches every position it moves in, with one tree per game; the arguments are those of `Search`.

    `result` is the result of the last search, None before the first one.

    Raises:
        UsageError: as `Search` does.
    """

    needs = Needs.POSITION

    def __init__(
        self,
        game: Game,
        settings: SearchSettings,
        rollout: RulePlayer | None = None,
        prior: RulePlayer | None = None,
        evaluator: EvaluatorFunction | None = None,
        name: str = "mcts",
    ) -> None:
        super().__init__(game, name)
        if settings.threads > 1 and evaluator is not None:
            raise UsageError("mcts: an evaluator in Python runs in one thread: leave out 'threads'")
        self._arguments = (settings, rollout, prior, evaluator)
        self._search = (
            Search(game, *self._arguments) if settings.threads == 1 else ParallelSearch(game, settings, rollout, prior)
        )
        self.result: MctsResult | None = None

    def identity(self) -> object:
        """What decides how it plays, and not what it has worked out or searched."""
        return type(self), self.game, self._arguments

    def choose(self, seen: Position, moves: Moves) -> int:
        """The move that the search chooses; the position's random state is its seed."""
        with afterwards(self.clock_seconds, self.stop):
            self.result = self._search.run(seen, seen.random_state)
        return self.result.move

    def stop(self) -> None:
        """End the running search, from any thread: the player then plays the best move so far."""
        self._search.stop()

    def for_one_game(self) -> MctsPlayer:
        """The same player with a tree of its own."""
        return MctsPlayer(self.game, *self._arguments, name=self.name)
