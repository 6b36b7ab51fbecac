"""Play: make moves, take them back, get hints, look at reasons, and set up positions.

A position that is set up stands in the address, so nothing of it is kept here: its text beside its board, and legal
moves that change it. A game does not say what else a place could hold: its text need not have a character for each.
"""

import threading
import urllib.parse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from rulebots.errors import UsageError, demand
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.packages.levels import CarelessPlayer, adviser
from rulebots.packages.players import champion_of
from rulebots.players import Player, decides_by_rules
from rulebots.players.sentences import deeds_of, plainly, slip
from rulebots.records import record_text
from rulebots.web.board import board_of, choose
from rulebots.web.home import POSITION_LENGTH, options_of, position_in
from rulebots.web.pages import NUMBERED, Pages, post, wants_fragment, whole_number
from rulebots.web.reasons import Reasons, ending_in, of_rules, of_search, told_line
from rulebots.web.review import losses_of
from rulebots.web.served_folder import game_of
from rulebots.web.sessions import Sessions
from rulebots.web.view import Viewer, Visitor, address_of, view_of, viewer_of, visitor_at

#: The largest number of a move in an address.
MOST_PLIES = 10**6
#: Hints that are worked out at the same time, and seconds that a further one waits for its turn: rules answer at once.
ADVISERS = 4
ASKING = 0.2

#: A change of a game by a viewer's form; gives the place that is chosen afterwards, if any.
Change = Callable[[Viewer, Mapping[str, str]], str | None]


class PlayPages:
    """The routes of play."""

    def __init__(self, sessions: Sessions, pages: Pages) -> None:
        self.sessions = sessions
        self.served = sessions.served
        self.pages = pages
        self._advisers = threading.BoundedSemaphore(ADVISERS)
        changes: Mapping[str, Change] = {
            "place": _place, "move": _move, "type": _type, "undo": _undo,
            "uncover": lambda viewer, _: viewer.session.uncover(),
        }  # fmt: skip
        self.routes = [
            Route("/game/{id}", self._show),
            Route("/game/{id}/look", self._look),
            post("/game/{id}/again", self._again),
            post("/game/{id}/links", self._links),
            post("/game/{id}/take", self._take),
            Route("/game/{id}/hint", self._hint),
            Route("/game/{id}/why", self._why),
            Route("/game/{id}/record", self._record),
            Route("/position/{game}", self._set_up),
            Route("/position/{game}/hint", self._set_up_hint),
            *(post(f"/game/{{id}}/{name}", self._changing(change)) for name, change in changes.items()),
        ]

    def _show(self, request: Request) -> Response:
        visitor = visitor_at(self.sessions, request.path_params["id"])
        query = request.query_params
        if visitor.invited:
            return self.pages.page(request, "invitation.html", view=viewer_of(visitor))
        if "ply" not in query:
            visitor.session.advance()
        ply = whole_number(query, "ply", 0, MOST_PLIES) if "ply" in query else None
        return self._game_page(request, visitor, ply, query.get("chosen", ""))

    def _look(self, request: Request) -> Response:
        """The game if it has changed since a version, else nothing."""
        visitor = self._visitor(request)
        session = visitor.session
        session.advance(0.0 if session.persons else 0.25)
        if request.query_params.get("version") == str(session.version):
            return Response(status_code=204)
        return self._game_page(request, visitor)

    def _again(self, request: Request, _: Mapping[str, str]) -> Response:
        """Another game of the same players; if they have links, the first request begins it for all."""
        viewer = viewer_of(self._visitor(request))
        viewer.check_plays()
        following = self.sessions.again(viewer.session)
        following.advance()
        return RedirectResponse(viewer.address.replace(viewer.session.id, following.id), 303)

    def _links(self, request: Request, _: Mapping[str, str]) -> Response:
        session = self._visitor(request).session
        return RedirectResponse(address_of(session, session.link()), 303)

    def _take(self, request: Request, _: Mapping[str, str]) -> Response:
        session, seat = visitor_at(self.sessions, request.path_params["id"])
        session.take_seat(seat)
        return RedirectResponse(address_of(session, seat), 303)

    def _hint(self, request: Request) -> Response:
        """What another player would do in the person's place, and why."""
        visitor = self._visitor(request)
        session = visitor.session
        with session.lock:
            viewer = viewer_of(visitor)
            viewer.check_turn()
            position = session.position.copy()
            ply = len(session.ongoing.moves)
        query, against = request.query_params, _asked_about(request, position)
        reasons = self._advise(
            query.get("player", "").strip(), position, session.ongoing.recorded.options, viewer.names, against
        )
        # What is drawn on a board is drawn as that board is: two persons at one screen see it from one side.
        board = board_of(
            position, viewer.viewpoint, playing=False, advice=reasons.move,
            made=None if against is None else reasons.rival
        )  # fmt: skip
        return self.pages.page(
            request, "why.html", fragment="reasons.html", back=viewer.address, game=viewer.game,
            reasons=_open_to_questions(reasons, position, viewer.names), heading=f"Hint: {reasons.deed}",
            board=board, on_board=f"advice-{ply}", query=query,
            best=reasons.move, names=viewer.names,
            lines="" if viewer.hides else f"{viewer.address}?ply={ply}&line=",
        )  # fmt: skip

    def _advise(
        self,
        name: str,
        position: Position,
        options: Mapping[str, int],
        names: Sequence[str],
        against: int | None = None,
    ) -> Reasons:
        """What a player would do in a position, "" the usual adviser, and why, and not the move to speak `against`.

        Raises UsageError while too many hints are under way.
        """
        demand(
            (name or champion_of(position.game)) != "random",
            f"there is nobody to ask for a hint: {position.game.title} has no player made of rules",
        )
        # Before the player is made: that may read a file or compile a search, and requests wait for both.
        demand(self._advisers.acquire(timeout=ASKING), "other hints are being looked for: ask again in a while")
        try:
            player, ending = (
                (self.served.player(name, position.game, position.seats), "") if name else adviser(position)
            )
            if decides_by_rules(player):
                return _ending(of_rules(player, position, names, against, asked=True), ending)
            player = player.beginning_a_game(position.mover, options)
            move = player.decide(position)
        finally:
            self._advisers.release()
        # Beside another move both are told; else it does not matter which of those that end so it is.
        told, remark = (ending, "") if against is None else ("", ending)
        found = of_search(getattr(player, "result", None), position, names, against, told=told)
        return replace(found or Reasons(deeds_of(position, [move], names)[0], "It gives no reasons."), remark=remark)

    def _why(self, request: Request) -> Response:
        """Why a player made a move: `ply` counts from 1; the board beside the reasons shows the position `at` a ply."""
        visitor = self._visitor(request)
        session = visitor.session
        ply = whole_number(request.query_params, "ply", 1, MOST_PLIES)
        with session.lock:
            view = view_of(visitor)
            demand(ply <= view.last and view.moves[ply - 1].reasons, f"no reasons can be shown of move {ply}")
            position = session.ongoing.positions[ply - 1]
            # A review judges the moves of those who give no reasons, and those of which its own page asks.
            told = "review" not in request.query_params and (
                session.explains(position.mover) or ply - 1 in session.results
            )
            review = None if told else session.reviewed
            result = review.results.get(ply - 1) if review else session.results.get(ply - 1)
            known = review.known(ply - 1) if review and result is not None else {}
        asked = _asked_about(request, position)
        reasons = _reasons(
            None if review else session.players[position.mover], position,
            (session.ongoing.moves[ply - 1], asked), result, view.names, known
        )  # fmt: skip
        if review and 0 < review.cost(ply - 1) < review.reported(ply - 1):
            reasons = replace(
                reasons, remark="The difference is too small or too uncertain to call the move a mistake."
            )
        judge = session.reviewed if view.reviewed else None
        worse = next((loss for loss in losses_of(judge) if loss.ply == ply - 1), None) if judge else None
        marks = (
            {"advice": worse.better, "made": worse.move}
            if worse and asked is None
            else {"advice": reasons.move, "made": reasons.rival}
        )
        query = {"not": str(marks["made" if reasons.move == marks["advice"] else "advice"]), **request.query_params}
        said = f"it was better to {reasons.deed}" if worse and review else view.moves[ply - 1].sentence
        if judge and worse and not review and asked is None:
            [deed] = deeds_of(position, [worse.better], view.names)
            better = f"{plainly(deed)}: {judge.write(worse.before)}, not {judge.write(worse.after)}"
            reasons = replace(
                reasons, sentence=f"A mistake: the review found it better to {better}. {reasons.sentence}"
            )
        if worse and judge and asked is None and (lines := judge.lines(worse)):
            line, instead = (list(told_line(position, line, view.names, open_cards=True)) for line in lines)
            reasons = replace(reasons, line=line, instead=instead)
        harm = position.game.text.harm
        if asked is None and harm and (cost := harm(position.state, session.ongoing.moves[ply - 1])):
            reasons = replace(reasons, sentence=f"{reasons.sentence} As it turned out, {cost}.")
        # The board before a mistake has the review's marks.
        drawn = query.get("at") in (str(ply), str(ply - 1)) and not (worse or reasons.rival is None)
        return self.pages.page(
            request, "why.html", fragment="reasons.html", back=view.address, game=view.game,
            reasons=_open_to_questions(reasons, position, view.names), heading=f"Move {ply}: {said}",
            # What is drawn on the board beside it is seen from the same side; else the mover's hand is shown.
            board=board_of(
                position, view.drawn_for if drawn or not view.game.hidden else position.mover, playing=False,
                opened=drawn and view.opened, **marks
            ),
            names=view.names, query=query, on_board=f"advice-{query['at']}" if drawn else "", best="-", marked=worse,
            lines=f"{view.address}?ply={ply - 1}&line=",
        )  # fmt: skip

    def _record(self, request: Request) -> Response:
        """The game as a record, once nothing in it is hidden any more."""
        session = self._visitor(request).session
        with session.lock:
            demand(
                not session.hides, "the record holds the cards that you may not see: it is here when the game is over"
            )
            text = record_text(session.ongoing.record())
        headers = {"content-disposition": f'attachment; filename="{session.game.name}-{session.id}.txt"'}
        return PlainTextResponse(text, headers=headers)

    def _set_up(self, request: Request) -> Response:
        """The text and its board, after the move that was clicked, if one was."""
        game = game_of(request.path_params["game"])
        query = request.query_params
        options = dict[str, int]()
        position = None
        message = chosen = ""
        moved = False
        text = "" if "start" in query else query.get("position", "").strip()
        try:
            options = options_of(game, query)
            text = text and position_in(query)
            position = _position(game, text, options)
            move, chosen = _clicked(position, query)
            if move is not None:
                position = position.copy()
                position.push(move)
                moved = True
        except UsageError as error:  # the board stays as it was
            message = str(error)
        # A field that was emptied stays empty: more is about to be typed.
        rewritten = moved or "start" in query or not (text or wants_fragment(request))
        if position is not None and rewritten:
            text = position.to_text()
        return self.pages.page(
            request, "setting_up.html", 422 if message else 200, fragment="set_up.html", game=game, text=text,
            rewritten=rewritten, options=options, longest=POSITION_LENGTH,
            fields=dict(query), player=query.get("player") or champion_of(game), message=message, chosen=chosen,
            board=position and board_of(position, None, playing=not position.over, chosen=chosen, names=NUMBERED),
            position=position, names=NUMBERED,
        )  # fmt: skip

    def _set_up_hint(self, request: Request) -> Response:
        game = game_of(request.path_params["game"])
        query = request.query_params
        options = options_of(game, query)
        position = _position(game, position_in(query), options)
        demand(not (position.over or position.chance_to_move), "nobody is to decide in this position")
        reasons = self._advise(query.get("player", "").strip(), position, options, NUMBERED)
        board = board_of(position, None, playing=False, advice=reasons.move)
        return self.pages.page(
            request, "why.html", fragment="reasons.html", game=game, reasons=reasons, heading=f"Hint: {reasons.deed}",
            names=NUMBERED, board=board, on_board="set-up-advice", best=reasons.move,
            back=f"/position/{game.name}?{request.url.query}", lines="",
        )  # fmt: skip

    def _changing(self, change: Change) -> Callable[[Request, Mapping[str, str]], Response]:
        """The handler of a form that changes a game, under its lock.

        A form carries the number of moves of its board: a change meant for another board is refused.
        """

        def answer(request: Request, fields: Mapping[str, str]) -> Response:
            visitor = self._visitor(request)
            message = chosen = ""
            session = visitor.session
            try:
                with session.lock:
                    viewer = viewer_of(visitor)
                    viewer.check_plays()
                    last = len(session.ongoing.moves)
                    demand(
                        whole_number(fields, "last", 0, MOST_PLIES, last) == last,
                        "the game has gone on since this board was shown: this is how it stands now",
                    )
                    chosen = change(viewer, fields) or ""
            except UsageError as error:
                message = str(error)
            session.advance()
            if wants_fragment(request) or message:
                return self._game_page(request, visitor, None, chosen, message)
            query = f"?chosen={urllib.parse.quote(chosen)}" if chosen else ""
            return RedirectResponse(f"{address_of(*visitor)}{query}", 303)

        return answer

    def _visitor(self, request: Request) -> Visitor:
        """The visitor. Raises UsageError for an invitation, which shows nothing before it is taken."""
        visitor = visitor_at(self.sessions, request.path_params["id"])
        demand(not visitor.invited, "this is an invitation: take the seat first")
        return visitor

    def _game_page(
        self, request: Request, visitor: Visitor, ply: int | None = None, chosen: str = "", message: str = ""
    ) -> Response:
        return self.pages.page(
            request, "game.html", fragment="session.html",
            view=view_of(visitor, ply, chosen, message, request.query_params.get("line", "")),
            undone=request.url.path.endswith("/undo") and not message,
        )  # fmt: skip


def _place(viewer: Viewer, fields: Mapping[str, str]) -> str:
    """A click on a place of the board: the place that is chosen now, "" after a move."""
    viewer.check_turn()
    move, chosen = choose(viewer.session.position, viewer.drawn_for, fields.get("chosen", ""), fields.get("place", ""))
    if move is not None:
        viewer.session.move(move)
    return chosen


def _move(viewer: Viewer, fields: Mapping[str, str]) -> None:
    viewer.check_turn()
    viewer.session.move(whole_number(fields, "move", 0, viewer.game.move_count - 1))


def _type(viewer: Viewer, fields: Mapping[str, str]) -> None:
    viewer.check_turn()  # first: a message about the text may tell what the mover holds
    text = fields.get("text", "").strip()[:80]
    position = viewer.session.position
    legal = position.legal_moves.tolist()
    # The page's own words for a move are one, too.
    if (said := text.casefold().rstrip(".")) in (
        deeds := [deed.casefold() for deed in deeds_of(position, legal, viewer.names)]
    ):
        viewer.session.move(legal[deeds.index(said)])
        return
    viewer.session.move(position.legal_move(text))


def _undo(viewer: Viewer, _: Mapping[str, str]) -> None:
    demand(viewer.takes_back, "moves are not taken back where others play at other browsers")
    viewer.session.take_back()


def _reasons(
    player: Player | None,
    position: Position,
    moves: tuple[int, int | None],
    result: Any,
    names: Sequence[str],
    known: Mapping[int, float],
) -> Reasons:
    """Why a player made a move, and not another one that is asked about, if one is.

    Without a player, it is what the search of a review would have done, and what it has `known`.
    """
    move, asked = moves
    against = move if asked is None else asked
    guide = player.player if isinstance(player, CarelessPlayer) else player
    if guide is not None and decides_by_rules(guide):
        reasons = of_rules(guide, position, names, against, asked=asked is not None)
        reasons = _ending(reasons, ending_in(position, against, names))
        if guide is player or reasons.move == move:
            return reasons
        return replace(
            reasons,
            sentence=slip(reasons.deed, reasons.sentence),
            remark=f"The bars and the board are about the better move. {reasons.remark}",
        )
    return of_search(result, position, names, against, known) or Reasons("", sentence="It says nothing of other moves.")


def _ending(reasons: Reasons, told: str) -> Reasons:
    """Reasons that begin with what a move is known to lead to, which says more than a taste of the player's."""
    said = f"{told} {reasons.sentence}" if reasons.bars else told
    return replace(reasons, sentence=said, remark="") if told else reasons


def _asked_about(request: Request, position: Position) -> int | None:
    """The legal move after whose number or name a page asks: why not that one? None for no question."""
    asked = request.query_params.get("not", "")
    move = whole_number(request.query_params, "not", 0, MOST_PLIES) if asked.isdigit() else asked
    return position.legal_move(move) if asked else None


def _open_to_questions(reasons: Reasons, position: Position, names: Sequence[str]) -> Reasons:
    """The reasons with the other moves, which may be asked about."""
    # A game may give the moves that matter first: people look for a place, and type its name.
    others = sorted(move for move in position.legal_moves.tolist() if move != reasons.move)
    deeds = deeds_of(position, others, names, doing=True)
    verbs = {deed.partition(" ")[0] for deed in deeds}
    verb = f"{verbs.pop()} " if len(verbs) == 1 else ""
    told = (deed.removeprefix(verb) for deed in deeds)
    return replace(reasons, verb=verb, others=[*zip(others, told, strict=True)])


def _position(game: Game, text: str, options: Mapping[str, int]) -> Position:
    """The position of a text, of "" the one in which a game begins."""
    return Position.from_text(game, text, options) if text else Position(game, options, seed=1)


def _clicked(position: Position, fields: Mapping[str, str]) -> tuple[int | None, str]:
    """The move that was clicked, by its number or its places, and the place that is chosen now."""
    if "move" in fields:
        return whole_number(fields, "move", 0, position.game.move_count - 1), ""
    if "place" in fields:
        return choose(position, None, fields.get("chosen", ""), fields["place"])
    return None, ""
