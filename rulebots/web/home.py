"""The way to a game: the first page, a game's rules, the players of each seat, and games of records."""

import functools
import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rulebots.errors import MOST_SEED, UsageError, demand
from rulebots.game import UNKNOWN, Game
from rulebots.game.position import Position
from rulebots.game.random_numbers import rng_of
from rulebots.packages import load_game, package_of
from rulebots.packages.levels import LEVEL, default_opponent, in_words, level_players
from rulebots.packages.players import CHAMPION, make_player
from rulebots.play.stepper import Stepper
from rulebots.records import PERSON, RecordedGame, record_text
from rulebots.tournaments.ladder import Ladder
from rulebots.web.board import EXAMPLE_DEAL
from rulebots.web.pages import Pages, in_one_line, post, wants_fragment, whole_number
from rulebots.web.reasons import of_rules
from rulebots.web.saved_games import recent_games
from rulebots.web.served_folder import LEVELS_FILE, game_of, games_here, ladder_of
from rulebots.web.sessions import SIDES, Session, Sessions
from rulebots.web.view import Viewer, Visitor, address_of, status_of, viewer_of

#: Latest games among which the first page looks for those with a move; and games of a record that are listed.
LOOKED_AT = 30
MOST_LISTED = 1000
#: Characters of a position's text: a game of 600 moves at Lost Cities has 2,100.
POSITION_LENGTH = 8000
#: Seconds that a move takes on average, by which the length of a game becomes minutes.
SECONDS_A_MOVE = 5
#: The game that the first page offers to begin with: its aim is known to all, and its reasons are read without weights;
#: and the moves of its example after which the page quotes why its champion moves.
FIRST_GAME = "gomoku"
QUOTED_PLY = 15
#: Deals by which it is seen whether who begins can be chosen.
DEALS = 8


class HomePages:
    """The routes that lead to a game."""

    def __init__(self, sessions: Sessions, pages: Pages) -> None:
        self.sessions = sessions
        self.served = sessions.served
        self.pages = pages
        self.routes = [
            Route("/", self._home),
            Route("/rules/{game}", self._rules),
            Route("/new/{game}", self._new_form),
            post("/new/{game}", self._new),
            post("/delete", self._delete),
            Route("/load", self._load_form),
            post("/load", self._load),
        ]

    def _home(self, request: Request) -> Response:
        games, broken = games_here()
        cards = list[GameCard]()
        for game in games:
            try:
                cards.append(card_of(game))
            except UsageError as error:
                broken.append(f"{game.name}: {error}")
        recent, lost = self._recent()
        broken += in_one_line(lost, "games")
        return self.pages.page(
            request, "home.html", fragment="latest.html",
            cards=cards, broken=broken, recent=recent, first=load_game(FIRST_GAME), quoted=quoted_move(),
        )  # fmt: skip

    def _recent(self) -> tuple[list[tuple[Viewer, float, str]], list[str]]:
        """The latest games in which somebody has moved, with date and state; and what is wrong with others."""
        recent = list[tuple[Viewer, float, str]]()
        lost = list[str]()
        for name, changed in recent_games(self.sessions.folder, LOOKED_AT):
            try:
                session = self.sessions.get(name)
            except UsageError as error:  # most likely a user's game that was not named this time
                lost.append(str(error))
                continue
            moves = sum(not position.chance_to_move for position in session.ongoing.positions[:-1])
            if moves:
                viewer = viewer_of(Visitor(session))
                state = status_of(viewer) if viewer.ended else f"{moves} move{'' if moves == 1 else 's'} so far"
                recent.append((viewer, changed, state))
        return recent, lost

    def _delete(self, request: Request, fields: Mapping[str, str]) -> Response:
        self.sessions.delete(fields.get("game", ""))
        return self._home(request) if wants_fragment(request) else RedirectResponse("/#latest", 303)

    def _rules(self, request: Request) -> Response:
        card = card_of(game_of(request.path_params["game"]))
        return self.pages.page(request, "rules.html", card=card, game=card.game)

    def _new_form(self, request: Request) -> Response:
        game = game_of(request.path_params["game"])
        self.sessions.prepare(game)
        return self._new_page(request, game, dict(request.query_params))

    def _new(self, request: Request, fields: Mapping[str, str]) -> Response:
        game = game_of(request.path_params["game"])
        try:
            session = self._begin(game, fields)
        except UsageError as error:
            return self._new_page(request, game, fields, str(error))
        session.advance()
        return RedirectResponse(address_of(session), 303)

    def _begin(self, game: Game, fields: Mapping[str, str]) -> Session:
        options = options_of(game, fields)
        names = [_player(game, fields, number) for number in range(1, 1 + game.most_seats)]
        seats = game.seats_with(options)
        for number in range(seats + 1, 1 + game.most_seats):
            name = fields.get(f"player{number}", "").strip()
            demand(not name, f"seat {number} is for '{name}', but {seats} play: choose more players, or leave it empty")
        seed = whole_number(fields, "seed", 0, MOST_SEED) if fields.get("seed", "").strip() else None
        side = fields.get("side", "first")
        session = self.sessions.begin(game, tuple(names[:seats]), options, seed, side, position_in(fields))
        session.call(fields.get("people", ""))
        return session

    def _new_page(self, request: Request, game: Game, fields: Mapping[str, str], message: str = "") -> Response:
        levels, remark = measured(game)
        return self.pages.page(
            request, "new.html", 422 if message else 200,
            game=game, card=card_of(game), fields=fields, message=message, person=PERSON,
            sides=SIDES if one_begins(game) else (), levels=levels, remark=remark,
            slips=[row.level for row in itertools.takewhile(lambda row: "at random" in row.plays, levels)],
            usual=default_opponent(game), longest=POSITION_LENGTH,
            offered=[*self.served.offered(game), *self.served.population_files(game)],
        )  # fmt: skip

    def _load_form(self, request: Request) -> Response:
        name = request.query_params.get("file")
        if name is None:
            return self._load_page(request)
        record = self.served.record(name)
        games = [game_line(game) for game in record.games[:MOST_LISTED]]
        return self.pages.page(
            request, "record.html", name=name, games=games, players=record.names, count=len(record.games)
        )

    def _load(self, request: Request, fields: Mapping[str, str]) -> Response:
        record = fields.get("record", "")
        try:
            if "file" in fields:
                record = record_text(self.served.record(fields["file"]))
            session = self.sessions.load(record, whole_number(fields, "number", 1, 10**6, 1))
        except UsageError as error:
            return self._load_page(request, str(error), record, fields.get("number", "1"))
        return RedirectResponse(f"{address_of(session)}{'?ply=0' if 'file' in fields else ''}", 303)

    def _load_page(self, request: Request, message: str = "", record: str = "", number: str = "1") -> Response:
        return self.pages.page(
            request, "load.html", 422 if message else 200,
            message=message, record=record, number=number, files=self.served.record_files(),
        )  # fmt: skip


def _player(game: Game, fields: Mapping[str, str], number: int) -> str:
    """The player of a seat: the one named for it, else a person at the first seat, and the chosen level at others."""
    named = fields.get(f"player{number}", "").strip()
    return named or (PERSON if number == 1 else fields.get("level", "").strip() or default_opponent(game))


@functools.lru_cache(maxsize=64)
def one_begins(game: Game) -> bool:
    """Whether who begins can be chosen: the first seat begins on every deal, and not by a move that is still secret."""
    for seed in range(1, DEALS + 1):
        position = Position(game, seed=seed)
        mover = next(Stepper(position, int(rng_of(seed).integers(1, 2**32))).decisions(), 0)
        position.play(int(position.legal_moves[0]))
        if mover != 0 or (game.told and position.history(position.seats - 1)[-1].move == UNKNOWN):
            return False
    return game.most_seats > 1


def options_of(game: Game, fields: Mapping[str, str]) -> dict[str, int]:
    """The options of a game that a form sends. Raises UsageError."""
    return {
        name: whole_number(fields, f"option-{name}", option.low, option.high, option.default)
        for name, option in game.options.items()
    }


def position_in(fields: Mapping[str, str]) -> str:
    """The text of a position that a form sends, in one line. Raises UsageError: cut off it would be an earlier one."""
    text = " ".join(fields.get("position", "").splitlines()).strip()
    demand(len(text) <= POSITION_LENGTH, f"position: expected at most {POSITION_LENGTH} characters, not {len(text)}")
    return text


def game_line(game: RecordedGame) -> Mapping[str, Any]:
    """A game in a list: its number, its seats with their points, and its length."""
    points = game.result.points
    return {
        "number": game.number,
        "seats": ", ".join(game.seats),
        "points": "unfinished" if points is None else " : ".join(map(str, points)),
        "plies": game.plies,
    }


@dataclass(frozen=True)
class GameCard:
    """A game in short: `rules` are its paragraphs, each a text, or a list of texts.

    `facts` are few words each: how many play, for how long, and what is hidden.
    """

    game: Game
    summary: str
    facts: tuple[str, ...]
    rules: tuple[str | tuple[str, ...], ...]


@functools.cache
def quoted_move() -> tuple[str, str]:
    """What the champion of `FIRST_GAME` plays in a position of the game's example, and why, in its sentences."""
    game = load_game(FIRST_GAME)
    position = Position(game, seed=EXAMPLE_DEAL)
    for text in package_of(game).example.split()[:QUOTED_PLY]:
        position.push(text)
    names = ["Player 1", "Player 2"]
    names[position.mover] = CHAMPION.capitalize()
    reasons = of_rules(make_player(CHAMPION, game), position, names)
    return position.sentence(reasons.move or 0, names), reasons.sentence


def card_of(game: Game) -> GameCard:
    """A game in short. Raises UsageError where a part of it is wrong."""
    summary, rules = package_of(game).about
    head, colon, rest = summary.partition(": ")
    if colon and head.casefold().startswith(game.title.casefold()[:4]):  # the title stands above it
        summary = rest[:1].upper() + rest[1:]
    low = game.fewest_seats
    high = game.most_seats
    seats = f"{low} to {high} players" if high > low else f"{low} player{'' if low == 1 else 's'}"
    facts = [f"{seats}{' together' * (game.aim == 'together')}"]
    ladder = ladder_of(game)
    if ladder and ladder.plies:
        facts.append(f"about {max(1, round(ladder.plies * SECONDS_A_MOVE / 60))} min")
    facts += ["hidden information"] * game.hidden + ["dice"] * game.chance
    return GameCard(game, summary, tuple(facts), rules)


@dataclass(frozen=True)
class LevelRow:
    """A level: its name as a player, how it plays, and its rating with its interval, "" where nothing was measured."""

    level: str
    player: str
    plays: str
    rating: str = ""
    interval: str = ""


def measured(game: Game) -> tuple[list[LevelRow], str]:
    """The levels of a game, the weakest first, and how they were measured in one line."""
    ladder = ladder_of(game)
    levels = {f"{LEVEL}:{level}": (level, in_words(player)) for level, player in level_players(game).items()}
    if ladder is None:
        remark = (
            ""
            if game.live
            else f"Not rated yet. Run rulebots tournament {','.join(levels)} --game {game.name} --ladder {LEVELS_FILE}"
            " and put the file into the game's folder."
        )
        return [LevelRow(level, player, plays) for player, (level, plays) in levels.items()], remark
    rows = [LevelRow(level, player, plays, *_rating(ladder, player)) for player, (level, plays) in levels.items()]
    how = f"Measured on {ladder.settings['deals']} deals, with the usual options"
    if ladder.together:
        return rows, f"{how}, each with copies of itself: points of a game."
    return rows, f"{how}, all against all; the lowest level is 0. 100 Elo more win 64 of 100 games."


def _rating(ladder: Ladder, player: str) -> tuple[str, str]:
    """A level's rating above the lowest and its interval, in words; "" where the file has none."""
    rating = ladder.ratings.get(player)
    if rating is None:
        return "", ""
    if ladder.together:
        low, high = rating["points_95"]
        return f"{rating['points']:.1f} points", "unknown" if low is None else f"{low:z.1f} to {high:z.1f}"
    low, high = rating["elo_95"]
    if rating["elo"] is None:  # who won or lost every game has no finite one
        return "unknown", "too few deals"
    above = rating["elo"] - min(other["elo"] for other in ladder.ratings.values() if other["elo"] is not None)
    return f"+{above} Elo", "too few deals" if None in (low, high) else f"\N{PLUS-MINUS SIGN} {(high - low + 1) // 2}"
