"""A diagram: a position drawn for people, whose places can be clicked.

    def draw(position, seat):
        diagram = Diagram(30, 30, "an empty board, X to move")
        for move in range(9):
            x, y = 10 * (move % 3), 10 * (move // 3)
            diagram.rectangle(x, y, 10, 10, "cell")
            diagram.place(str(move), x, y, 10, 10, f"square {move}")
            diagram.way(move, str(move))
        return diagram

A game has such a function in its `diagram.py`. It draws what that seat may know, and everything for the seat None.
Lengths are in units of the diagram; the page scales it, and has a light and a dark form of every look.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from rulebots.errors import UsageError, unknown

#: What a shape may look like. `seat-0` to `seat-5` are pieces of each seat, `on-0` to `on-5` text upon them, `suit-0`
#: to `suit-5` kinds of cards; `last` marks what the last move changed, `ink` is text, `faint` matters less.
LOOKS = (
    "board", "cell", "line", "empty", "last", "won", "ink", "faint", "card", "back",
    *(f"{what}-{number}" for what in ("seat", "on", "suit") for number in range(6)),
)  # fmt: skip


@dataclass(frozen=True)
class Shape:
    """One element of a picture: a circle, a rect, a line or a text, with its numbers by the names that SVG has."""

    kind: str
    look: str
    numbers: tuple[tuple[str, float], ...]
    words: str = ""
    anchor: str = "middle"


@dataclass(frozen=True)
class Place:
    """A rectangle that a person can choose, and what it is called aloud."""

    name: str
    x: float
    y: float
    width: float
    height: float
    label: str
    oval: bool = False


class Diagram:
    """A picture of `width` by `height`, and `words` that say the same to those who do not see it.

    `ways` says which places a person chooses for a move, one or two in turn. A move without a way is a button
    beside the picture. All methods raise UsageError for what is not a finite number.
    """

    def __init__(self, width: float, height: float, words: str) -> None:
        self.width = _length("width", width)
        self.height = _length("height", height)
        self.words = words
        self.shapes: list[Shape] = []
        self.places: dict[str, Place] = {}
        self.ways: dict[int, tuple[str, ...]] = {}

    def circle(self, x: float, y: float, radius: float, look: str) -> None:
        """A circle around a point."""
        self._add("circle", look, cx=x, cy=y, r=radius)

    def rectangle(self, x: float, y: float, width: float, height: float, look: str, corner: float = 0.0) -> None:
        """A rectangle by its upper left corner; `corner` is the radius of its corners."""
        self._add("rect", look, x=x, y=y, width=width, height=height, rx=corner)

    def line(self, x1: float, y1: float, x2: float, y2: float, look: str = "line") -> None:
        """A line from one point to another."""
        self._add("line", look, x1=x1, y1=y1, x2=x2, y2=y2)

    def text(self, x: float, y: float, words: str, size: float, look: str = "ink", anchor: str = "middle") -> None:
        """A text whose middle is at that height; `anchor` says what of it is at x: its start, middle or end."""
        if anchor not in ("start", "middle", "end"):
            raise UsageError(unknown("anchor", anchor, ("start", "middle", "end"), "a text"))
        self._check(look)
        numbers = ("x", _number("x", x)), ("y", _number("y", y)), ("font-size", _length("size", size))
        self.shapes.append(Shape("text", look, numbers, str(words), anchor))

    def place(
        self, name: str, x: float, y: float, width: float, height: float, label: str, *, oval: bool = False
    ) -> None:
        """A rectangle that a person can choose; `label` says what is there.

        Raises:
            UsageError: there is a place of that name already.
        """
        if name in self.places:
            raise UsageError(f"the diagram has two places '{name}': expected a different name for each")
        x, y, width, height = _number("x", x), _number("y", y), _length("width", width), _length("height", height)
        self.places[name] = Place(name, x, y, width, height, str(label), oval)

    def way(self, move: int, *places: str) -> None:
        """Which places a person chooses, in turn, to make a move; one or two.

        Raises:
            UsageError: no place or more than two, or one that is not there.
        """
        if not 1 <= len(places) <= 2:
            raise UsageError(f"move {move}: expected one place or two, not {len(places)}")
        for name in places:
            if name not in self.places:
                raise UsageError(f"move {move}: {unknown('place', name, self.places, 'the diagram')}")
        self.ways[int(move)] = places

    def _add(self, kind: str, look: str, **numbers: float) -> None:
        self._check(look)
        self.shapes.append(Shape(kind, look, tuple((name, _number(name, number)) for name, number in numbers.items())))

    def _check(self, look: str) -> None:
        if look not in LOOKS:
            raise UsageError(unknown("look", look, LOOKS, "a diagram"))


def _number(name: str, number: float) -> float:
    """A finite number. Raises UsageError."""
    try:
        found = float(number)
    except (TypeError, ValueError):
        found = math.nan
    if not math.isfinite(found):
        raise UsageError(f"{name}: expected a finite number, not {number!r}")
    return found


def _length(name: str, number: float) -> float:
    """A number above 0. Raises UsageError."""
    found = _number(name, number)
    if found <= 0:
        raise UsageError(f"{name}: expected a number above 0, not {number!r}")
    return found
