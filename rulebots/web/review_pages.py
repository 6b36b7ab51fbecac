"""The page of a game's review: what decided it, and a chart."""

from __future__ import annotations

import functools
import re
import time
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulebots.errors import demand
from rulebots.players.findings import findings_of
from rulebots.players.sentences import deeds_of, grounds_of, payoff, plainly
from rulebots.web.pages import Pages, wants_fragment
from rulebots.web.reasons import of_search, told_line
from rulebots.web.review import MOST_MOVES, Loss, Review, review_chart
from rulebots.web.sessions import Session, Sessions
from rulebots.web.turning_points import PAID, changes_of, decisive, summary_of, turn_of
from rulebots.web.view import folded, scored, sentences_of, view_of, viewer_of, visitor_at


class ReviewPages:
    """The route of reviews."""

    def __init__(self, sessions: Sessions, pages: Pages) -> None:
        self.sessions = sessions
        self.pages = pages
        self.routes = [Route("/game/{id}/review", self._show_review)]

    def _show_review(self, request: Request) -> Response:
        """The review of a game so far; a search works in the background while the page is open."""
        visitor = visitor_at(self.sessions, request.path_params["id"])
        viewer = viewer_of(visitor)
        demand(viewer.reviews, "a game with hidden cards or several persons is reviewed when it is over")
        review = self._review(visitor.session)
        viewer = viewer if wants_fragment(request) else view_of(visitor)
        done = review.done.is_set()
        version = f"{review.version}{'.' if done else '-' + review.waiting[:-2]}"
        if request.query_params.get("version") == version:
            return Response(status_code=204)
        own = viewer.seat if viewer.seat is not None else next(iter(viewer.session.persons), 0)
        chart = review_chart(review, viewer.names, own)
        changes = changes_of(review, chart, own) if done else []
        most = decisive(review, chart, changes, own) if chart and changes else None
        said = [
            f"{one}{'' if ' point' in one else scored(viewer, ply)}" for ply, one in enumerate(sentences_of(viewer))
        ]

        return self.pages.page(
            request, "game.html", fragment="review.html", view=viewer, review=review, version=version, done=done,
            chart=chart, changes=sorted(changes, key=lambda one: one is not most), most=most, own=own,
            said=said, turn_of=turn_of, findings_of=findings_of, summary=summary_of(review, viewer.names),
            # What a move does for its player, without what comes of it.
            deed=lambda ply, move: plainly(deeds_of(review.positions[ply], [move], viewer.names)[0]),
            told=lambda before, after: _told(said[before:after]),
            reason=lambda loss: _reason(review, loss, viewer.names),
            # What the better move, and the one that was played, make possible.
            made_possible=lambda loss: [
                payoff(review.positions[loss.ply], line, seat, viewer.names, 1)
                for result in [review.results[loss.ply]]
                for line, seat in ((result.line, loss.seat), (result.instead, 1 - loss.seat))
            ],
            grounds=lambda ply: grounds_of(review.positions[ply], review.moves[ply], viewer.names),
        )  # fmt: skip

    def _review(self, session: Session) -> Review:
        """The review of a session as it is, begun here if need be."""
        with session.lock:
            positions, moves = tuple(session.ongoing.positions), tuple(session.ongoing.moves)
            demand(len(moves) <= MOST_MOVES, f"a game of at most {MOST_MOVES} moves is reviewed")
            review: Review | None = session.reviewed
            if review is None or review.moves != moves or review.broken_off:
                earlier = review
                make = functools.partial(self.sessions.served.player, game=session.game, seats=positions[0].seats)
                review = session.reviewed = Review(positions, moves, make, self.sessions.search_gate)
                if earlier is not None:
                    earlier.stop()
                    same = sum(one is other for one, other in zip(earlier.positions, positions, strict=False))
                    review.results = {ply: one for ply, one in earlier.results.items() if ply + 1 < same}
                review.start()
            review.seen = time.monotonic()
        return review


def _told(said: Sequence[str]) -> str:
    """Moves in a few words: of a long turn the first, those that led to something, and the last."""
    if len(said) > PAID:
        said = [said[0], *(one for one in said[1:-1] if ": " in one), said[-1]]
    return ". ".join(folded(said))


def _reason(review: Review, loss: Loss, names: Sequence[str]) -> str:
    """What the champion's rules say for a better move; that they would rather make another one teaches nothing."""
    position, result = review.positions[loss.ply], review.results[loss.ply]
    found = of_search(result, position, names, loss.move, told=" ")
    says = re.sub(
        r"The champion's rules (agree|would rather .*?(, but say for this: .*?)?)\.(?= |$)",
        "",
        found.sentence if found else "",
    ).strip()
    line = [said for said, _ in told_line(position, getattr(result, "line", ()), names)][1 : PAID + 1]
    return says or f"It could have gone on: {'. '.join(line)}." * bool(line)
