"""Ladders: rate shipped players and players of the folder, and look at the games of any two of them."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.players.names import player_names
from rulebots.records import record_text
from rulebots.web.ladders import KeptLadder, Ladders
from rulebots.web.pages import Pages, wants_fragment
from rulebots.web.play import game_line
from rulebots.web.rating import Rating
from rulebots.web.security import post, whole_number
from rulebots.web.served_folder import game_of, games_here
from rulebots.web.sessions import Sessions

#: Players of a ladder, and deals of a meeting.
MOST_PLAYERS, MOST_DEALS = 16, 1000
DEALS = 200
#: Seconds that a request waits for the players of a ladder to be made, and then for its first results.
PREPARING, PATIENCE = 1.5, 0.3


class Ladder:
    """The routes of ladders."""

    def __init__(self, sessions: Sessions, pages: Pages) -> None:
        self.sessions = sessions
        self.pages = pages
        self.ladders = Ladders(sessions.served.folder, game_of)

    @property
    def routes(self) -> list[Route]:
        """What this part answers."""
        return [
            Route("/ladder", self.choose),
            Route("/ladder/new/{game}", self.new_form),
            post("/ladder/new/{game}", self.new),
            Route("/ladder/{id}", self.show),
            post("/ladder/{id}/stop", self.stop),
            Route("/ladder/{id}/games", self.games),
            post("/ladder/{id}/games", self.open),
        ]

    def close(self) -> None:
        """Stop the one that is played, and keep it as far as it is played."""
        self.ladders.close()

    def choose(self, request: Request) -> Response:
        """The games, and the ladders so far."""
        latest, broken = self.ladders.latest()
        return self.pages.page(request, "ladder.html", games=games_here()[0], ladders=latest, broken=broken)

    def new_form(self, request: Request) -> Response:
        """Who is to be rated."""
        game = game_of(request.path_params["game"])
        return self._new_page(request, game, {})

    def new(self, request: Request, fields: Mapping[str, str]) -> Response:
        """Begin a ladder."""
        game = game_of(request.path_params["game"])
        try:
            name = self._begin(game, fields)
        except UsageError as error:
            return self._new_page(request, game, fields, str(error))
        return RedirectResponse(f"/ladder/{name}", 303)

    def _begin(self, game: Game, fields: Mapping[str, str]) -> str:
        """Begin a ladder of the players that a form names. Raises UsageError where one of them cannot be had."""
        chosen = [value for key, value in fields.items() if key.startswith("player-")]
        names = list(dict.fromkeys([*chosen, *fields.get("typed", "").split()]))
        if not 2 <= len(names) <= MOST_PLAYERS:
            raise UsageError(f"players: expected 2 to {MOST_PLAYERS} of them, not {len(names)}")
        deals, served = whole_number(fields, "deals", 2, MOST_DEALS, DEALS), self.sessions.served
        for name in names:
            served.player_text(name, game)
        rating = Rating(game, names, deals, lambda name: served.player(name, game))
        found = self.ladders.add(rating)
        rating.ready.wait(PREPARING)
        if rating.error is not None:
            self.ladders.forget(found)
            raise rating.error
        rating.done.wait(PATIENCE)
        return found

    def _new_page(self, request: Request, game: Game, fields: Mapping[str, str], message: str = "") -> Response:
        served = self.sessions.served
        offered = served.offered(game)
        ticked = {value for key, value in fields.items() if key.startswith("player-")} if fields else player_names(game)
        return self.pages.page(
            request, "ladder_new.html", 422 if message else 200,
            game=game, message=message, offered=offered, files=served.population_files(), ticked=ticked,
            typed=fields.get("typed", ""), deals=fields.get("deals", DEALS), most=MOST_DEALS,
        )  # fmt: skip

    def show(self, request: Request) -> Response:
        """A ladder as far as it is played; 204 where nothing is new."""
        name = request.path_params["id"]
        rating = self.ladders.get(name)
        version, done = rating.version, rating.done.is_set()  # before what they stand for
        if wants_fragment(request) and request.query_params.get("version") == str(version) and not done:
            return Response(status_code=204)
        return self._ladder_page(request, name, rating, version, done=done)

    def stop(self, request: Request, _: Mapping[str, str]) -> Response:
        """Play no further."""
        name = request.path_params["id"]
        rating = self.ladders.get(name)
        rating.stop()
        rating.done.wait(PATIENCE)
        if not wants_fragment(request):
            return RedirectResponse(f"/ladder/{name}", 303)
        return self._ladder_page(request, name, rating, rating.version, done=rating.done.is_set())

    def _ladder_page(
        self, request: Request, name: str, rating: Rating | KeptLadder, version: int, *, done: bool
    ) -> Response:
        players = len(rating.names)
        return self.pages.page(
            request, "ladder_show.html", fragment="ladder_fragment.html", ladder=name, rating=rating,
            lines=rating.lines, version=version, done=done, pairs=players * (players - 1) // 2,
        )  # fmt: skip

    def games(self, request: Request) -> Response:
        """The first games of two players."""
        rating, query = self.ladders.get(request.path_params["id"]), request.query_params
        first, second = (whole_number(query, key, 0, MOST_PLAYERS - 1) for key in ("first", "second"))
        record = rating.record(first, second)
        return self.pages.page(
            request, "ladder_games.html", ladder=request.path_params["id"], rating=rating,
            first=first, second=second, names=record.names, games=[game_line(game) for game in record.games],
        )  # fmt: skip

    def open(self, request: Request, fields: Mapping[str, str]) -> Response:
        """Step through one of these games: it becomes a game of the page."""
        rating = self.ladders.get(request.path_params["id"])
        first, second = (whole_number(fields, key, 0, MOST_PLAYERS - 1) for key in ("first", "second"))
        record = rating.record(first, second)
        number = whole_number(fields, "number", 1, len(record.games))
        session = self.sessions.load(record_text(record), number)
        return RedirectResponse(f"/game/{session.id}?ply=0", 303)
