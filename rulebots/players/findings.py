"""What a search has found out about the moves of a position, and how it says so in a sentence."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from rulebots.game.position import Position
from rulebots.players.sentences import doing_of, expectation

#: Expectations of a search, of a chance to win and of points, that are closer than this are almost equal.
NEAR = 0.02
NEAR_POINTS = 0.1
#: Tries of a move that tell its value, unless its end is known: a poor one is soon dropped, and an unlucky one as well.
FEWEST = 10


@dataclass(frozen=True)
class Findings:
    """What a search expects of `moves`: its choice first, then the one to speak against, if any, then the best.

    `expected` are points, where those count, or chances to win: NaN for a move that was hardly tried. `counts` are the
    tries of each, if the search counts them; `proven` says whether it has seen the end of all that can follow. To
    each it has found the best of `answers`, -1 where it has none.
    """

    moves: Sequence[int]
    expected: Sequence[float]
    points: bool
    proven: Sequence[bool]
    counts: Sequence[int] = ()
    against: int | None = None
    answers: Sequence[int] = ()

    @property
    def values(self) -> list[str]:
        """What is expected of each move, in words; "" for one that was hardly tried."""
        return [
            expectation(one, points=self.points, proven=sure)
            for one, sure in zip(self.expected, self.proven, strict=True)
        ]

    @property
    def rival(self) -> int | None:
        """The move to speak against, else the next that does not look better; None if there is none.

        Where the ends of all are known, it leads to less.
        """
        known, best = all(self.proven), self.expected[:1]
        no_better = (
            move
            for move, one in zip(self.moves[1:], self.expected[1:], strict=True)
            if one < best[0] or ([one] == best and not known)
        )
        return next(no_better, None) if self.against is None else self.against

    def compared(self, deeds: Sequence[str]) -> str:
        """What the search expects of its choice, and of the next that does not look better: that was tried too little.

        `deeds` are what is done by the moves: `sowing pit 2`.
        """
        told = [f"{value}{' points' * self.points}" for value in self.values]
        rows = [row for row in zip(deeds, self.expected, told, strict=True) if row[1] <= self.expected[0]]
        after = [f"{said} after {deed}" for deed, _, said in rows[:2]]
        near = after[1:] and rows[0][1] - rows[1][1] < (NEAR_POINTS if self.points else NEAR)
        tie = f": {'almost ' * (rows[0][2] != rows[1][2])}equal" if near else ""
        better = [
            f" {deed[:1].upper()}{deed[1:]} looks better, {said}, but was tried less: {count} times."
            for deed, one, said, count in zip(deeds, self.expected, told, self.counts, strict=False)
            if self.against is None
            and one > self.expected[0]
            and said != told[0]
            and self.counts[0] / 2 <= count < self.counts[0]
        ]
        return (
            f"The search sees {', '.join(after).replace('%', '% to win', 1)}{tie}.{''.join(better[:1])}"
            if after
            else ""
        )

    def sentence(self, position: Position, names: Sequence[str]) -> str:
        """What the search expects of its choice, and of the other move, in sentences."""
        said = self.compared([self._answered(position, place, names) for place in range(len(self.moves))])
        if self.against is None:
            return said
        other = doing_of(position, self.against, names)
        if self.against not in self.moves or not self.values[1]:
            tried = "hardly tried" if self.against in self.moves and self.counts[1] else "did not try"
            return f"{said} It {tried} {other}."
        better = self.expected[1] > self.expected[0]
        return f"{said} It tried {other} too little to trust {self.values[1]}." if better else said

    def _answered(self, position: Position, place: int, names: Sequence[str]) -> str:
        """What is done by the move of a place, and how another seat may answer it where it is worse than the choice."""
        doing, gap = doing_of(position, self.moves[place], names), self.expected[0] - self.expected[place]
        answer = -1 if self.proven[place] or not self.answers else self.answers[place]
        if answer < 0 or not gap >= (NEAR_POINTS if self.points else NEAR):
            return doing
        twin = position.after(self.moves[place])
        if twin.mover == position.mover:
            return doing
        return f"{doing}, which {names[twin.mover]} may answer by {doing_of(twin, answer, names)}"


def findings_of(
    result: Any,
    position: Position,
    against: int | None = None,
    known: Mapping[int, float] = MappingProxyType({}),
) -> Findings | None:
    """The findings of a search, from its result in a position; None for a player without one.

    What is `known` of moves from elsewhere stands in place of what it expects of them.
    """
    move = getattr(result, "move", None)
    if move is None:
        return None
    moves = [int(one) for one in getattr(result, "moves", ())]
    points = getattr(result, "points", position.game.in_points(position.seats))
    counts: list[int] = []
    if hasattr(result, "rollouts"):
        counts, expected = result.rollouts.tolist(), result.wins.tolist()
    elif moves:
        counts, expected = result.visits.tolist(), (result.values if points else (result.values + 1) / 2).tolist()
    else:
        points = True
        moves, expected = ([int(move)], [result.value]) if hasattr(result, "value") else ([], [])
    proven = list(getattr(result, "proven", [False] * len(moves)))
    rows: list[Any] = [
        (one, known.get(one, math.nan if rare else value), sure, count)
        for one, value, sure, count in zip(moves, expected, proven, counts or [0] * len(moves), strict=True)
        for rare in [count < min(FEWEST, sum(counts)) and one != move and not sure]
    ]
    rows.sort(key=lambda row: (row[0] != move, row[0] != against, math.isnan(row[1]), -row[1]))
    moves, expected, proven, counts = ([row[i] for row in rows] for i in range(4))
    replies = dict(zip(map(int, getattr(result, "moves", ())), getattr(result, "answers", ()), strict=False))
    answers = [replies.get(one, -1) for one in moves]
    return Findings(moves, expected, points, proven, counts, None if against == move else against, answers)
