"""Background work in threads, whose progress a page or a terminal shows; the program ends without waiting for it."""

import contextlib
import ctypes
import gc
import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.kernel import compiling
from rulebots.kernel.user_code import in_users_terms
from rulebots.packages.levels import CarelessPlayer
from rulebots.play.stepper import warm_up
from rulebots.players import CompiledPlayer, Player

#: The library logs here what it compiles, and how long that may take.
_COMPILING = logging.getLogger("rulebots.compile")
#: Seconds after which whoever waits is told how long.
LONG = 2


@dataclass
class BackgroundWork:
    """Work in a thread. What goes wrong in it is a line on the page: `fault`, and the same as `error`."""

    fault: str = field(default="", init=False)
    error: UsageError | None = field(default=None, init=False)
    #: What is being compiled before the work can go on, in words; "" for nothing.
    compiling: str = field(default="", init=False)
    #: Whether the work was asked to end.
    stopped: bool = field(default=False, init=False)
    #: Rises with everything that a page shows of the work.
    version: int = field(default=0, init=False)
    #: When it began, by the monotonic clock.
    began: float = field(default_factory=time.monotonic, init=False)
    #: Set when the work is over, and what follows from it has been done.
    done: threading.Event = field(default_factory=threading.Event, init=False)

    def start(self, then: Callable[[], object] = lambda: None, compiling: Callable[[], object] = lambda: None) -> None:
        """Begin. In the same thread `compiling` is called when something is compiled, and `then` at the end."""

        def note(words: str) -> None:
            self.compiling = words
            self.version += 1
            compiling()

        def run() -> None:
            try:
                with _compilations(note):
                    self.work()
            except Exception as error:  # noqa: BLE001 - a user's code, or a bug: the page says so
                in_words = in_users_terms(error) or f"{type(error).__name__}: {error}"
                self.fail(error if isinstance(error, UsageError) else UsageError(in_words))
            finally:
                try:
                    then()
                finally:
                    self.version += 1
                    self.done.set()

        # A daemon: compiled code does not hold up the end of the server.
        threading.Thread(target=run, name=type(self).__name__, daemon=True).start()

    @property
    def waiting(self) -> str:
        """How long this has taken, as `12 s`, once something is compiled, or after seconds; "" before."""
        seconds = int(time.monotonic() - self.began)
        return f"{seconds} s" if self.compiling or seconds >= LONG else ""

    def stop(self) -> None:
        """Ask the work to end soon."""
        self.stopped = True

    def work(self) -> None:
        """Do the work; runs in its thread."""
        raise NotImplementedError

    def fail(self, error: UsageError) -> None:
        """The work cannot go on."""
        self.error = error
        self.fault = str(error)


@contextlib.contextmanager
def _compilations(note: Callable[[str], None]) -> Iterator[None]:
    """While the block runs, `note` gets what is compiled in its thread, in words; a terminal may be in use."""
    thread = threading.get_ident()

    def hear(record: logging.LogRecord) -> bool:
        if record.thread == thread:
            note(record.getMessage())
        return record.thread != thread

    _COMPILING.addFilter(hear)
    try:
        yield
    finally:
        _COMPILING.removeFilter(hear)


@dataclass
class Preparation(BackgroundWork):
    """The players of a game while they are made and compiled, so that their first moves come at once.

    `make` gives the player of each seat, None for a person, and why one of them cannot be had, "" for no fault.
    """

    make: Callable[[], tuple[list[Player | None], str]]
    players: Sequence[Player | None] = field(default=(), init=False)
    #: Set once they are made, or cannot be: what follows is compiling.
    made: threading.Event = field(default_factory=threading.Event, init=False)

    def work(self) -> None:
        """Make the players, and compile what their decisions need."""
        try:
            self.players, self.fault = self.make()
        finally:
            self.made.set()
        for player in filter(None, self.players if compiling() else ()):
            guide = player.player if isinstance(player, CarelessPlayer) else player
            # Not a player in plain Python: asking that once more would be seen.
            if isinstance(guide, CompiledPlayer) or hasattr(guide, "prepare"):
                with contextlib.suppress(Exception):  # of which it is told when it has to move
                    warm_up(guide, compiled=False)


@dataclass
class Decision(BackgroundWork):
    """A player's decision in its own copy of a position: `move`, or None if the player failed.

    It waits at the `gate` until fewer players are thinking.
    """

    player: Player
    position: Position
    gate: threading.Semaphore
    move: int | None = field(default=None, init=False)

    def work(self) -> None:
        """Ask the player, unless the decision was stopped before."""
        with self.gate:
            if not self.stopped:
                self.move = self.player.decide(self.position)

    def stop(self) -> None:
        """Give up: a search that can be stopped ends, and the result of another one is not used."""
        super().stop()
        stop = getattr(self.player, "stop", None)
        if callable(stop):
            stop()


def give_back_memory() -> None:
    """Free the trees of dropped searches, and give their memory back to the system."""
    gc.collect()  # a search and its tree hold each other
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)  # glibc keeps what threads have freed: hundreds of megabytes after some dozen searches
