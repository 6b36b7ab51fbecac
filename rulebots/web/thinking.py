"""Players think in threads of their own, so many at a time, and nobody waits for them at the end of the program."""

from __future__ import annotations

import threading
from collections.abc import Callable

from rulebots.errors import UsageError
from rulebots.players import CompiledPlayer, Player, PlayerFault
from rulebots.position import Position
from rulebots.user_code import in_users_terms


class Thought:
    """A decision that is being made, and then its move, or the fault that it came to.

    `player` is asked in `position`, which belongs to this thought alone.
    """

    def __init__(self, player: Player, position: Position) -> None:
        self.player = player
        self.position = position
        self.move: int | None = None
        self.fault = ""
        self.stopped = False
        #: Set when the thought is over and what follows from it has been done.
        self.done = threading.Event()

    def stop(self) -> None:
        """Give up: a search that can be stopped ends, and what another one finds is not used."""
        self.stopped = True
        stop = getattr(self.player, "stop", None)
        if callable(stop):
            stop()

    def think(self) -> None:
        """Ask the player. Whatever it does, `move` or `fault` says what came, unless it was stopped before."""
        try:
            if not self.stopped:
                self.move = self.player.decide(self.position)
        except (PlayerFault, UsageError) as error:
            self.fault = str(error)
        except Exception as error:  # noqa: BLE001 - a player of anybody's, or a bug of ours: the page says so
            self.fault = in_users_terms(error) or f"{self.player.name} failed: {type(error).__name__}: {error}"


class Thinkers:
    """Runs thoughts, at most `most` searches at a time; players that decide at once do not queue behind searches."""

    def __init__(self, most: int) -> None:
        self._searches = threading.Semaphore(most)
        self._quick = threading.Semaphore(most)

    def start(self, thought: Thought, then: Callable[[Thought], None]) -> None:
        """Begin to think, and call `then` in the same thread; `done` is set after that."""
        gate = self._quick if isinstance(thought.player, CompiledPlayer) else self._searches

        def run() -> None:
            try:
                with gate:
                    thought.think()
                then(thought)
            finally:
                thought.done.set()

        # A daemon: a search in compiled code does not hold up the end of the server.
        threading.Thread(target=run, name="thinking", daemon=True).start()
