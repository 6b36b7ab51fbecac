"""Circle elimination once more, slow and obvious: the oracle of its law, and of who wins."""

from __future__ import annotations

import functools

Stone = tuple[int, int]
Line = tuple[Stone, ...]


def triangle(size: int) -> frozenset[Stone]:
    return frozenset((row, col) for row in range(size) for col in range(row + 1))


def lines(live: frozenset[Stone], eliminate: int) -> set[Line]:
    """Every set of 1 to `eliminate` adjacent live stones in a row, a column or a diagonal, in order."""
    found = set()
    for row, col in live:
        for down, right in ((0, 1), (1, 0), (1, 1)):
            line: list[Stone] = []
            while len(line) < eliminate and (row + down * len(line), col + right * len(line)) in live:
                line.append((row + down * len(line), col + right * len(line)))
                found.add(tuple(line))
    return found


def word(line: Line) -> str:
    """A line as a player types it."""
    ends = line[:1] if len(line) == 1 else (line[0], line[-1])
    return ",".join(f"{row},{col}" for row, col in ends)


def perft(live: frozenset[Stone], eliminate: int, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(perft(live.difference(line), eliminate, depth - 1) for line in lines(live, eliminate))


@functools.cache
def mover_wins(live: frozenset[Stone], eliminate: int, last_wins: bool) -> bool:
    """By trying everything. With no stone left the other side has just taken the last one."""
    if not live:
        return not last_wins
    return any(not mover_wins(live.difference(line), eliminate, last_wins) for line in lines(live, eliminate))
