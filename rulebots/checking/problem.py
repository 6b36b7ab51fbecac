"""A problem, and how several are collected where each is an exception."""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import numpy as np

from rulebots.errors import UsageError
from rulebots.game.checked import Endless
from rulebots.kernel.user_code import in_users_terms, place_of

T = TypeVar("T")
#: Random games that a check plays by default.
GAMES = 30


@dataclass(frozen=True)
class Problem:
    """What is wrong, in one line that begins with `file:line` where it has a place.

    A `note` says what is probably not meant; it is no breach of the contract.
    """

    message: str
    note: bool = False

    @functools.cached_property
    def kind(self) -> str:
        """What it says, apart from the numbers: the same for a mistake that is met in many positions."""
        where, colon, what = self.message.partition(": ")
        return where + colon + re.sub(r"\d+(\.\d+)?", "#", what)

    def __str__(self) -> str:
        return self.message


Problems: TypeAlias = list[Problem]


def at(thing: Any, what: str, *, note: bool = False) -> Problem:
    """A problem of a function, kernel or rule: its place, its name, and what is wrong."""
    thing = getattr(thing, "kernel", thing)
    function = getattr(thing, "original", thing)
    function = getattr(function, "function", function)
    return Problem(f"{place_of(function)}: {'note: ' if note else ''}`{function.__name__}` {what}", note)


@contextlib.contextmanager
def collecting(problems: Problems) -> Iterator[None]:
    """Add what a block raises to the problems: a `UsageError`, or whatever the user's code raises."""
    try:
        with np.errstate(divide="raise", invalid="raise", over="raise"):
            yield
    except Endless:
        raise
    except UsageError as error:
        add(problems, Problem(str(error)))
    except Exception as error:
        told = in_users_terms(error)
        if told is None:
            raise
        add(problems, Problem(told))


def add(problems: Problems, problem: Problem) -> None:
    """Add a problem, unless it is there, perhaps with other numbers."""
    if problem.kind not in {other.kind for other in problems}:
        problems.append(problem)


def breaches(problems: Problems) -> Problems:
    """The problems that are more than notes."""
    return [problem for problem in problems if not problem.note]


def distinct(*checks: Callable[[], Problems]) -> Problems:
    """The problems of several checks, each problem once."""
    found: Problems = []
    for check in checks:
        for problem in check():
            add(found, problem)
    return found
