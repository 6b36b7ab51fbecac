"""A foreign program as a player: `program:./mybot --flag:seconds=1`, `piskvork:./pbrain-other:seconds=5`.

What stands between the kind of player and the settings is the command, which is split as a shell would, but run without
one. The kind says which protocol the program speaks (see `Referee`).
"""

import contextlib
import functools
import hashlib
import logging
import os
import re
import shlex
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rulebots.errors import UsageError, demand, shown
from rulebots.files import is_file
from rulebots.game import Game, Moves
from rulebots.players.player import Needs, Player, Shown
from rulebots.players.specs import check_numbers, number, optional_number, settings_of
from rulebots.protocols import Answer, Clock, ProtocolError, Referee, sent
from rulebots.protocols.child_process import GOODBYE, ChildProcess, check_program
from rulebots.protocols.piskvork import GAME as GOMOKU, PiskvorkReferee
from rulebots.protocols.rulebots_player import PlayerReferee

#: Seconds after which a program that has not said hello is told of, though it has more time.
SOON = 4.0
#: An example of each kind of player.
_EXAMPLES = {"program": "program:./mybot or 'program:python3 mybot.py'", "piskvork": "piskvork:./pbrain-other"}
_SETTINGS = re.compile(r"([a-z_]+=[^:\s]*)?")


@dataclass(frozen=True)
class ProgramSettings:
    """The settings that follow a program's command, after a colon."""

    seconds: float = number(10.0, 0.001, 1e6, "seconds for a move")
    game_seconds: float | None = optional_number(float, 0.001, 1e6, "seconds for all moves of a game")
    start: float = number(30.0, 0.001, 1e6, "seconds until the program has said hello")
    memory: int = number(2000, 1, 10**9, "megabytes that the program may allocate")

    def __post_init__(self) -> None:
        check_numbers(self)


def player_of(spec: str, game: Game, seats: int | None = None) -> "ProgramPlayer":
    """The player of that name, `program:COMMAND:NAME=VALUE,...`. Nothing is started before it plays.

    Settings are what follows the last colon, if that begins with NAME=.

    Raises:
        UsageError: another game, no command, no such program, unknown settings, or values out of range.
    """
    kind, _, text = spec.partition(":")
    demand(
        kind != "piskvork" or game.name == GOMOKU,
        f"'{spec}' plays {GOMOKU}, not {game.name}: choose another game or player",
    )
    command, colon, values = text.rpartition(":")
    if not colon or not _SETTINGS.fullmatch(values):
        command = text
    try:
        settings = settings_of(spec, ProgramSettings, head=f"{kind}:{command}")
        words = tuple(shlex.split(command))
    except UsageError as error:
        message = str(error) if str(error).startswith("'") else f"'{spec}': {error}"
        raise UsageError(f"{message} (a colon at the end makes all before it the command)") from None
    except ValueError as error:
        raise UsageError(f"'{spec}': {str(error).lower()} in the command") from None
    demand(words, f"'{spec}': expected a command after '{kind}:', such as {_EXAMPLES[kind]}")
    check_program(words)
    referee: Callable[[], Referee] = (
        functools.partial(PiskvorkReferee, game, settings.memory * 1_000_000)
        if kind == "piskvork"
        else functools.partial(PlayerReferee, game)
    )
    return ProgramPlayer(game, spec, words, settings, referee)


class ProgramPlayer(Player):
    """A player in a program of its own; `referee()` makes our side of a conversation with it.

    A program is started when the first game needs it, and plays one game after another; games at the same time have a
    program each. After a fault it is ended, and the next game starts another one.
    """

    needs = Needs.SHOWN

    def __init__(
        self, game: Game, name: str, command: tuple[str, ...], settings: ProgramSettings, referee: Callable[[], Referee]
    ) -> None:
        super().__init__(game, name)
        self.command = command
        self.settings = settings
        self._programs = _Programs(lambda: _Program(command, settings, referee()))
        #: The running program, while a game goes on, and its clock.
        self._program: _Program | None = None
        self._clock = Clock()
        #: Why the game could not begin.
        self._unready: Exception | None = None
        #: The latest answer: a person at the board is shown what it says.
        self.result: Answer | None = None

    def identity(self) -> object:
        """The command, what is in its files, and its limits. Where the files are does not matter."""
        return type(self), self.game, tuple(map(_identity_of, self.command)), self.settings

    def begin_game(self, seat: int, options: Mapping[str, int]) -> None:
        """Take a program, or start one, and announce the game. A failure is reported when a move is due."""
        self._clock = Clock(self.settings.seconds, self.settings.game_seconds)
        self.result = self._unready = None
        try:
            self._program = self._programs.take()
            with self._ending_it():
                self._program.begin(seat, options, self._clock)
        except (ProtocolError, OSError) as error:
            self._unready = error

    def choose(self, seen: Shown, moves: Moves) -> int:
        """The program's answer."""
        if self._unready is not None:
            raise self._unready
        if self._program is None:
            raise ProtocolError("plays game by game: call begin_game first")
        with self._ending_it():
            self.result = self._program.ask(seen, moves, self._clock)
        if self.result.move not in moves.tolist():  # which is a fault, and that ends the program
            self._drop(f"move {self.result.move} is not legal")
        return self.result.move

    def end_game(self, points: tuple[int, ...]) -> None:
        """Tell the program, and keep it for the next game."""
        if self._program is not None:
            with self._ending_it():
                self._program.process.send(self._program.referee.end(points))
            self._programs.give_back(self._program)
            self._program = None

    @contextlib.contextmanager
    def _ending_it(self) -> Iterator[None]:
        """A block that talks with the program, which is ended if anything goes wrong, Ctrl-C included."""
        try:
            yield
        except BaseException as error:
            self._drop(str(error) if isinstance(error, ProtocolError) else None)
            raise

    def _drop(self, why: str | None) -> None:
        if self._program is not None:
            self._program.drop(why)
            self._program = None


class _Program:
    """One running program, and our side of the conversation with it. Raises ProtocolError if it does not say hello."""

    def __init__(self, command: tuple[str, ...], settings: ProgramSettings, referee: Referee) -> None:
        self.referee = referee
        self._start = settings.start
        self.process = ChildProcess(command, longest_line=referee.longest_line, memory=settings.memory)
        # A match may end in the middle of a game, and then nobody says goodbye.
        self.finalizer = weakref.finalize(self, ChildProcess.end, self.process)
        try:
            self.process.send(referee.greet())
            with contextlib.suppress(TimeoutError):
                self._until_ready(min(SOON, settings.start))
            if not referee.ready and settings.start > SOON:
                _tell(f"'{shown(shlex.join(command))}' {self._silent(SOON)}? It has {settings.start:g} s")
            self._until_ready(max(0.0, settings.start - SOON))
        except TimeoutError:
            what = f"{self._silent(settings.start)}, or need more time (:start=90; evolve tune: --time-limit 90)?"
            self.drop("no hello in time")
            raise ProtocolError(what) from None
        except BaseException as error:
            self.drop(str(error))
            raise

    def begin(self, seat: int, options: Mapping[str, int], clock: Clock) -> None:
        """A game begins. A program that has to say that it is ready for it does not use its clock for that.

        Raises:
            ProtocolError: it does not, or says something else.
        """
        self.process.send(self.referee.begin(seat, options, clock))
        try:
            self._until_ready(self._start)
        except TimeoutError:
            raise ProtocolError(f"was not ready for a game in {self._start:g} s{self.process.hint}") from None

    def _silent(self, seconds: float) -> str:
        return (
            f"said no hello for {seconds:g} s{self.process.hint}: does it speak {self.referee.language}, "
            "flush what it prints"
        )

    def _until_ready(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not self.referee.ready:
            self.referee.receive(self.process.receive(deadline))

    def ask(self, seen: Shown, moves: Moves, clock: Clock) -> Answer:
        with contextlib.suppress(TimeoutError):
            while True:  # what it has said since
                line = self.process.receive(0.0)
                if self.referee.receive(line) is not None:
                    raise sent(line, "nothing: it was not asked")
        allowed = clock.allowed
        lines = self.referee.ask(seen, moves, clock)
        deadline = clock.start(time.monotonic())
        try:
            self.process.send(lines)
            while (answer := self.referee.receive(self.process.receive(deadline))) is None:
                pass
        except TimeoutError:
            raise ProtocolError(f"thought for more than its {allowed:g} s{self.process.hint}") from None
        finally:
            clock.stop(time.monotonic())
        return answer

    def drop(self, why: str | None) -> None:
        """End the program, after a line that says why, if it takes that at once."""
        self.process.dismiss([] if why is None else self.referee.refuse(why))
        self.finalizer()


@functools.cache
def _tell(what: str) -> None:
    """Say it once, while the program still has time."""
    logging.getLogger("rulebots.programs").warning(what)


class _Programs:
    def __init__(self, make: Callable[[], _Program]) -> None:
        self._make = make
        self._waiting = list[_Program]()
        self._lock = threading.Lock()
        weakref.finalize(self, _leave, self._waiting)

    def take(self) -> _Program:
        with self._lock:
            program = self._waiting.pop() if self._waiting else None
        if program is None:
            return self._make()
        program.finalizer.atexit = True
        return program

    def give_back(self, program: _Program) -> None:
        program.finalizer.atexit = False  # so that at the end of our process `_leave` comes first
        with self._lock:
            self._waiting.append(program)


def _leave(programs: list[_Program]) -> None:
    """Let programs end: all are asked, then all have the same short time."""
    for program in programs:
        program.process.dismiss(program.referee.leave())
    deadline = time.monotonic() + GOODBYE
    for program in programs:
        program.process.end(max(0.0, deadline - time.monotonic()))
        program.finalizer.detach()


def _identity_of(word: str) -> object:
    """A word of a command; for a readable file, its name and a digest of its content."""
    if not (is_file(word) and os.access(word, os.R_OK)):
        return word
    return Path(word).name, hashlib.sha256(Path(word).read_bytes()).hexdigest()
