"""The quiz's server: `rulebots host lost-cities --port 61676 --player champion`."""

from __future__ import annotations

import asyncio
import io
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.packages import load_game
from rulebots.protocols import LineTooLong, ProtocolError, line_of
from rulebots.protocols.seated_player import warm_up
from rulebots.servers.connections import Connection, LfConnection, in_thread
from rulebots.servers.quiz.engine import QuizEngine
from rulebots.servers.quiz.game import QuizGame, Told
from rulebots.servers.quiz.lines import GAME, OPTIONS, ending
from rulebots.servers.serving import GameFault, HostSettings, Lobby, PlayerSeat, ServedGame, ServedGames, serve

#: Answers in a row that are refused: the quiz's own DumbPlayer tries eight.
MOST_REFUSALS = 100
#: The name of the player at the terminal.
PERSON = "you"


def host(settings: HostSettings) -> None:
    """Serve until all games are played, or until Ctrl-C; then say what was played.

    Raises:
        UsageError: the player plays another game, or the server cannot listen. FileError: games cannot be recorded.
    """
    game = load_game(GAME)
    if settings.player is not None and settings.player.game is not game:
        raise UsageError(f"'{settings.player.name}' plays {settings.player.game.name}: the quiz is about {game.title}")
    if settings.options:
        raise UsageError("the quiz has no options: leave out --option")
    if settings.move_seconds is not None or settings.game_seconds is not None:
        raise UsageError("the quiz has no clocks: --idle-seconds limits an answer, --total-seconds a game")
    server = QuizServer(game, settings)
    warm = QuizGame(Position(game, OPTIONS, compiled=True))  # what has to be compiled is, before anybody waits for it
    warm.play(int(warm.position.legal_moves[0]))
    if settings.player is not None:
        warm_up(settings.player)
    games = server.games
    asyncio.run(serve(settings, game.title, QuizEngine.longest_line, server.attend, games.done, LfConnection))
    ours = "who began" if settings.pair else PERSON if settings.player is None else settings.player.name
    settings.say(games.score.line(ours))


class QuizServer:
    """The games of one server."""

    def __init__(self, game: Game, settings: HostSettings) -> None:
        self._settings = settings
        self._terminal, self._lobby = asyncio.Lock(), Lobby[Connection](self._gone)
        self.games = ServedGames(game, settings, OPTIONS, deal_begins=not settings.pair)

    async def attend(self, client: Connection) -> None:
        """One client: a game with the server's player, the person at the terminal, or the next client."""
        if self._settings.pair:
            await self._lobby.meet(client, self._game_between)
        elif self._settings.player is None:
            async with self._terminal:
                await self._game_with(client)
        else:
            await self._game_with(client)

    def _gone(self, client: Connection) -> bool:
        """Whether a client has left while it waited for another, which is said."""
        gone = client.gone
        if gone:
            self._settings.say(f"{client.name} closed the connection: no game")
        return gone

    async def _game_with(self, client: Connection) -> None:
        async with self.games.next() as served:
            if served is not None:
                player, say = self._settings.player, self._settings.say
                ours = PersonSeat(say) if player is None else QuizPlayerSeat(player, self.games, served)
                await self._play(served, ours, self._seat(client))

    async def _game_between(self, first: Connection, second: Connection) -> None:
        async with self.games.next() as served:
            if served is not None:
                await self._play(served, self._seat(first), self._seat(second))

    def _seat(self, client: Connection) -> QuizClientSeat:
        return QuizClientSeat(client, self._settings.limits.idle_seconds)

    async def _play(self, served: ServedGame, ours: AnySeat, theirs: AnySeat) -> None:
        seats, game = [ours, theirs] if served.ours == 0 else [theirs, ours], QuizGame(served.position)
        fault = await self.games.play(served, _playing(game, seats))
        if fault is not None:
            # A client whose opponent has lost by fault is told the end of the game, and not the reason.
            points, other = served.points(fault), 1 - fault.seat
            await _tell(seats, [(other, line) for line in ending(points[other], points[fault.seat])])
        await self.games.settle(served, seats, fault)
        if fault is not None and isinstance(seats[fault.seat], PersonSeat):
            self.games.done.set()


class QuizSeat(ABC):
    """One side of a game, which answers in lines. Its `name` is for the person who runs the server."""

    name: str
    is_client = False

    @abstractmethod
    async def tell(self, lines: Sequence[str]) -> None:
        """Show lines. Raises ProtocolError if they cannot be shown."""

    @abstractmethod
    async def line(self) -> str:
        """The next answer. Raises ProtocolError."""

    async def move(self, game: QuizGame) -> Sequence[Told]:
        """Ask until an answer is a move in the game, where it is this seat's turn; gives what everybody is told of it.

        Raises:
            ProtocolError, PlayerFault: there is none.
        """
        for _ in range(MOST_REFUSALS):
            made, told = game.answer(await self.line())
            if made:
                return told
            await self.tell([line for _, line in told])
        raise ProtocolError(f"gave {MOST_REFUSALS} answers in a row that are not moves")

    async def end(self, points: tuple[int, ...]) -> None:  # noqa: B027 - clients are told in lines
        """The game is over."""


class QuizPlayerSeat(PlayerSeat):
    """A rulebots player in one game, which is told nothing."""

    async def tell(self, lines: Sequence[str]) -> None:
        """It knows the position."""

    async def move(self, game: QuizGame) -> Sequence[Told]:
        """The player's decision."""
        return game.play(await self.decide(game.position))


#: Either side of a game.
AnySeat = QuizSeat | QuizPlayerSeat


class QuizClientSeat(QuizSeat):
    """A client. All its answers to a question, down to the first that is a move, have `idle_seconds`."""

    is_client = True

    def __init__(self, client: Connection, idle_seconds: float) -> None:
        self._client, self.name, self._idle_seconds = client, client.name, idle_seconds

    async def move(self, game: QuizGame) -> Sequence[Told]:
        """Ask, for a limited time."""
        try:
            async with asyncio.timeout(self._idle_seconds):
                return await super().move(game)
        except TimeoutError:
            raise ProtocolError(f"made no move for {self._idle_seconds:g} s") from None

    async def tell(self, lines: Sequence[str]) -> None:
        """Send them."""
        await self._client.send(lines)

    async def line(self) -> str:
        """What it sends."""
        return await self._client.receive(patient=True)


class PersonSeat(QuizSeat):
    """A person at the terminal, who sees what a client would."""

    name = PERSON

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        # Not `sys.stdin`, whose lock a thread that waits would hold at the end of the program.
        self._typed = io.FileIO(0, closefd=False)

    async def tell(self, lines: Sequence[str]) -> None:
        """Print them."""
        for line in lines:
            self._say(line)

    async def line(self) -> str:
        """What is typed."""
        longest = QuizEngine.longest_line
        typed = await in_thread(partial(self._typed.readline, longest + 2))
        if not typed:
            raise ProtocolError("left the game")
        if len(typed.removesuffix(b"\n")) > longest:
            raise LineTooLong(longest)
        return line_of(typed)


async def _playing(game: QuizGame, seats: Sequence[AnySeat]) -> GameFault | None:
    """The game from its first line to its last. Raises ProtocolError, PlayerFault."""
    told: Sequence[Told] = game.begin()
    while True:
        gone = await _tell(seats, told)
        if game.over:  # a client that has gone now has lost nothing by it
            return None
        if gone is not None:
            return gone
        told = await seats[game.waiting].move(game)


async def _tell(seats: Sequence[AnySeat], told: Sequence[Told]) -> GameFault | None:
    """Tell both seats what is for them; gives the seat that could not be told, and why."""
    gone = None
    for seat in (0, 1):
        try:
            await seats[seat].tell([line for where, line in told if where == seat])
        except ProtocolError as error:
            gone = gone or GameFault(seat, str(error))
    return gone
