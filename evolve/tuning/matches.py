"""What plays: a match between two sets of parameters, by a command, a Python function, or a program that is a player.

A pair of games is the unit of a search: both sides sit in both seats, with the same seed.
"""

import contextlib
import errno
import hashlib
import importlib
import os
import re
import shlex
import signal
import subprocess
import tempfile
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from evolve.tuning.parameter_files import HOLE, ParameterFile
from evolve.tuning.parameters import Value, Values, written
from rulebots.errors import FileError, UsageError, demand, shown, unknown
from rulebots.files.plain_json import read_json
from rulebots.files.ranges import number_of
from rulebots.packages import load_game
from rulebots.packages.named_code import code_name, import_thing
from rulebots.packages.players import KINDS
from rulebots.play.deals import draw_deals
from rulebots.play.match import play_deals
from rulebots.play.results import game_scores
from rulebots.players.player import failure_in_words

#: Seconds that a match may take, a move of a player, and its start, unless the user says more.
MATCH_SECONDS = 600.0
MOVE_SECONDS = 10.0
START_SECONDS = 30.0
#: How a parameter is called in the environment of a program.
ENVIRONMENT = "RULEBOTS_PARAM_"
#: Bytes that a match may print: more would fill the memory.
MOST_OUTPUT = 50_000_000
#: Characters of a program's output that a message shows.
_SHOWN = 200
_LETTERS = {"W": 1.0, "D": 0.5, "L": 0.0}
_COUNTS = {"wins": 1.0, "draws": 0.5, "losses": 0.0}
#: Games that one match may tell.
MOST_OF_A_MATCH = 1_000_000
#: How cutechess-cli and fastchess tell a score: wins, losses, draws of the first engine.
_SCORES = (
    re.compile(r"^Score of .*: ([0-9]+) - ([0-9]+) - ([0-9]+)", re.MULTILINE),
    re.compile(r"Wins: ([0-9]+), Losses: ([0-9]+), Draws: ([0-9]+)"),
)
#: How both tell a game that an engine lost by failing.
_FAILURE = re.compile(r"^Finished game .*(?:illegal move|disconnects|stalls).*$", re.MULTILINE)
#: Words that only a shell understands.
_SHELL = frozenset(["|", "||", "&", "&&", ";", ">", ">>", "<", "2>&1", "2>/dev/null", ">/dev/null"])
_EXPECTED = (
    "expected W, D or L, a number from 0 to 1, the points of both sides, or JSON such as "
    '{"wins": 3, "draws": 1, "losses": 0}'
)

#: A set of parameters; or, for `evolve gate`, the text that stands for a side.
Side = Values | str


class MatchError(FileError):
    """A match has no result; the message says what the program said, on one line."""


class Played(NamedTuple):
    """The first side's mean points, 0..1, over a number of games.

    `trace` is what is known of the games: their moves, or their results.
    """

    points: float
    games: int
    trace: str


class Match(ABC):
    """What plays two sides against each other. It is plain data, so that workers elsewhere can have it."""

    #: Whether one call has both sides in both seats.
    mirrored = False

    @abstractmethod
    def play(self, first: Side, second: Side, seed: int) -> Played:
        """Games in which `first` has the first seat, or both seats in turn if `mirrored`.

        Raises:
            UsageError: there is no result; the message says what came.
        """

    def pair(self, first: Side, second: Side, seed: int) -> Played:
        """A pair of games with swapped seats, from the first side's point of view. Raises as `play` does."""
        one = self.play(first, second, seed)
        if self.mirrored:
            return one
        other = self.play(second, first, seed)
        return Played((one.points + 1 - other.points) / 2, one.games + other.games, f"{one.trace} {other.trace}")


@dataclass(frozen=True)
class CommandMatch(Match):
    """A command that plays a match and prints its result.

    `{first}` and `{second}` in it are files with the parameters; with a `player`, the command of each side; `{first.x}`
    is the value of x. `{seed}` is the seed.
    """

    command: str
    file: ParameterFile
    player: str = ""
    seconds: float = MATCH_SECONDS

    def check(self, names: Sequence[str]) -> None:
        """Raise UsageError for a command that some parameter does not reach, or with an unknown placeholder."""
        known = [f"{side}.{name}" for side in ("first", "second") for name in names]
        check_command("--match", self.command, ["first", "second", "seed", *known])
        if self.player:
            check_player(self.player, names)
        for side in ("first", "second"):
            demand(
                f"{{{side}}}" in self.command or f"{{{side}." in self.command,
                f"--match: there is no {{{side}}} in '{shown(self.command)}': a match is between {{first}} and "
                "{second}; --clop takes a script that plays one side against an opponent of its own",
            )
            for name in names if f"{{{side}}}" not in self.command else ():
                demand(
                    f"{{{side}.{name}}}" in self.command,
                    f"--match: parameter '{name}' does not reach it: there is no {{{side}.{name}}} in "
                    f"'{shown(self.command)}'",
                )

    def play(self, first: Side, second: Side, seed: int) -> Played:
        """Run the command, and read what it printed last."""
        with tempfile.TemporaryDirectory(prefix="rulebots-tune-") as folder:
            given = {"seed": str(seed)}
            for role, side in (("first", first), ("second", second)):
                given |= self._told(role, side, Path(folder))
            output = output_of(filled_words(self.command, given), self.seconds)
        points, games = result_of(output)
        return Played(points, games, str(points))

    def _told(self, role: str, side: Side, folder: Path) -> dict[str, str]:
        if isinstance(side, str):
            return {role: side}
        told = told_values(side, self.file, folder / role)
        return {
            role: shlex.join(filled_words(self.player, told)) or told["params"],
            **{f"{role}.{name}": text for name, text in told.items()},
        }


@dataclass(frozen=True)
class ClopMatch(Match):
    """A connection script of CLOP: `script processor seed NAME VALUE ...` plays a game against an opponent of its own.

    Both sides play it with the same seed, and the difference of their results counts.
    """

    command: str
    seconds: float = MATCH_SECONDS
    mirrored = True

    def play(self, first: Side, second: Side, seed: int) -> Played:
        """Run the script for each side."""
        assert not isinstance(first, str)
        assert not isinstance(second, str)
        words = [*shlex.split(self.command), str(threading.get_ident() % 1000), str(seed)]
        named = [[word for name in side for word in (name, written(side[name]))] for side in (first, second)]
        results = [result_of(output_of([*words, *one], self.seconds))[0] for one in named]
        return Played(0.5 + (results[0] - results[1]) / 2, 2, str(results))


@dataclass(frozen=True)
class FunctionMatch(Match):
    """A Python function `play(first, second, seed)`: the points of `first`, in any form that a command may print.

    `reference` is `arena.py:play` or `module:play`, or the function itself. Both sides have the values that are `kept`
    too, which are not tuned.
    """

    reference: Any
    kept: Mapping[str, Value] = field(default_factory=dict)

    def play(self, first: Side, second: Side, seed: int) -> Played:
        """Call the function."""
        name = str(getattr(self.reference, "__qualname__", self.reference))
        function = function_of(self.reference)
        sides = [side if isinstance(side, str) else {**self.kept, **side} for side in (first, second)]
        try:
            outcome = function(*sides, seed)
        except (Exception, SystemExit) as error:  # a referee that was a script may end itself
            raise MatchError(f"{name} {failure_in_words(error)}") from error
        points, games = points_of(outcome, name)
        return Played(points, games, str(points))


@dataclass(frozen=True)
class PlayerMatch(Match):
    """A program that speaks a protocol of ours, in a game of ours or of the user's, with parameters in its command.

    `game` is the game's name or place, `kind` that of the program's protocol.
    """

    command: str
    game: str
    options: Mapping[str, int]
    file: ParameterFile
    environment: bool = False
    seconds: float = MOVE_SECONDS
    kind: str = "program"
    mirrored = True

    def check(self, names: Sequence[str]) -> None:
        """Raise UsageError for a command that some parameter does not reach, or with an unknown placeholder."""
        check_player(self.command, names, environment=self.environment)

    def play(self, first: Side, second: Side, seed: int) -> Played:
        """Play a deal from both seats."""
        game = load_game(self.game)
        # Not by `make_player`, which remembers every program that is named.
        player_of = importlib.import_module(KINDS[self.kind]).player_of
        with tempfile.TemporaryDirectory(prefix="rulebots-tune-") as folder:
            specs = [self._spec(name, side, Path(folder)) for name, side in (("first", first), ("second", second))]
            players = [player_of(spec, game) for spec in specs]
            games = play_deals(players[0], players[1], draw_deals(game, 1, seed, options=self.options), keep_moves=True)
        scores = game_scores(games, 0.5, game)
        return Played(float(scores.mean()), len(scores), hashlib.sha256(games.moves.tobytes()).hexdigest())

    def _spec(self, role: str, side: Side, folder: Path) -> str:
        settings = f"seconds={self.seconds:g},start={max(self.seconds, START_SECONDS):g}"
        if isinstance(side, str):
            return f"{self.kind}:{side}:{settings}"
        told = told_values(side, self.file, folder / role)
        words = filled_words(self.command, told)
        if self.environment:
            words = ["env", *(f"{ENVIRONMENT}{name}={told[name]}" for name in side), *words]
        return f"{self.kind}:{shlex.join(words)}:{settings}"


def check_command(what: str, command: str, known: Sequence[str]) -> None:
    """Raise UsageError for a command that needs a shell, or has an unknown placeholder."""
    for hole in HOLE.finditer(command):
        demand(hole[1] in known, unknown("placeholder", hole[0], [f"{{{name}}}" for name in known], what))
    for word in filled_words(command, {}):
        demand(word not in _SHELL, f"{what}: no shell reads '{word}': put all into sh -c '...', or into a script")


def check_player(command: str, names: Sequence[str], *, environment: bool = False) -> None:
    """Raise UsageError for a program's command that some parameter does not reach, or with an unknown placeholder."""
    check_command("the program's command", command, [*names, "params"])
    for name in names if not environment and "{params}" not in command else ():
        demand(
            f"{{{name}}}" in command,
            f"parameter '{name}' does not reach the program: write {{{name}}} into its command, or {{params}} for "
            f"a file with all of them, or give --environment for a variable {ENVIRONMENT}{name}",
        )


def told_values(values: Values, file: ParameterFile, path: Path) -> dict[str, str]:
    """The values as text, and as `params` the name of a new file with them."""
    path = path.with_suffix(file.suffix)
    path.write_text(file.filled(values), "utf-8", newline="")
    return {**{name: written(value) for name, value in values.items()}, "params": str(path)}


def filled_words(command: str, given: Mapping[str, str]) -> list[str]:
    """The words of a command, split as a shell would, with `{name}` replaced inside each."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"'{shown(command)}': {str(error).lower()} in the command") from None
    return [HOLE.sub(lambda match: given.get(match[1], match[0]), word) for word in words]


def function_of(reference: Any) -> Any:
    """The function that a reference names. Raises CodeError where there is none."""
    if callable(reference):
        return reference
    named = code_name(reference)
    demand(named is not None and named.name, f"expected a function as FILE.py:NAME, not '{shown(reference)}'")
    return import_thing(named, "function", callable)  # type: ignore[arg-type]  # not None


# Commands.

_running = set[subprocess.Popen[bytes]]()
_REMEDIES = {
    errno.EACCES: "make it executable (chmod +x)",
    errno.ENOEXEC: "name what runs it first, as in python3 bot.py",
}


def output_of(words: Sequence[str], seconds: float) -> str:
    """What a program prints until it ends.

    Raises:
        MatchError: it does not end well, or in time, or prints too much. UsageError: there is no such program.
    """
    with tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(  # noqa: S603 - the user's own program
                words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, start_new_session=True
            )
        except OSError as error:
            missing = "see whether it is there" if "/" in words[0] else "your own begins with ./"
            reason = f"'{shown(words[0])}' cannot be started: {error.strerror or error}; "
            raise UsageError(reason + _REMEDIES.get(error.errno or 0, missing)) from None
        _running.add(process)
        deadline = time.monotonic() + seconds
        late = threading.Timer(seconds, _kill, [process])
        late.start()
        with process:
            try:
                output = process.stdout.read(MOST_OUTPUT)  # type: ignore[union-attr]  # a pipe
                if len(output) == MOST_OUTPUT:
                    _kill(process)
                code = process.wait()
            finally:
                late.cancel()
                _running.discard(process)
                _kill(process)
        faults = {
            f"printed more than {MOST_OUTPUT:,} bytes": len(output) == MOST_OUTPUT,
            f"did not end within {seconds:g} s (--time-limit allows more)": time.monotonic() > deadline,
            f"ended with exit code {code}": code > 0,
            f"was ended by signal {-code}": code < 0,
        }
        fault = next((words for words, true in faults.items() if true), "")
        errors.seek(max(0, errors.seek(0, os.SEEK_END) - 100 * _SHOWN))
        said = errors.read().decode("utf-8", "replace")
    text = output.decode("utf-8", "replace")
    if fault:
        raise MatchError(f"'{shown(shlex.join(words))}' {fault}{_said('stderr', said)}{_said('output', text)}")
    return text


def end_programs() -> None:
    """End all programs that play in this process: the run is interrupted."""
    for process in list(_running):
        _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a program, and all that it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _said(what: str, text: str) -> str:
    lines = text.strip().splitlines()
    return f"; its {what} ends '{lines[-1].strip()[-_SHOWN:]}'" if lines else ""


# Results.


def result_of(output: str) -> tuple[float, int]:
    """The first side's mean points, 0..1, and the number of games, from what a match printed.

    The last line that says anything is the result, unless a line tells the score as cutechess-cli or fastchess do.

    Raises:
        MatchError: it is no result.
    """
    for pattern in _SCORES:
        if found := pattern.findall(output):
            failure = _FAILURE.search(output)
            demand(failure is None, f"an engine failed: '{failure and failure[0].strip()}'", MatchError)
            return points_of(dict(zip(("wins", "losses", "draws"), map(int, found[-1]), strict=True)), "the match")
    lines = output.strip().splitlines()
    demand(lines, f"the match printed nothing: {_EXPECTED}", MatchError)
    last = lines[-1].strip()
    words = last.replace(",", " ").split()
    outcome: Any = last
    if len(words) == 2 and None not in (both := [number_of(word) for word in words]):
        outcome = {"points": both}
    elif last not in _LETTERS:
        with contextlib.suppress(ValueError):
            outcome = read_json(last)
    return points_of(outcome, "the match")


def points_of(outcome: Any, who: str) -> tuple[float, int]:
    """The first side's mean points, 0..1, and the number of games. Raises MatchError for what is no result."""
    try:
        results = _results(outcome)
    except (TypeError, ValueError, LookupError, RecursionError):
        results = []
    demand(
        results and all(0 <= one <= 1 for one in results),
        f"{who} gave the result '{shown(outcome)}': {_EXPECTED}",
        MatchError,
    )
    return sum(results) / len(results), len(results)


def _results(outcome: Any) -> list[float]:
    """The first side's points in each game. Raises LookupError, TypeError or ValueError for what is no result."""
    if isinstance(outcome, str):
        return [_LETTERS[outcome]]
    if isinstance(outcome, Mapping):
        if "results" in outcome:
            return _results(outcome["results"])
        if "wins" in outcome:
            counts = [outcome.get(word, 0) for word in _COUNTS]
            if sum(counts) > MOST_OF_A_MATCH:
                raise ValueError
            return [one for one, count in zip(_COUNTS.values(), counts, strict=True) for _ in range(count)]
        first, second = outcome["points"] if "points" in outcome else [-rank for rank in outcome["ranks"]]
        return [0.5 + 0.5 * float(np.sign(first - second))]
    many = isinstance(outcome, list | tuple | np.ndarray)
    return [one for part in outcome for one in _results(part)] if many else [float(outcome)]
