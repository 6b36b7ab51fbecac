"""Play: choose a game and who sits where, make moves, take them back, get hints, and look at reasons."""

from __future__ import annotations

import threading
import urllib.parse
from collections.abc import Callable, Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from rulebots.errors import UsageError, shown
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.players import Player, RulePlayer
from rulebots.players.explaining import explain
from rulebots.players.usual import hinting, usual_opponent
from rulebots.records import PERSON, RecordedGame, record_text
from rulebots.registry import game_names, load_game
from rulebots.registry.named_code import names_from_data
from rulebots.web.board import choose
from rulebots.web.forms import form_of, whole
from rulebots.web.pages import Pages, wants_part
from rulebots.web.reasons import NOTES, Reasons, of_rules, of_search
from rulebots.web.record_files import record_files, record_in
from rulebots.web.sight import outcome_of, result_before, sight_of
from rulebots.web.table import SIDES, Table
from rulebots.web.tables import NoTable, Tables

#: Latest games that the first page shows, and games of a record that are listed.
RECENT, MOST_LISTED = 12, 1000
MOST_SEED = 2**32 - 1
_POSITION_LENGTH = 2000
#: The tree search that fields of the form set, and these fields, with what they mean.
SEARCH = "mcts"
SEARCH_SETTINGS = {
    "iterations": "simulations a move",
    "seconds": "a move at most",
    "temperature": "0: the most visited",
    "noise": "0 to 1 in priors",
}
#: Hints that are looked for at the same time, and seconds that a further one waits for its turn: rules answer at once.
ADVISERS, ASKING = 4, 0.2


def game_of(name: str) -> Game:
    """The game of that name, one that is installed or was named when the server was started. Raises UsageError."""
    if name not in game_names():
        raise NoTable(f"there is no game '{shown(name)}' here")
    with names_from_data(game="--game {}"):
        return load_game(name)


def games_here() -> tuple[list[Game], list[str]]:
    """All games that can be played, and a line for each that cannot be loaded."""
    games, broken = [], []
    for name in game_names():
        try:
            games.append(game_of(name))
        except UsageError as error:
            broken.append(f"{name}: {error}")
    return games, broken


class Play:
    """The routes of play."""

    def __init__(self, tables: Tables, pages: Pages) -> None:
        self.tables = tables
        self.pages = pages
        self._advisers = threading.BoundedSemaphore(ADVISERS)

    @property
    def routes(self) -> list[Route]:
        """What this part answers."""
        posts: Mapping[str, Callable[[Table, Mapping[str, str]], tuple[str, str]]] = {
            "place": self._place,
            "move": self._move,
            "type": self._type,
            "undo": self._undo,
        }
        acts = [Route(f"/game/{{id}}/{name}", self._acting(act), methods=["POST"]) for name, act in posts.items()]
        return [
            Route("/", self.home),
            Route("/new/{game}", self.new_form),
            Route("/new/{game}", self.new, methods=["POST"]),
            Route("/load", self.load_form),
            Route("/load", self.load, methods=["POST"]),
            Route("/game/{id}", self.show),
            Route("/game/{id}/look", self.look),
            Route("/game/{id}/again", self.again, methods=["POST"]),
            Route("/game/{id}/hint", self.hint),
            Route("/game/{id}/why", self.why),
            Route("/game/{id}/record", self.record),
            *acts,
        ]

    def home(self, request: Request) -> Response:
        """All games, and the latest ones played."""
        games, broken = games_here()
        recent, lost = [], list[str]()
        for file in self.tables.recent(RECENT):
            try:
                table = self.tables.get(file.stem)
            except UsageError as error:
                lost.append(str(error))
                continue
            ended = outcome_of(table) if table.ongoing.ended else f"{len(table.ongoing.moves)} moves so far"
            recent.append((table, ended))
        if lost:  # most likely all for one reason: a game of one's own that was not named this time
            further = f"; {len(lost) - 1} more of the latest games cannot be shown" if len(lost) > 1 else ""
            broken.append(f"{lost[0]}{further}")
        return self.pages.page(request, "home.html", games=games, broken=broken, recent=recent)

    def new_form(self, request: Request) -> Response:
        """What to choose before a game."""
        game = game_of(request.path_params["game"])
        return self._new_page(request, game, dict(request.query_params))

    async def new(self, request: Request) -> Response:
        """Begin a game."""
        fields = await form_of(request)

        def begin() -> Response:
            game = game_of(request.path_params["game"])
            try:
                table = self._begin(game, fields)
            except UsageError as error:
                return self._new_page(request, game, fields, str(error))
            table.advance(self.tables.thinkers, self.tables.keep)
            return RedirectResponse(f"/game/{table.id}", 303)

        return await run_in_threadpool(begin)

    def _begin(self, game: Game, fields: Mapping[str, str]) -> Table:
        names = []
        for number, usual in (("1", PERSON), ("2", usual_opponent(game))):
            typed = fields.get(f"typed{number}", "").strip()
            names.append(typed or _search_as_set(fields, number) or fields.get(f"player{number}", "").strip() or usual)
        options = {
            name: whole(fields, f"option-{name}", option.low, option.high, option.default)
            for name, option in game.options.items()
        }
        seed = None if not fields.get("seed", "").strip() else whole(fields, "seed", 0, MOST_SEED)
        position = fields.get("position", "").strip()[:_POSITION_LENGTH]
        return self.tables.begin(game, (names[0], names[1]), options, seed, fields.get("side", "first"), position)

    def _new_page(self, request: Request, game: Game, fields: Mapping[str, str], message: str = "") -> Response:
        return self.pages.page(
            request, "new.html", 422 if message else 200,
            game=game, fields=fields, message=message, sides=SIDES, person=PERSON, usual=usual_opponent(game),
            offered=self.tables.opponents.offered(game), files=self.tables.opponents.files(), search=SEARCH,
            search_settings=SEARCH_SETTINGS,
        )  # fmt: skip

    def load_form(self, request: Request) -> Response:
        """Where a record is given, or chosen among those of the folder."""
        folder, name = self.tables.opponents.folder, request.query_params.get("file")
        if name is not None:
            record = record_in(folder, name)
            games = [game_line(game) for game in record.games[:MOST_LISTED]]
            return self.pages.page(
                request, "record.html", name=name, names=record.names, games=games, count=len(record.games)
            )
        return self._load_page(request)

    async def load(self, request: Request) -> Response:
        """Go on from a game of a record."""
        fields = await form_of(request)

        def begin() -> Response:
            record, number = fields.get("record", ""), fields.get("number", "1")
            try:
                if "file" in fields:
                    record = record_text(record_in(self.tables.opponents.folder, fields["file"]))
                table = self.tables.load(record, whole(fields, "number", 1, 10**6, 1))
            except UsageError as error:
                return self._load_page(request, str(error), record, number)
            return RedirectResponse(f"/game/{table.id}{'?ply=0' if 'file' in fields else ''}", 303)

        return await run_in_threadpool(begin)

    def _load_page(self, request: Request, message: str = "", record: str = "", number: str = "1") -> Response:
        files = record_files(self.tables.opponents.folder)
        code = 422 if message else 200
        return self.pages.page(request, "load.html", code, message=message, record=record, number=number, files=files)

    def show(self, request: Request) -> Response:
        """A game, now or after some moves."""
        table = self._table(request)
        ply = request.query_params.get("ply")
        if ply is None:
            table.advance(self.tables.thinkers, self.tables.keep)
        chosen = request.query_params.get("chosen", "")
        return self._game_page(request, table, None if ply is None else _number(ply), chosen)

    def look(self, request: Request) -> Response:
        """The table if it has changed since a version, else nothing."""
        table = self._table(request)
        table.advance(self.tables.thinkers, self.tables.keep, 0.0 if table.persons else 0.25)
        if request.query_params.get("version") == str(table.version):
            return Response(status_code=204)
        return self._game_page(request, table)

    async def again(self, request: Request) -> Response:
        """Another game of the same players."""
        await form_of(request)

        def begin() -> Response:
            table = self.tables.again(self._table(request))
            table.advance(self.tables.thinkers, self.tables.keep)
            return RedirectResponse(f"/game/{table.id}", 303)

        return await run_in_threadpool(begin)

    def hint(self, request: Request) -> Response:
        """What another player would do for the person who is to move, and why."""
        table = self._table(request)
        with table.lock:
            if not table.persons_turn:
                raise UsageError("a hint is for who is to move, and that is not you now")
            position, options = table.position.copy(), table.ongoing.recorded.options
            ply = len(table.ongoing.moves) + 1
        name = request.query_params.get("player", "").strip() or hinting(table.game)
        # Before the player is made: that may read a file or compile a search, and requests wait for both.
        if not self._advisers.acquire(timeout=ASKING):
            raise UsageError("other hints are being looked for: ask again in a while")
        try:
            player = self.tables.opponents.player(name, table.game)
            if isinstance(player, RulePlayer):
                reasons = of_rules(explain(player, position), name)
            else:
                reasons = _advice(player, position, options)
        finally:
            self._advisers.release()
        return self._panel(request, table, reasons, f"Hint for move {ply}")

    def why(self, request: Request) -> Response:
        """Why a player made a move: `ply` counts from 1."""
        table, ply = self._table(request), _number(request.query_params.get("ply", ""))
        with table.lock:
            sight = sight_of(table)
            if not 1 <= ply <= sight.last or not sight.moves[ply - 1].reasons:
                raise UsageError(f"no reasons can be shown of move {ply}")
            position = table.ongoing.positions[ply - 1].copy()
            player, result = table.players[position.mover], result_before(table, ply)
            name, made = table.names[position.mover], table.ongoing.moves[ply - 1]
        reasons = None
        if isinstance(player, RulePlayer):
            reasons = of_rules(explain(player, position), name)
        elif result is not None:
            reasons = of_search(result, table.game, name)
        if reasons is None:
            said = f"{name} plays {table.game.write(made)}"
            remark = "It gives no reasons." if result is None else "It says nothing of other moves."
            reasons = Reasons(said, (), (), remark=remark)
        return self._panel(request, table, reasons, f"Move {ply}")

    def record(self, request: Request) -> Response:
        """The game as a record, once nothing in it is hidden any more."""
        table = self._table(request)
        with table.lock:
            if table.game.hidden and not table.ongoing.ended and table.persons:
                raise UsageError("the record holds the cards that you may not see: it is here when the game is over")
            text = record_text(table.ongoing.record())
        headers = {"content-disposition": f'attachment; filename="{table.game.name}-{table.id}.txt"'}
        return PlainTextResponse(text, headers=headers)

    def _place(self, table: Table, fields: Mapping[str, str]) -> tuple[str, str]:
        """A click on a place of the board: the place that is chosen now, "" after a move."""
        with table.lock:
            table.check_turn()
            move, chosen = choose(table.position, table.viewer, fields.get("chosen", ""), fields.get("place", ""))
            if move is not None:
                table.move(move)
        return chosen, ""

    def _move(self, table: Table, fields: Mapping[str, str]) -> tuple[str, str]:
        """A move by its number."""
        table.move(whole(fields, "move", 0, table.game.move_count - 1))
        return "", ""

    def _type(self, table: Table, fields: Mapping[str, str]) -> tuple[str, str]:
        """A move as a person types it."""
        text = fields.get("text", "").strip()[:80]
        with table.lock:
            table.check_turn()  # first: what is said of a text may tell what the mover holds
            move = table.position.read(text)
            if move not in table.position.legal_moves:
                raise UsageError(table.position.refusal(move, text))
            table.move(move)
        return "", ""

    def _undo(self, table: Table, fields: Mapping[str, str]) -> tuple[str, str]:
        """Back to one's latest decision."""
        table.take_back()
        return "", ""

    def _acting(self, act: Callable[[Table, Mapping[str, str]], tuple[str, str]]) -> Callable[[Request], object]:
        """A route that changes a table: `act` gives what is chosen then, and a message."""

        async def answer(request: Request) -> Response:
            fields = await form_of(request)

            def change() -> Response:
                table, message, chosen = self._table(request), "", ""
                try:
                    chosen, message = act(table, fields)
                except UsageError as error:
                    message = str(error)
                table.advance(self.tables.thinkers, self.tables.keep)
                if wants_part(request) or message:
                    return self._game_page(request, table, None, chosen, message)
                step = f"?chosen={urllib.parse.quote(chosen)}" if chosen else ""
                return RedirectResponse(f"/game/{table.id}{step}", 303)

            return await run_in_threadpool(change)

        return answer

    def _table(self, request: Request) -> Table:
        return self.tables.get(request.path_params["id"])

    def _game_page(
        self, request: Request, table: Table, ply: int | None = None, chosen: str = "", message: str = ""
    ) -> Response:
        sight = sight_of(table, ply, chosen, message, notes=request.query_params.get("notes", ""))
        template = "table.html" if wants_part(request) else "game.html"
        return self.pages.page(
            request, template, sight=sight, table=table, game=table.game, notes=NOTES, part=wants_part(request)
        )

    def _panel(self, request: Request, table: Table, reasons: Reasons, heading: str) -> Response:
        template = "reasons.html" if wants_part(request) else "why.html"
        return self.pages.page(request, template, table=table, game=table.game, reasons=reasons, heading=heading)


def _advice(player: Player, position: Position, options: Mapping[str, int]) -> Reasons:
    """What a player that is not made of rules would do."""
    ready = player.beginning_a_game(position.mover, options)
    move = ready.decide(position)
    found = of_search(getattr(ready, "result", None), position.game, player.name)
    return found or Reasons(f"{player.name} plays {position.write(move)}", (), (), remark="It gives no reasons.")


def _search_as_set(fields: Mapping[str, str], number: str) -> str:
    """The name of the tree search that the fields of a player set; empty where another player was chosen."""
    if fields.get(f"player{number}") != SEARCH:
        return ""
    given = {name: fields.get(f"{name}{number}", "").strip() for name in SEARCH_SETTINGS}
    return f"{SEARCH}:" + ",".join(f"{name}={value}" for name, value in given.items() if value)


def game_line(game: RecordedGame) -> Mapping[str, Any]:
    """A game in a list: its number, who began, the players' points in their order, and its length."""
    points = game.result.points
    seats = (0, 1) if game.begins == 1 else (1, 0)
    return {
        "number": game.number,
        "begins": game.names[game.begins - 1],
        "points": "unfinished" if points is None else f"{points[seats[0]]} : {points[seats[1]]}",
        "plies": game.plies,
    }


def _number(text: str) -> int:
    """A whole number in an address. Raises UsageError."""
    if not text.isdecimal() or len(text) > 9:
        raise UsageError(f"expected a whole number, not '{text[:40]}'")
    return int(text)
