"""A position as the page shows it: its diagram with buttons on the places, or its text with a button for each move."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.kernel.user_code import in_users_terms
from rulebots.output.diagram import Diagram, Place, Shape
from rulebots.packages import parts_of

#: In place of a seat, who has none and sees what everybody may.
ONLOOKER = -1
#: The most moves that are buttons; others can be typed.
MOST_BUTTONS = 400
#: Moves of a hint whose values are drawn on the board.
MOST_ADVICE = 6


@dataclass(frozen=True)
class Button:
    """A place with what a click on it would do now: `open` begins or ends a way, `chosen` is the first half of one.

    `target` is a place that ends the way which begins at the chosen one.
    """

    place: Place
    open: bool
    chosen: bool = False
    target: bool = False


@dataclass(frozen=True)
class PageBoard:
    """What is shown of a position: a diagram or a text, and the moves that no place of it makes.

    `notes` are short texts on places, such as a search's visits, and `advice` is what is drawn above all: the best move
    and what others are worth; `remark` says why there is no diagram.
    """

    diagram: Diagram | None
    text: str
    buttons: tuple[Button, ...] = ()
    moves: tuple[tuple[int, str], ...] = ()
    more: int = 0
    remark: str = ""
    notes: tuple[Shape, ...] = ()
    advice: tuple[Shape, ...] = ()


def board_of(
    position: Position,
    seat: int | None,
    *,
    playing: bool,
    chosen: str = "",
    notes: Mapping[int, str] | None = None,
    advice: Sequence[tuple[int, str]] = (),
) -> PageBoard:
    """The board of a position as that seat may see it; `playing` says whether its moves can be made now.

    `chosen` is the place that a person has chosen first, `notes` what stands on the places of moves, and `advice` moves
    with what they are worth, the best first.
    """
    diagram, remark = _drawn(position, seat)
    legal = [int(move) for move in position.legal_moves] if playing else []
    rest = legal
    board = PageBoard(diagram, "" if diagram else _shown(position, seat), remark=remark)
    if diagram:
        ways = ways_of(diagram, legal)
        first, second = {way[0] for way in ways}, {way[1] for way in ways if len(way) == 2 and way[0] == chosen}
        rest = [move for move in legal if move not in ways.values()]
        board = replace(
            board,
            notes=_notes(diagram, notes or {}), advice=_advice(diagram, advice),
            buttons=tuple(
                Button(place, place.name in first | second, place.name == chosen, place.name in second)
                for place in diagram.places.values()
            ),
        )  # fmt: skip
    moves = tuple((move, position.write(move)) for move in rest[:MOST_BUTTONS])
    return replace(board, moves=moves, more=max(0, len(rest) - MOST_BUTTONS))


def ways_of(diagram: Diagram | None, legal: Sequence[int]) -> dict[tuple[str, ...], int]:
    """The legal move of each way; of two moves with one way the first."""
    ways: dict[tuple[str, ...], int] = {}
    for move in legal:
        if diagram and move in diagram.ways:
            ways.setdefault(diagram.ways[move], move)
    return ways


def choose(position: Position, seat: int | None, chosen: str, place: str) -> tuple[int | None, str]:
    """What a click on a place means after `chosen`, "" for nothing: a move, or the place that is chosen now.

    Raises:
        UsageError: no move begins or goes on there.
    """
    diagram, _ = _drawn(position, seat)
    if diagram is None or place not in diagram.places:
        raise UsageError(f"there is no place '{place[:40]}' on this board")
    ways = ways_of(diagram, [int(move) for move in position.legal_moves])
    if chosen and (chosen, place) in ways:
        return ways[chosen, place], ""
    if chosen == place:
        return None, ""
    if (place,) in ways:
        return ways[(place,)], ""
    if any(way[0] == place for way in ways):
        return None, place
    raise UsageError(
        f"you have no move that {'goes from there to' if chosen else 'begins at'} {diagram.places[place].label}"
    )


def _drawn(position: Position, seat: int | None) -> tuple[Diagram | None, str]:
    """The diagram that the game draws, if it does, and what went wrong if it fails."""
    parts, name, given = parts_of(position.game), "draw", [seat]
    draw: Callable[..., Any] | None = parts.draw
    if seat == ONLOOKER:
        draw, name, given = parts.look_on, "look_on", []
    if draw is None:
        return None, ""
    if secret(position, seat, name):
        return None, _told_of(position, name)
    try:
        diagram = draw(position, *given)
    except Exception as error:  # noqa: BLE001 - a user's code
        told = str(error) if isinstance(error, UsageError) else in_users_terms(error) or f"{error}"
        return None, f"`{name}` of {position.game.name}: {told}"
    if not isinstance(diagram, Diagram):
        kind = type(diagram).__name__
        return None, f"`{name}` of {position.game.name} gives {kind}: expected a rulebots.output.diagram.Diagram"
    return diagram, ""


def _shown(position: Position, seat: int | None) -> str:
    """The text of a position; "" for who looks on: a text is always that of a seat."""
    if seat == ONLOOKER:
        return ""
    if secret(position, seat, "show"):
        return _told_of(position, "show")
    try:
        return position.text(seat)
    except Exception as error:  # noqa: BLE001 - a user's code
        return f"`show` of {position.game.name}: {in_users_terms(error) or error}"


def secret(position: Position, seat: int | None, what: str) -> bool:
    """Whether what a game gives as `what`, one of `SHOWN`, would tell that seat what is hidden from it."""
    if seat is None or position.over or not position.game.hidden:
        return False
    from rulebots.checking.hidden import leaks  # which plays games: most pages do without

    return what in leaks(position.game)


def _told_of(position: Position, what: str) -> str:
    name, whom = position.game.name, "who looks on what is hidden from a seat"
    whom = whom if what == "look_on" else "a seat what is hidden from it"
    return f"`{what}` of {name} tells {whom}, and is not sent: see rulebots check {name}"


def _advice(diagram: Diagram, advice: Sequence[tuple[int, str]]) -> tuple[Shape, ...]:
    """Rings around the places of the best move, an arrow from one to the other, and what moves are worth.

    Of several moves that begin at one place the best is told.
    """
    shapes, told = list[Shape](), set[str]()
    for best, (move, words) in enumerate(advice[:MOST_ADVICE]):
        places = [diagram.places[name] for name in diagram.ways.get(move, diagram.spots.get(move, ()))]
        if not best and places:
            shapes += [_ring(place) for place in places]
        if not best and len(places) == 2 and move in diagram.ways:
            shapes += _arrow(*places)
        for place in places[: 1 if move in diagram.ways else 2]:
            if words and place.name not in told:
                told.add(place.name)
                shapes += _worth(diagram, place, words, shapes, best=not best)
    return tuple(shapes)


def _ring(place: Place) -> Shape:
    corner = min(place.width, place.height) / 2 if place.oval else 3.0
    numbers = {"x": place.x, "y": place.y, "width": place.width, "height": place.height, "rx": corner}
    return Shape("rect", "hint-ring", tuple(numbers.items()))


def _arrow(one: Place, other: Place) -> list[Shape]:
    """From the edge of one place into the other; nothing from a place to itself."""
    (x1, y1), (x2, y2) = _middle(one), _middle(other)
    length = math.hypot(x2 - x1, y2 - y1)
    if length < 1:
        return []
    right, down = (x2 - x1) / length, (y2 - y1) / length
    edge = min(span / 2 / abs(part) for span, part in ((one.width, right), (one.height, down)) if abs(part) > 0.01)
    x1, y1 = x1 + edge * right, y1 + edge * down
    tip = [(x2, y2), *((x2 - 6 * right + 3 * k * down, y2 - 6 * down - 3 * k * right) for k in (-1, 1))]
    line = (("x1", x1), ("y1", y1), ("x2", x2 - 5 * right), ("y2", y2 - 5 * down))
    words = " ".join(f"{x:.2f},{y:.2f}" for x, y in tip)
    return [Shape("line", "hint-line", line), Shape("polygon", "hint", (("x", x2), ("y", y2)), words)]


def _worth(diagram: Diagram, place: Place, words: str, drawn: Sequence[Shape], *, best: bool) -> list[Shape]:
    """A label at the lower edge of a place, or at the upper one of a column, whose number stands at its foot.

    On a card of which a strip is seen it is wider than the strip, and above what is `drawn` there already.
    """
    column = place.height > 2 * place.width
    reach = place.width if column else max(place.width, 0.9 * place.height)
    size = min(max(place.height / 3, 5.0), reach / (0.6 * len(words) + 0.6), 9.0)
    wide, (x, _) = size * (0.6 * len(words) + 0.6), _middle(place)
    y = place.y + (0.6 * size if column else place.height - 0.6 * size)
    x = min(max(x, wide / 2), diagram.width - wide / 2)
    for label in [dict(shape.numbers) for shape in drawn if shape.look in ("hint-label", "note-label")]:
        apart = abs(label["x"] + label["width"] / 2 - x) >= (label["width"] + wide) / 2
        if not apart and abs(label["y"] + label["height"] / 2 - y) < 1.2 * size - 0.01:
            y = label["y"] - 0.6 * size
    numbers = {"x": x - wide / 2, "y": y - 0.6 * size, "width": wide, "height": 1.2 * size, "rx": 0.6 * size}
    return [
        Shape("rect", "hint-label" if best else "note-label", tuple(numbers.items())),
        Shape("text", "hint-text" if best else "note", (("x", x), ("y", y), ("font-size", size)), words),
    ]


def _middle(place: Place) -> tuple[float, float]:
    return place.x + place.width / 2, place.y + place.height / 2


def _notes(diagram: Diagram, notes: Mapping[int, str]) -> tuple[Shape, ...]:
    """Texts in the middle of the last place of each move."""
    shapes = []
    for move, words in notes.items():
        if move in diagram.ways:
            place = diagram.places[diagram.ways[move][-1]]
            x, y = _middle(place)
            size = min(place.width, place.height) / 3.2
            shapes.append(Shape("text", "note", (("x", x), ("y", y), ("font-size", size)), words))
    return tuple(shapes)
