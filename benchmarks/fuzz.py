"""Damaged input of every kind: the answer is always a value or an error of one line, soon, in little memory.

Each case begins with a sound file (population, ladder, record, run file, checkpoint, log, settings) or command line
and makes some edits: words and signs of the format in the wrong place, parts cut, doubled, moved or flipped. A
checkpoint gets its right checksum in every second case, so that nonsense gets past it. Hypothesis makes the edits and
shrinks what fails; the same seed makes the same cases.

A case fails where there is another exception, a message of more than one line, more than `--case-seconds`, or where a
constructor of YAML, a pickle, a shell or another program is reached. A population or run file that is sound is written,
read and written again, and must give the same bytes. At the end the process must have taken less than 500 MB.

What comes over a wire is damaged likewise: the answers of a program and of a client, the messages of a referee and of a
server. A conversation ends with its first breach, which is one line.
"""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import yaml
from conversations import SPEAKERS
from damaged import FailedError, Files, Format
from hypothesis import HealthCheck, Phase, given, seed, settings, strategies as st
from machine import Figures, peak_memory

from rulebots import UsageError

MOST_SECONDS, MOST_WAITING, MOST_MEGABYTES = 2.0, 30.0, 500
#: Where Linux keeps files in memory: most of a small case is its writing to a disk.
IN_MEMORY = Path("/dev/shm")  # noqa: S108 - a private folder is made in it
#: Cases that share one search of Hypothesis.
BATCH = 500
#: Seconds between two lines that say how far it is.
SAYS = 60.0
#: What no reader of a file may cause.
FORBIDDEN = {"os.system", "os.exec", "os.posix_spawn", "os.spawn", "subprocess.Popen", "pickle.find_class"}


class TooLongError(BaseException):
    """A case took longer than it may; no handler of errors catches this."""


def edited(text: str, words: tuple[str, ...], edits: bytes) -> bytes:
    """A text after some edits, each of five bytes: what, where (two), how far or which word (two)."""
    data = text.encode("utf-8", "surrogatepass")
    for i in range(0, len(edits) - 4, 5):
        kind, place, much = edits[i] % 8, int.from_bytes(edits[i + 1 : i + 3]), int.from_bytes(edits[i + 3 : i + 5])
        at, length = place % (len(data) + 1), much % 64 + 1
        word = words[much % len(words)].encode("utf-8", "surrogatepass")
        if kind < 3:
            data = data[:at] + word + data[at + (0 if kind else length) :]
        elif kind == 3:
            data = data[:at] + data[at + length :]
        elif kind == 4:
            data = data[: at + length] + data[at:]
        elif kind == 5:
            data = data[:at]
        elif kind == 6:
            data = data[:at] + bytes([much % 256]) + data[at + 1 :]
        else:
            end = data.find(b"\n", at) + 1 or len(data)
            data = data[end:] + data[:end]
    return data


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """A block that may take this much of the processor's time, and MOST_WAITING in all."""

    def ring(number: int, _: object) -> None:
        raise TooLongError(f"more than {seconds:g} s" if number == signal.SIGPROF else f"waits for {MOST_WAITING:g} s")

    # The time of this process alone, whatever else the machine does; and a limit of waiting.
    timers = ((signal.SIGPROF, signal.ITIMER_PROF, seconds), (signal.SIGALRM, signal.ITIMER_REAL, MOST_WAITING))
    for number, timer, most in timers:
        signal.signal(number, ring)
        signal.setitimer(timer, most)
    try:
        yield
    finally:
        for _, timer, _ in timers:
            signal.setitimer(timer, 0)


class Guard:
    """Notes what must not happen while a case is read."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.on = False
        self.seen = ""
        sys.addaudithook(self._audit)

        def construct(*_: object, **__: object) -> None:
            self.seen = "a constructor of YAML"

        # All constructors of PyYAML come through here.
        yaml.constructor.BaseConstructor.construct_object = construct  # type: ignore[method-assign]

    def _audit(self, event: str, _: object) -> None:
        if self.on and event in FORBIDDEN:
            self.seen = event

    def run(self, read: Callable[[], None]) -> None:
        """Read a case. Raises FailedError for a defect, and any exception that is not a UsageError."""
        self.on, self.seen = True, ""
        try:
            with limited(self.seconds):
                read()
        except UsageError as error:
            if len(str(error).splitlines()) != 1:
                raise FailedError(f"not one line: {str(error)!r}") from error
        except TooLongError as error:
            raise FailedError(str(error)) from None
        finally:
            self.on = False
        if self.seen:
            raise FailedError(f"reached {self.seen}")


def batch(guard: Guard, found: Format, number: int, cases: int) -> tuple[int, str]:
    """How many cases of a format ran, and what failed ("" if nothing); Hypothesis has shrunk it."""
    count, example = 0, b""

    @seed(number)
    @settings(
        max_examples=cases, database=None, deadline=None, derandomize=False, print_blob=False,
        phases=(Phase.generate, Phase.shrink), suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(st.integers(0, len(found.sound) - 1), st.binary(min_size=5, max_size=40), st.booleans())
    def try_one(which: int, edits: bytes, sealed: bool) -> None:
        nonlocal count, example
        count += 1
        example = data = edited(found.sound[which], found.words, edits)
        guard.run(lambda: found.read(data, sealed))

    try:
        try_one()
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
        several = error.exceptions if isinstance(error, ExceptionGroup) else (error,)
        shown = " / ".join(f"{type(one).__name__}: {''.join(str(one).splitlines()[:1])}" for one in several)
        return count, f"{shown} for {example[:2000]!r}"
    return count, ""


def fuzz(names: list[str], cases: int, seconds: float, first: int, case_seconds: float) -> tuple[Figures, bool]:
    """Run batches of all formats in turn, up to a number of cases or seconds; returns figures and whether all is well.

    Failures are printed as they come, and the number of cases now and then; Ctrl-C ends it with the figures so far.
    """
    guard, began, done, failures = Guard(case_seconds), time.monotonic(), dict.fromkeys(names, 0), list[str]()
    number, told = first, began
    folder = tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None)
    with folder as name, contextlib.suppress(KeyboardInterrupt):
        files = Files(Path(name))
        while sum(done.values()) < cases and time.monotonic() - began < seconds:
            for kind in names:
                least = min(BATCH, max(1, -(-(cases - sum(done.values())) // len(names))))
                ran, failed = batch(guard, files.formats[kind], number, least)
                done[kind] += ran
                if failed:
                    failures.append(f"{kind}, seed {number}: {failed}")
                    print(failures[-1], flush=True)
            number += 1
            if time.monotonic() - told > SAYS:
                told = time.monotonic()
                print(f"{sum(done.values()):,} cases, {len(failures)} failures", file=sys.stderr, flush=True)
    megabytes = peak_memory() / 2**20
    took = time.monotonic() - began
    figures = Figures(f"{sum(done.values()):,} cases in {took:.0f} s, seeds {first} to {number - 1}")
    for kind, count in done.items():
        figures.add(f"cases of a {kind}", f"{count:,}")
    figures.add("failures", f"{len(failures)}", "0", met=not failures)
    figures.add("memory", f"{megabytes:.0f} MB", f"under {MOST_MEGABYTES} MB", met=megabytes < MOST_MEGABYTES)
    return figures, not failures and megabytes < MOST_MEGABYTES


def main() -> int:
    """Damage and read; 1 if something failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = ("population", "ladder", "record", "run file", "checkpoint", "log", "settings", "command", *SPEAKERS)
    parser.add_argument("--minutes", type=float, help="how long (default: until the cases are done)")
    parser.add_argument("--cases", type=int, default=100_000, help="how many (default 100,000)")
    parser.add_argument("--case-seconds", type=float, default=MOST_SECONDS, help="limit of a case (default 2)")
    parser.add_argument("--seed", type=int, default=1, help="of the first batch (default 1)")
    parser.add_argument("--only", choices=kinds, action="append", help="only this format; repeatable")
    parser.add_argument("--quick", action="store_true", help="20 cases of each format, to see that it works")
    wanted = parser.parse_args()
    names = wanted.only or list(kinds)
    cases = 20 * len(names) if wanted.quick else sys.maxsize if wanted.minutes else wanted.cases
    figures, well = fuzz(
        names, cases, 60 * wanted.minutes if wanted.minutes else float("inf"), wanted.seed, wanted.case_seconds
    )
    figures.show()
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
