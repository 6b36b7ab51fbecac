"""How far solving has come, and what is left as far as anybody can tell."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.game.random_numbers import next_luck

#: Random games whose length tells how deep a search has to go.
SAMPLE = 10
#: A search that will take longer than this, as it grows, is hopeless; nobody asks before it has gone on for a while.
HOPELESS_SECONDS, PATIENCE_SECONDS = 365.25 * 24 * 3600, 5.0


class Progress(NamedTuple):
    """What is known so far: nodes visited, seconds taken, the plies of the last complete search, bounds of the value.

    `expected` are the nodes of the whole search, if it goes on growing as it did. What does not apply is None.
    """

    nodes: int
    seconds: float
    depth: int | None = None
    bounds: tuple[int, int] | None = None
    expected: float | None = None

    def __str__(self) -> str:
        known = [f"{self.nodes:,} positions", f"{self.seconds:.0f} s"]
        if self.depth is not None:
            known.insert(0, f"{self.depth} plies deep")
        if self.bounds is not None:
            known.append("value {:+d} to {:+d}".format(*self.bounds))
        if self.expected is not None:
            known.append(f"of some {self.expected:.0e} positions")
        return ", ".join(known)


Watch: TypeAlias = Callable[[Progress], None]


class Outlook:
    """Extrapolates a search that deepens ply by ply: its nodes grow by a factor a ply until the game's usual length."""

    def __init__(self, position: Position) -> None:
        self._length = usual_length(position)
        self._nodes: list[int] = []

    def after(self, depth: int, nodes: int) -> float | None:
        """The nodes of the whole search, given those of `depth` complete plies; None while that is too few to tell."""
        while len(self._nodes) < depth:
            self._nodes.append(nodes)
        if depth < 4 or depth >= self._length:
            return None
        growth = math.sqrt(self._nodes[-1] / max(self._nodes[-3], 1))
        with_rest = math.log10(max(nodes, 1)) + (self._length - depth) * math.log10(max(growth, 1.0))
        return float(10.0 ** min(with_rest, 300.0))


def usual_length(position: Position) -> float:
    """The mean number of plies of random games from a position on, none longer than the game allows."""
    plies, luck = 0, 1
    for _ in range(SAMPLE):
        here, begun = position.copy(), position.plies
        while not here.over and here.plies < position.game.ply_cap:
            luck = next_luck(luck)
            moves = here.legal_moves
            here.play(int(moves[luck % len(moves)]))
        plies += here.plies - begun
    return plies / SAMPLE


def check_hope(progress: Progress, title: str) -> None:
    """Raise UsageError, with an estimate, where a search will not end in anybody's time."""
    if progress.expected is not None and progress.seconds >= PATIENCE_SECONDS:
        refuse_hopeless(progress.expected, progress.nodes / progress.seconds, title)


def refuse_hopeless(expected: float, pace: float, title: str) -> None:
    """Raise UsageError where so many positions, at so many a second, take longer than anybody waits."""
    seconds = expected / pace
    if seconds > HOPELESS_SECONDS:
        raise UsageError(
            f"{title}: this is hopeless: some {expected:.0e} positions at {pace:,.0f} a second take "
            f"{seconds / HOPELESS_SECONDS:.0e} years. Choose a smaller board, or a later --position; --anyway tries it"
        )
