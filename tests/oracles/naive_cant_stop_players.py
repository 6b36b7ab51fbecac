"""Players of Can't Stop in plain Python, as their authors describe them: the oracle of the compiled ones.

Of equal advances all of them take the one with the lowest column, then the one with the lowest other column; a single
column comes after two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from naive_cant_stop import Board, Columns, Dice, pairings, rolls


def in_order(choices: Iterable[Columns]) -> list[Columns]:
    return sorted(choices, key=lambda columns: (columns[0], columns[1] if len(columns) == 2 else 99))


@dataclass(frozen=True)
class RuleOf28:
    """Michael Keller's Rule of 28, with every number that Glenn and Aloi's genetic algorithm could change."""

    #: By steps off the middle column: points of a space when a turn is measured, and when pairings are compared.
    progress: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    choice: tuple[int, ...] = (6, 5, 4, 3, 2, 1)
    odds: int = 2
    evens: int = -2
    highs: int = 4
    lows: int = 4
    marker: int = 6
    threshold: int = 28

    def points(self, board: Board, runners: Mapping[int, int], values: tuple[int, ...]) -> int:
        """The points of a turn with these runners; each runner counts a space more."""
        middle, total = board.sides + 1, 0
        for column, space in runners.items():
            climbed = space - board.marks[board.turn].get(column, 0)
            total += (climbed + 1) * values[abs(column - middle)]
        return total

    def difficulty(self, board: Board, runners: Mapping[int, int]) -> int:
        """What three runners add that stand badly together; less than 0 where they stand well."""
        if len(runners) < 3:
            return 0
        middle, total = board.sides + 1, 0
        if all(column % 2 == 1 for column in runners):
            total += self.odds
        if all(column % 2 == 0 for column in runners):
            total += self.evens
        if all(column >= middle for column in runners):
            total += self.highs
        if all(column <= middle for column in runners):
            total += self.lows
        return total

    def counted(self, board: Board, runners: Mapping[int, int]) -> int:
        """The points that are compared with the threshold."""
        return self.points(board, runners, self.progress) + self.difficulty(board, runners)

    def advance(self, board: Board, choices: Iterable[Columns]) -> Columns:
        def score(columns: Columns) -> int:
            runners = board.after(board.runners, columns)
            assert runners is not None
            points = self.points(board, runners, self.choice)
            return points - self.marker * len(runners) - self.difficulty(board, runners)

        return max(in_order(choices), key=score)

    def stops(self, board: Board) -> bool:
        others = [c for c in board.tops if c not in board.winners and c not in board.runners]
        if len(board.runners) < 3 and others:
            return False
        return self.counted(board, board.runners) >= self.threshold


RULE_OF_28 = RuleOf28()
GLENN_ALOI = RuleOf28((1, 2, 2, 3, 7, 7), (3, 4, 0, 2, 0, 7), odds=7, evens=1, highs=6, lows=5, threshold=29)


class Cautious:
    """Takes the advance after which a bust is least likely; stops with no runner to place, or one on top."""

    def advance(self, board: Board, choices: Iterable[Columns]) -> Columns:
        def risk(columns: Columns) -> int:
            runners = board.after(board.runners, columns)
            assert runners is not None
            return sum(
                count
                for dice, count in rolls(board.sides).items()
                if not any(board.after(runners, (column,)) for pair in pairings(dice) for column in pair)
            )

        return min(in_order(choices), key=risk)

    def stops(self, board: Board) -> bool:
        free = len(board.runners) < 3 and any(c not in board.runners and c not in board.winners for c in board.tops)
        return not free or any(space == board.tops[c] for c, space in board.runners.items())


class Bold:
    """Takes the advance that climbs most, in shares of the usual columns; stops when a runner has reached a top."""

    def advance(self, board: Board, choices: Iterable[Columns]) -> Columns:
        def climbed(columns: Columns) -> Fraction:
            return sum((Fraction(1, 13 - 2 * abs(column - board.sides - 1)) for column in columns), Fraction())

        return max(in_order(choices), key=climbed)

    def stops(self, board: Board) -> bool:
        return any(space == board.tops[c] for c, space in board.runners.items())


PLAYERS = {"rule_of_28": RULE_OF_28, "glenn_aloi": GLENN_ALOI, "cautious": Cautious(), "bold": Bold()}


def played(players: Sequence[Any], rolls: Iterable[Dice], **options: int) -> tuple[int, ...]:
    """A game between a player for each seat with these rolls: the points of the seats, and plies, rolls included."""
    board, plies, dice = Board(seats=len(players), **options), 0, iter(rolls)
    while not board.over:
        player = players[board.turn]
        if board.rolling:
            board.roll(next(dice))
        elif board.dice is not None:
            board.advance(player.advance(board, board.advances(board.dice)))
        elif player.stops(board):
            board.stop()
        else:
            board.rolling = True
        plies += 1
    return *(board.points(seat) for seat in range(len(players))), plies


def turns_alone(player: Any, rolls: Iterable[Dice], **options: int) -> int:
    """How many turns a player needs to win without an opponent, busts included."""
    return -played([player], rolls, **options)[0]
