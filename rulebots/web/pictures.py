"""Pictures of positions and of whole games, to save."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulebots.errors import demand
from rulebots.game.position import Position
from rulebots.output.diagram import Diagram, Shape
from rulebots.web.board import drawing_of
from rulebots.web.pages import STATIC, Pages, whole_number
from rulebots.web.review import MOST_MOVES
from rulebots.web.sessions import Sessions
from rulebots.web.view import Viewer, viewer_of, visitor_at

#: Seconds that each position of an animated picture is seen, and that the last one is seen longer.
STEP = 0.8
REST = 2.4
#: Pixels of a picture's longer side.
SIZE = 720


class PicturePages:
    """The routes of pictures."""

    def __init__(self, sessions: Sessions, pages: Pages) -> None:
        self.sessions = sessions
        self.pages = pages
        self.routes = [
            Route("/game/{id}/position.svg", self._position_picture),
            Route("/game/{id}/game.svg", self._game_picture),
        ]

    def _position_picture(self, request: Request) -> Response:
        visitor = visitor_at(self.sessions, request.path_params["id"])
        session = visitor.session
        with session.lock:
            viewer = viewer_of(visitor)
            last = len(session.ongoing.moves)
            ply = whole_number(request.query_params, "ply", 0, last, last)
            demand(
                not (visitor.invited or viewer.covered),
                "this position cannot be shown: it holds cards that you may not see",
            )
            positions = [session.ongoing.positions[ply]]
        return self._picture(
            viewer,
            positions,
            viewer.drawn_for,
            f"{viewer.game.title} after {ply} of {last} moves",
            f"{session.id}-{ply}",
        )

    def _game_picture(self, request: Request) -> Response:
        visitor = visitor_at(self.sessions, request.path_params["id"])
        session = visitor.session
        with session.lock:
            viewer = viewer_of(visitor)
            positions = list(session.ongoing.positions)
        demand(
            not viewer.hides and len(positions) <= MOST_MOVES + 1,
            f"a picture of a game is made when nothing is hidden, of up to {MOST_MOVES} moves",
        )
        return self._picture(
            viewer, positions, viewer.viewpoint, f"{viewer.game.title}: {', '.join(viewer.names)}", session.id
        )

    def _picture(
        self, viewer: Viewer, positions: Sequence[Position], seat: int | None, words: str, name: str
    ) -> Response:
        drawings = [drawing_of(position, seat, opened=viewer.opened)[0] for position in positions]
        diagrams = [*filter(None, drawings)]
        demand(diagrams == drawings, "this game is not drawn, so there is no picture of it")
        looks, paper = colours()
        text = self.pages.text(
            "picture.svg",
            picture=picture_of(diagrams, words),
            looks=looks,
            paper=paper,
            step=STEP,
            rest=REST,
            size=SIZE,
            names=viewer.names,
        )
        headers = {"content-disposition": f'attachment; filename="{name}.svg"'}
        return Response(text.strip(), media_type="image/svg+xml", headers=headers)


@dataclass(frozen=True)
class Picture:
    """Shapes that stay, and frames that follow one another, over and over."""

    width: float
    height: float
    words: str
    still: tuple[Shape, ...]
    frames: tuple[tuple[Shape, ...], ...] = ()


def picture_of(diagrams: Sequence[Diagram], words: str) -> Picture:
    """A picture of one diagram, or of several in turn: the shapes that all of them begin with are drawn once."""
    side_by_side = zip(*(diagram.shapes for diagram in diagrams), strict=False)
    still = tuple(same[0] for same in takewhile(lambda shapes: len(set(shapes)) == 1, side_by_side))
    width, height = max(one.width for one in diagrams), max(one.height for one in diagrams)
    frames = tuple(tuple(diagram.shapes[len(still) :]) for diagram in diagrams) if len(diagrams) > 1 else ()
    return Picture(width, height, words, still, frames)


@functools.cache
def colours() -> tuple[str, str]:
    """The looks of shapes from the page's style sheet, with all colours evaluated; and the background colour."""
    sheet = (STATIC / "page.css").read_text("utf-8")
    named = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", sheet.partition("@media")[0]))
    looks = [line for line in sheet.splitlines() if ".look-" in line or '"look-' in line]
    worked_out = re.sub(r"var\(--([\w-]+)\)", lambda match: named[match[1]], "\n".join(looks))
    return re.sub(r"color-mix\(in srgb, (#\w{6}) (\d+)%, (#\w{6})\)", _mixed, worked_out), named["paper"]


def _mixed(match: re.Match[str]) -> str:
    """Two colours mixed, as `color-mix(in srgb, FIRST SHARE%, SECOND)` is."""
    first, second = (bytes.fromhex(match[number][1:]) for number in (1, 3))
    return "#" + bytes(round(b + (a - b) * int(match[2]) / 100) for a, b in zip(first, second, strict=True)).hex()
