"""Play: make moves, take them back, get hints, and look at reasons."""

from __future__ import annotations

import threading
import urllib.parse
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.packages.levels import CarelessPlayer
from rulebots.packages.players import champion_of
from rulebots.players import Player, decides_by_rules
from rulebots.players.explaining import explain, explain_to_mover
from rulebots.records import RecordedGame, record_text
from rulebots.web.board import board_of, choose
from rulebots.web.looking import SEPARATOR, Looker, looker_of, make_links, pass_on, take_seat
from rulebots.web.pages import Pages, wants_fragment
from rulebots.web.reasons import NOTES, Reasons, of_rules, of_search
from rulebots.web.security import post, whole_number
from rulebots.web.sessions import Session, Sessions
from rulebots.web.snapshot import PAIR, snapshot_of

#: Games of a record that are listed.
MOST_LISTED = 1000
#: The largest number of a move in an address.
MOST_PLIES = 10**6
#: Hints that are looked for at the same time, and seconds that a further one waits for its turn: rules answer at once.
ADVISERS, ASKING = 4, 0.2


class PlayPages:
    """The routes of play; whom a person invites needs the server's `token` as well, if it has one."""

    def __init__(self, sessions: Sessions, pages: Pages, token: str = "") -> None:
        self.sessions = sessions
        self.served = sessions.served
        self.pages = pages
        self._query = f"?token={token}" if token else ""
        self._advisers = threading.BoundedSemaphore(ADVISERS)

    @property
    def routes(self) -> list[Route]:
        """What this part answers."""
        return [
            Route("/load", self.load_form),
            post("/load", self.load),
            Route("/game/{id}", self.show),
            Route("/game/{id}/look", self.look),
            post("/game/{id}/again", self.again),
            post("/game/{id}/links", self.links),
            post("/game/{id}/take", self.take),
            Route("/game/{id}/hint", self.hint),
            Route("/game/{id}/why", self.why),
            Route("/game/{id}/record", self.record),
            post("/game/{id}/place", self._changing(_place)),
            post("/game/{id}/move", self._changing(_move)),
            post("/game/{id}/type", self._changing(_type)),
            post("/game/{id}/undo", self._changing(_undo)),
            post("/game/{id}/uncover", self._changing(lambda looker, _: looker.session.uncover())),
        ]

    def load_form(self, request: Request) -> Response:
        """Where a record is given, or chosen among those of the folder."""
        name = request.query_params.get("file")
        if name is None:
            return self._load_page(request)
        record = self.served.record(name)
        pairs = all(is_pair(game) for game in record.games)
        games = [game_line(game, pair=pairs) for game in record.games[:MOST_LISTED]]
        return self.pages.page(
            request, "record.html", name=name, names=record.names if pairs else (), games=games,
            players=(" and " if pairs else ", ").join(record.names), count=len(record.games),
        )  # fmt: skip

    def load(self, request: Request, fields: Mapping[str, str]) -> Response:
        """Go on from a game of a record."""
        record, number = fields.get("record", ""), fields.get("number", "1")
        try:
            if "file" in fields:
                record = record_text(self.served.record(fields["file"]))
            session = self.sessions.load(record, whole_number(fields, "number", 1, 10**6, 1))
        except UsageError as error:
            return self._load_page(request, str(error), record, number)
        return RedirectResponse(f"/game/{session.id}{'?ply=0' if 'file' in fields else ''}", 303)

    def _load_page(self, request: Request, message: str = "", record: str = "", number: str = "1") -> Response:
        code, files = 422 if message else 200, self.served.record_files()
        return self.pages.page(request, "load.html", code, message=message, record=record, number=number, files=files)

    def show(self, request: Request) -> Response:
        """A game, now or after some moves."""
        looker, query = self._looker(request, invited=True), request.query_params
        if looker.invited:
            return self.pages.page(request, "invitation.html", looker=looker, game=looker.session.game)
        if "ply" not in query:
            looker.session.advance()
        ply = whole_number(query, "ply", 0, MOST_PLIES) if "ply" in query else None
        return self._game_page(request, looker, ply, query.get("chosen", ""))

    def look(self, request: Request) -> Response:
        """The game if it has changed since a version, else nothing."""
        looker = self._looker(request)
        session = looker.session
        session.advance(0.0 if session.persons else 0.25)
        if request.query_params.get("version") == str(session.version):
            return Response(status_code=204)
        return self._game_page(request, looker)

    def again(self, request: Request, _: Mapping[str, str]) -> Response:
        """Another game of the same players; where they have links, the first of them who asks begins it for all."""
        looker = self._looker(request)
        looker.check_plays()
        session = looker.session
        with session.lock:
            following = self.sessions.get(session.followed_by) if session.followed_by else self.sessions.again(session)
            if looker.linked and not session.followed_by:
                pass_on(session, following)
        following.advance()
        return RedirectResponse(looker.address.replace(session.id, following.id), 303)

    def links(self, request: Request, _: Mapping[str, str]) -> Response:
        """Make a link for each person, so that they can play from browsers of their own."""
        return RedirectResponse(make_links(self._looker(request).session).address, 303)

    def take(self, request: Request, _: Mapping[str, str]) -> Response:
        """Take the seat of an invitation."""
        return RedirectResponse(take_seat(self._looker(request, invited=True)).address, 303)

    def hint(self, request: Request) -> Response:
        """What another player would do for the person who is to move, and why."""
        looker = self._looker(request)
        session = looker.session
        with session.lock:
            looker.check_turn()
            position, options = session.position.copy(), session.ongoing.recorded.options
            ply = len(session.ongoing.moves) + 1
        name = request.query_params.get("player", "").strip() or champion_of(session.game)
        reasons = self.advise(name, position, options)
        return self._reasons_page(request, looker, reasons, f"Hint for move {ply}", position, f"advice-{ply - 1}")

    def advise(self, name: str, position: Position, options: Mapping[str, int]) -> Reasons:
        """What a player would do in a position, and why. Raises UsageError while too many others are asked."""
        # Before the player is made: that may read a file or compile a search, and requests wait for both.
        if not self._advisers.acquire(timeout=ASKING):
            raise UsageError("other hints are being looked for: ask again in a while")
        try:
            player = self.served.player(name, position.game)
            if decides_by_rules(player):
                return of_rules(explain_to_mover(player, position), name)
            return _advice(player, position, options)
        finally:
            self._advisers.release()

    def why(self, request: Request) -> Response:
        """Why a player made a move: `ply` counts from 1."""
        looker, ply = self._looker(request), whole_number(request.query_params, "ply", 1, MOST_PLIES)
        session = looker.session
        with session.lock:
            snapshot = snapshot_of(looker)
            if ply > snapshot.last or not snapshot.moves[ply - 1].reasons:
                raise UsageError(f"no reasons can be shown of move {ply}")
            position = session.ongoing.positions[ply - 1].copy()
            player, result = session.players[position.mover], session.found(ply - 1)
            name, made = looker.names[position.mover], session.ongoing.moves[ply - 1]
        reasons, said = None, f"{name} plays {session.game.text.write(made)}"
        guide = player.player if isinstance(player, CarelessPlayer) else player
        if guide is not None and decides_by_rules(guide):
            explained = explain(guide, position)
            reasons = of_rules(explained, name)
            if guide is not player and explained.chosen != made:
                remark = f"At this level it sometimes moves at random, as here. {reasons.remark}"
                reasons = replace(reasons, title=said, remark=remark)
        elif result is not None:
            reasons = of_search(result, session.game, "The search" if player is None else name)
        if reasons is None:
            remark = "It gives no reasons." if result is None else "It says nothing of other moves."
            reasons = Reasons(said, (), (), remark=remark)
        return self._reasons_page(request, looker, reasons, f"Move {ply}", position)

    def record(self, request: Request) -> Response:
        """The game as a record, once nothing in it is hidden any more."""
        session = self._looker(request).session
        with session.lock:
            if session.hides:
                raise UsageError("the record holds the cards that you may not see: it is here when the game is over")
            text = record_text(session.ongoing.record())
        headers = {"content-disposition": f'attachment; filename="{session.game.name}-{session.id}.txt"'}
        return PlainTextResponse(text, headers=headers)

    def _changing(
        self, change: Callable[[Looker, Mapping[str, str]], str | None]
    ) -> Callable[[Request, Mapping[str, str]], Response]:
        """What answers a change of a game, made under its lock: `change` gives the place that is chosen then, if any.

        A form bears the number of moves of the game that it was made on: what was meant for another board is refused.
        """

        def answer(request: Request, fields: Mapping[str, str]) -> Response:
            looker, message, chosen = self._looker(request), "", ""
            session = looker.session
            try:
                with session.lock:
                    looker.check_plays()
                    _check_latest(session, fields)
                    chosen = change(looker, fields) or ""
            except UsageError as error:
                message = str(error)
            session.advance()
            if wants_fragment(request) or message:
                return self._game_page(request, looker, None, chosen, message)
            step = f"?chosen={urllib.parse.quote(chosen)}" if chosen else ""
            return RedirectResponse(f"{looker.address}{step}", 303)

        return answer

    def _looker(self, request: Request, *, invited: bool = False) -> Looker:
        """Who asks. Raises UsageError for an invitation, which shows nothing before it is taken, unless it may come."""
        looker = looker_of(self.sessions, request.path_params["id"])
        if looker.invited and not invited:
            raise UsageError("this is an invitation: take the seat first")
        return looker

    def _game_page(
        self, request: Request, looker: Looker, ply: int | None = None, chosen: str = "", message: str = ""
    ) -> Response:
        session = looker.session
        snapshot = snapshot_of(looker, ply, chosen, message, notes=request.query_params.get("notes", ""))
        return self.pages.page(
            request, "game.html", fragment="session.html", snapshot=snapshot, looker=looker, session=session,
            game=session.game, notes=NOTES, is_fragment=wants_fragment(request), invitations=self._invitations(looker),
            site=str(request.base_url).rstrip("/"), query=self._query,
        )  # fmt: skip

    def _invitations(self, looker: Looker) -> Mapping[str, str]:
        """The links to pass on, by the person's name: the first person, who has made them, gets those not yet taken."""
        session = looker.session
        if looker.seat is None or looker.seat != session.persons[0]:
            return {}
        address, names = Looker(session).address, looker.names
        free = {seat: link.key for seat, link in session.links.items() if not link.taken}
        return {names[seat]: f"{address}{SEPARATOR}{key}" for seat, key in free.items()}

    def _reasons_page(
        self, request: Request, looker: Looker, reasons: Reasons, heading: str, position: Position,
        on_board: str = "",
    ) -> Response:  # fmt: skip
        """Reasons and a board on which they stand; `on_board` is the id of what is above the board that is shown."""
        # What is drawn on a board is drawn as that board is: two persons at one screen see it from one side.
        seat = looker.viewer if on_board else position.mover
        board = board_of(position, seat, playing=False, advice=reasons.advice)
        return self.pages.page(
            request, "why.html", fragment="reasons.html", back=looker.address, game=looker.session.game,
            reasons=reasons, heading=heading, board=board, on_board=on_board if wants_fragment(request) else "",
        )  # fmt: skip


def _check_latest(session: Session, fields: Mapping[str, str]) -> None:
    """Raises UsageError where a form was on an older board than the latest."""
    last = len(session.ongoing.moves)
    if whole_number(fields, "last", 0, MOST_PLIES, last) != last:
        raise UsageError("the game has gone on since this board was shown: this is how it stands now")


def _place(looker: Looker, fields: Mapping[str, str]) -> str:
    """A click on a place of the board: the place that is chosen now, "" after a move."""
    looker.check_turn()
    session = looker.session
    move, chosen = choose(session.position, looker.viewer, fields.get("chosen", ""), fields.get("place", ""))
    if move is not None:
        session.move(move)
    return chosen


def _move(looker: Looker, fields: Mapping[str, str]) -> None:
    """A move by its number."""
    looker.check_turn()
    looker.session.move(whole_number(fields, "move", 0, looker.session.game.move_count - 1))


def _type(looker: Looker, fields: Mapping[str, str]) -> None:
    """A move as a person types it."""
    text = fields.get("text", "").strip()[:80]
    looker.check_turn()  # first: what is said of a text may tell what the mover holds
    position = looker.session.position
    move = position.read(text)
    if move not in position.legal_moves:
        raise UsageError(position.refusal(move, text))
    looker.session.move(move)


def _undo(looker: Looker, _: Mapping[str, str]) -> None:
    """Take back a decision of one's own."""
    if not looker.takes_back:
        raise UsageError("moves are not taken back where others play at other browsers")
    looker.session.take_back()


def _advice(player: Player, position: Position, options: Mapping[str, int]) -> Reasons:
    """What a player that is not made of rules would do."""
    ready = player.beginning_a_game(position.mover, options)
    move = ready.decide(position)
    found = of_search(getattr(ready, "result", None), position.game, player.name)
    return found or Reasons(f"{player.name} plays {position.write(move)}", (), (), remark="It gives no reasons.")


def is_pair(game: RecordedGame) -> bool:
    """Whether two players have met at a table of two."""
    return len(game.names) == len(game.players) == PAIR == len(set(game.players))


def game_line(game: RecordedGame, *, pair: bool = True) -> Mapping[str, Any]:
    """A game in a list: its number, who began, the players' points in their order, and its length.

    Where not all are pairs it says who sat where instead, and the points of the seats.
    """
    order = range(len(game.players)) if not pair or game.begins == 1 else (1, 0)
    points = game.result.points
    return {
        "number": game.number,
        "begins": game.names[game.begins - 1] if pair else ", ".join(game.seats),
        "points": "unfinished" if points is None else " : ".join(str(points[seat]) for seat in order),
        "plies": game.plies,
    }
