"""A player that decides by Monte Carlo tree search."""

from __future__ import annotations

from rulebots.game import Game, Moves
from rulebots.players import Needs, Player, RulePlayer
from rulebots.position import Position
from rulebots.search.mcts.evaluators import Evaluator
from rulebots.search.mcts.result import SearchResult
from rulebots.search.mcts.search import Search
from rulebots.search.mcts.settings import SearchSettings


class MctsPlayer(Player):
    """Searches at every decision, in one tree a game; the arguments are those of `Search`.

    `result` is what the last search found, None before the first.

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
        evaluator: Evaluator | None = None,
        name: str = "mcts",
    ) -> None:
        super().__init__(game, name)
        self._given = (settings, rollout, prior, evaluator)
        self._search = Search(game, *self._given)
        self.result: SearchResult | None = None

    def choose(self, seen: Position, moves: Moves) -> int:
        """The best move found; all that is random comes from the position's random state."""
        self.result = self._search.run(seen.state, seen.random_state)
        return self.result.move

    def stop(self) -> None:
        """End the search that is running, from any thread: the player then takes the best move so far."""
        self._search.stop()

    def for_one_game(self) -> MctsPlayer:
        """A player like this with a tree of its own."""
        return MctsPlayer(self.game, *self._given, name=self.name)
