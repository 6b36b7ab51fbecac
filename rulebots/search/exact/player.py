"""`perfect`: a player that never gives away what it has, on boards small enough to tabulate."""

from __future__ import annotations

from rulebots.game import Game, Moves, State
from rulebots.players import Needs, Player
from rulebots.position import Position, law_of
from rulebots.search.exact.tablebase import Tablebase, after, best_moves, legal_moves, tablebases


class PerfectPlayer(Player):
    """Plays a move of the greatest exact value; where it does not win, the one that is hardest to answer.

    Raises (when it is asked for a move):
        UsageError: the board is too large to tabulate.
    """

    needs = Needs.POSITION

    def __init__(self, game: Game, name: str = "perfect") -> None:
        super().__init__(game, name)
        self._base_of = tablebases(game)

    def choose(self, seen: Position, moves: Moves) -> int:
        """The best move; among equals the one that leaves the fewest right answers, then the lowest number."""
        state, base = seen.state, self._base_of(seen.state)
        best = best_moves(self.game, base, state, moves)
        if base.value(state) > 0:
            return best[0]
        return min(best, key=lambda move: (self._right_answers(base, after(self.game, state, move)), move))

    def _right_answers(self, base: Tablebase, state: State) -> float:
        """The share of the moves here that give nothing away."""
        if law_of(self.game).over(state):
            return 0.0
        moves = legal_moves(self.game, state)
        return len(best_moves(self.game, base, state, moves)) / len(moves)
