"""A position on the page: its diagram with buttons on the places, or its text with a button for each move."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from inspect import signature
from typing import Any

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.kernel.user_code import with_place
from rulebots.output.diagram import Diagram, Place, Shape
from rulebots.packages import is_shipped, package_of
from rulebots.players.sentences import deeds_of
from rulebots.web.reasons import advice_on

#: Pseudo-seat of a spectator: sees public information only.
SPECTATOR = -1
#: The most moves that are buttons; others can be typed.
MOST_BUTTONS = 400
#: The deal of the position that stands for a game.
EXAMPLE_DEAL = 1
#: Drawings that are kept: those of the boards that browsers show.
MOST_DRAWINGS = 64


@dataclass(frozen=True)
class PageBoard:
    """What is shown of a position: a diagram or a text, and the moves that no place of it makes.

    `buttons` are places, each with whether a click there begins or ends a way of a move, and "chosen" for the first
    half of one, "target" for a place that ends a way from the chosen one. `deeds` say by place what a click on a target
    does. `more` is how many moves have no button.
    `advice` is drawn above all: a move. `remark` says why there is no diagram.
    """

    diagram: Diagram | None
    text: str
    remark: str = ""
    buttons: tuple[tuple[Place, bool, str], ...] = ()
    deeds: Mapping[str, str] = field(default_factory=dict)
    moves: tuple[tuple[int, str], ...] = ()
    more: int = 0
    advice: Sequence[Shape] = ()


def board_of(
    position: Position,
    seat: int | None,
    *,
    playing: bool,
    opened: bool = False,
    chosen: str = "",
    advice: int | None = None,
    made: int | None = None,
    names: Sequence[str] = (),
) -> PageBoard:
    """The board of a position as that seat may see it; `playing` says whether its moves can be made now.

    `chosen` is the place that a person has chosen first, `advice` is a move that is drawn, and `made` one drawn
    as the move that was made.
    `names` are those of the seats. What is hidden is shown too if the board is `opened`.
    """
    diagram, remark = drawing_of(position, seat, opened=opened)
    seat = None if opened else seat
    # A text is always that of a seat.
    texts = ("", "") if diagram or seat == SPECTATOR else asked(position, seat, "show", lambda: position.text(seat))
    legal = position.legal_moves.tolist() if playing else []
    ways = _ways(diagram, legal)
    begins = {way[0] for way in ways}
    ends = {way[1]: move for way, move in ways.items() if len(way) == 2 and way[0] == chosen}
    deeds = asked(position, seat, "sentence", lambda: deeds_of(position, [*ends.values()], names))[0] if ends else None
    rest = [move for move in legal if not diagram or move not in diagram.ways or move not in ways.values()]
    # Beside a diagram a button says what its move does, where nothing is hidden; else it has the move's name.
    say = partial(position.deed, names=names) if diagram and not position.game.hidden else position.write
    return PageBoard(
        diagram,
        text=texts[0] or texts[1],
        remark=remark,
        buttons=tuple(
            (place, name in begins | ends.keys(), "chosen" if name == chosen else "target" if name in ends else "")
            for name, place in (diagram.places if diagram else {}).items()
        ),
        deeds=dict(zip(ends, deeds or [], strict=False)),
        moves=tuple(
            (move, asked(position, None, "sentence", partial(say, move))[0] or position.write(move))
            for move in rest[:MOST_BUTTONS]
        ),
        more=max(0, len(rest) - MOST_BUTTONS),
        advice=[
            shape
            for move, look in ((advice, "hint"), (made, "made"))
            if diagram and move is not None
            for shape in advice_on(diagram, move, look)
        ],
    )


@lru_cache(maxsize=64)
def example_board(game: Game) -> PageBoard:
    """The board that stands for a game, as the first seat sees it. Nobody plays there, so that nothing is secret."""
    package = package_of(game)
    try:
        position = Position(game, seed=EXAMPLE_DEAL)
        for text in package.example.split():
            position.push(text)
        diagram = package.draw(position, 0) if package.draw else None
        return PageBoard(diagram, "" if diagram else position.text(0))
    except Exception as error:  # noqa: BLE001 - a user's code
        return PageBoard(None, "", remark=f"there is no picture of {game.name}: {with_place(error)}")


def choose(position: Position, seat: int | None, chosen: str, place: str) -> tuple[int | None, str]:
    """The effect of a click on a place after one on `chosen`, "" for none: a move, or the place that is chosen now.

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
    raise UsageError("you have no move there")


@lru_cache(MOST_DRAWINGS)
def drawing_of(position: Position, seat: int | None, *, opened: bool = False) -> tuple[Diagram | None, str]:
    """The game's diagram, if it draws one, and a message if that fails.

    An `opened` one shows all hands, from that seat's side if the game's `draw` knows how.

    The position must not change from then on: a click on the board is looked up in the same drawing.
    """
    what = "look_on" if seat == SPECTATOR else "draw"
    draw = getattr(package_of(position.game), what)
    if draw is None:
        return None, ""
    options = {"opened": True} if opened and "opened" in signature(draw).parameters else {}
    viewer = None if opened and not options else seat
    ask = partial(draw, position, *[viewer] * (seat != SPECTATOR), **options)
    diagram, remark = asked(position, None if opened else seat, what, ask)
    if not remark and not isinstance(diagram, Diagram):
        kind = type(diagram).__name__
        return None, f"`{what}` of {position.game.name} gives {kind}: expected a rulebots.output.diagram.Diagram"
    return diagram, remark


def is_secret(position: Position, seat: int | None, what: str) -> bool:
    """Whether a game's function `what`, one of `SHOWN`, would reveal to that seat what is hidden from it."""
    game = position.game
    # The shipped games are checked by tests: the check takes seconds, for which the first board would wait.
    if seat is None or position.over or not game.hidden or is_shipped(game):
        return False
    from rulebots.checking.hidden import leaks  # which plays games: most pages do without

    return what in leaks(game)


def asked(position: Position, seat: int | None, what: str, ask: Callable[[], Any]) -> tuple[Any, str]:
    """The result of a game's function `what`; or None and why: it reveals what is hidden, or fails."""
    name = position.game.name
    if is_secret(position, seat, what):
        return None, f"not shown: `{what}` of {name} leaks hidden information; see rulebots check {name}"
    try:
        return ask(), ""
    except Exception as error:  # noqa: BLE001 - a user's code
        return None, f"`{what}` of {name}: {with_place(error)}"


def _ways(diagram: Diagram | None, legal: Sequence[int]) -> dict[tuple[str, ...], int]:
    """The legal move of each way; of two moves with one way the first. A place that one alone is about makes that.

    A line between two places that both begin ways may be chosen from either end.
    """
    ways: dict[tuple[str, ...], int] = {}
    if diagram is None:
        return ways
    about = Counter(place for move in legal for place in diagram.spots.get(move, ()))
    for move in legal:
        if move in diagram.ways:
            ways.setdefault(diagram.ways[move], move)
        ways |= {(place,): move for place in diagram.spots.get(move, ()) if about[place] == 1}
    begins = {way[0] for way in ways}
    ways = {way[::-1]: move for way, move in ways.items() if way[-1] in begins} | ways
    for copy, first in diagram.copies.items():
        ways |= {(copy, *way[1:]): move for way, move in ways.items() if way[0] == first}
    return ways
