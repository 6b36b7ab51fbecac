"""A player that decides by minimax."""

from __future__ import annotations

from rulebots.game import Game, Moves
from rulebots.players import Needs, Player, RulePlayer
from rulebots.position import Position
from rulebots.search.minimax.search import TABLE_MEGABYTES, Found, Limits, Minimax


class MinimaxPlayer(Player):
    """Searches at every decision, with one table a game; `guide` and `megabytes` are those of `Minimax`.

    `found` is what the last search found, None before the first.

    Raises:
        UsageError: the game hides something.
    """

    needs = Needs.POSITION

    def __init__(
        self,
        game: Game,
        limits: Limits,
        guide: RulePlayer | None = None,
        megabytes: float = TABLE_MEGABYTES,
        name: str = "minimax",
    ) -> None:
        super().__init__(game, name)
        self._given = (limits, guide, megabytes)
        self._search: Minimax | None = None
        self.found: Found | None = None

    def choose(self, seen: Position, moves: Moves) -> int:
        """The best move found within the limits; nothing is left to chance."""
        if self._search is None:
            _, guide, megabytes = self._given
            self._search = Minimax(self.game, guide, megabytes)
        self.found = self._search.best(seen.state, self._given[0])
        return self.found.move

    def for_one_game(self) -> MinimaxPlayer:
        """A player like this with a table of its own."""
        return MinimaxPlayer(self.game, *self._given, name=self.name)
