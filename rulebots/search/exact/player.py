"""A player that plays perfectly, on boards small enough to tabulate."""

from __future__ import annotations

from rulebots.game import Game, Moves, State
from rulebots.players import Needs, Player
from rulebots.position import Position, law_of
from rulebots.search.exact.tablebase import Tablebase, after, best_moves, legal_moves, tablebase_finder


class PerfectPlayer(Player):
    """Plays a move with the best exact value; unless it wins, the hardest one to answer.

    `choose` raises UsageError if the board is too large to tabulate.

    Raises:
        UsageError: the game hides something.
    """

    needs = Needs.POSITION

    def __init__(self, game: Game, name: str = "perfect") -> None:
        super().__init__(game, name)
        self._find_tablebase = tablebase_finder(game)

    def identity(self) -> object:
        """What decides how it plays, and not what it has worked out or searched."""
        return type(self), self.game

    def choose(self, seen: Position, moves: Moves) -> int:
        """The best move; ties go to the one with the fewest right answers, then to the lowest number."""
        state, base = seen.state, self._find_tablebase(seen.state)
        best = best_moves(self.game, base, state, moves)
        if base.value(state) > 0:
            return best[0]
        return min(best, key=lambda move: (self._right_answers(base, after(self.game, state, move)), move))

    def _right_answers(self, base: Tablebase, state: State) -> float:
        """The share of the legal moves that keep the value of the position."""
        if law_of(self.game).over(state):
            return 0.0
        moves = legal_moves(self.game, state)
        return len(best_moves(self.game, base, state, moves)) / len(moves)
