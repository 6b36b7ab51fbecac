"""Setting up a position: its text beside its board, legal moves that change it, and what a player would do there.

All of it is in the address, so nothing is kept here. A click on a place is a legal move: what else a place could hold
is not told by a game, whose text need not have a character for each place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulebots.errors import UsageError
from rulebots.game import CHANCE, Game
from rulebots.game.position import Position
from rulebots.packages.players import champion_of
from rulebots.web.home import POSITION_LENGTH, options_of, position_in
from rulebots.web.pages import Pages, wants_fragment, whole_number
from rulebots.web.reasons import Reasons
from rulebots.web.served_folder import game_of
from rulebots.web.view import board_of, choose

#: What a player says of a position: its name, the position, and the options of the game.
Adviser = Callable[[str, Position, Mapping[str, int]], Reasons]


class SetUpPages:
    """The routes of setting up a position; `advise` asks a player."""

    def __init__(self, pages: Pages, advise: Adviser) -> None:
        self.pages = pages
        self.advise = advise
        self.routes = [Route("/position/{game}", self._show), Route("/position/{game}/hint", self._hint)]

    def _show(self, request: Request) -> Response:
        """The text and its board, after the move that was clicked, if one was."""
        game = game_of(request.path_params["game"])
        query = request.query_params
        options = dict[str, int]()
        position = None
        message = ""
        chosen = ""
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
        # A field that somebody has emptied stays empty: more is about to be typed.
        rewritten = moved or "start" in query or not (text or wants_fragment(request))
        if position is not None and rewritten:
            text = position.to_text()
        return self.pages.page(
            request, "setting_up.html", 422 if message else 200, fragment="set_up.html", game=game, text=text,
            rewritten=rewritten, options=options, longest=POSITION_LENGTH,
            fields=dict(query), player=query.get("player") or champion_of(game), message=message, chosen=chosen,
            board=position and board_of(position, None, playing=not position.over, chosen=chosen),
            status=_status(position) if position else "", over=position is not None and position.over,
        )  # fmt: skip

    def _hint(self, request: Request) -> Response:
        game = game_of(request.path_params["game"])
        query = request.query_params
        options = options_of(game, query)
        position = _position(game, position_in(query), options)
        if position.over or position.mover == CHANCE:
            raise UsageError("nobody is to decide in this position")
        reasons = self.advise(query.get("player", "").strip() or champion_of(game), position, options)
        board = board_of(position, None, playing=False, advice=reasons.advice)
        return self.pages.page(
            request, "why.html", fragment="reasons.html", game=game, reasons=reasons, heading="In this position",
            board=board, on_board="set-up-advice", back=f"/position/{game.name}?{request.url.query}",
        )  # fmt: skip


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


def _status(position: Position) -> str:
    """Who is to move; at tables by the numbers on the board."""
    first, who = (0, "seat") if position.seats > 2 or position.game.aim == "together" else (1, "player")
    if position.over:
        points = (f"{who} {seat} has {points}" for seat, points in enumerate(position.points, first))
        return f"The game is over here: {', '.join(points)}."
    if position.mover == CHANCE:
        return "Chance is to move: choose what it brings."
    return f"{who.capitalize()} {position.mover + first} to move."
