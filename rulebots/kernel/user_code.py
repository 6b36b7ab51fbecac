"""A user's code: which modules are a user's, mistakes in them in one line, and a limit on the time that they take.

A mistake is reported with file and line, function, what happened, and what to do. A module is this package's, Python's
own, an installed library's, or the user's. In messages the games that ship count as a user's, because a user's game may
take their place.

Python code cannot be stopped safely from outside. In the main thread, on systems that have it, the timer SIGALRM
interrupts it. Elsewhere, and where compiled code or an `except` holds the interruption up, the time is measured after
the answer: a player that never answers there is never stopped.
"""

import contextlib
import functools
import importlib.util
import linecache
import os
import re
import signal
import site
import sys
import sysconfig
import threading
import time
import traceback
import types
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from rulebots.errors import UsageError, demand, did_you_mean, nearest

#: The files of this folder that compile kernels: they belong to the toolchain, not to what kernels compute.
COMPILING = ("decorator", "inlining", "numba_backend", "source_code")
#: Of these modules the name says enough: their versions belong to the toolchain.
_NAMED = ("numpy", "math", "numba", "builtins")
_OURS = ("rulebots", "evolve")
_PACKAGES = tuple(str(Path(__file__).parents[2] / name) + os.sep for name in _OURS)
_GAMES = str(Path(__file__).parents[1] / "games") + os.sep


def _places_of_libraries() -> Iterator[str]:
    """Where Python and installed libraries are: also those on a path of their own, as PYTHONPATH brings them."""
    yield from (sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib", "scripts"))
    yield from (*site.getsitepackages(), site.getusersitepackages())
    yield from (path for path in sys.path if Path(path).name in {"site-packages", "dist-packages"})
    for name in ("numpy", "numba"):
        spec = importlib.util.find_spec(name)
        yield from (spec.submodule_search_locations or ()) if spec else ()


_INSTALLED = tuple(
    dict.fromkeys(f"{place}{os.sep}" for path in _places_of_libraries() for place in (path, os.path.realpath(path)))
)
#: The most characters of an exception's own text in a message.
MESSAGE_SHOWN = 200


def is_ours(module: str | None) -> bool:
    """Whether a module belongs to this package, games that ship included."""
    return module is not None and module.partition(".")[0] in _OURS


@functools.cache
def is_versioned(module: str | None) -> bool:
    """Whether the toolchain says what a module does."""
    top = (module or "").partition(".")[0]
    return top in _NAMED or top in sys.stdlib_module_names


@functools.cache
def is_followed(module: str | None) -> bool:
    """Whether a fingerprint looks into a module: it is this package's or the user's, not Python's or a library's."""
    # None is that of code that was made from text.
    if module is None or is_ours(module) or module == "__main__" or module.startswith("__main__."):
        return True
    if is_versioned(module):
        return False
    file = file_of(module)
    return file is None or not file.startswith(_INSTALLED)


def file_of(module: str) -> str | None:
    """Where a module is, or would be loaded from; None for one that was made and stands in no file."""
    if module in sys.modules:
        return getattr(sys.modules[module], "__file__", None)
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return None
    return None if spec is None else spec.origin


def is_users(file: str) -> bool:
    """Whether a file of code is a user's, or a game's that ships."""
    if file.startswith(("<frozen", "<string>", "<score", "<features", "<sum_of")):
        return False
    return file.startswith(_GAMES) or not file.startswith((*_PACKAGES, *_INSTALLED))


class CodeError(UsageError):
    """A mistake in a user's code; the message begins with its place, `mygame/rules.py:12`."""

    exit_code = 1


def place(file: str, line: int) -> str:
    """`file:line`, the file from the current folder where it is inside that."""
    return f"{_from_here(file)}:{line}"


def place_of_module(module: types.ModuleType) -> str:
    """The file of a module; its name where it has none, as in a notebook."""
    return str(_from_here(getattr(module, "__file__", None) or module.__name__))


def _from_here(file: str) -> Path:
    path = Path(file)
    with contextlib.suppress(ValueError, OSError):
        path = path.relative_to(Path.cwd())
    return path


def place_of(thing: Any) -> str:
    """Where a function, a kernel or a rule stands, as `file:line` of its `def`; "" where that is nowhere."""
    thing = getattr(thing, "kernel", thing)
    function = getattr(thing, "function", thing)
    code = getattr(getattr(function, "__wrapped__", function), "__code__", None)
    return place(code.co_filename, _line_of_def(code)) if isinstance(code, types.CodeType) else ""


def _line_of_def(code: types.CodeType) -> int:
    for line in range(code.co_firstlineno, code.co_firstlineno + 20):
        if re.match(r"\s*(async\s+)?def\b", linecache.getline(code.co_filename, line)):
            return line
    return code.co_firstlineno


def place_of_caller() -> str:
    """Where the user's code that is being run stands, as `file:line`; "" where there is none."""
    for frame, line in traceback.walk_stack(sys._getframe(1)):  # noqa: SLF001 - from the caller on
        if is_users(frame.f_code.co_filename):
            return place(frame.f_code.co_filename, line)
    return ""


def last_line(error: BaseException, besides: Path) -> str:
    """The last line of a user's code that an exception went through, `mine.py:12`; "" if there is none.

    What is installed takes no part, as far as it can be told, nor does code below the folder `besides`.
    """
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(("<frozen ", "<string>"))
        and frame.filename != __file__
        and not Path(frame.filename).is_relative_to(besides)
    ]
    own = [frame for frame in frames if not frame.filename.startswith(_INSTALLED)] or frames
    return place(own[-1].filename, own[-1].lineno or 1) if own else ""


def in_users_terms(error: BaseException, *, games: bool = True) -> str | None:
    """One line for an exception that a user's code has raised; None where none of it took part.

    Without `games` those that ship are not a user's: what goes wrong in them is a bug.
    """
    if isinstance(error, SyntaxError) and error.filename and is_users(error.filename):
        return f"{place(error.filename, error.lineno or 1)}: syntax error: {error.msg}"
    frame, line = _users_frame(error)
    if frame is None or (not games and frame.f_code.co_filename.startswith(_GAMES)):
        return None
    name = frame.f_code.co_name
    who = "" if name == "<module>" else f"`{name}` "
    return f"{place(frame.f_code.co_filename, line)}: {who}{_what(error)}"


@contextlib.contextmanager
def placed_errors() -> Iterator[None]:
    """A block in which what a user's code raises becomes a CodeError, in one line with its place."""
    try:
        yield
    except UsageError:
        raise
    except Exception as error:
        line = in_users_terms(error)
        if line is None:
            raise
        raise CodeError(line) from None


def with_place(error: Exception) -> str:
    """The message of what went wrong in a user's code, or in what that called, with its place in front."""
    text = written(str, error)
    has_place = isinstance(error, CodeError) or re.match(r"[^:]+:\d+: ", text)
    return text if has_place else in_users_terms(error) or text


def _users_frame(error: BaseException) -> tuple[types.FrameType | None, int]:
    frames = [(f, line) for f, line in traceback.walk_tb(error.__traceback__) if is_users(f.f_code.co_filename)]
    return frames[-1] if frames else (None, 0)


def _what(error: BaseException) -> str:
    text = written(str, error)
    if (lost := misnamed(error)) is not None:
        return lost
    match error:
        case Late():
            return f"does not end: it was broken off after {error.seconds:g} s"
        case UsageError():
            return f"makes a mistake: {text}"
        case ImportError():
            return f"cannot import: {shortened(text)}"
        case IndexError():
            return f"reads or writes out of bounds: {shortened(text)}"
        case FloatingPointError() if "overflow" in text:
            return f"overflows a small integer of NumPy's ({shortened(text)}): write int(...) around one side"
        case OverflowError() if held := re.match(r"Python integer (-?\d+) out of bounds for (u?int\d+)", text):
            return (
                f"has no room for {held[1]} in an {held[2]} of NumPy's: "
                f"write int(...) around the {held[2]} that it is computed with, or give the field more bits"
            )
        case ZeroDivisionError() | FloatingPointError() if "div" in text or "modulo" in text:
            return "divides by zero: write max(..., 1) below the line, or ask with `if` first"
        case TypeError() if missing := re.match(r"Game\.__init__\(\) missing \d+ required .*?arguments?: (.*)", text):
            names = missing[1].replace("'", "`")
            return f"makes a Game without {names}: give it {names}"
        case TypeError() if extra := re.match(r"(\w+)\.__init__\(\) got an unexpected keyword argument '(\w+)'", text):
            close = re.search(r"Did you mean '(\w+)'", text)
            hint = f"; did you mean '{close[1]}'?" if close else ""
            return f"gives {extra[1]} an argument '{extra[2]}' that it does not take{hint}"
    return f"raised {type(error).__name__}{f': {shortened(text)}' if text else ''}"


def misnamed(error: BaseException) -> str | None:
    """What a user's line does that names something which is not there, a field or else; None for any other error."""
    frame, line = _users_frame(error)
    if frame is None:
        return None
    text = written(str, error)
    match error:
        case UnboundLocalError():
            return f"uses a name before it has a value: {shortened(text)}"
        case NameError(name=str(name)):
            names = {**frame.f_globals, **frame.f_locals}
            return f"uses the name '{name}', which is not defined{did_you_mean(name, names)}"
        case AttributeError() if match := re.search(r"attribute '?(\w+)'?", text):
            name = match[1]
            source = linecache.getline(frame.f_code.co_filename, line)
            for owner in re.findall(rf"(\w+)\.{name}\b", source):
                fields = getattr(getattr(frame.f_locals.get(owner), "dtype", None), "names", None)
                if fields:
                    return unknown_field(owner, name, fields)
    return None


def unknown_field(owner: str, name: str, fields: Iterable[str]) -> str:
    """That a record has no such field, with the nearest one and all that it has."""
    names = list(fields)
    close = nearest(name, names)
    hint = f"did you mean '{owner}.{close}'? " if close else ""
    return f"uses {owner}.{name}, which is not a field; {hint}the fields are {', '.join(names)}"


def shortened(text: str, most: int = MESSAGE_SHOWN) -> str:
    """The beginning of a text that is longer than `most` characters."""
    return text if len(text) <= most else f"{text[: most - 4]} ..."


def written(how: Callable[[Any], str], thing: object) -> str:
    """`repr` or `str` of something that a user made, whose own methods may fail, on one line. Ctrl-C is not theirs."""
    try:
        return " ".join(how(thing).split())
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - anything can be wrong with it, and sys.exit does not end the match
        return "(not printable)"


T = TypeVar("T")
#: More than anyone waits for a move.
MOST_SECONDS = 1_000_000.0


class Late(BaseException):
    """Code ran for longer than it may, which is `seconds`. Not an Exception, because players catch those."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def check_seconds(seconds: float | None) -> None:
    """Raise UsageError for an invalid limit; None means any time."""
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    demand(
        seconds is None or (is_number and 0 < seconds <= MOST_SECONDS),
        f"seconds a move: expected a number above 0, at most {MOST_SECONDS:,.0f}, not {seconds!r}",
    )


def within(seconds: float, think: Callable[[], T]) -> T:
    """What `think()` returns. Raises Late if it takes longer than that."""
    began = time.monotonic()
    answer = _interrupted(seconds, think) if _has_timer() else think()
    if time.monotonic() - began > seconds:
        raise Late(seconds)
    return answer


def _has_timer() -> bool:
    """Whether the timer can be used: signals reach the main thread only, and another user keeps its timer."""
    return (
        hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    )


def _interrupted(seconds: float, think: Callable[[], T]) -> T:
    """What `think()` returns, with the timer running. It rings once, so no second Late can end the clean-up."""

    def ring(_: int, __: types.FrameType | None) -> None:
        raise Late(seconds)

    signal.signal(signal.SIGALRM, ring)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds)
            return think()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


@contextlib.contextmanager
def afterwards(seconds: float | None, act: Callable[[], object]) -> Iterator[None]:
    """A block during which `act()` is called, in another thread, once it has taken `seconds`; None for never."""
    if seconds is None:
        yield
        return
    timer = threading.Timer(seconds, act)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
