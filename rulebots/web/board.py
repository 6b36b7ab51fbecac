"""A position as the page shows it: its diagram with buttons on the places, or its text with a button for each move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.kernel.user_code import in_users_terms
from rulebots.output.diagram import Diagram, Place, Shape
from rulebots.registry import parts_of

#: The most moves that are buttons; others can be typed.
MOST_BUTTONS = 400


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

    `notes` are short texts on places, such as a search's visits; `remark` says why there is no diagram.
    """

    diagram: Diagram | None
    text: str
    buttons: tuple[Button, ...] = ()
    moves: tuple[tuple[int, str], ...] = ()
    more: int = 0
    remark: str = ""
    notes: tuple[Shape, ...] = field(default=())


def board_of(
    position: Position, seat: int | None, *, playing: bool, chosen: str = "", notes: Mapping[int, str] | None = None
) -> PageBoard:
    """The board of a position as that seat may see it; `playing` says whether its moves can be made now.

    `chosen` is the place that a person has chosen first, and `notes` what stands on the places of moves.
    """
    diagram, remark = _drawn(position, seat)
    legal = [int(move) for move in position.legal_moves] if playing else []
    ways = ways_of(diagram, legal)
    first, second = {way[0] for way in ways}, {way[1] for way in ways if len(way) == 2 and way[0] == chosen}
    buttons = tuple(
        Button(place, place.name in first | second, place.name == chosen, place.name in second)
        for place in (diagram.places.values() if diagram else ())
    )
    rest = [move for move in legal if move not in ways.values()]
    return PageBoard(
        diagram,
        "" if diagram else _shown(position, seat),
        buttons,
        tuple((move, position.write(move)) for move in rest[:MOST_BUTTONS]),
        max(0, len(rest) - MOST_BUTTONS),
        remark,
        _notes(diagram, notes or {}) if diagram else (),
    )


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
    draw = parts_of(position.game).draw
    if draw is None:
        return None, ""
    if secret(position, seat, "draw"):
        return None, _told_of(position, "draw")
    try:
        diagram = draw(position, seat)
    except Exception as error:  # noqa: BLE001 - a user's code
        told = str(error) if isinstance(error, UsageError) else in_users_terms(error) or f"{error}"
        return None, f"`draw` of {position.game.name}: {told}"
    if not isinstance(diagram, Diagram):
        kind = type(diagram).__name__
        return None, f"`draw` of {position.game.name} gives {kind}: expected a rulebots.output.diagram.Diagram"
    return diagram, ""


def _shown(position: Position, seat: int | None) -> str:
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
    name = position.game.name
    return f"`{what}` of {name} tells a seat what is hidden from it, and is not sent: see rulebots check {name}"


def _notes(diagram: Diagram, notes: Mapping[int, str]) -> tuple[Shape, ...]:
    """Texts in the middle of the last place of each move."""
    shapes = []
    for move, words in notes.items():
        if move in diagram.ways:
            place = diagram.places[diagram.ways[move][-1]]
            x, y = place.x + place.width / 2, place.y + place.height / 2
            size = min(place.width, place.height) / 3.2
            shapes.append(Shape("text", "note", (("x", x), ("y", y), ("font-size", size)), words))
    return tuple(shapes)
