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

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

from rulebots.errors import UsageError, check_known, demand, unknown

#: What a shape may look like. `seat-0` to `seat-9` are pieces of each seat, `on-0` to `on-9` text upon them, `suit-0`
#: to `suit-5` kinds of cards; `last` marks what the last move changed, `won` what has won, `ink` is text, `faint`
#: matters less.
LOOKS = (
    "board", "cell", "line", "empty", "last", "won", "ink", "faint", "card", "back", "seed",
    *(f"{what}-{number}" for what, count in (("seat", 10), ("on", 10), ("suit", 6)) for number in range(count)),
)  # fmt: skip
_HEART = tuple(
    (
        round(math.sin(math.pi * k / 14) ** 3, 2),
        round(sum(by * math.cos(n * math.pi * k / 14) for n, by in ((1, -13), (2, 5), (3, 2), (4, 1))) / 16, 2),
    )
    for k in range(29)
)
#: What tells kinds of cards apart besides their colours: for each symbol, its corners in a square from -1 to 1.
SYMBOLS: Mapping[str, tuple[tuple[float, float], ...]] = {
    "triangle": ((0, -0.95), (1, 0.8), (-1, 0.8)),
    "square": ((-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)),
    "diamond": ((0, -1), (0.8, 0), (0, 1), (-0.8, 0)),
    "star": tuple(
        ((1, 0.42)[k % 2] * math.sin(math.pi * k / 5), -(1, 0.42)[k % 2] * math.cos(math.pi * k / 5)) for k in range(10)
    ),
    "cross": (
        (-0.35, -1), (0.35, -1), (0.35, -0.35), (1, -0.35), (1, 0.35), (0.35, 0.35),
        (0.35, 1), (-0.35, 1), (-0.35, 0.35), (-1, 0.35), (-1, -0.35), (-0.35, -0.35),
    ),
    "heart": _HEART,
    "spade": (*((right, 0.1 - 0.9 * down) for right, down in _HEART), (-0.35, 1), (0.35, 1)),
    "club": (
        *(
            (
                0.52 * math.sin(turn * math.pi / 1.5) + 0.46 * math.sin(turn * math.pi / 1.5 + k * math.pi / 8),
                -0.1 - 0.52 * math.cos(turn * math.pi / 1.5) - 0.46 * math.cos(turn * math.pi / 1.5 + k * math.pi / 8),
            )
            for turn in range(3)
            for k in range(-8, 9)
        ),
        (0, 0), (-0.35, 1), (0.35, 1), (0, 0),
    ),
    "hexagon": tuple((0.95 * math.cos(math.pi * k / 3), 0.95 * math.sin(math.pi * k / 3)) for k in range(6)),
}  # fmt: skip

#: What of a text is at its x.
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True)
class Shape:
    """One element of a picture, a circle, a rect, a line, a text or a polygon, with its numbers by SVG's names.

    The corners of a polygon are its `words`. A text that names a `seat` follows a dot of its colour.
    """

    kind: str
    look: str
    numbers: tuple[tuple[str, float], ...]
    words: str = ""
    anchor: Anchor = "middle"
    seat: int | None = None

    @classmethod
    def of(cls, kind: str, look: str, words: str = "", anchor: Anchor = "middle", **numbers: float) -> Self:
        """A shape with these numbers; `font_size` is the number `font-size`."""
        return cls(
            kind, look, tuple((name.replace("_", "-"), number) for name, number in numbers.items()), words, anchor
        )


@dataclass(frozen=True)
class Place:
    """A rectangle that a person can choose, what it is called aloud, and what is wanted once it is chosen."""

    name: str
    x: float
    y: float
    width: float
    height: float
    label: str
    oval: bool = False
    then: str = ""

    @property
    def middle(self) -> tuple[float, float]:
        """The point in its middle."""
        return self.x + self.width / 2, self.y + self.height / 2


@dataclass(frozen=True)
class Piece:
    """Shapes that are one thing and move together: those from `first` on, before `end`. See `Diagram.piece`."""

    key: str
    first: int
    end: int
    step: int
    start: str
    marked: bool


class Diagram:
    """A picture of `width` by `height`, and `words` that say the same to those who do not see it.

    In `words` and in labels of places the page writes the name of seat 1 in place of `{1}`.

    `ways` says which places a person chooses for a move, one or two in turn. A move without a way is a button beside
    the picture; `spots` says what places it is about, each of which makes it too if no other move is about it. `pieces`
    are what is seen to move from one diagram to the next. A place comes before the ways, spots and pieces that name it.
    `copies` are places that begin the same ways as another one: the second of two equal cards.
    `close` is the part that stands for the whole in a small picture: left, top, width, height.
    All methods raise UsageError for what is not a finite number, for lengths not above 0 and unknown looks.
    """

    def __init__(self, width: float, height: float, words: str) -> None:
        self.width = _number("width", width, length=True)
        self.height = _number("height", height, length=True)
        self.words = words
        self.close = (0.0, 0.0, self.width, self.height)
        self.shapes: list[Shape] = []
        self.places: dict[str, Place] = {}
        self.ways: dict[int, tuple[str, ...]] = {}
        self.spots: dict[int, tuple[str, ...]] = {}
        self.copies: dict[str, str] = {}
        self.pieces: list[Piece] = []

    @contextmanager
    def piece(self, key: str, *, step: int = 0, start: str = "", marked: bool = False) -> Iterator[None]:
        """What is drawn inside the block is one piece: a stone, a card, a seed.

        The browser matches the pieces of two boards by key: pieces that have moved glide, new ones appear, coming from
        the place `start` if there is one, and missing ones fade. Pieces may share a key (seeds): first those that have
        not moved are matched, then the others in the order of `step`. Lower steps move earlier.
        A `marked` piece is outlined: what the opponent has moved last.

        Raises:
            UsageError: an empty piece, or an unknown place.
        """
        self._check_places(f"piece '{key}'", *[start] * bool(start))
        first = len(self.shapes)
        yield
        demand(first != len(self.shapes), f"piece '{key}': expected a shape within")
        self.pieces.append(Piece(str(key), first, len(self.shapes), int(step), start, marked))

    def layers(self) -> Iterator[tuple[Piece | None, Sequence[Shape]]]:
        """The shapes in their order, grouped: those of each piece, and with None those between two pieces."""
        drawn = 0
        for piece in self.pieces:
            yield None, self.shapes[drawn : piece.first]
            yield piece, self.shapes[piece.first : piece.end]
            drawn = piece.end
        yield None, self.shapes[drawn:]

    def circle(self, x: float, y: float, radius: float, look: str) -> None:
        """A circle around a point."""
        self._add("circle", look, cx=x, cy=y, r=radius)

    def rectangle(self, x: float, y: float, width: float, height: float, look: str, corner: float = 0.0) -> None:
        """A rectangle by its upper left corner; `corner` is the radius of its corners."""
        self._add("rect", look, x=x, y=y, width=width, height=height, rx=corner)

    def line(self, x1: float, y1: float, x2: float, y2: float, look: str = "line") -> None:
        """A line from one point to another."""
        self._add("line", look, x1=x1, y1=y1, x2=x2, y2=y2)

    def text(self, x: float, y: float, words: str, size: float, look: str = "ink", anchor: Anchor = "middle") -> None:
        """A text whose middle is at that height; `anchor` says what of it is at x: its start, middle or end."""
        self._add("text", look, str(words), anchor, x=x, y=y, font_size=_number("size", size, length=True))

    def seat(
        self, x: float, y: float, seat: int, words: str, size: float, look: str = "ink", anchor: Anchor = "middle"
    ) -> None:
        """A text as `text` has it that names a seat, after a dot of its colour; a page writes the player's name there.

        Raises:
            UsageError: a seat without a colour.
        """
        check_known("look", f"seat-{seat}", LOOKS, "a diagram")
        self.text(x, y, words, size, look, anchor)
        self.shapes[-1] = replace(self.shapes[-1], seat=seat)

    def symbol(self, x: float, y: float, size: float, name: str, look: str = "ink") -> None:
        """One of `SYMBOLS` around a point, `size` high: a kind of cards is told by more than its colour.

        Raises:
            UsageError: no such symbol.
        """
        check_known("symbol", name, SYMBOLS, "a diagram")
        half = _number("size", size, length=True) / 2
        corners = " ".join(f"{x + half * right:.2f},{y + half * down:.2f}" for right, down in SYMBOLS[name])
        self._add("polygon", look, corners, x=x, y=y)

    def place(
        self, name: str, x: float, y: float, width: float, height: float, label: str,
        *, oval: bool = False, then: str = "",
    ) -> None:  # fmt: skip
        """A rectangle that a person can choose; `label` says what is there.

        Where it begins many moves, `then` says what is wanted next, such as `choose a colour or number to tell {1}`.

        Raises:
            UsageError: there is a place of that name already.
        """
        demand(name not in self.places, f"the diagram has two places '{name}': expected a different name for each")
        width = _number("width", width, length=True)
        height = _number("height", height, length=True)
        self.places[name] = Place(name, _number("x", x), _number("y", y), width, height, str(label), oval, then)

    def way(self, move: int, *places: str) -> None:
        """Which places a person chooses, in turn, to make a move; one or two.

        Raises:
            UsageError: no place or more than two, or one that is not there.
        """
        demand(1 <= len(places) <= 2, f"move {move}: expected one place or two, not {len(places)}")
        self._check_places(f"move {move}", *places)
        self.ways[int(move)] = places

    def ways_of(self, position: Any, seat: int, places: Callable[[int], Sequence[str]]) -> None:
        """The ways of the legal moves of a position, if it is that seat's turn: `places(move)` for each."""
        if position.mover == seat and not position.over:
            for move in position.legal_moves.tolist():
                self.way(move, *places(move))

    def about(self, move: int, *places: str) -> None:
        """Which places a move without a way is about, such as columns: a hint shows there.

        A click on a place that no other legal move is about makes the move too.

        Raises:
            UsageError: a place that is not there.
        """
        self._check_places(f"move {move}", *places)
        self.spots[int(move)] = places

    def _check_places(self, what: str, *places: str) -> None:
        for name in places:
            if name not in self.places:
                drawn_so_far = unknown("place", name, self.places, "the diagram")
                raise UsageError(f"{what}: {drawn_so_far}; a place comes before what names it")

    def _add(self, kind: str, look: str, words: str = "", anchor: Anchor = "middle", **numbers: float) -> None:
        check_known("look", look, LOOKS, "a diagram")
        self.shapes.append(
            Shape.of(kind, look, words, anchor, **{name: _number(name, number) for name, number in numbers.items()})
        )


def _number(name: str, number: float, *, length: bool = False) -> float:
    """A finite number, above 0 for a length: NaN would draw nothing. Raises UsageError."""
    value = float(number)
    if not math.isfinite(value) or (length and value <= 0):
        raise UsageError(f"{name}: expected a {'number above 0' if length else 'finite number'}, not {number!r}")
    return value
