"""Ladders: rate shipped players and players of the folder, and look at the games of any two of them.

In memory are those that were played since the server was started, on disk all of them, as files of
`rulebots tournament`.
"""

from __future__ import annotations

import re
import secrets
import threading
from collections.abc import Mapping
from dataclasses import replace as replace_fields
from pathlib import Path

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rulebots.errors import FileError, UsageError
from rulebots.files import read_text, replace
from rulebots.game import Game
from rulebots.packages.players import player_names
from rulebots.records import record_text
from rulebots.tournaments.ladder import MOST_BYTES, ladder_text, parse_ladder
from rulebots.web.ladder import PageLadder, lines_of
from rulebots.web.pages import Pages, is_same, wants_fragment
from rulebots.web.play import game_line
from rulebots.web.security import post, whole_number
from rulebots.web.served_folder import LADDERS, NotFound, ServedFolder, game_of, games_here
from rulebots.web.sessions import Sessions

#: Players of a ladder, and deals of a meeting.
MOST_PLAYERS = 16
MOST_DEALS = 1000
DEALS = 200
#: Seconds that a request waits for the players of a ladder to be made, and then for its first results.
PREPARING = 1.5
PATIENCE = 0.3
#: Ladders that the page lists, and files in the folder.
MOST_LISTED = 16
MOST_FILES = 1000
_NAME = re.compile(r"[A-Za-z0-9_-]{12}")


class LadderPages:
    """The routes of ladders."""

    def __init__(self, sessions: Sessions, pages: Pages) -> None:
        self.sessions = sessions
        self.pages = pages
        self.ladders = Ladders(sessions.served)

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
        if game.together(seats := game.seats_with({})):
            how = "`rulebots tournament` says who scores how much with whom"
            raise UsageError(
                f"{game.title} is played {'alone' if seats == 1 else 'together'}, and has no ladder: {how}"
            )
        if len(names) < seats:
            raise UsageError(f"players: a table of {seats} needs at least {seats} of them, not {len(names)}")
        deals = whole_number(fields, "deals", 2, MOST_DEALS, DEALS)
        served = self.sessions.served
        for player in names:
            served.player_text(player, game)
        ladder = PageLadder(game, names, deals, served)
        name = self.ladders.add(ladder)
        ladder.ready.wait(PREPARING)
        if ladder.error is not None:
            self.ladders.forget(name)
            raise ladder.error
        ladder.done.wait(PATIENCE)
        return name

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
        ladder = self.ladders.get(request.path_params["id"])
        if not ladder.done.is_set() and is_same(request, ladder.version):
            return Response(status_code=204)
        return self._ladder_page(request, ladder)

    def stop(self, request: Request, _: Mapping[str, str]) -> Response:
        """Play no further."""
        name = request.path_params["id"]
        ladder = self.ladders.get(name)
        ladder.stop()
        ladder.done.wait(PATIENCE)
        return (
            self._ladder_page(request, ladder) if wants_fragment(request) else RedirectResponse(f"/ladder/{name}", 303)
        )

    def _ladder_page(self, request: Request, ladder: PageLadder) -> Response:
        version = ladder.version
        done = ladder.done.is_set()  # before what they stand for
        return self.pages.page(
            request, "ladder_show.html", fragment="ladder_fragment.html", name=request.path_params["id"], ladder=ladder,
            lines=ladder.lines, version=version, done=done, pairs=len(ladder.tables),
        )  # fmt: skip

    def games(self, request: Request) -> Response:
        """The first games of two players."""
        ladder = self.ladders.get(request.path_params["id"])
        query = request.query_params
        first, second = (whole_number(query, key, 0, MOST_PLAYERS - 1) for key in ("first", "second"))
        record = ladder.record(first, second)
        return self.pages.page(
            request, "ladder_games.html", name=request.path_params["id"], ladder=ladder,
            first=first, second=second, names=record.names, games=[game_line(game) for game in record.games],
        )  # fmt: skip

    def open(self, request: Request, fields: Mapping[str, str]) -> Response:
        """Step through one of these games: it becomes a game of the page."""
        ladder = self.ladders.get(request.path_params["id"])
        first, second = (whole_number(fields, key, 0, MOST_PLAYERS - 1) for key in ("first", "second"))
        record = ladder.record(first, second)
        number = whole_number(fields, "number", 1, len(record.games))
        session = self.sessions.load(record_text(record), number)
        return RedirectResponse(f"/game/{session.id}?ply=0", 303)


class Ladders:
    """The ladders of all tabs. One is played at a time; each is kept in the folder `ladders` when it is over."""

    def __init__(self, served: ServedFolder) -> None:
        self.served = served
        self.folder = served.folder / LADDERS
        self._held: dict[str, PageLadder] = {}
        self._lock = threading.Lock()

    def add(self, ladder: PageLadder) -> str:
        """Begin a ladder. Raises UsageError while another one is played, FileError where there are too many files."""
        with self._lock:
            if any(not held.done.is_set() for held in self._held.values()):
                raise UsageError("another ladder is being played: wait for it, or stop it")
            if len(self._files()) >= MOST_FILES:
                raise FileError(f"{self.folder}: there are {MOST_FILES:,} ladders: remove some to play further ones")
            while len(self._held) >= MOST_LISTED:  # the others are on disk
                del self._held[next(iter(self._held))]
            name = secrets.token_urlsafe(9)
            self._held[name] = ladder
            ladder.start(lambda: self._keep(name, ladder))
        return name

    def forget(self, name: str) -> None:
        """Remove a ladder that could not begin."""
        with self._lock:
            self._held.pop(name, None)

    def get(self, name: str) -> PageLadder:
        """The ladder of that name. Raises NotFound, and UsageError where its game or its file is not to be had."""
        with self._lock:
            held = self._held.get(name)
        if held is not None:
            return held
        if not _NAME.fullmatch(name):
            raise NotFound("there is no such ladder here")
        return self._read(self.folder / f"{name}.yaml")

    def latest(self) -> tuple[list[tuple[str, PageLadder]], list[str]]:
        """The latest ladders by name, latest first, and a line where some of them cannot be shown."""
        with self._lock:
            latest: dict[str, PageLadder] = dict(reversed(self._held.items()))
        broken = list[str]()
        for file in self._files()[:MOST_LISTED]:
            if file.stem not in latest:
                try:
                    latest[file.stem] = self._read(file)
                except UsageError as error:
                    broken.append(str(error))
        if len(broken) > 1:  # most likely all for one reason
            broken = [f"{broken[0]}; {len(broken) - 1} more of the latest ladders cannot be shown"]
        return list(latest.items())[:MOST_LISTED], broken

    def close(self) -> None:
        """Stop the ladder that is played, and keep it as far as it is played: the process may end at any time."""
        with self._lock:
            going_on = [(name, held) for name, held in self._held.items() if not held.done.is_set()]
        for name, ladder in going_on:
            ladder.stop()
            self._keep(name, ladder)

    def _keep(self, name: str, ladder: PageLadder) -> None:
        """Write a ladder to disk, once it has results. Where that fails the page says so."""
        if ladder.standing is None:
            return
        page = {
            "deals": ladder.deals, "stopped": ladder.stopped, "fault": ladder.fault,
            "one_sided": ladder.one_sided, "records": dict(ladder.records),
        }  # fmt: skip
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            replace(self.folder / f"{name}.yaml", ladder_text(replace_fields(ladder.standing, page=page)))
        except (FileError, OSError) as error:
            ladder.fault = ladder.fault or f"this ladder is not kept: {error}"

    def _read(self, file: Path) -> PageLadder:
        """A ladder of the folder. Raises NotFound, UsageError."""
        if file.is_symlink() or not file.is_file():
            raise NotFound("this ladder is not here any more: play it again")
        name = f"{LADDERS}/{file.name}"
        standing = parse_ladder(read_text(file, "ladder", MOST_BYTES), name)
        page = standing.page
        try:
            lines_of(standing)  # which nobody has checked
            ladder = PageLadder(
                game_of(standing.game), [*standing.players], page["deals"], self.served, standing, page["one_sided"],
                standing.settings["deals"], records=dict(page["records"]),
            )  # fmt: skip
            ladder.stopped = page["stopped"]
            ladder.fault = page["fault"]
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise UsageError(f"{name} is not a ladder of this page: {error}") from None
        ladder.done.set()
        return ladder

    def _files(self) -> list[Path]:
        """The files of ladders, latest first."""
        try:
            files = [path for path in self.folder.iterdir() if _NAME.fullmatch(path.stem) and path.suffix == ".yaml"]
            return sorted(files, key=lambda path: -path.stat().st_mtime)
        except OSError:
            return []
