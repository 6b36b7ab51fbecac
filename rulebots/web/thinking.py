"""Players think in threads of their own, so many at a time, and nobody waits for them at the end of the program."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Iterator

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.kernel.user_code import in_users_terms
from rulebots.players import CompiledPlayer, Player, PlayerFault

#: Where the library says that it begins to compile something, and how long that may take.
_COMPILING = logging.getLogger("rulebots.compile")


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
        #: What is being compiled before the player can think, in words; "" for nothing.
        self.compiling = ""
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

    def start(self, thought: Thought, then: Callable[[Thought], None], told: Callable[[], object]) -> None:
        """Begin to think, and call `then` in the same thread; `done` is set after that.

        `told` is called when `compiling` has changed.
        """
        gate = self._quick if isinstance(thought.player, CompiledPlayer) else self._searches

        def note(words: str) -> None:
            thought.compiling = words
            told()

        def run() -> None:
            try:
                with gate, _compilations(note):
                    thought.think()
                then(thought)
            finally:
                thought.done.set()

        # A daemon: a search in compiled code does not hold up the end of the server.
        threading.Thread(target=run, name="thinking", daemon=True).start()


class Preparation:
    """The players of a game while they are made, which may take the time to compile a search.

    `make` gives a player for each seat, None for a person, and why one of them is not to be had, "" where all are.
    """

    def __init__(self, make: Callable[[], tuple[list[Player | None], str]]) -> None:
        self.players: list[Player | None] = [None, None]
        self.fault = ""
        self.error: UsageError | None = None
        self.compiling = ""
        self.done = threading.Event()
        threading.Thread(target=self._run, args=(make,), name="preparing", daemon=True).start()

    def _run(self, make: Callable[[], tuple[list[Player | None], str]]) -> None:
        try:
            with _compilations(self._note):
                self.players, self.fault = make()
        except UsageError as error:
            self.error = error
        except Exception as error:  # noqa: BLE001 - a player of anybody's, or a bug of ours: the page says so
            self.error = UsageError(in_users_terms(error) or f"{type(error).__name__}: {error}")
        finally:
            self.done.set()

    def _note(self, words: str) -> None:
        self.compiling = words


@contextlib.contextmanager
def _compilations(note: Callable[[str], None]) -> Iterator[None]:
    """While the block runs, `note` gets what is compiled in its thread, in words."""
    listener = _Listener(note)
    _COMPILING.addHandler(listener)
    try:
        yield
    finally:
        _COMPILING.removeHandler(listener)


class _Listener(logging.Handler):
    """Notes what is compiled in the thread that made it."""

    def __init__(self, note: Callable[[str], None]) -> None:
        super().__init__(logging.INFO)
        self.note = note
        self.thread = threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        """Note a message of this thread."""
        if record.thread == self.thread:
            self.note(record.getMessage())
