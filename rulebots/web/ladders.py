"""Ladders: rate shipped players and players of the folder, and look at the games of any two of them.

Everyone meets everyone on the same deals, block by block, while the page shows it. In memory are the ladders that were
played since the server was started, on disk all of them, as files of `rulebots tournament`.
"""

from __future__ import annotations

import itertools
import math
import re
import secrets
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rulebots import files
from rulebots.errors import FileError, UsageError, demand
from rulebots.game import Game
from rulebots.packages.named_code import names_from_data
from rulebots.packages.players import player_names
from rulebots.play.background import BackgroundWork
from rulebots.play.deals import Deals, DealStream, ordered
from rulebots.play.loop import Terms
from rulebots.play.results import Games, joined
from rulebots.players import CompiledPlayer
from rulebots.records import Record, RecordedGame, parse_record, record_of, record_text
from rulebots.tournaments.ladder import MOST_BYTES, Ladder, contents, ladder_of, ladder_text, parse_ladder
from rulebots.tournaments.pairing import Table, table_robin
from rulebots.tournaments.tournament import games_at, meetings_of, tournament_of
from rulebots.web.home import game_line
from rulebots.web.pages import Pages, in_one_line, post, wants_fragment, whole_number
from rulebots.web.served_folder import LADDERS, REMEDIES, NotFound, ServedFolder, game_of, games_here
from rulebots.web.sessions import Sessions

#: Players of a ladder, and deals of a meeting.
MOST_PLAYERS = 16
MOST_DEALS = 1000
DEALS = 200
#: The deals of the first block, whose games can be looked at; each further block is as long as all before it.
SHOWN = 10
SEED = 1
#: The settings of the tournament that a ladder is, besides its deals.
SETTINGS: Mapping[str, Any] = {
    "system": "round-robin", "rounds": None, "deals": DEALS, "seed": SEED, "options": {}, "opening_plies": None
}  # fmt: skip
#: A fault loses the game, as in `rulebots tournament`.
TERMS = Terms(faults_lose=True)
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
        self.routes = [
            Route("/ladder", self._choose),
            Route("/ladder/new/{game}", lambda asked: self._new_page(asked, game_of(asked.path_params["game"]), {})),
            post("/ladder/new/{game}", self._new),
            Route("/ladder/{id}", lambda asked: self._ladder_page(asked, self.ladders.get(asked.path_params["id"]))),
            post("/ladder/{id}/stop", self._stop),
            Route("/ladder/{id}/games", self._games),
            post("/ladder/{id}/games", self._open),
        ]

    def _choose(self, request: Request) -> Response:
        latest, broken = self.ladders.latest()
        return self.pages.page(request, "ladder.html", games=games_here()[0], ladders=latest, broken=broken)

    def _new(self, request: Request, fields: Mapping[str, str]) -> Response:
        game = game_of(request.path_params["game"])
        try:
            name = self._begin(game, fields)
        except UsageError as error:
            return self._new_page(request, game, fields, str(error))
        return RedirectResponse(f"/ladder/{name}", 303)

    def _begin(self, game: Game, fields: Mapping[str, str]) -> str:
        """Begin a ladder of the players that a form names. Raises UsageError if one is not available."""
        ticked = [value for key, value in fields.items() if key.startswith("player-")]
        names = list(dict.fromkeys([*ticked, *fields.get("typed", "").split()]))
        demand(2 <= len(names) <= MOST_PLAYERS, f"players: expected 2 to {MOST_PLAYERS} of them, not {len(names)}")
        seats = game.seats_with({})
        demand(
            not game.together(seats),
            f"{game.title} is played {'alone' if seats == 1 else 'together'}, and has no ladder: "
            "`rulebots tournament` says who scores how much with whom",
        )
        demand(len(names) >= seats, f"players: a table of {seats} needs at least {seats} of them, not {len(names)}")
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
            game=game, message=message, offered=offered, files=served.population_files(game), ticked=ticked,
            typed=fields.get("typed", ""), deals=fields.get("deals", DEALS), most=MOST_DEALS,
        )  # fmt: skip

    def _stop(self, request: Request, _: Mapping[str, str]) -> Response:
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
            lines=lines_of(ladder.standing), version=version, done=done,
        )  # fmt: skip

    def _met(self, request: Request, fields: Mapping[str, str]) -> tuple[PageLadder, int, int, Record]:
        """A ladder, two of its players, and their games."""
        ladder = self.ladders.get(request.path_params["id"])
        first, second = (whole_number(fields, key, 0, MOST_PLAYERS - 1) for key in ("first", "second"))
        return ladder, first, second, ladder.record(first, second)

    def _games(self, request: Request) -> Response:
        ladder, first, second, record = self._met(request, request.query_params)
        return self.pages.page(
            request, "ladder_games.html", name=request.path_params["id"], ladder=ladder,
            first=first, second=second, names=record.names, games=[game_line(game) for game in record.games],
        )  # fmt: skip

    def _open(self, request: Request, fields: Mapping[str, str]) -> Response:
        """Step through one of these games: it becomes a game of the page."""
        *_, record = self._met(request, fields)
        number = whole_number(fields, "number", 1, len(record.games))
        return RedirectResponse(f"/game/{self.sessions.load(record_text(record), number).id}?ply=0", 303)


@dataclass
class PageLadder(BackgroundWork):
    """A ladder of players with these names, `deals` mirrored deals a meeting: those of `rulebots tournament`, seed 1.

    `standing` is that after `played` deals of each meeting, None before the first block is over; with `one_sided`
    a drawn deal was added to each pair, so that all ratings are finite. `progress` counts the meetings of the block
    that is being played. `records` are the first games of two players, by their numbers "0-1", as text; in a game for
    more than two, those of the first table at which both sat.
    """

    game: Game
    names: Sequence[str]
    deals: int
    served: ServedFolder
    standing: Ladder | None = None
    one_sided: bool = False
    played: int = 0
    progress: int = 0
    records: dict[str, str] = field(default_factory=dict)
    #: Set when the players are made, or one cannot be made.
    ready: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.seats = self.game.seats_with({})
        #: The players that meet at once, by number, and the number of games that they play of each deal.
        self.tables = table_robin(len(self.names), self.seats, SEED)
        self.games_a_deal = len(ordered(1, self.seats))

    def record(self, first: int, second: int) -> Record:
        """The first games of two players, by their numbers, as a record. Raises UsageError where there are none."""
        pair = f"{first}-{second}"
        demand(pair in self.records, "these players have not met yet")
        with names_from_data(**REMEDIES):
            return parse_record(self.records[pair], "the ladder's record")

    def work(self) -> None:
        """Make the players, and play; players that are asked in Python end their game before they stop."""
        players = [self.served.player(name, self.game) for name in self.names]
        self.ready.set()
        tables = self.tables
        stream = DealStream(self.game, SEED)
        hashes = contents(players)
        # Games without their moves: those of a long ladder would take too much memory.
        blocks: dict[Table, list[Games]] = {table: [] for table in tables}
        shown: dict[Table, list[RecordedGame]] = {table: [] for table in tables}
        compiled = all(isinstance(player, CompiledPlayer) for player in players)
        while self.played < self.deals:
            # A player that is asked in Python takes its time: after each deal the ladder may be stopped.
            deals = max(SHOWN, self.played) if compiled else 1
            block = stream.take(min(deals, self.deals - self.played))
            for self.progress, table in enumerate(tables):
                if self.stopped:
                    return
                showing = self.played < SHOWN
                games = games_at(players, table, block, keep_moves=showing, terms=TERMS)
                if showing:
                    self._show(table, block, games, shown)
                blocks[table].append(replace(games, moves=games.moves[:, :0]))
                self.version += 1
            self.played += len(block)
            meetings = [m for table, of_table in blocks.items() for m in meetings_of(table, joined(of_table), 0)]
            tournament = tournament_of(self.game, self.names, meetings)
            self.standing = ladder_of(tournament, self.names, hashes, {**SETTINGS, "deals": self.played})
            self.one_sided = tournament.ratings.one_sided
            self.version += 1

    def fail(self, error: UsageError) -> None:
        """The ladder cannot go on, or cannot begin."""
        super().fail(error)
        self.ready.set()

    def _show(self, table: Table, block: Deals, games: Games, shown: dict[Table, list[RecordedGame]]) -> None:
        """Add the games of a block to the table's record, up to `2 * SHOWN`: the record of each pair at the table.

        Pairs that meet at several tables have the record of the first one.
        """
        so_far = shown[table]
        schedule = ordered(len(block), self.seats)
        some = games[: 2 * SHOWN - len(so_far)]
        record = record_of(tuple(self.names[player] for player in table), block, schedule, some, SEED)
        so_far += [replace(game, number=i) for i, game in enumerate(record.games, len(so_far) + 1)]
        text = record_text(replace(record, games=tuple(so_far)))
        for first, second in itertools.combinations(table, 2):
            if table == next(one for one in shown if first in one and second in one):
                self.records[f"{first}-{second}"] = text


class Ladders:
    """The ladders of all tabs. One is played at a time; each is kept in the folder `ladders` when it is over."""

    def __init__(self, served: ServedFolder) -> None:
        self.served = served
        self.folder = served.folder / LADDERS
        self._held: dict[str, PageLadder] = {}
        self._lock = threading.Lock()

    def add(self, ladder: PageLadder) -> str:
        """Begin a ladder. Raises UsageError while another one is played, FileError if there are too many files."""
        with self._lock:
            demand(
                all(held.done.is_set() for held in self._held.values()),
                "another ladder is being played: wait for it, or stop it",
            )
            demand(
                len(self._files()) < MOST_FILES,
                f"{self.folder}: there are {MOST_FILES:,} ladders: remove some to play further ones",
                FileError,
            )
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
        """The ladder of that name. Raises NotFound, and UsageError if its game is missing or its file is damaged."""
        with self._lock:
            held = self._held.get(name)
        if held is not None:
            return held
        demand(_NAME.fullmatch(name), "there is no such ladder here", NotFound)
        return self._read(self.folder / f"{name}.yaml")

    def latest(self) -> tuple[list[tuple[str, PageLadder]], list[str]]:
        """The latest ladders by name, latest first, and a line if some of them cannot be shown."""
        with self._lock:
            latest: dict[str, PageLadder] = dict(reversed(self._held.items()))
        broken = list[str]()
        for file in self._files()[:MOST_LISTED]:
            if file.stem not in latest:
                try:
                    latest[file.stem] = self._read(file)
                except UsageError as error:
                    broken.append(str(error))
        return list(latest.items())[:MOST_LISTED], in_one_line(broken, "ladders")

    def close(self) -> None:
        """Stop the ladder that is being played, and save its results so far: the process may end at any time."""
        with self._lock:
            going_on = [(name, held) for name, held in self._held.items() if not held.done.is_set()]
        for name, ladder in going_on:
            ladder.stop()
            self._keep(name, ladder)

    def _keep(self, name: str, ladder: PageLadder) -> None:
        """Write a ladder to disk, once it has results. If that fails, the page says so."""
        if ladder.standing is None:
            return
        page = {
            "deals": ladder.deals, "stopped": ladder.stopped, "fault": ladder.fault,
            "one_sided": ladder.one_sided, "records": dict(ladder.records),
        }  # fmt: skip
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            files.replace(self.folder / f"{name}.yaml", ladder_text(replace(ladder.standing, page=page)))
        except (FileError, OSError) as error:
            ladder.fault = ladder.fault or f"this ladder is not kept: {error}"

    def _read(self, file: Path) -> PageLadder:
        """A ladder of the folder. Raises NotFound, UsageError."""
        demand(file.is_file() and not file.is_symlink(), "this ladder is not here any more: play it again", NotFound)
        name = f"{LADDERS}/{file.name}"
        standing = parse_ladder(files.read_text(file, "ladder", MOST_BYTES), name)
        page = standing.page
        try:
            lines_of(standing)  # raises where ratings do not fit the players
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
        try:
            kept = [path for path in self.folder.iterdir() if _NAME.fullmatch(path.stem) and path.suffix == ".yaml"]
            return sorted(kept, key=lambda path: -path.stat().st_mtime)
        except OSError:
            return []


@dataclass(frozen=True)
class LadderLine:
    """A line of a ladder's table: `cells` are the win rates against the players in the order of the table.

    A cell has the numbers of both players, None where a player stands against itself.
    """

    name: str
    elo: str
    around: str
    rate: str
    cells: tuple[tuple[str, tuple[int, int] | None], ...]
    remark: str


def lines_of(ladder: Ladder | None) -> list[LadderLine]:
    """The table of a ladder, best first; nothing before there are results.

    Raises:
        LookupError, TypeError, ValueError: its ratings do not fit its players.
    """
    if ladder is None:
        return []
    numbers = {name: number for number, name in enumerate(ladder.players)}
    won, games = np.zeros((2, len(numbers), len(numbers)))
    for first, second, wins, draws, losses, stalled in ladder.meetings:
        pair = numbers[first], numbers[second]
        won[pair] += wins + draws / 2
        won[pair[::-1]] += losses + draws / 2
        games[pair] = games[pair[::-1]] = games[pair] + wins + draws + losses + stalled
    ranking = [numbers[name] for name in ladder.ratings]
    lines = []
    for name, rating in ladder.ratings.items():
        player = numbers[name]
        pairs = [None if other == player else (min(player, other), max(player, other)) for other in ranking]
        rates = (won[player, other] / games[player, other] if games[player, other] else math.nan for other in ranking)
        low, high = rating["elo_95"]
        around = "too few different deals" if low is None else f"{low:+.0f} to {high:+.0f}"
        lost = rating.get("faults", 0)
        remark = f"lost {lost:,} by fault: {rating['first_fault']}" if lost else ""
        cells = tuple(zip(map(_percent, rates), pairs, strict=True))
        rate = _percent(won[player].sum() / games[player].sum())
        lines.append(LadderLine(name, f"{rating['elo']:+.0f}", around, rate, cells, remark))
    return lines


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f} %"
