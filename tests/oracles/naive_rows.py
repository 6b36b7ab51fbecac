"""Games of k in a row once more, slow and obvious: boards as {(row, column): stone}."""

from __future__ import annotations

import functools

Point = tuple[int, int]
Board = dict[Point, int]
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def rows_through(board: Board, point: Point) -> list[int]:
    """How many stones like that on the point stand in a row with it, in each direction."""
    found = []
    for down, across in DIRECTIONS:
        stones = 1
        for sign in (1, -1):
            row, column = point[0] + sign * down, point[1] + sign * across
            while board.get((row, column)) == board[point]:
                stones, row, column = stones + 1, row + sign * down, column + sign * across
        found.append(stones)
    return found


def wins(board: Board, point: Point, wanted: int, exactly: bool) -> bool:
    return any(stones == wanted or (stones > wanted and not exactly) for stones in rows_through(board, point))


def line_seen(board: Board, point: Point, direction: Point, mine: int, size: int) -> str:
    """Five points on either side of a stone of mine on that point: `x` mine, `.` empty, `o` anything else."""
    seen = ""
    for distance in range(-5, 6):
        row, column = point[0] + distance * direction[0], point[1] + distance * direction[1]
        inside = 0 <= row < size and 0 <= column < size
        stone = board.get((row, column)) if inside else -1
        seen += "x" if distance == 0 or stone == mine else "." if stone is None else "o"
    return seen


def makes_five(line: str, exactly: bool) -> bool:
    before, after = line[5::-1], line[5:]
    stones = len(before) - len(before.lstrip("x")) + len(after) - len(after.lstrip("x")) - 1
    return stones == 5 or (stones > 5 and not exactly)


@functools.cache
def shape(line: str, exactly: bool) -> str:
    """What the stone in the middle of a line is part of, by trying every next stone."""
    if makes_five(line, exactly):
        return "five"
    follow = [shape(line[:i] + "x" + line[i + 1 :], exactly) for i in range(11) if line[i] == "."]
    if fives := follow.count("five"):
        return "open four" if fives > 1 else "four"
    for after, before in (("open four", "open three"), ("four", "three"), ("open three", "open two"), ("three", "two")):
        if after in follow:
            return before
    return "room" if {"open two", "two"} & set(follow) else "dead"
