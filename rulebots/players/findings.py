"""What a search has found out about the moves of a position, and how it says so in a sentence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from rulebots.game.position import Position
from rulebots.players.sentences import deeds_of, expectation, plainly, sentence_of_search


@dataclass(frozen=True)
class Findings:
    """What a search expects of `moves`, its choice first, then the one to speak against, if there is one.

    `expected` are points, where those count, or chances to win: NaN for a move without a try. `counts` are the tries of
    each, if the search counts them; `proven` says whether it has seen the end of all that can follow.
    """

    moves: Sequence[int]
    expected: Sequence[float]
    points: bool
    proven: Sequence[bool]
    counts: Sequence[int] = ()
    against: int | None = None

    @property
    def asked(self) -> int | None:
        """The move to speak against, unless it is the choice itself."""
        return None if self.against in self.moves[:1] else self.against

    @property
    def values(self) -> list[str]:
        """What is expected of each move, in words; "" for one without a try."""
        pairs = zip(self.expected, self.proven, strict=True)
        return [expectation(one, points=self.points, proven=sure) for one, sure in pairs]

    @property
    def rival(self) -> int | None:
        """The move to speak against, else the next that does not look better; None if it looks just as good."""
        values = dict(zip(self.moves, self.values, strict=True))
        no_better = (move for move, one in zip(self.moves, self.expected, strict=True) if one <= self.expected[0])
        rival = [*no_better][1:2] if self.asked is None else [self.asked]
        return next((move for move in rival if values.get(move) != values[self.moves[0]]), None)

    def sentence(self, position: Position, names: Sequence[str]) -> str:
        """What the search expects of its choice, and of the other move, in sentences."""
        deeds = deeds_of(position, self.moves, names, doing=True)
        said = sentence_of_search(deeds, self.expected, points=self.points, proven=self.proven)
        if self.asked is None:
            return said
        [other] = map(plainly, deeds_of(position, [self.asked], names, doing=True))
        if self.asked not in self.moves or not self.values[1]:
            return f"{said} It did not try {other}."
        better = self.expected[1] > self.expected[0]
        return f"{said} It tried {other} too little to trust {self.values[1]}." if better else said


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
    order = sorted(range(len(moves)), key=lambda i: (moves[i] != move, moves[i] != against))
    points = getattr(result, "points", position.game.in_points(position.seats))
    counts: list[int] = []
    if hasattr(result, "rollouts"):
        counts, expected = result.rollouts[order].tolist(), result.wins[order].tolist()
    elif moves:
        counts, values = result.visits[order].tolist(), result.values[order]
        expected = (values if points else (values + 1) / 2).tolist()
    else:
        points = True
        moves, order, expected = ([int(move)], [0], [result.value]) if hasattr(result, "value") else ([], [], [])
    moves = [moves[i] for i in order]
    return Findings(
        moves,
        [known.get(one, value) for one, value in zip(moves, expected, strict=True)],
        points,
        result.proven[order].tolist() if hasattr(result, "proven") else [False] * len(moves),
        counts,
        against,
    )
