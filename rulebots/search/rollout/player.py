"""A player that plays out the moves that its guide finds about as good."""

from __future__ import annotations

from collections.abc import Sequence

from rulebots.game import Moves
from rulebots.game.position import Position
from rulebots.players import Needs, Player, RulePlayer
from rulebots.search.rollout.result import RolloutResult
from rulebots.search.rollout.search import RolloutSearch
from rulebots.search.rollout.settings import RolloutSettings


class RolloutPlayer(Player):
    """Searches every position it moves in; it remembers nothing but `result`, the last one.

    It is given determinizations only, and what its seat was told of the game's moves.

    Raises:
        UsageError: as `RolloutSearch` does.
    """

    needs = Needs.REDEALT

    def __init__(
        self, guide: RulePlayer, settings: RolloutSettings, opponents: Sequence[RulePlayer] = (), name: str = "rollout"
    ) -> None:
        super().__init__(guide.game, name)
        self._arguments = (guide, settings, tuple(opponents))
        #: The search that decides.
        self.search = RolloutSearch(guide, settings, opponents)
        self.result: RolloutResult | None = None

    def identity(self) -> object:
        """What decides how it plays, and not what it has worked out."""
        return type(self), self._arguments

    def choose(self, seen: Position, moves: Moves) -> int:
        """The move that the search chooses; the position's random state is its seed."""
        self.result = self.search.run(seen)
        return self.result.move

    def stop(self) -> None:
        """End the running search, from any thread: the player then plays the best move so far."""
        self.search.stop()

    def for_one_game(self) -> RolloutPlayer:
        """The same player with a search of its own, compiled: that is not part of the time for a move."""
        player = RolloutPlayer(*self._arguments, name=self.name)
        player.search.prepare()
        return player
