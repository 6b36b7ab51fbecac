"""A position as the page shows it: its diagram with buttons on the places, or its text with a button for each move."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.kernel.user_code import in_users_terms
from rulebots.output.diagram import Diagram, Place, Shape
from rulebots.packages import package_of

#: Pseudo-seat of a spectator: sees public information only.
SPECTATOR = -1
#: The most moves that are buttons; others can be typed.
MOST_BUTTONS = 400
#: Moves of a hint whose values are drawn on the board.
MOST_ADVICE = 6
#: Drawings that are kept: those of the boards that browsers show.
MOST_DRAWINGS = 64


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

    `more` is how many moves have no button. `notes` are short texts on places, such as a search's visits, and `advice`
    is drawn above all: the best move, and the values of some. `remark` says why there is no diagram.
    """

    diagram: Diagram | None
    text: str
    remark: str = ""
    buttons: tuple[Button, ...] = ()
    moves: tuple[tuple[int, str], ...] = ()
    more: int = 0
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

    `chosen` is the place that a person has chosen first, `notes` are texts on the places of moves, and `advice` are
    moves with their values, the best first.
    """
    diagram, remark = drawing_of(position, seat)
    legal = position.legal_moves.tolist() if playing else []
    ways = _ways(diagram, legal)
    rest = [move for move in legal if move not in ways.values()]
    return PageBoard(
        diagram,
        text="" if diagram else _shown(position, seat),
        remark=remark,
        buttons=tuple(_buttons(diagram, ways, chosen)) if diagram else (),
        moves=tuple((move, position.write(move)) for move in rest[:MOST_BUTTONS]),
        more=max(0, len(rest) - MOST_BUTTONS),
        notes=tuple(_notes(diagram, notes)) if diagram and notes else (),
        advice=tuple(_advice(diagram, advice)) if diagram else (),
    )


def choose(position: Position, seat: int | None, chosen: str, place: str) -> tuple[int | None, str]:
    """What a click on a place means after `chosen`, "" for nothing: a move, or the place that is chosen now.

    Raises:
        UsageError: no move begins or goes on there.
    """
    diagram, _ = drawing_of(position, seat)
    if diagram is None or place not in diagram.places:
        raise UsageError(f"there is no place '{place[:40]}' on this board")
    ways = _ways(diagram, position.legal_moves.tolist())
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


@functools.lru_cache(MOST_DRAWINGS)
def drawing_of(position: Position, seat: int | None) -> tuple[Diagram | None, str]:
    """The diagram that the game draws, if it does, and what went wrong if it fails.

    Nobody may change the position from then on: a click on the board is looked up in the same drawing.
    """
    name = "look_on" if seat == SPECTATOR else "draw"
    draw = getattr(package_of(position.game), name)
    if draw is None:
        return None, ""
    if is_secret(position, seat, name):
        return None, _withheld(position, name)
    try:
        diagram = draw(position) if seat == SPECTATOR else draw(position, seat)
    except Exception as error:  # noqa: BLE001 - a user's code
        message = str(error) if isinstance(error, UsageError) else in_users_terms(error) or f"{error}"
        return None, f"`{name}` of {position.game.name}: {message}"
    if not isinstance(diagram, Diagram):
        kind = type(diagram).__name__
        return None, f"`{name}` of {position.game.name} gives {kind}: expected a rulebots.output.diagram.Diagram"
    return diagram, ""


def is_secret(position: Position, seat: int | None, what: str) -> bool:
    """Whether what a game gives as `what`, one of `SHOWN`, would tell that seat what is hidden from it."""
    if seat is None or position.over or not position.game.hidden:
        return False
    from rulebots.checking.hidden import leaks  # which plays games: most pages do without

    return what in leaks(position.game)


def _shown(position: Position, seat: int | None) -> str:
    """The text of a position; "" for a spectator: a text is always that of a seat."""
    if seat == SPECTATOR:
        return ""
    if is_secret(position, seat, "show"):
        return _withheld(position, "show")
    try:
        return position.text(seat)
    except Exception as error:  # noqa: BLE001 - a user's code
        return f"`show` of {position.game.name}: {in_users_terms(error) or error}"


def _withheld(position: Position, what: str) -> str:
    name = position.game.name
    return f"not shown: `{what}` of {name} leaks hidden information; see rulebots check {name}"


def _ways(diagram: Diagram | None, legal: Sequence[int]) -> dict[tuple[str, ...], int]:
    """The legal move of each way; of two moves with one way the first."""
    ways: dict[tuple[str, ...], int] = {}
    for move in legal:
        if diagram and move in diagram.ways:
            ways.setdefault(diagram.ways[move], move)
    return ways


def _buttons(diagram: Diagram, ways: Mapping[tuple[str, ...], int], chosen: str) -> Iterator[Button]:
    begins = {way[0] for way in ways}
    ends = {way[1] for way in ways if len(way) == 2 and way[0] == chosen}
    for place in diagram.places.values():
        yield Button(place, place.name in begins | ends, place.name == chosen, place.name in ends)


def _notes(diagram: Diagram, notes: Mapping[int, str]) -> Iterator[Shape]:
    """Texts in the middle of the last place of each move."""
    for move, words in notes.items():
        if move in diagram.ways:
            place = diagram.places[diagram.ways[move][-1]]
            x, y = place.middle
            size = min(place.width, place.height) / 3.2
            yield Shape("text", "note", (("x", x), ("y", y), ("font-size", size)), words)


def _advice(diagram: Diagram, advice: Sequence[tuple[int, str]]) -> Sequence[Shape]:
    """Rings around the places of the best move, an arrow from one to the other, and the values of moves.

    Of several moves that begin at one place the best is told.
    """
    shapes = list[Shape]()
    labelled = set[str]()
    for rank, (move, words) in enumerate(advice[:MOST_ADVICE]):
        has_way = move in diagram.ways
        places = [diagram.places[name] for name in diagram.ways.get(move, diagram.spots.get(move, ()))]
        if rank == 0:
            shapes += map(_ring, places)
            if has_way and len(places) == 2:
                shapes += _arrow(*places)
        for place in places[: 1 if has_way else 2]:
            if words and place.name not in labelled:
                labelled.add(place.name)
                shapes += _label(diagram, place, words, shapes, best=rank == 0)
    return shapes


def _ring(place: Place) -> Shape:
    corner = min(place.width, place.height) / 2 if place.oval else 3.0
    numbers = {"x": place.x, "y": place.y, "width": place.width, "height": place.height, "rx": corner}
    return Shape("rect", "hint-ring", tuple(numbers.items()))


def _arrow(one: Place, other: Place) -> list[Shape]:
    """From the edge of one place into the other; nothing from a place to itself."""
    (x1, y1), (x2, y2) = one.middle, other.middle
    length = math.hypot(x2 - x1, y2 - y1)
    if length < 1:
        return []
    right = (x2 - x1) / length
    down = (y2 - y1) / length
    edge = min(span / 2 / abs(part) for span, part in ((one.width, right), (one.height, down)) if abs(part) > 0.01)
    line = (("x1", x1 + edge * right), ("y1", y1 + edge * down), ("x2", x2 - 5 * right), ("y2", y2 - 5 * down))
    wings = [(x2 - 6 * right + 3 * k * down, y2 - 6 * down - 3 * k * right) for k in (-1, 1)]
    corners = " ".join(f"{x:.2f},{y:.2f}" for x, y in [(x2, y2), *wings])
    return [Shape("line", "hint-line", line), Shape("polygon", "hint", (("x", x2), ("y", y2)), corners)]


def _label(diagram: Diagram, place: Place, words: str, drawn: Sequence[Shape], *, best: bool) -> list[Shape]:
    """A label at the lower edge of a place, or at the upper one of a column, whose number stands at its foot.

    On a card of which a strip is seen it is wider than the strip, and above what is `drawn` there already.
    """
    column = place.height > 2 * place.width
    reach = place.width if column else max(place.width, 0.9 * place.height)
    letters = 0.6 * len(words) + 0.6
    size = min(max(place.height / 3, 5.0), reach / letters, 9.0)
    width = size * letters
    x = min(max(place.middle[0], width / 2), diagram.width - width / 2)
    y = place.y + (0.6 * size if column else place.height - 0.6 * size)
    for label in [dict(shape.numbers) for shape in drawn if shape.look in ("hint-label", "note-label")]:
        across = abs(label["x"] + label["width"] / 2 - x) < (label["width"] + width) / 2
        if across and abs(label["y"] + label["height"] / 2 - y) < 1.2 * size - 0.01:
            y = label["y"] - 0.6 * size
    box = {"x": x - width / 2, "y": y - 0.6 * size, "width": width, "height": 1.2 * size, "rx": 0.6 * size}
    return [
        Shape("rect", "hint-label" if best else "note-label", tuple(box.items())),
        Shape("text", "hint-text" if best else "note", (("x", x), ("y", y), ("font-size", size)), words),
    ]
