"""A user's mistakes: one line each, with the exit code that a command gives for it."""

import difflib
import importlib
import operator
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

#: Characters of a message that are shown: a name in a file may have any length.
MOST_SHOWN = 2000
#: The largest seed, and the largest number in any identity of random numbers: NumPy splits a larger one into two.
MOST_SEED = 2**32 - 1


class UsageError(ValueError):
    """A user's mistake: the message says what was expected, what came and what to do."""

    #: What a command ends with.
    exit_code = 2


class FileError(UsageError):
    """Something is wrong with a file, or it could not be written; the command itself was right."""

    exit_code = 1


class PositionError(UsageError):
    """A text that is not a position: what was expected, and at which character, counted from 1."""

    def __init__(self, text: str, index: int, message: str) -> None:
        super().__init__(f"position '{shown(text)}', character {index + 1}: {message}")


def shown(text: object) -> str:
    """What came from outside as it may stand in a one-line message: printable and not too long."""
    whole = str(text)
    short = whole if len(whole) <= 60 else whole[:57] + "..."
    return "".join(c if c.isprintable() else "?" for c in short)


def printable(text: str) -> str:
    """A text that is safe to print: invisible characters are written out as escapes.

    So a name in a file cannot move the cursor, hide text or reverse a line. Line breaks and tabs stay.
    """
    return re.sub(r"[^ -~\n\t]", _written_out, text)


def _written_out(match: re.Match[str]) -> str:
    char = match[0]
    seen = char.isprintable() or unicodedata.category(char) == "Zs"
    return char if seen else char.encode("unicode_escape").decode()


def one_line(message: object) -> str:
    """A message for a terminal on one line, of which no more than MOST_SHOWN characters are shown."""
    line = printable(" ".join(str(message).split()))
    return line if len(line) <= MOST_SHOWN else f"{line[: MOST_SHOWN - 305]} ... {line[-300:]}"


def listed(names: Sequence[str], most: int = 20) -> str:
    """Names with commas between them, no more than the first few of many."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


def nearest(name: object, known: Iterable[str]) -> str | None:
    """The known name that a misspelt one probably means, if any comes close, whatever the capitals and dashes."""
    plain = {one.lstrip("-").casefold(): one for one in known}
    return next(map(plain.get, difflib.get_close_matches(str(name).lstrip("-").casefold(), plain, 1, 0.66)), None)


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """The end of a message, `; did you mean 'NAME'?` with the nearest known name; "" where none comes close."""
    close = nearest(name, known)
    return f"; did you mean '{close}'?" if close else ""


def unknown(what: str, name: object, known: Iterable[str], where: str = "") -> str:
    """One line for a name that does not exist: the nearest that does, or all of them."""
    names = [" ".join(one.split()) for one in known]  # a file's names may have line breaks
    place = f" of {where}" if where else ""
    return f"no {what} '{shown(name)}'{place}" + (
        did_you_mean(name, names) or f"; there are: {', '.join(names) or 'none'}"
    )


def demand(right: object, what: str, error: Callable[[str], Exception] = UsageError) -> None:
    """Raise an error, which says `what`, unless something is right.

    The message is built at each call: where that costs more than the names in it, write `if` and `raise` instead.
    """
    if not right:
        raise error(what)


def demand_at(right: object, text: str, index: int, what: str) -> None:
    """Raise PositionError, which says `what` of that place in a text, unless something is right."""
    if not right:
        raise PositionError(text, index, what)


def check_known(what: str, name: object, known: Collection[Any], where: str = "") -> None:
    """Raise UsageError, with the message of `unknown`, for a name that does not exist."""
    if name not in known:
        raise UsageError(unknown(what, name, known, where))


def whole_number(value: object) -> int | None:
    """A value as an int if it is a whole number of Python or NumPy, which may be an array int64[]; else None.

    True and False are not numbers.
    """
    if isinstance(value, bool) or str(getattr(value, "dtype", "")) == "bool":  # NumPy 2.0 takes its own for an index
        return None
    try:
        # `int.__int__`, because a subclass of int may have an `__int__` of its own.
        return int.__int__(operator.index(value))  # type: ignore[arg-type]  # what is not a number raises TypeError
    except TypeError:
        return None


def is_whole(value: object) -> bool:
    """Whether a value is a whole number, as `whole_number` says."""
    return whole_number(value) is not None


def check_whole(what: str, value: object, low: int, high: int) -> int:
    """A value as an int. Raises UsageError, which names `what`, unless it is a whole number from `low` to `high`."""
    number = whole_number(value)
    if number is None or not low <= number <= high:
        raise UsageError(f"{what}: expected a whole number from {low:,} to {high:,}, not {value!r}")
    return number


def optional_module(module: str, extra: str, flag: str) -> Any:
    """Import a module of an extra that the user asked for by a flag. Raises UsageError where it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise UsageError(
            f"{flag}: {module.partition('.')[0]} is not installed; in the checkout, pip install '.[{extra}]'"
        ) from None


def version_of(package: str) -> str:
    """The version of a package that is installed, "none" for one that is not."""
    from importlib import metadata  # slow to import, and no message needs it

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "none"
