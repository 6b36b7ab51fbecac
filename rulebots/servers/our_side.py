"""A player of ours at a server's table: it decides in threads, so that other games go on meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from rulebots.game.position import Position
from rulebots.players import Player, PlayerFault
from rulebots.servers.network import in_thread


class OurSide:
    """Our player in one game, in that seat. `working` is the room for players that think at the same time."""

    def __init__(self, player: Player, seat: int, options: Mapping[str, int], working: asyncio.Semaphore) -> None:
        self.name = player.name
        self._player, self._seat, self._options, self._working = player, seat, options, working
        self._ready: Player | None = None

    async def decide(self, position: Position) -> int:
        """The player's move. Raises PlayerFault."""
        async with self._working:
            return await in_thread(lambda: self._decided(position))

    def _decided(self, position: Position) -> int:
        if self._ready is None:
            self._ready = self._player.beginning_a_game(self._seat, self._options)
        return self._ready.decide(position)

    async def end(self, points: tuple[int, int]) -> None:
        """Tell the player how the game has ended. Raises PlayerFault where it fails at that."""
        ready = self._ready
        if ready is None:
            return
        fault: PlayerFault | None = await in_thread(lambda: ready.ending_a_game(self._seat, points))
        if fault is not None:
            raise fault
