"""The quiz's server: `rulebots host lost-cities --port 61676 --player champion`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.players import PlayerFault
from rulebots.protocols.protocol import ProtocolError
from rulebots.protocols.seated_player import warm_up
from rulebots.registry import load_game
from rulebots.servers.hosted import Fault, Hosted, HostedGames, Lobby, course
from rulebots.servers.hosting import PERSON, HostTerms, serve
from rulebots.servers.network import Peer
from rulebots.servers.our_side import OurSide
from rulebots.servers.quiz.engine import QuizEngine
from rulebots.servers.quiz.seats import ClientSeat, PersonSeat, PlayerSeat, Seat
from rulebots.servers.quiz.table import Table, Told
from rulebots.servers.quiz.words import OPTIONS, ending

#: The game that is played.
GAME = "lost-cities"


def host(terms: HostTerms) -> None:
    """Serve until so many games are played, or until Ctrl-C; then say what was played.

    Raises:
        UsageError: the player plays another game, or the port cannot be had. FileError: games cannot be recorded.
    """
    game = load_game(GAME)
    if terms.player is not None and terms.player.game is not game:
        raise UsageError(f"'{terms.player.name}' plays {terms.player.game.name}: the quiz is about {game.title}")
    if terms.options:
        raise UsageError("the quiz has no options: leave out --option")
    if terms.move_seconds is not None or terms.game_seconds is not None:
        raise UsageError("the quiz has no clocks: --idle-seconds limits an answer, --total-seconds a game")
    server = Server(game, terms)
    warm = Table(Position(game, OPTIONS, compiled=True))  # what has to be compiled is, before anybody waits for it
    warm.play(int(warm.position.legal_moves[0]))
    if terms.player is not None:
        warm_up(terms.player)
    games = server.games
    asyncio.run(serve(terms, game.title, QuizEngine.longest_line, server.attend, games.done))
    ours = "who began" if terms.pair else PERSON if terms.player is None else terms.player.name
    terms.say(games.score.line(ours))


class Server:
    """The games of one server."""

    def __init__(self, game: Game, terms: HostTerms) -> None:
        self._terms = terms
        self._terminal, self._lobby = asyncio.Lock(), Lobby[Peer](self._gone)
        self.games = HostedGames(game, terms, OPTIONS, deal_begins=not terms.pair)

    async def attend(self, peer: Peer) -> None:
        """One client: a game with us, or with the next client."""
        if self._terms.pair:
            await self._lobby.meet(peer, self._game_between)
        elif self._terms.player is None:
            async with self._terminal:
                await self._game_with(peer)
        else:
            await self._game_with(peer)

    def _gone(self, peer: Peer) -> bool:
        """Whether a client has left while it waited for another, which is said."""
        gone = peer.gone
        if gone:
            self._terms.say(f"{peer.name} closed the connection: no game")
        return gone

    async def _game_with(self, peer: Peer) -> None:
        async with self.games.next() as hosted:
            if hosted is None:
                return
            us: Seat
            if self._terms.player is None:
                us = PersonSeat(self._terms.say)
            else:
                us = PlayerSeat(OurSide(self._terms.player, hosted.ours, OPTIONS, self.games.working))
            seats: list[Seat] = [us, ClientSeat(peer)]
            await self._play(hosted, seats if hosted.ours == 0 else seats[::-1])

    async def _game_between(self, first: Peer, second: Peer) -> None:
        async with self.games.next() as hosted:
            if hosted is not None:
                seats: list[Seat] = [ClientSeat(first), ClientSeat(second)]
                await self._play(hosted, seats if hosted.ours == 0 else seats[::-1])

    async def _play(self, hosted: Hosted, seats: Sequence[Seat]) -> None:
        table = Table(hosted.position)
        fault = await course(_playing(table, seats), table.position, self._terms.limits.total_seconds)
        points = hosted.points(fault)
        if fault is not None:
            # A client whose opponent has lost by fault is told the end of the game, and not the reason.
            other = 1 - fault.seat
            await _told(seats, [(other, line) for line in ending(points[other], points[fault.seat])])
        for seat in (0, 1):
            if fault is None or seat != fault.seat:
                try:
                    await seats[seat].end(points)
                except PlayerFault as failed:
                    self._terms.say(str(failed))
        names = [seat.name for seat in seats]
        if fault is None or hosted.moved(fault.seat) or not isinstance(seats[fault.seat], ClientSeat):
            self.games.count(hosted, names, fault)
        else:
            self._terms.say(f"{names[fault.seat]} {fault.what}: no game")
        if fault is not None and isinstance(seats[fault.seat], PersonSeat):
            self.games.done.set()


async def _playing(table: Table, seats: Sequence[Seat]) -> Fault | None:
    """The game from its first line to its last. Raises ProtocolError, PlayerFault."""
    told: Sequence[Told] = table.begin()
    while True:
        gone = await _told(seats, told)
        if table.over:  # whoever has gone now has lost nothing by it
            return None
        if gone is not None:
            return gone
        told = await seats[table.waiting].move(table)


async def _told(seats: Sequence[Seat], told: Sequence[Told]) -> Fault | None:
    """Tell both seats what is for them; the seat that could not be told, and why."""
    gone = None
    for seat in (0, 1):
        try:
            await seats[seat].tell([line for where, line in told if where == seat])
        except ProtocolError as error:
            gone = gone or Fault(seat, str(error))
    return gone
