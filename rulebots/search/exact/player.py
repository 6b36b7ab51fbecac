"""The player `perfect`, which plays perfectly on boards small enough to tabulate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulebots.game import Game, Moves
from rulebots.game.position import Position
from rulebots.players import Needs, Player
from rulebots.players.specs import settings_of
from rulebots.search import check_root
from rulebots.search.exact.tablebase import Tablebase, best_moves, check_seats, is_shared, tablebase_finder


class PerfectPlayer(Player):
    """Plays a move with the best exact value; unless it wins, the hardest one to answer.

    `choose` raises UsageError if the board is too large to tabulate.

    Raises:
        UsageError: the game hides something, or never has fewer than three seats.
    """

    needs = Needs.POSITION

    def __init__(self, game: Game, name: str = "perfect") -> None:
        super().__init__(game, name)
        self._find_tablebase = tablebase_finder(game)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self.name)

    def identity(self) -> object:
        """What decides how it plays, and not what it has worked out or searched."""
        return type(self), self.game

    def check_seats(self, seats: int) -> None:
        """Raise UsageError where more than two play."""
        check_seats(self.game, seats)

    def choose(self, seen: Position, moves: Moves) -> int:
        """The best move; ties go to the one with the fewest right answers, then to the lowest number."""
        check_root(self.game, seen)
        base = self._find_tablebase(seen)
        best = best_moves(base, seen)
        if is_shared(seen) or base.value(seen) > 0:
            return best[0]
        return min(best, key=lambda move: (_right_answers(base, seen, move), move))


def _right_answers(base: Tablebase, position: Position, move: int) -> float:
    """The share of the legal answers to a move that keep the value of the position after it."""
    child = position.copy()
    child.play(move)
    return 0.0 if child.over or child.chance_to_move else len(best_moves(base, child)) / len(child.legal_moves)


@dataclass(frozen=True)
class PerfectSpec:
    """No settings."""


def player_of(spec: str, game: Game) -> PerfectPlayer:
    """The player of that name.

    Raises:
        UsageError: any setting, or a game that hides something.
    """
    settings_of(spec, PerfectSpec)
    return PerfectPlayer(game, spec)
