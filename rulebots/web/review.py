"""Looking back at a game: its course, as a search sees it, and pictures of it to keep."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulebots.errors import UsageError
from rulebots.web.board import PageBoard, board_of
from rulebots.web.course import Course, amount, chart_of, largest, losses_of
from rulebots.web.looking import Looker, looker_of
from rulebots.web.pages import Pages, wants_fragment
from rulebots.web.pictures import STEP, colours, picture_of
from rulebots.web.security import whole_number
from rulebots.web.sessions import Session, Sessions

#: Games whose courses are remembered: a tree search of a long game tells some megabytes.
MOST_COURSES = 16
#: Moves of a game of which a course is made.
MOST_MOVES = 600


class ReviewPages:
    """The routes of what is seen of a game afterwards."""

    def __init__(self, sessions: Sessions, pages: Pages) -> None:
        self.sessions = sessions
        self.pages = pages
        self._latest = OrderedDict[str, Session]()

    @property
    def routes(self) -> list[Route]:
        """What this part answers."""
        return [
            Route("/game/{id}/course", self.course),
            Route("/game/{id}/position.svg", self.position_picture),
            Route("/game/{id}/game.svg", self.game_picture),
        ]

    def course(self, request: Request) -> Response:
        """The course of a game so far, which a search works out in the background, as long as somebody looks."""
        looker = looker_of(self.sessions, request.path_params["id"])
        if not looker.looks_back:
            raise UsageError("the course of a game is told when it is over: it would tell what may not be known")
        course = self._course(looker.session)
        version = f"{course.version}{'.' if course.done.is_set() else ''}"
        if request.query_params.get("version") == version:
            return Response(status_code=204)
        return self.pages.page(
            request, "course_page.html", fragment="course.html", looker=looker, course=course, version=version,
            game=looker.session.game, is_fragment=wants_fragment(request), **_told(course, looker),
        )  # fmt: skip

    def position_picture(self, request: Request) -> Response:
        """A position as who asks may see it, as an SVG file."""
        looker = looker_of(self.sessions, request.path_params["id"])
        session = looker.session
        with session.lock:
            last = len(session.ongoing.moves)
            ply = whole_number(request.query_params, "ply", 0, last, last)
            if looker.invited or looker.covered:
                raise UsageError("this position cannot be shown: it holds cards that you may not see")
            board = board_of(session.ongoing.positions[ply], looker.sees, playing=False)
        return self._picture([board], f"{session.game.title} after {ply} of {last} moves", f"{session.id}-{ply}")

    def game_picture(self, request: Request) -> Response:
        """A game move by move, as an SVG file that moves."""
        looker = looker_of(self.sessions, request.path_params["id"])
        session = looker.session
        with session.lock:
            if session.hides or len(session.ongoing.moves) > MOST_MOVES:
                raise UsageError(f"a picture of a game is made when nothing is hidden, of up to {MOST_MOVES} moves")
            seat = None if session.game.hidden else looker.viewer
            boards = [board_of(position, seat, playing=False) for position in session.ongoing.positions]
        return self._picture(boards, f"{session.game.title}: {', '.join(looker.names)}", session.id)

    def _picture(self, boards: Sequence[PageBoard], words: str, name: str) -> Response:
        diagrams = [board.diagram for board in boards if board.diagram is not None]
        if len(diagrams) < len(boards):
            raise UsageError("this game is not drawn, so there is no picture of it")
        looks, paper = colours()
        text = self.pages.text("picture.svg", picture=picture_of(diagrams, words), looks=looks, paper=paper, step=STEP)
        headers = {"content-disposition": f'attachment; filename="{name}.svg"'}
        return Response(text.strip(), media_type="image/svg+xml", headers=headers)

    def _course(self, session: Session) -> Course:
        """The course of a session as it is, begun here if need be."""
        with session.lock:
            positions, moves = tuple(session.ongoing.positions), tuple(session.ongoing.moves)
            course = session.course
            if len(moves) > MOST_MOVES:
                raise UsageError(f"the course is told of a game of at most {MOST_MOVES} moves")
            broken_off = course is not None and course.done.is_set() and not course.fault and not course.complete
            if course is None or course.moves != moves or broken_off:
                known = (
                    {}
                    if course is None
                    else {
                        ply: found
                        for ply, found in course.results.items()
                        if positions[ply : ply + 1] == course.positions[ply : ply + 1]
                    }
                )
                if course is not None:
                    course.stop()
                game, gate = session.game, self.sessions.search_gate
                course = Course(positions, moves, lambda name: self.sessions.served.player(name, game), gate, known)
                session.course = course
                course.start()
            course.seen = time.monotonic()
        self._latest[session.id] = session
        self._latest.move_to_end(session.id)
        while len(self._latest) > MOST_COURSES:
            _, left = self._latest.popitem(last=False)
            left.course = None
        return course


def _told(course: Course, looker: Looker) -> dict[str, Any]:
    """What a page says of a course: chart, losses by name, and how far it is."""
    names, persons = looker.names, looker.session.persons
    own = looker.seat if looker.seat is not None else persons[0] if persons else 0
    return {
        "chart": chart_of(course, names, own),
        "mistakes": largest(losses_of(course), names),
        "amount": lambda value: amount(course, value),
        "last": len(course.moves),
    }
