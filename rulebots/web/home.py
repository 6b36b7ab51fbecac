"""The way to a game: the first page, a game's rules, and who sits where, by level or by name."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.random_numbers import MOST_SEED
from rulebots.packages.levels import LEVEL
from rulebots.records import PERSON
from rulebots.web.levels import DEFAULT_LEVEL, GameCard, card_of, example_board, measured
from rulebots.web.pages import Pages
from rulebots.web.security import post, whole_number
from rulebots.web.served_folder import game_of, games_here
from rulebots.web.session import Session
from rulebots.web.sessions import SIDES, Sessions
from rulebots.web.view import Visitor, status_of, viewer_of

#: Latest games that the first page shows.
RECENT = 12
#: Characters of a position's text: a game of 600 moves at Lost Cities has 2,100.
POSITION_LENGTH = 8000
#: The tree search that fields of the form set, and these fields, with what they mean.
SEARCH = "mcts"
SEARCH_SETTINGS = {
    "iterations": "simulations a move",
    "seconds": "a move at most",
    "temperature": "0: the most visited",
    "noise": "0 to 1 in priors",
}


class HomePages:
    """The routes that lead to a game."""

    def __init__(self, sessions: Sessions, pages: Pages) -> None:
        self.sessions = sessions
        self.served = sessions.served
        self.pages = pages
        #: Pictures are drawn one after the other: a law may have to be compiled, and other requests are to go on.
        self._drawing = threading.Lock()

    @property
    def routes(self) -> list[Route]:
        """What this part answers."""
        return [
            Route("/", self.home),
            Route("/rules/{game}", self.rules),
            Route("/picture/{game}", self.picture),
            Route("/new/{game}", self.new_form),
            post("/new/{game}", self.new),
        ]

    def home(self, request: Request) -> Response:
        """What this is, all games, and the latest ones played."""
        games, broken = games_here()
        cards = list[GameCard]()
        for game in games:
            try:
                cards.append(card_of(game))
            except UsageError as error:
                broken.append(f"{game.name}: {error}")
        recent = []
        lost = list[str]()
        for name in self.sessions.recent(RECENT):
            try:
                session = self.sessions.get(name)
            except UsageError as error:
                lost.append(str(error))
                continue
            viewer = viewer_of(Visitor(session))
            state = status_of(viewer) if viewer.ended else f"{len(session.ongoing.moves)} moves so far"
            recent.append((viewer, state))
        if lost:  # most likely all for one reason: a user's game that was not named this time
            further = f"; {len(lost) - 1} more of the latest games cannot be shown" if len(lost) > 1 else ""
            broken.append(f"{lost[0]}{further}")
        return self.pages.page(request, "home.html", cards=cards, broken=broken, recent=recent)

    def rules(self, request: Request) -> Response:
        """How a game is played."""
        card = card_of(game_of(request.path_params["game"]))
        return self.pages.page(request, "rules.html", card=card, game=card.game, board=None)

    def picture(self, request: Request) -> Response:
        """The board that stands for a game; without scripts, with its rules."""
        card = card_of(game_of(request.path_params["game"]))
        with self._drawing:
            board = example_board(card.game)
        return self.pages.page(request, "rules.html", fragment="picture.html", card=card, game=card.game, board=board)

    def new_form(self, request: Request) -> Response:
        """What to choose before a game."""
        return self._new_page(request, game_of(request.path_params["game"]), dict(request.query_params))

    def new(self, request: Request, fields: Mapping[str, str]) -> Response:
        """Begin a game."""
        game = game_of(request.path_params["game"])
        try:
            session = self._begin(game, fields)
        except UsageError as error:
            return self._new_page(request, game, fields, str(error))
        session.advance()
        return RedirectResponse(f"/game/{session.id}", 303)

    def _begin(self, game: Game, fields: Mapping[str, str]) -> Session:
        options = options_of(game, fields)
        names = []
        for number in range(1, 1 + game.seats_with(options)):
            typed, other = (fields.get(f"{field}{number}", "").strip() for field in ("typed", "other"))
            chosen = other or fields.get(f"player{number}", "").strip()
            chosen = _search_as_set(fields, number) if chosen == SEARCH else chosen
            names.append(typed or chosen or (PERSON if number == 1 else f"{LEVEL}:{DEFAULT_LEVEL}"))
        seed = None if not fields.get("seed", "").strip() else whole_number(fields, "seed", 0, MOST_SEED)
        side = fields.get("side", "first")
        position = position_in(fields)
        return self.sessions.begin(game, tuple(names), options, seed, side, position)

    def _new_page(self, request: Request, game: Game, fields: Mapping[str, str], message: str = "") -> Response:
        levels, remark = measured(game)
        return self.pages.page(
            request, "new.html", 422 if message else 200,
            game=game, fields=fields, message=message, sides=SIDES, person=PERSON, levels=levels, remark=remark,
            opponent=f"{LEVEL}:{DEFAULT_LEVEL}", offered=self.served.offered(game),
            files=self.served.population_files(), search=SEARCH, search_settings=SEARCH_SETTINGS,
            longest=POSITION_LENGTH,
        )  # fmt: skip


def options_of(game: Game, fields: Mapping[str, str]) -> dict[str, int]:
    """The options of a game that a form sends. Raises UsageError."""
    return {
        name: whole_number(fields, f"option-{name}", option.low, option.high, option.default)
        for name, option in game.options.items()
    }


def position_in(fields: Mapping[str, str]) -> str:
    """The text of a position that a form sends, in one line. Raises UsageError: cut off it would be an earlier one."""
    text = " ".join(fields.get("position", "").splitlines()).strip()
    if len(text) > POSITION_LENGTH:
        raise UsageError(f"position: expected at most {POSITION_LENGTH} characters, not {len(text)}")
    return text


def _search_as_set(fields: Mapping[str, str], number: int) -> str:
    """The name of the tree search that the fields of a player set."""
    settings = {name: fields.get(f"{name}{number}", "").strip() for name in SEARCH_SETTINGS}
    return f"{SEARCH}:" + ",".join(f"{name}={value}" for name, value in settings.items() if value)
