"""What a check finds: mistakes and notes, each once, also where they are raised as exceptions."""

import contextlib
import functools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec

import numpy as np

from rulebots.errors import UsageError
from rulebots.game.checks import EndlessCall, contract_error
from rulebots.kernel.user_code import in_users_terms, with_place

P = ParamSpec("P")
#: Random games that a check plays by default.
GAMES = 30


@dataclass(frozen=True)
class Finding:
    """What is wrong, in one line that begins with `file:line` where it has a place.

    A `note` says what is probably not meant, but keeps the contract.
    """

    message: str
    note: bool = False

    @property
    def kind(self) -> str:
        """What it says, apart from the numbers: the same for a mistake that is met in many positions."""
        where, colon, what = self.message.partition(": ")
        return where + colon + re.sub(r"\d+(\.\d+)?", "#", what)

    def __str__(self) -> str:
        return self.message


class Findings(list[Finding]):
    """Findings, each once: two that differ in numbers only are one."""

    #: Whether a call did not end: no further check waits for it.
    ended = False

    def add(self, *findings: Finding | str) -> None:
        """Add findings, or their messages, unless they are there."""
        kinds = {known.kind for known in self}
        for finding in (Finding(one) if isinstance(one, str) else one for one in findings):
            if finding.kind not in kinds:
                kinds.add(finding.kind)
                self.append(finding)

    def add_of(self, thing: Any, what: str, *, note: bool = False) -> None:
        """Add a finding of a function, kernel or rule: its place, its name, and what it does wrong."""
        message = str(contract_error(getattr(thing, "kernel", thing), what))
        self.add(Finding(message.replace(": ", ": note: ", 1) if note else message, note))

    @contextlib.contextmanager
    def collecting(self) -> Iterator[None]:
        """Add what a block raises: a `UsageError`, or whatever the user's code raises.

        An endless call is raised again: it ends the check (see `check`).
        """
        try:
            with np.errstate(divide="raise", invalid="raise", over="raise"):
                yield
        except UsageError as error:
            self.add(with_place(error))
            if isinstance(error, EndlessCall):
                raise
        except Exception as error:
            line = in_users_terms(error)
            if line is None:
                raise
            self.add(line)

    @property
    def mistakes(self) -> list[Finding]:
        """The findings that are not notes."""
        return [finding for finding in self if not finding.note]


def check(body: Callable[Concatenate[Findings, P], None]) -> Callable[P, Findings]:
    """Make a check of a function that adds to findings, or raises what it finds."""

    @functools.wraps(body)
    def run(*args: P.args, **kwargs: P.kwargs) -> Findings:
        findings = Findings()
        try:
            with findings.collecting():
                body(findings, *args, **kwargs)
        except EndlessCall:
            findings.ended = True
        return findings

    return run


def all_of(*several: Findings) -> Findings:
    """The findings of several checks."""
    findings = Findings()
    for one in several:
        findings.add(*one)
        findings.ended |= one.ended
    return findings


def in_turn(*checks: Callable[[], Findings], go_on: bool = False) -> Findings:
    """The findings of checks, one after another, up to the first mistake; if they `go_on`, up to an endless call."""
    findings = Findings()
    for run in checks:
        findings = all_of(findings, run())
        if findings.ended if go_on else findings.mistakes:
            break
    return findings
