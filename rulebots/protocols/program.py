"""A program of somebody's as a player: `program:./mybot --flag:seconds=1`.

What stands between the kind of player and the settings is the command, read as a shell reads words, but run by none.
The same is true of every protocol in which a program is a player; each says how it talks (see `Referee`).
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import shlex
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from rulebots.errors import UsageError
from rulebots.files import is_file
from rulebots.files.ranges import check_numbers, number, optional_number
from rulebots.game import Game, Moves
from rulebots.players.player import Needs, Player, Shown
from rulebots.players.specs import settings_of
from rulebots.protocols.child import GOODBYE, Child, Late, check_program
from rulebots.protocols.clock import Clock
from rulebots.protocols.protocol import Answer, ProtocolError, Referee, sent
from rulebots.registry.named_code import name_program

#: Seconds for what is not thinking: taking the news of a game's begin or end.
PATIENCE = 10.0
#: A setting that gives a program longer for its hello.
MORE_TIME = ":start=90"
_SETTINGS = re.compile(r"([a-z_]+=[^:\s]*)?")

T = TypeVar("T", bound="ProgramSettings")


@dataclass(frozen=True)
class ProgramSettings:
    """The settings that follow a program's command, after a colon."""

    seconds: float = number(10.0, 0.001, 1e6, "seconds for a move")
    game_seconds: float | None = optional_number(float, 0.001, 1e6, "seconds for all moves of a game")
    start: float = number(30.0, 0.001, 1e6, "seconds until the program has said hello")
    memory: int = number(2000, 1, 10**9, "megabytes that the program may allocate")

    def __post_init__(self) -> None:
        check_numbers(self)


@dataclass(frozen=True)
class Command:
    """A program with its arguments, and where its files are: what decides what it is."""

    words: tuple[str, ...]

    def identity(self) -> object:
        """The words, and what is in those of them that are files; where these are takes no part."""
        return tuple((Path(word).name, _digest(Path(word))) if is_file(word) else word for word in self.words)


def command_of(spec: str, kind: type[T], example: str) -> tuple[Command, T]:
    """The command and the settings in the name of a player that is a program, `program:COMMAND:NAME=VALUE,...`.

    Settings are what follows the last colon, if that begins with NAME=.

    Raises:
        UsageError: no command, an open quotation mark, wrong settings, or no such program.
        CodeError: the name stands in a data file, and no person has named it in this process.
    """
    head, _, text = spec.partition(":")
    command, colon, settings = text.rpartition(":")
    if not colon or not _SETTINGS.fullmatch(settings):
        command, settings = text, ""
    try:
        chosen = settings_of(spec if settings else head, kind, head=f"{head}:{command}" if settings else None)
    except UsageError as error:
        whose = "" if str(error).startswith("'") else f"'{spec}': "
        raise UsageError(f"{whose}{error} (a colon at the end makes all before it the command)") from None
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise UsageError(f"'{spec}': {str(error).lower()} in the command") from None
    if not words:
        raise UsageError(f"'{spec}': expected a command after '{head}:', such as {example}")
    name_program(spec)
    check_program(words)
    return Command(words), chosen


class ProgramPlayer(Player):
    """A player in a program of its own; `referee()` makes our side of a conversation with it.

    A program is started when the first game needs it and plays one game after another; games at the same time have a
    program each. After a fault it is ended, and the next game starts another.
    """

    needs = Needs.SHOWN

    def __init__(
        self, game: Game, name: str, command: Command, settings: ProgramSettings, referee: Callable[[], Referee]
    ) -> None:
        super().__init__(game, name)
        self.command, self.settings = command, settings
        self._programs = _Programs(command, settings, referee)
        #: The running program, while a game goes on, and its clock.
        self._program: _Program | None = None
        self._clock = Clock()
        #: Why the game could not begin.
        self._unready: Exception | None = None
        #: The latest answer: a person at the board is shown what it says.
        self.result: Answer | None = None

    def identity(self) -> object:
        """The command, what is in its files, and its limits."""
        return type(self), self.game, self.command, self.settings

    def begin_game(self, seat: int, options: Mapping[str, int]) -> None:
        """Take a program, start one if there is none, and tell it. What fails is told when a move is due."""
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

    def end_game(self, points: tuple[int, int]) -> None:
        """Tell the program, and keep it for the next game."""
        if self._program is not None:
            with self._ending_it():
                self._program.tell(self._program.referee.end(points))
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
    """One running program and our side of the conversation with it."""

    def __init__(self, command: Command, settings: ProgramSettings, referee: Referee) -> None:
        self.referee = referee
        self._start = settings.start
        self.child = Child(command.words, longest_line=referee.longest_line, memory=settings.memory)
        # A match may end in the middle of a game, and then nobody says goodbye.
        self.finalizer = weakref.finalize(self, Child.kill, self.child)
        try:
            deadline = time.monotonic() + settings.start
            self.child.send(referee.greet(), deadline)
            self._until_ready(deadline)
        except Late:
            self.drop("no hello in time")
            question = "" if self.child.unended else f": does it flush what it prints, or need more time, {MORE_TIME}?"
            what = f"said no hello for {settings.start:g} s{self.child.hint}{question}"
            raise ProtocolError(what) from None
        except BaseException as error:
            self.drop(str(error))
            raise

    def begin(self, seat: int, options: Mapping[str, int], clock: Clock) -> None:
        """A game begins. A program that has to say that it is ready for it does not use its clock for that.

        Raises:
            ProtocolError: it does not, or says something else.
        """
        self.tell(self.referee.begin(seat, options, clock))
        try:
            self._until_ready(time.monotonic() + self._start)
        except Late:
            raise ProtocolError(f"was not ready for a game in {self._start:g} s{self.child.hint}") from None

    def _until_ready(self, deadline: float) -> None:
        while not self.referee.ready:
            self.referee.receive(self.child.receive(deadline))

    def tell(self, lines: list[str]) -> None:
        """Send what needs no answer. Raises ProtocolError."""
        self.child.send(lines, time.monotonic() + PATIENCE)

    def ask(self, seen: Shown, moves: Moves, clock: Clock) -> Answer:
        """The answer to a question. Raises ProtocolError."""
        while (line := self.child.pending()) is not None:
            if self.referee.receive(line) is not None:
                raise sent(line, "nothing: it was not asked")
        allowed = clock.allowed
        lines = self.referee.ask(seen, moves, clock)
        deadline = clock.start()
        try:
            self.child.send(lines, deadline)
            while (answer := self.referee.receive(self.child.receive(deadline))) is None:
                self.child.send(self.referee.replies(), deadline)
        except Late:
            raise ProtocolError(f"thought for more than its {allowed:g} s{self.child.hint}") from None
        finally:
            clock.stop()
        return answer

    def drop(self, why: str | None) -> None:
        """End it: it is told why, if it takes the line at once."""
        if why is not None:
            with contextlib.suppress(ProtocolError):
                self.child.send(self.referee.refuse(why), time.monotonic())
        self.finalizer()


class _Programs:
    """The programs of a player that wait for a game."""

    def __init__(self, command: Command, settings: ProgramSettings, referee: Callable[[], Referee]) -> None:
        self._what = command, settings, referee
        self._waiting = list[_Program]()
        self._lock = threading.Lock()
        weakref.finalize(self, _leave, self._waiting)

    def take(self) -> _Program:
        """One that waits, or a new one. Raises ProtocolError."""
        command, settings, referee = self._what
        with self._lock:
            program = self._waiting.pop() if self._waiting else None
        if program is None:
            return _Program(command, settings, referee())
        program.finalizer.atexit = True
        return program

    def give_back(self, program: _Program) -> None:
        """It has played its game."""
        program.finalizer.atexit = False  # so that at the end of our process `_leave` comes first
        with self._lock:
            self._waiting.append(program)


def _leave(programs: list[_Program]) -> None:
    """Let programs end: all are asked, then all have the same short time."""
    for program in programs:
        program.child.dismiss(program.referee.leave())
    deadline = time.monotonic() + GOODBYE
    for program in programs:
        program.child.kill(max(0.0, deadline - time.monotonic()))
        program.finalizer.detach()


def _digest(path: Path) -> str:
    """What is in a file, as hex digits."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return "unreadable"
